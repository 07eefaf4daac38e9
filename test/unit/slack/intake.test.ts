import { expect, it } from 'vitest';
import { AppError } from '../../../src/core/cloud/errors.ts';
import type { OpenEntry } from '../../../src/core/ports/journal.ts';
import { answerOnce } from '../../../src/slack/inbound/intake/acknowledge.ts';
import { receive } from '../../../src/slack/inbound/intake/intake.ts';
import type { SlackDeps } from '../../../src/slack/outbound/deps.ts';
import type { Reply } from '../../../src/slack/outbound/replies.ts';
import { fakePorts } from '../../support/operation-ports.ts';
import { createTestClock } from '../../support/settable-clock.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const ENTRY: OpenEntry = { number: 7, reference: 'k3f9' };
const ACTOR = { userId: 'U01ANA', teamId: 'T0ACME' };

/** A payload that arrives, with what is acknowledged, written and worked on. */
function arrival(row: Promise<OpenEntry | 'repeat'>, isFull = false) {
  const clock = createTestClock('2026-11-28T10:00:00.000Z');
  const acknowledged: unknown[] = [];
  const closed: unknown[] = [];
  const deps = {
    clock,
    ports: { ...fakePorts(), clock },
    logger: silentLogger,
    track: <T>(work: Promise<T>) => work,
    queue: { isFull: () => isFull, add: (work: () => Promise<void>) => work() },
    journal: {
      receive: () => row,
      close: async (entry: OpenEntry, closing: unknown) => closed.push({ entry, closing }) > 0,
    },
  } as unknown as SlackDeps;
  const address = { actor: ACTOR, place: { channelId: 'C0OPS' } };
  const reply = { ...address, deps, to: (to: object) => ({ ...to, deps }) } as unknown as Reply;
  const given = {
    kind: 'slash_command',
    body: {},
    answer: answerOnce(async (response) => void acknowledged.push(response)),
    reply,
    opening: { operation: 'service.stop', actor: ACTOR, input: {}, origin: 'slash' },
    delivery: 'trigger:1',
    whole: true,
  } as const;
  return { given, clock, acknowledged, closed };
}

it('acknowledges once the row is there, and works afterwards', async () => {
  let write: (entry: OpenEntry) => void = () => undefined;
  const row = new Promise<OpenEntry>((resolve) => {
    write = resolve;
  });
  const { given, acknowledged, closed } = arrival(row);
  const order: string[] = [];
  const done = receive(given, async ({ received }) => {
    order.push(`work of ${received?.entry.number} after ${acknowledged.length} acknowledgement`);
    if (received !== undefined) received.closed = true;
  });
  await Promise.resolve();
  expect(acknowledged).toEqual([]);
  write(ENTRY);
  await done;
  expect(order).toEqual(['work of 7 after 1 acknowledgement']);
  expect(closed).toEqual([]);
});

it('passes over a repeat, acknowledged', async () => {
  const { given, acknowledged } = arrival(Promise.resolve('repeat'));
  await receive(given, () => Promise.reject(new TypeError('It must not run.')));
  expect(acknowledged).toEqual([undefined]);
});

it('is busy at once when the queue is full', async () => {
  const { given, acknowledged } = arrival(Promise.resolve(ENTRY), true);
  await receive(given, () => Promise.reject(new TypeError('It must not run.')));
  expect(acknowledged).toMatchObject([{ text: expect.stringMatching(/busy: nothing was done/u) }]);
});

it('says after two seconds that nothing was done, and keeps to it when the row comes later', async () => {
  let write: (entry: OpenEntry) => void = () => undefined;
  const row = new Promise<OpenEntry>((resolve) => {
    write = resolve;
  });
  const { given, clock, acknowledged, closed } = arrival(row);
  const done = receive(given, () => Promise.reject(new TypeError('It must not run.')));
  await clock.advance(1_999);
  expect(acknowledged).toEqual([]);
  await clock.advance(1);
  await done;
  expect(acknowledged).toMatchObject([{ text: expect.stringMatching(/^Nothing was done/u) }]);
  write(ENTRY);
  await expect.poll(() => closed).toMatchObject([{ entry: ENTRY, closing: { outcome: 'failed' } }]);
});

it('says so at once where the row is refused', async () => {
  const fault = Promise.reject(new AppError('storage', { userMessage: 'No disk.' }));
  const { given, acknowledged } = arrival(fault);
  await receive(given, () => Promise.reject(new TypeError('It must not run.')));
  expect(acknowledged).toMatchObject([{ text: expect.stringMatching(/^Nothing was done/u) }]);
});

it('closes the row of work that came to nothing', async () => {
  const { given, closed } = arrival(Promise.resolve(ENTRY));
  const work = receive(given, () => Promise.reject(new TypeError('A fault of our own.')));
  await expect(work).rejects.toThrow('A fault of our own.');
  expect(closed).toMatchObject([{ entry: ENTRY, closing: { outcome: 'failed' } }]);
});
