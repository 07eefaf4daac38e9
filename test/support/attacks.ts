import { expect } from 'vitest';
import { systemClock } from '../../src/app/clock.ts';
import type { JournalEntry } from '../../src/core/ports/journal.ts';
import type { Json } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import type { Ack } from '../../src/sandbox/workspace/state/world-types.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { journalOf } from './journal-of.ts';
import { silentLogger } from './silent-logger.ts';
import { type StewardWorld, startWorld, type WorldOptions } from './steward-world.ts';

/** A world under attack, with its journal at hand. */
export type Siege = {
  readonly world: StewardWorld;
  /** Newest first, those after the number `since`; read from the database file by a second connection. */
  rows(since?: number): Promise<readonly JournalEntry[]>;
  /** The number of the last row; 0 before the first. */
  lastRow(): Promise<number>;
  /** Requests at the control API that could have changed something. */
  writes(): number;
  /** Puts a service into the directory, as the API or its costs would name it. */
  know(id: string, name: string): Promise<void>;
  close(): Promise<void>;
};

/** Rules for attacks: nobody is too fast, and #partners is served although outsiders read it. */
export function besiegedRules(yaml: string): string {
  return yaml.replace(
    'defaults: {',
    `  partners:
    id: C0PARTNER
    externalPeople: allow
    allow:
      - { actions: [service.stop], services: [tag:prod], who: [operators], approval: { by: [leads], within: 30m } }
limits: { perPersonPerMinute: 10000, perChannelPerMinute: 10000 }
defaults: {`,
  );
}

export async function besiege(options: WorldOptions = {}): Promise<Siege> {
  const world = await startWorld({ settings: besiegedRules, ...options });
  const db = await openDatabase(world.env['DATABASE_URL'] ?? '', { logger: silentLogger });
  const journal = journalOf(db, systemClock, 'attacks');
  const lastRow = async () => (await journal.find({ limit: 1 }))[0]?.number ?? 0;
  return {
    world,
    rows: async (since = 0) => {
      // Some more, as rows may come in between.
      const limit = Math.min(1_000, (await lastRow()) - since + 20);
      return (await journal.find({ limit })).filter(({ number }) => number > since);
    },
    lastRow,
    writes: () => world.plane.requests().filter(({ method }) => method !== 'GET').length,
    know: async (id, name) => {
      const none = { state: null, state_at: null };
      const row = { id, name, organization: 'acme', source: 'created here', ...none } as const;
      await db.query((kysely) => kysely.insertInto('services').values(row).execute());
    },
    close: async () => {
      await db.close();
      await world.close();
    },
  };
}

/** What a journal row of a refusal has to say. */
export type Row = Partial<Omit<JournalEntry, 'detail' | 'decision'>> & {
  readonly detail?: RegExp;
  readonly decision?: RegExp;
};

/**
 * Runs an attack: no request that could change anything reaches the control API, the journal shows
 * the refusal (or, without `row`, nothing), and a harmless command is answered afterwards.
 */
export async function expectRefused(
  siege: Siege,
  attack: () => Promise<unknown>,
  row?: Row,
): Promise<void> {
  const writes = siege.writes();
  const newest = await siege.lastRow();
  const before = newest;
  await attack();
  if (row !== undefined) {
    const found = await expectRow(siege, before, row);
    expect(found.outcome).not.toBe('done');
  }
  await expectAlive(siege);
  const after = await siege.rows(before);
  expect(
    after.filter(({ outcome }) => outcome === 'done').map(({ operation }) => operation),
  ).toEqual(['permission.read']);
  if (row === undefined) expect(after).toHaveLength(1);
  expect(siege.writes()).toBe(writes);
}

/** The row that the attack left; rows before `since` do not count. */
export async function expectRow(siege: Siege, since: number, row: Row): Promise<JournalEntry> {
  const { detail, decision, ...rest } = row;
  const wanted = {
    ...rest,
    ...(detail === undefined ? {} : { detail: expect.stringMatching(detail) }),
    ...(decision === undefined ? {} : { decision: expect.stringMatching(decision) }),
  };
  let seen: readonly JournalEntry[] = [];
  await expect
    .poll(
      async () => {
        seen = await siege.rows(since);
        return seen;
      },
      { interval: 5 },
    )
    .toContainEqual(expect.objectContaining(wanted));
  const found = seen.find((entry) => expect.objectContaining(wanted).asymmetricMatch(entry));
  if (found === undefined) throw new Error('The row is gone.');
  return found;
}

/** Ben asks something harmless and is answered. */
export async function expectAlive(siege: Siege): Promise<void> {
  const newest = await siege.lastRow();
  const since = newest;
  await siege.world.as('ben').in('#random').command('/db can stop scratch');
  await expectRow(siege, since, { operation: 'permission.read', outcome: 'done' });
}

let count = 0;
/** A trigger that the bot has not seen; no modal opens by it. */
export function freshTrigger(): string {
  count += 1;
  return `attack.${count}`;
}

/** A slash command as Slack sends it, with whatever an attacker would change. */
export async function sendCommand(siege: Siege, text: string, edit: Json = {}): Promise<Ack> {
  return await siege.world.workspace.deliver('slash_commands', commandOf(text, edit));
}

/** A command as Ana types it in #ops. */
export function commandOf(text: string, edit: Json = {}): Json {
  return {
    token: 'fake-verification-token',
    team_id: 'T0ACME',
    team_domain: 'acme',
    channel_id: 'C0OPS',
    channel_name: 'ops',
    user_id: 'U01ANA',
    user_name: 'ana',
    command: '/db',
    text,
    api_app_id: 'A0STEWARD',
    is_enterprise_install: 'false',
    trigger_id: freshTrigger(),
    ...edit,
  };
}

/** The parts that all interactive payloads have. */
export function interactive(type: string, edit: Json = {}): Json {
  return {
    type,
    team: { id: 'T0ACME', domain: 'acme' },
    user: { id: 'U01ANA', username: 'ana', name: 'ana', team_id: 'T0ACME' },
    api_app_id: 'A0STEWARD',
    token: 'fake-verification-token',
    enterprise: null,
    is_enterprise_install: false,
    trigger_id: freshTrigger(),
    ...edit,
  };
}

/** A press on a button of an ephemeral message in #ops; `value` is text or what it is made of. */
export function pressOf(value: unknown, edit: Json = {}): Json {
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : 'run';
  return interactive('block_actions', {
    container: { type: 'message', message_ts: '1.0', channel_id: 'C0OPS', is_ephemeral: true },
    channel: { id: 'C0OPS', name: 'ops' },
    actions: [
      {
        type: 'button',
        action_id: `${String(kind)}:0-0`,
        block_id: 'actions:0',
        value: typeof value === 'string' ? value : JSON.stringify(value),
        action_ts: '1.0',
      },
    ],
    ...edit,
  });
}

export async function press(siege: Siege, value: unknown, edit: Json = {}): Promise<Ack> {
  return await siege.world.workspace.deliver('interactive', pressOf(value, edit));
}

/** `user` of an interactive payload. */
export function person(id: string, team = 'T0ACME'): Json {
  return { user: { id, username: id, name: id, team_id: team } };
}

/** The id of the question in the newest button of a kind that the bot sent after `since`. */
export async function newestPending(
  siege: Siege,
  kind: 'confirm' | 'approve',
  since = 0,
): Promise<string> {
  return await newestButton(siege, kind, since);
}

/** The id in the newest button of a kind; `since` counts lines of the traffic log. */
export async function newestButton(siege: Siege, kind: string, since = 0): Promise<string> {
  const find = (): string | undefined => {
    const sent = siege.world.workspace
      .traffic()
      .slice(since)
      .filter(({ direction }) => direction === 'from-bot');
    const text = JSON.stringify(sent.map((record) => record.sent));
    const ids = [...text.matchAll(/\\*"kind\\*":\\*"(\w+)\\*",\\*"\w+\\*":\\*"([\w-]+)\\*"/gu)];
    return ids.findLast((match) => match[1] === kind)?.[2];
  };
  await expect.poll(find).toBeDefined();
  return find() ?? '';
}

/** `@Steward …` of Ana in #ops, as Slack sends it; `edit` is of the event. Seconds since the epoch. */
export function mentionOf(at: number, text: string, edit: Json = {}): Json {
  count += 1;
  const ts = `${Math.floor(at)}.${String(count).padStart(6, '0')}`;
  return {
    token: 'fake-verification-token',
    team_id: 'T0ACME',
    api_app_id: 'A0STEWARD',
    type: 'event_callback',
    event_id: `Ev0ATTACK${count}`,
    event_time: Math.floor(at),
    authorizations: [{ enterprise_id: null, team_id: 'T0ACME', user_id: 'U0BOT', is_bot: true }],
    is_ext_shared_channel: false,
    event: {
      type: 'app_mention',
      user: 'U01ANA',
      team: 'T0ACME',
      text,
      ts,
      event_ts: ts,
      client_msg_id: `client-msg-attack-${count}`,
      channel: 'C0OPS',
      ...edit,
    },
  };
}
