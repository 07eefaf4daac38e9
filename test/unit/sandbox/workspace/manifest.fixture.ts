/** A manifest with everything that the tests of the workspace use. */
export const manifest = {
  display_information: { name: 'steward' },
  features: {
    app_home: { home_tab_enabled: true },
    bot_user: { display_name: 'steward' },
    shortcuts: [
      { name: 'New request', type: 'global', callback_id: 'new_request', description: 'Asks' },
      { name: 'Inspect', type: 'message', callback_id: 'inspect', description: 'Looks' },
    ],
    slash_commands: [
      { command: '/db', description: 'Runs it', usage_hint: 'help', should_escape: true },
      { command: '/raw', description: 'Not escaped', should_escape: false },
    ],
  },
  oauth_config: {
    scopes: {
      bot: [
        'app_mentions:read',
        'commands',
        'chat:write',
        'users:read',
        'users:read.email',
        'usergroups:read',
        'channels:read',
        'groups:read',
        'im:read',
        'im:write',
        'channels:history',
        'channels:join',
        'reactions:write',
        'files:write',
        'files:read',
        'team:read',
      ],
    },
  },
  settings: {
    event_subscriptions: { bot_events: ['app_home_opened', 'message.channels', 'app_mention'] },
    interactivity: { is_enabled: true },
    socket_mode_enabled: true,
  },
};
