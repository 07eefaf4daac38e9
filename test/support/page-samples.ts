import type {
  Json,
  PageMessage,
  PageState,
  PageView,
} from '../../src/sandbox/workspace/protocol/page-protocol.ts';

/** 27 November 2026, 10:07 in Berlin. */
const NOW = '2026-11-27T09:07:00.000Z';
const NOW_SECONDS = Date.parse(NOW) / 1000;

/** A `ts` so many minutes before now. */
export function ago(minutes: number): string {
  return `${NOW_SECONDS - minutes * 60}.000100`;
}

export function sampleMessage(part: Partial<PageMessage> = {}): PageMessage {
  return {
    channel: 'C0OPS',
    ts: ago(5),
    threadTs: null,
    userId: 'U0BOT',
    userName: 'Steward',
    fromBot: true,
    text: 'Hello',
    blocks: [],
    files: [],
    ephemeral: false,
    edited: false,
    values: {},
    ...part,
  };
}

export function sampleView(part: Partial<PageView> = {}): PageView {
  return {
    id: 'V1',
    hash: 'h1',
    callbackId: 'service.stop',
    title: 'Stop a service',
    submit: 'Stop it',
    close: 'Cancel',
    blocks: [],
    errors: {},
    busy: false,
    values: {},
    ...part,
  };
}

const PERSONAS = [
  { id: 'U01ANA', name: 'ana', realName: 'Ana Ruiz', kind: 'member', zone: 'Europe/Berlin' },
  { id: 'U02BEN', name: 'ben', realName: 'Ben Okafor', kind: 'member', zone: 'America/New_York' },
  { id: 'U03GIL', name: 'gil', realName: 'Gil Moreau', kind: 'guest', zone: 'Europe/Paris' },
  { id: 'U0BOT', name: 'steward', realName: 'Steward', kind: 'bot', zone: 'UTC' },
] as const;

export function sampleState(
  part: Partial<PageState> = {},
  person: string | null = null,
): PageState {
  const me = PERSONAS.find((persona) => persona.id === person) ?? PERSONAS[0];
  const open = { shared: false, archived: false } as const;
  return {
    version: 1,
    now: NOW,
    workspace: { id: 'T0ACME', name: 'Acme (local workspace)' },
    me,
    personas: PERSONAS,
    channels: [
      { id: 'C0OPS', name: 'ops', kind: 'public', ...open },
      { id: 'C0RANDOM', name: 'random', kind: 'public', ...open },
      { id: 'C0FINANCE', name: 'finance', kind: 'private', ...open },
      { id: 'C0PARTNER', name: 'partner', kind: 'public', shared: true, archived: false },
      { id: 'D0ANA', name: 'steward', kind: 'dm', ...open },
    ],
    messages: [],
    views: [],
    home: null,
    commands: [
      { command: '/db', description: 'Run the databases', usageHint: '[start|stop|cost …]' },
    ],
    shortcuts: [
      { callbackId: 'menu', name: 'Databases', type: 'global' },
      { callbackId: 'activity.inspect', name: 'Inspect activity', type: 'message' },
    ],
    botConnected: true,
    traffic: [],
    ...part,
  };
}

export function plain(text: string): Json {
  return { type: 'plain_text', text };
}

export function mrkdwn(text: string): Json {
  return { type: 'mrkdwn', text };
}

export function option(value: string, text = value, more: Json = {}): Json {
  return { text: plain(text), value, ...more };
}

/** An input block whose action id is its block id with `_value`. */
export function inputBlock(blockId: string, label: string, element: Json, more: Json = {}): Json {
  return {
    type: 'input',
    block_id: blockId,
    label: plain(label),
    element: { action_id: `${blockId}_value`, ...element },
    ...more,
  };
}
