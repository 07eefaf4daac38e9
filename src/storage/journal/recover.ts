import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { JournalClosing, JournalEntry } from '../../core/ports/journal.ts';
import type { AnswerTo, Notification } from '../../core/ports/outbox.ts';
import { canonicalJson, parseJson } from '../../core/text/json.ts';
import type { Database } from '../database.ts';
import { livingInstances } from '../instances.ts';
import { addToOutbox, type OutboxOwner } from '../outbox.ts';
import type { Schema } from '../schema.ts';
import { seal, unseal } from '../seal.ts';
import { isoNow } from '../values.ts';
import { advance } from './chain.ts';
import { entriesOf } from './find.ts';

/** An entry that a process left open, and whether its request may have been sent. */
export type Interrupted = {
  readonly entry: JournalEntry;
  readonly started: boolean;
  /** Of its payload; absent where the key has changed. */
  readonly answerTo?: AnswerTo | undefined;
};

/** What people must learn of it; `closing` where it is known what became of it. */
export type Recovered = {
  readonly closing?: JournalClosing | undefined;
  readonly notifications: readonly Notification[];
};

export type Recovery = (interrupted: Interrupted) => Promise<Recovered>;

const answers = z.object({
  responseUrl: z.string().exactOptional(),
  pressed: z
    .object({ ephemeral: z.boolean(), channelId: z.string(), ts: z.string().exactOptional() })
    .exactOptional(),
});

/** Whoever has a response URL can write there: it is never kept as it is. */
export function sealAnswer(
  entry: number,
  answerTo: AnswerTo | undefined,
  { key }: OutboxOwner,
): string | null {
  if (answerTo === undefined) return null;
  return seal(key, contextOf(entry), canonicalJson(answerTo));
}

function unsealAnswer(
  entry: number,
  sealed: string | null,
  { key }: OutboxOwner,
): AnswerTo | undefined {
  const text = sealed === null ? undefined : unseal(key, contextOf(entry), sealed);
  return text === undefined ? undefined : answers.safeParse(parseJson(text)).data;
}

function contextOf(entry: number): string {
  return `answer_to|${entry}`;
}

/**
 * Closes the open entries of instances that no longer live. One transaction over all replicas, so
 * that two that start together report an entry once. Design: §10.
 */
export async function recoverOpen(
  db: Database,
  owner: OutboxOwner,
  tell: Recovery,
): Promise<number> {
  const left = await db.query(async (kysely) => {
    const living = await livingInstances(kysely, owner.clock);
    return await kysely
      .selectFrom('journal_index')
      .select(['entry', 'state', 'answer_to'])
      .where('state', '!=', 'closed')
      .where('instance', 'not in', [...living, owner.instance])
      .orderBy('entry')
      .execute();
  });
  let closed = 0;
  for (const { entry: number, state, answer_to: sealed } of left) {
    const started = state === 'started';
    const [entry] = await entriesOf(db, [number]);
    const answerTo = unsealAnswer(number, sealed, owner);
    const told = entry === undefined ? NOBODY : await tell({ entry, started, answerTo });
    closed += await db.serialised(async (trx) => {
      if ((await stateOf(trx, number)) !== state) return 0;
      const facts = told.closing ?? (started ? UNKNOWN : NOT_RUN);
      await advance(trx, { entry: { number }, kind: 'closed', at: isoNow(owner.clock), facts });
      await addToOutbox(trx, told.notifications, owner, 'waiting');
      return 1;
    });
  }
  return closed;
}

const NOBODY: Recovered = { notifications: [] };
const UNKNOWN: JournalClosing = {
  outcome: 'unknown',
  detail: 'interrupted before the outcome was known',
};
const NOT_RUN: JournalClosing = {
  outcome: 'failed',
  detail: 'interrupted before anything was sent',
};

async function stateOf(trx: Transaction<Schema>, number: number) {
  const now = await trx
    .selectFrom('journal_index')
    .select('state')
    .where('entry', '=', number)
    .executeTakeFirst();
  return now?.state;
}
