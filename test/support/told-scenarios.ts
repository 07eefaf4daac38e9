import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { systemClock } from '../../src/app/clock.ts';
import type { Notification, NotificationKind } from '../../src/core/ports/outbox.ts';
import { say } from '../../src/core/text/text.ts';
import { createDigestLedger } from '../../src/storage/digests/digest-ledger.ts';
import { createOutbox } from '../../src/storage/outbox.ts';
import { journalOf, ownerOf } from './journal-of.ts';
import type { ToldBench } from './told-bench.ts';

/** A step of a message's ladder, as the wire sees it. */
export type Rung = {
  readonly method: 'chat.update' | 'chat.postMessage' | 'response_url' | 'chat.postEphemeral';
  /** Part of the channel's id where it is posted: a person's for a direct message. */
  readonly to?: string;
};

/** How a message comes about, and how it is known to have been told. */
export type Scenario = {
  /** What stands there before Slack begins to fail. */
  readonly prepare?: (bench: ToldBench) => Promise<unknown>;
  readonly bring: (bench: ToldBench) => Promise<unknown>;
  readonly ladder: readonly Rung[];
  /** The message on the wire, and as it is read. */
  readonly wire: RegExp;
  readonly words: RegExp;
  readonly reader: 'ana' | 'ben';
  /** Where it counts: privately for the reader, in this channel, or anywhere but the audit channel. */
  readonly where?: 'private' | '#audit';
  /** A card that stood there and must say its last; read by everybody or by the reader alone. */
  readonly card?: RegExp;
  /** An answer that is lost where no step takes it now: nobody does anything because of it. */
  readonly unkept?: true;
  /** Its words stand below a message, not beside it. */
  readonly inThread?: true;
  /** It says what another message tells: that one will do. */
  readonly or?: RegExp;
};

const POST: Rung = { method: 'chat.postMessage', to: 'C0OPS' };
const AUDIT: Rung = { method: 'chat.postMessage', to: 'C0AUDIT' };
const UPDATE: Rung = { method: 'chat.update' };
const URL: Rung = { method: 'response_url' };
const EPHEMERAL: Rung = { method: 'chat.postEphemeral' };
const DIRECT: Rung = { method: 'chat.postMessage', to: 'U01ANA' };

const CALL: Rung = { method: 'chat.postMessage', to: 'U02BEN' };

const request = async ({ at }: ToldBench): Promise<void> => {
  await at('ana').command('/db stop analytics');
  await at('ben').expectMessage(/@ana asks to stop analytics/);
};
const deny = async ({ at }: ToldBench): Promise<void> => {
  await at('ben').click('Deny');
  await at('ben').submit();
};

/** Open, and perhaps started, in a process that is gone. */
async function interrupted({ world, db }: ToldBench, started: boolean): Promise<void> {
  const journal = journalOf(db, systemClock, 'gone');
  const entry = await journal.open({
    operation: 'service.stop',
    actor: { userId: 'U01ANA', teamId: 'T0ACME' },
    input: { service: 'scratch' },
    origin: 'slash',
    channelId: 'C0OPS',
  });
  if (started)
    await journal.started(entry, { targets: [{ id: 'x', name: 'scratch', kind: 'service' }] });
  await world.steward.housekeep();
}

/** A summary of yesterday stands in the channel. */
async function summary({ world, row }: ToldBench): Promise<void> {
  const { apiUrl, botToken } = world.workspace;
  const words = { channel: 'C0OPS', text: `Costs of day ${row}` };
  const answer = await fetch(`${apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${botToken}` },
    body: new URLSearchParams(words),
  });
  expect(await answer.json()).toMatchObject({ ok: true });
}

/** Its numbers are final: the ledger's row and the reply below it are one transaction. */
async function finalised({ world, db, row, at }: ToldBench): Promise<void> {
  const posted = at('ana').state.messages.find(({ text }) => text === `Costs of day ${row}`);
  const ts = posted?.ts ?? '';
  const owner = ownerOf(systemClock, 'gone');
  const ledger = createDigestLedger(db, owner);
  const key = {
    channel: 'C0OPS',
    organization: `acme${row}`,
    period: 'day',
    day: '2026-11-26',
  } as const;
  await ledger.claim(key, owner.instance);
  await ledger.posted(key, { ts, snapshot: {} });
  await ledger.finalised(key, {}, [
    {
      ...{ id: randomUUID(), kind: 'final-costs', at: systemClock.now().toISO() },
      card: { audience: 'channel', tone: 'plain', headline: say`Final for 2 services: unchanged.` },
      ...{ actor: { userId: '', teamId: '' }, place: { channelId: 'C0OPS' }, journal: 0 },
      ...{ message: { channelId: 'C0OPS', ts }, inThread: true },
    },
  ]);
  await world.steward.housekeep();
}

/** As a change goes on that is followed: its message stands in the channel. */
function goesOn(kind: 'follow' | 'followed' | 'follow-word', words: string) {
  return async ({ world, db, row, at }: ToldBench): Promise<void> => {
    const posted = at('ana').state.messages.find(({ text }) => text === `Costs of day ${row}`);
    const message = { channelId: 'C0OPS', ts: posted?.ts ?? '' };
    const notification: Notification = {
      ...{ id: randomUUID(), kind, at: systemClock.now().toISO(), journal: 0, message },
      card: { audience: 'channel', tone: 'plain', headline: say`${words}` },
      ...{ actor: { userId: 'U01ANA', teamId: 'T0ACME' }, place: { channelId: 'C0OPS' } },
      inThread: kind === 'follow-word' ? true : undefined,
    };
    await createOutbox(db, ownerOf(systemClock, 'gone')).add([notification], 'waiting');
    await world.steward.housekeep();
  };
}

/** Every kind of the outbox. A new kind does not compile without a scenario. */
export const KINDS: Readonly<Record<NotificationKind, Scenario>> = {
  outcome: {
    bring: ({ at }) => at('ana').command('/db start reporting'),
    ladder: [POST, URL, EPHEMERAL, DIRECT],
    wire: /asked \*reporting\* to start/,
    words: /asked reporting to start/,
    reader: 'ana',
  },
  request: {
    bring: ({ at }) => at('ana').command('/db stop analytics'),
    ladder: [POST, URL],
    wire: /asks to stop/,
    // Not the call, which says the same in a message of its own.
    words: /^(?![\s\S]*approve or deny it there)[\s\S]*asks to stop analytics/,
    reader: 'ben',
  },
  approver: {
    bring: ({ at }) => at('ana').command('/db stop analytics'),
    ladder: [CALL],
    wire: /asks to stop/,
    words: /You may approve or deny it there/,
    reader: 'ben',
    where: 'private',
  },
  'approver-end': {
    prepare: async (bench) => {
      await request(bench);
      const called = () =>
        bench
          .at('ben')
          .state.messages.filter(
            ({ channel, text }) => channel.startsWith('D') && /asks to stop/u.test(text),
          ).length;
      await expect.poll(called).toBeGreaterThan(0);
    },
    bring: deny,
    ladder: [UPDATE],
    wire: /No longer waiting/,
    words: /No longer waiting: analytics was not stopped: denied by/,
    reader: 'ben',
    where: 'private',
  },
  'request-end': {
    prepare: request,
    bring: deny,
    ladder: [UPDATE, POST],
    wire: /denied by/,
    words: /^(?![^\n]*No longer waiting)[\s\S]*denied by/,
    reader: 'ben',
    card: /analytics/,
  },
  'request-end-asker': {
    prepare: request,
    bring: deny,
    ladder: [EPHEMERAL, DIRECT],
    wire: /denied by/,
    words: /denied by/,
    reader: 'ana',
    where: 'private',
  },
  password: {
    bring: async ({ at, row }) => {
      await at('ana').command(
        `/db create nightly${row} --preset small --ip-access-list 203.0.113.7`,
      );
      await at('ana').submit();
    },
    ladder: [EPHEMERAL, DIRECT],
    wire: /shown once/,
    words: /shown once/,
    reader: 'ana',
    where: 'private',
  },
  'last-state': {
    prepare: async ({ at }) => {
      await at('ana').command('/db stop scratch');
      await at('ana').expectEphemeral(/Stop scratch\?/);
    },
    bring: ({ at }) => at('ana').click('Stop scratch'),
    ladder: [URL],
    wire: /Asked \*scratch\* to stop/,
    words: /Asked scratch to stop/,
    or: /asked scratch to stop/,
    reader: 'ana',
    card: /scratch/,
  },
  audit: {
    bring: ({ at }) => at('ana').command('/db start reporting'),
    ladder: [AUDIT],
    wire: /service\.start/,
    words: /done service\.start/,
    reader: 'ben',
    where: '#audit',
  },
  unknown: {
    bring: (bench) => interrupted(bench, true),
    ladder: [POST, EPHEMERAL, DIRECT],
    wire: /Outcome unknown/,
    words: /Outcome unknown/,
    reader: 'ana',
  },
  'not-run': {
    bring: (bench) => interrupted(bench, false),
    ladder: [EPHEMERAL, DIRECT],
    wire: /Not run/,
    words: /Not run/,
    reader: 'ana',
  },
  'final-costs': {
    prepare: summary,
    bring: finalised,
    ladder: [POST],
    inThread: true,
    wire: /Final for/,
    words: /Final for 2 services/,
    reader: 'ana',
  },
  follow: {
    prepare: summary,
    bring: goesOn('follow', 'reporting is on its way'),
    ladder: [UPDATE],
    wire: /on its way/,
    words: /reporting is on its way/,
    reader: 'ana',
  },
  followed: {
    prepare: summary,
    bring: goesOn('followed', 'reporting has arrived'),
    ladder: [UPDATE, POST, DIRECT],
    wire: /has arrived/,
    words: /reporting has arrived/,
    reader: 'ana',
  },
  'follow-word': {
    prepare: summary,
    bring: goesOn('follow-word', 'reporting takes long'),
    ladder: [POST, DIRECT],
    inThread: true,
    wire: /takes long/,
    words: /reporting takes long/,
    reader: 'ana',
  },
};

const TO_ASKER = {
  ladder: [URL, EPHEMERAL, DIRECT],
  reader: 'ana',
  where: 'private',
  unkept: true,
} as const;

/** What is not kept, and goes by the same ladder. */
export const ANSWERS: Readonly<Record<string, Scenario>> = {
  'the answer to a read': {
    ...TO_ASKER,
    bring: ({ at }) => at('ana').command('/db can stop scratch'),
    wire: /scratch/,
    words: /scratch/,
  },
  'a refusal': {
    ...TO_ASKER,
    bring: ({ at }) => at('ana', '#random').command('/db stop scratch'),
    wire: /was not stopped/,
    words: /scratch was not stopped/,
  },
  'a question': {
    ...TO_ASKER,
    bring: ({ at }) => at('ana').command('/db stop scratch'),
    wire: /Stop \*scratch\*\?/,
    words: /Stop scratch\?/,
  },
  'a near miss': {
    ...TO_ASKER,
    bring: ({ at }) => at('ana').command('/db start reportin'),
    wire: /reportin/,
    words: /Did you mean reporting/,
  },
  'the outcome of what was approved': {
    prepare: request,
    bring: ({ at }) => at('ben').click('Approve'),
    ladder: [UPDATE, POST, EPHEMERAL, DIRECT],
    wire: /asked \*analytics\* to stop/,
    words: /asked analytics to stop/,
    reader: 'ana',
    card: /analytics/,
  },
};
