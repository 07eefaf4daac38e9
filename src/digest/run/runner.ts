import { DateTime } from 'luxon';
import type { DigestDraft, DigestEntry, DigestKey } from '../../core/ports/digests.ts';
import { channel, code, say } from '../../core/text/text.ts';
import type { DigestRunnerOptions, RunnerMemory } from './parts.ts';
import { postDue, skipOld } from './post-due.ts';

export type DigestRunner = {
  /** Does what is due now; ticks of one runner follow each other. Throws nothing. */
  tick(): Promise<void>;
};

/**
 * The truth about summaries: what is due follows from the schedule and the ledger alone, whoever
 * calls it, how often and how late. node-cron only makes it early. Design: §9. Facts: Local time.
 */
export function createDigestRunner(options: DigestRunnerOptions): DigestRunner {
  const memory: RunnerMemory = {
    backfilled: new Set(),
    settledAt: 0,
    tickedAt: 0,
    doubts: [],
    unrecorded: [],
  };
  let running: Promise<void> = Promise.resolve();
  return {
    tick: () => {
      running = running.then(() => tick(options, memory));
      return running;
    },
  };
}

async function tick(options: DigestRunnerOptions, memory: RunnerMemory): Promise<void> {
  const steps = [recoverPosts, skipOld, backfill, postDue, finaliseProvisional];
  for (const step of steps) {
    try {
      await step(options, memory);
    } catch (cause) {
      options.logger.error({ cause, step: step.name }, 'a step of the cost summaries failed');
    }
  }
  memory.tickedAt = options.clock.now().toMillis();
}

/** At the first start, and again where not all could be read: comparisons need the past. */
async function backfill(options: DigestRunnerOptions, memory: RunnerMemory): Promise<void> {
  const schedules = (await options.schedules.list()).filter(({ enabled }) => enabled);
  if (schedules.length === 0) return;
  for (const { key } of options.settings.get().organizations) {
    if (memory.backfilled.has(key)) continue;
    if (await options.writer.backfill(key)) memory.backfilled.add(key);
  }
}

/** A post that was not answered may still arrive for so long. */
const PATIENCE = { minutes: 1 };

/**
 * What is not known to be posted: records that the database did not take, posts without an answer,
 * and a crash between claim and post or between post and record. Design: §9.
 */
async function recoverPosts(options: DigestRunnerOptions, memory: RunnerMemory): Promise<void> {
  for (const record of memory.unrecorded.splice(0)) await record();
  const ripe = options.clock.now().minus(PATIENCE);
  const doubts = memory.doubts.splice(0);
  memory.doubts.push(...doubts.filter(({ at }) => at > ripe));
  for (const { key, reason, at } of doubts) {
    if (at <= ripe) await lookFor(options, key, { reason, at });
  }
  for (const entry of await options.ledger.recoverClaims()) {
    const at = DateTime.fromISO(entry.claimedAt, { zone: 'utc' });
    await lookFor(options, entry, { reason: 'Steward was interrupted while posting it', at });
  }
}

/** Clocks of Slack and of this host differ by seconds at most. */
const MARGIN = { minutes: 5 };

/**
 * Looks in the channel for a summary whose fate is unknown. Found: it is recorded. Certainly not
 * there: it may be posted again. Where the bot may not read the channel it stays unknown, is never
 * repeated, and somebody is told.
 */
async function lookFor(
  options: DigestRunnerOptions,
  key: DigestKey,
  { reason, at }: { readonly reason: string; readonly at: DateTime },
): Promise<void> {
  const { ledger, poster, schedules, logger } = options;
  const found = await poster.find(key, at.minus(MARGIN).toISO() ?? '');
  if (found === 'not-there') {
    await ledger.absent(key, `${reason}; it was looked for and is not there`);
    return;
  }
  if (found !== 'cannot-look') {
    // Without numbers of its own: the next look at provisional ones writes it anew.
    await ledger.posted(key, { ts: found.ts, snapshot: { found: true } });
    return;
  }
  logger.error({ ...key, reason }, 'nobody knows whether a cost summary was posted');
  const owner = (await schedules.find(key.channel))?.owner;
  await poster.tell(
    owner,
    say`The cost summary of ${channel(key.channel)} for ${key.day} (UTC) may be missing: ${reason}. It is not posted again, as it may stand there. ${code('digest now')} shows the numbers.`,
  );
}

/** Records become locked in days: once an hour is often enough. */
const EVERY_MS = 3_600_000;
/** Older days are not read again, so they never change. */
const FOR_DAYS = 31;

/**
 * Messages without numbers get them as soon as there are some; provisional ones become final when
 * all their records are locked, and the thread says what changed. Design: §9.
 */
async function finaliseProvisional(
  options: DigestRunnerOptions,
  memory: RunnerMemory,
): Promise<void> {
  const { clock, ledger, writer } = options;
  const now = clock.now();
  const isTime = now.toMillis() - memory.settledAt >= EVERY_MS;
  if (isTime) memory.settledAt = now.toMillis();
  const since = now.minus({ days: FOR_DAYS }).toFormat('yyyy-MM-dd');
  const open = (await ledger.notFinal()).filter(
    (entry) => entry.day >= since && (isTime || isUrgent(entry, writer)),
  );
  for (const organization of new Set(open.map((entry) => entry.organization))) {
    await updateAll(
      options,
      open.filter((entry) => entry.organization === organization),
    );
  }
}

/** It says that there are no numbers, or was found after a crash and says who knows what. */
function isUrgent({ snapshot }: DigestEntry, writer: DigestRunnerOptions['writer']): boolean {
  return writer.isWithoutData(snapshot);
}

async function updateAll(
  options: DigestRunnerOptions,
  entries: readonly DigestEntry[],
): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  const all = await options.schedules.list();
  const requests = entries.map((entry) => {
    const digest = all.find(({ channel }) => channel === entry.channel)?.digest;
    return { key: entry, digest: digest ?? { services: ['*'] }, before: entry.snapshot };
  });
  const drafts = await options.writer.write(first.organization, requests);
  for (const [index, entry] of entries.entries()) {
    const draft = drafts[index];
    if (draft !== undefined) await update(options, entry, draft);
  }
}

async function update(
  options: DigestRunnerOptions,
  entry: DigestEntry,
  draft: DigestDraft,
): Promise<void> {
  const { ledger, poster, writer } = options;
  const { ts, channel } = entry;
  const isWorthPosting = draft.state === 'final' || writer.isWithoutData(entry.snapshot);
  if (ts === undefined || draft.state === 'no-data' || !isWorthPosting) return;
  const message = { channel, ts };
  const updated = await poster.update(message, draft.card);
  if (updated === 'failed') return;
  if (draft.state === 'provisional') {
    await ledger.posted(entry, { ts, snapshot: draft.snapshot });
    return;
  }
  const reply =
    updated === 'gone'
      ? []
      : [poster.reply(message, writer.finalReply(entry.snapshot, draft, entry))];
  // Whoever wins this says it; the update itself may be done twice without harm.
  if (await ledger.finalised(entry, draft.snapshot, reply)) await poster.deliver(reply);
}
