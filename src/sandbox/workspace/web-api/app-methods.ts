import { objectsOf } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { checkMessage, checkView } from '../validation.ts';
import { refusal } from './api-error.ts';
import type { Call, MethodTable } from './method.ts';

/** Methods about the app, its tokens and its team. */
export const appMethods: MethodTable = {
  'api.test': { args: { error: 'text', foo: 'text' }, run: () => ({}) },
  'auth.test': { args: {}, run: authTest },
  'apps.connections.open': { appToken: true, args: {}, run: openConnection },
  'team.info': {
    scopes: ['team:read'],
    args: { team: 'text', domain: 'text' },
    run: ({ world }) => ({ team: { ...world.settings.team, email_domain: '' } }),
  },
  'blocks.validate': {
    args: { blocks: 'json', message: 'json', view: 'json' },
    run: validate,
  },
};

function authTest({ world }: Call): Json {
  const { settings, manifest, baseUrl } = world;
  return {
    url: `${baseUrl}/`,
    team: settings.team.name,
    user: manifest.botName,
    team_id: settings.team.id,
    user_id: settings.botUserId,
    bot_id: settings.botId,
    is_enterprise_install: false,
  };
}

function openConnection({ world }: Call): Json {
  const ticket = world.ids.next('ticket-');
  world.tickets.add(ticket);
  return { url: `${world.baseUrl.replace('http:', 'ws:')}/link/?ticket=${ticket}` };
}

function validate(call: Call): Json {
  const { world, args, method } = call;
  const message = args.has('message')
    ? args.json('message')
    : { text: '-', blocks: args.json('blocks') };
  const checked = args.has('view')
    ? checkView(world, method, args.json('view'))
    : checkMessage(world, method, objectsOf([message])[0] ?? {});
  if (!checked.ok) throw refusal(checked.error, checked.messages);
  return {};
}
