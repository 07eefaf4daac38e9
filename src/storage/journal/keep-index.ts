import type { Insertable, Transaction } from 'kysely';
import { z } from 'zod';
import type { JournalClosing, JournalOpening, JournalOutcome } from '../../core/ports/journal.ts';
import type { AnswerTo, Notification } from '../../core/ports/outbox.ts';
import { canonicalJson, parseJson } from '../../core/text/json.ts';
import type { JournalEventRow, Schema } from '../database/schema.ts';
import { addToOutbox, type OutboxOwner } from '../outbox-rows.ts';
import { seal, unseal } from '../seal.ts';

/** One link that is to be written, and what else stands in its transaction. */
export type Write = { readonly at: string } & (
  | {
      readonly kind: 'opened';
      readonly opening: JournalOpening;
      /** By what a repeat of the payload is known. */
      readonly delivery?: string | undefined;
    }
  | {
      readonly kind: 'started' | 'closed';
      readonly entry: number;
      readonly facts: Partial<JournalClosing>;
      readonly notifications?: readonly Notification[] | undefined;
      /** Whether the messages are delivered by who writes them, or by whoever comes first. */
      readonly told?: 'sending' | 'waiting' | undefined;
      readonly owner?: OutboxOwner | undefined;
    }
  | { readonly kind: 'noted'; readonly entry: number; readonly facts: unknown }
);

type Later = Extract<Write, { kind: 'started' | 'closed' }>;

export type Link = { readonly write: Write; readonly row: JournalEventRow };

export function isLater(write: Write): write is Later {
  return write.kind === 'started' || write.kind === 'closed';
}

/** What finds entries, kept in step with them. */
export async function keepIndex(
  trx: Transaction<Schema>,
  links: readonly Link[],
  owner: OutboxOwner,
): Promise<void> {
  const opened = links.flatMap((link) => indexRowOf(link, owner) ?? []);
  if (opened.length > 0) await trx.insertInto('journal_index').values(opened).execute();
  const later = links.map(({ write }) => write).filter(isLater);
  await moveOn(trx, later);
  for (const write of later) {
    await addToOutbox(trx, write.notifications ?? [], write.owner ?? owner, write.told);
  }
  await keepNames(trx, links);
  const targets = links.flatMap(({ write }) =>
    isLater(write)
      ? (write.facts.targets ?? []).map(({ id }) => ({ target_id: id, entry: write.entry }))
      : [],
  );
  if (targets.length === 0) return;
  await trx
    .insertInto('journal_targets')
    .values([...new Map(targets.map((one) => [`${one.target_id} ${one.entry}`, one])).values()])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What a request makes has a name or an address, and often no id yet. */
async function keepNames(trx: Transaction<Schema>, links: readonly Link[]): Promise<void> {
  const names = links.flatMap(({ write, row: { entry } }) =>
    namesIn(write).map((name) => ({ name, entry })),
  );
  if (names.length === 0) return;
  await trx
    .insertInto('journal_names')
    .values([...new Map(names.map((one) => [`${one.entry} ${one.name}`, one])).values()])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function namesIn(write: Write): readonly string[] {
  if (write.kind === 'noted') return [];
  const { input = {} } = (write.kind === 'opened' ? write.opening : write.facts.as) ?? {};
  const makes = write.kind === 'opened' ? undefined : write.facts.makes;
  return [input['name'], input['email'], makes].flatMap((value) =>
    typeof value === 'string' ? value.trim().toLowerCase() || [] : [],
  );
}

/** One statement for all of a kind; of several events of one entry the last one counts. */
async function moveOn(trx: Transaction<Schema>, writes: readonly Later[]): Promise<void> {
  const last = new Map(writes.map(({ entry, kind }) => [entry, kind]));
  const started = [...last.keys()].filter((entry) => last.get(entry) === 'started');
  const index = trx.updateTable('journal_index');
  for (const [outcome, closed] of closings(writes)) {
    const change = { state: 'closed', outcome, answer_to: null } as const;
    await index.set(change).where('entry', 'in', closed).execute();
  }
  if (started.length > 0) {
    await index.set({ state: 'started' }).where('entry', 'in', started).execute();
  }
  for (const { entry, facts } of writes) {
    if (facts.as === undefined) continue;
    const { operation, actor } = facts.as;
    await trx
      .updateTable('journal_index')
      .set({ operation, user_id: actor.userId })
      .where('entry', '=', entry)
      .execute();
  }
}

/** Entries by what they end in; of several closings of one the last counts. */
function closings(writes: readonly Later[]): ReadonlyMap<JournalOutcome, readonly number[]> {
  const last = new Map(
    writes.flatMap(({ entry, facts: { outcome } }) =>
      outcome === undefined ? [] : [[entry, outcome] as const],
    ),
  );
  const byOutcome = new Map<JournalOutcome, number[]>();
  for (const [entry, outcome] of last) {
    byOutcome.set(outcome, [...(byOutcome.get(outcome) ?? []), entry]);
  }
  return byOutcome;
}

function indexRowOf(
  { write, row }: Link,
  owner: OutboxOwner,
): Insertable<Schema['journal_index']> | undefined {
  if (write.kind !== 'opened') return undefined;
  return {
    entry: row.entry,
    operation: write.opening.operation,
    user_id: write.opening.actor.userId,
    opened_at: write.at,
    instance: owner.instance,
    state: 'opened',
    outcome: null,
    delivery: write.delivery ?? null,
    answer_to: sealAnswer(row.entry, write.opening.answerTo, owner),
  };
}

const answers = z.object({
  responseUrl: z.string().exactOptional(),
  pressed: z
    .object({ ephemeral: z.boolean(), channelId: z.string(), ts: z.string().exactOptional() })
    .exactOptional(),
});

/** Whoever has a response URL can write there: it is never kept as it is. */
function sealAnswer(
  entry: number,
  answerTo: AnswerTo | undefined,
  { key }: OutboxOwner,
): string | null {
  if (answerTo === undefined) return null;
  return seal(key, contextOf(entry), canonicalJson(answerTo));
}

export function unsealAnswer(
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
