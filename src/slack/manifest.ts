import type { Operation } from '../core/operation/operation.ts';
import { defined } from './render/blocks.ts';

type Part = Readonly<Record<string, unknown>>;

export type ManifestOptions = {
  /** `/db`, or `/db-dev` for a second installation. */
  readonly command: string;
  readonly operations: readonly Operation[];
  readonly mode: 'socket' | 'http';
  /** HTTP mode only: `https://steward.example.com`. */
  readonly url?: string | undefined;
  /** `@Steward stop scratch` in a message or a thread: one scope and one event more. */
  readonly mentions?: boolean | undefined;
};

/** `usage_hint` of a slash command: at most 1,000 characters. */
function usageHint(operations: readonly Operation[]): string {
  const words = operations
    .filter(({ onlyIn }) => onlyIn === undefined)
    .map(({ slash }) => slash.words.join(' '))
    .filter((word) => word !== '');
  return `[${words.join(' | ')}]`.slice(0, 1_000);
}

/**
 * The app manifest that Slack's settings page takes, from the declarations of the operations: a
 * plain object, printed as YAML or JSON by `steward manifest`. Facts: Manifest.
 */
export function createManifest(options: ManifestOptions): Part {
  const { command, operations, mode, url, mentions = false } = options;
  const address = url === undefined ? undefined : `${url}/slack/events`;
  return {
    display_information: {
      name: 'Steward',
      description: 'Runs the managed database cloud: who, where, confirmed, recorded.',
    },
    features: {
      app_home: {
        home_tab_enabled: true,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: true,
      },
      bot_user: { display_name: 'Steward', always_online: true },
      shortcuts: [...SHORTCUTS],
      slash_commands: [
        defined<Part>({
          command,
          url: address,
          description: 'Operate the database cloud from this channel',
          usage_hint: usageHint(operations),
          should_escape: true,
        }),
      ],
    },
    oauth_config: { scopes: { bot: [...(mentions ? [MENTIONS] : []), ...SCOPES] } },
    settings: {
      event_subscriptions: defined<Part>({
        request_url: address,
        bot_events: ['app_home_opened', ...(mentions ? ['app_mention'] : [])],
      }),
      interactivity: defined<Part>({
        is_enabled: true,
        request_url: address,
        message_menu_options_url: address,
      }),
      org_deploy_enabled: false,
      socket_mode_enabled: mode === 'socket',
      token_rotation_enabled: false,
    },
  };
}

/** Names of at most 24 characters; the ids are routed in `inbound/shortcuts.ts`. */
const SHORTCUTS = [
  {
    name: 'Database menu',
    type: 'global',
    callback_id: 'menu',
    description: 'What you may do, and where',
  },
  {
    name: 'Inspect activity',
    type: 'message',
    callback_id: 'activity',
    description: 'Look up an activity id that stands in this message',
  },
] as const;

/** Reads messages that name the bot, and no others. */
const MENTIONS = 'app_mentions:read';

/** Each with its reason in docs/operating.md; no history, no posting where it was not invited. */
export const SCOPES = [
  'channels:read',
  'chat:write',
  'commands',
  'files:write',
  'groups:read',
  'usergroups:read',
  'users:read',
] as const;
