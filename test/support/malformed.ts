import type { Json } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import type { EnvelopeKind } from '../../src/sandbox/workspace/state/world-types.ts';
import { submissionOf, suggestionOf } from './attack-views.ts';
import { freshTrigger, interactive, pressOf } from './attacks.ts';

export type EntryPoint = {
  readonly name: string;
  readonly kind: EnvelopeKind;
  /** A whole payload, fresh and harmless. */
  readonly make: () => Json;
  /** Paths of what Steward or Bolt reads in it. */
  readonly fields: readonly string[];
};

const HARMLESS = { kind: 'run', operation: 'permission.read', input: { action: 'stop' } };
const PERSON = ['user', 'user.id', 'user.team_id', 'team', 'team.id', 'enterprise', 'trigger_id'];
const PLACE = ['channel', 'channel.id', 'response_url', 'response_urls'];
const CONTAINER = ['message_ts', 'channel_id', 'is_ephemeral'].map((key) => `container.${key}`);
const ACTION = ['action_id', 'block_id', 'value'].map((key) => `actions.0.${key}`);
const VIEW = ['id', 'callback_id', 'hash', 'private_metadata', 'state', 'state.values'];
const VIEWS = ['view', ...VIEW.map((key) => `view.${key}`), 'view.app_installed_team_id'];
/** What would make Bolt take the payload for another kind. */
const DISGUISE = ['type', 'event', 'command', 'name', 'function_data'];

const ANYWHERE = [...PERSON, ...PLACE, ...DISGUISE];

export const ENTRY_POINTS: readonly EntryPoint[] = [
  {
    name: 'a command',
    kind: 'slash_commands',
    make: () => ({
      team_id: 'T0ACME',
      channel_id: 'C0OPS',
      channel_name: 'ops',
      user_id: 'U01ANA',
      command: '/db',
      text: 'can stop scratch',
      api_app_id: 'A0STEWARD',
      is_enterprise_install: 'false',
      trigger_id: freshTrigger(),
    }),
    fields: [
      ...['team_id', 'channel_id', 'user_id', 'command', 'text', 'trigger_id', 'response_url'],
      ...['enterprise_id', 'is_enterprise_install', 'type', 'event', 'name', 'actions'],
    ],
  },
  {
    name: 'a press',
    kind: 'interactive',
    make: () => pressOf(HARMLESS),
    fields: [...ANYWHERE, 'container', ...CONTAINER, 'actions', 'actions.0', ...ACTION],
  },
  {
    name: 'a change in a form',
    kind: 'interactive',
    make: () =>
      interactive('block_actions', {
        container: { type: 'view', view_id: 'V1' },
        view: submissionOf({ form: 'unknown' })['view'],
        actions: [{ type: 'external_select', action_id: 'service', block_id: 'f:service' }],
      }),
    fields: [...ANYWHERE, 'container', ...ACTION, ...VIEWS],
  },
  ...['service.stop', 'pick', 'deny'].map(
    (callbackId): EntryPoint => ({
      name: `a submission of ${callbackId}`,
      kind: 'interactive',
      make: () => submissionOf({ form: 'unknown', callbackId }),
      fields: [...ANYWHERE, ...VIEWS],
    }),
  ),
  {
    name: 'a closed view',
    kind: 'interactive',
    make: () => ({ ...submissionOf({ form: 'unknown' }), type: 'view_closed' }),
    fields: [...ANYWHERE, ...VIEWS],
  },
  {
    name: 'a look at options',
    kind: 'interactive',
    make: () => suggestionOf('unknown'),
    fields: [...ANYWHERE, ...VIEWS, 'value', 'action_id', 'block_id', 'container'],
  },
  {
    name: 'the shortcut',
    kind: 'interactive',
    make: () => interactive('shortcut', { callback_id: 'menu' }),
    fields: [...ANYWHERE, 'callback_id'],
  },
  {
    name: 'the shortcut of a message',
    kind: 'interactive',
    make: () =>
      interactive('message_action', {
        callback_id: 'activity',
        channel: { id: 'C0OPS', name: 'ops' },
        message: { text: 'nothing', blocks: [] },
      }),
    fields: [...ANYWHERE, 'callback_id', 'message', 'message.text', 'message.blocks'],
  },
  {
    name: 'an opened Home',
    kind: 'events_api',
    make: () => ({
      type: 'event_callback',
      team_id: 'T0ACME',
      api_app_id: 'A0STEWARD',
      event_id: freshTrigger(),
      authorizations: [{ team_id: 'T0ACME', enterprise_id: null }],
      event: { type: 'app_home_opened', user: 'U01ANA', channel: 'D0', tab: 'home' },
    }),
    fields: [
      ...['type', 'team_id', 'event_id', 'authorizations', 'authorizations.0', 'event'],
      ...['event.type', 'event.user', 'event.tab', 'event.channel', 'event.item'],
      'event.subteam',
      ...['authorizations.0.team_id', 'event.channel_id', 'command', 'name'],
    ],
  },
];

export const MARKUP = '<!channel>';

/** Whatever may stand where something else belongs; undefined is left out. */
export const MISFITS: readonly (readonly [string, unknown])[] = [
  ['missing', undefined],
  ['null', null],
  ['a number', 7],
  ['a list', ['x', null]],
  ['an object', { x: null }],
  ['very long', 'X'.repeat(20_000)],
  ['a prototype, in small letters', 'constructor'],
  ['markup', MARKUP],
];

/** A copy with one part replaced, or taken away; parts on the way that are missing are made. */
export function withPart(payload: Json, path: string, value: unknown): Json {
  const copy = structuredClone(payload) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at: Record<string, unknown> = copy;
  for (const key of keys) {
    at[key] ??= {};
    at = at[key] as Record<string, unknown>;
  }
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}
