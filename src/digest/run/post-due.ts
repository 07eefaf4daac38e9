import type {
  DigestDraft,
  DigestKey,
  DigestRequest,
  PostOutcome,
} from '../../core/ports/digests.ts';
import { channel, code, say } from '../../core/text/text.ts';
import type { DigestRunnerOptions, RunnerMemory } from './parts.ts';
import { type DueSummary, dueSummaries, skippedSummaries } from './slots.ts';

/**
 * Posts what is due and nobody has claimed: looked at, read and written first, claimed in the last
 * moment before the post, so that little can be lost between claim and post. Design: §9.
 */
export async function postDue(options: DigestRunnerOptions, memory: RunnerMemory): Promise<void> {
  const { clock, schedules, settings, writer } = options;
  const due = dueSummaries(clock.now(), await schedules.list());
  if (due.length === 0) return;
  for (const { key: organization } of settings.get().organizations) {
    const requests = await openRequests(options, organization, due);
    const drafts = await writer.write(organization, requests);
    for (const [index, { key }] of requests.entries()) {
      const draft = drafts[index];
      if (draft !== undefined) await post(options, memory, { key, draft });
    }
  }
}

async function openRequests(
  options: DigestRunnerOptions,
  organization: string,
  due: readonly DueSummary[],
): Promise<readonly DigestRequest[]> {
  const requests: DigestRequest[] = [];
  for (const { scheduled, day, lateMs } of due) {
    const { channel: channelId, digest } = scheduled;
    const key = { channel: channelId, organization, period: digest.every, day };
    if (!(await isOpen(options, key, digest.services))) continue;
    const since = (await options.ledger.recent(key, 1))[0]?.postedAt;
    requests.push({ key, digest, lateMs, since });
  }
  return requests;
}

/**
 * A look before the claim, as most ticks find everything posted. What was refused is tried again for
 * as long as it is due, which is 12 hours, however often that is.
 */
async function isOpen(
  { ledger, writer }: DigestRunnerOptions,
  key: DigestKey,
  services: readonly string[],
): Promise<boolean> {
  const known = await ledger.find(key);
  if (known === undefined) return await writer.concerns(services, key.organization);
  return known.state === 'failed';
}

type Written = { readonly key: DigestKey; readonly draft: DigestDraft };

async function post(
  options: DigestRunnerOptions,
  memory: RunnerMemory,
  written: Written,
): Promise<void> {
  const { ledger, poster, instance, logger } = options;
  if (!(await ledger.claim(written.key, instance))) return;
  const outcome = await poster.post(written.key, written.draft.card);
  try {
    await record(options, memory, written, outcome);
  } catch (cause) {
    // It is posted and the claim stands, so nobody repeats it: the record is made at the next tick.
    logger.error({ ...written.key, cause }, 'a posted cost summary could not be recorded');
    memory.unrecorded.push(() => record(options, memory, written, outcome));
  }
}

async function record(
  options: DigestRunnerOptions,
  memory: RunnerMemory,
  { key, draft }: Written,
  outcome: PostOutcome,
): Promise<void> {
  const { ledger, subscriptions, logger, clock } = options;
  switch (outcome.kind) {
    case 'posted':
      await ledger.posted(key, { ts: outcome.ts, snapshot: draft.snapshot });
      // It said from the start what is final: nothing to reply later.
      if (draft.state === 'final') await ledger.finalised(key);
      await subscriptions.delivered(key.channel);
      logger.info({ ...key, state: draft.state }, 'a cost summary was posted');
      return;
    case 'refused':
      await ledger.failed(key, outcome.reason);
      logger.warn({ ...key, reason: outcome.reason }, 'a cost summary was not posted');
      if (outcome.channel) await countFailure(options, key, outcome.reason);
      return;
    case 'unknown':
      await ledger.unknown(key, outcome.reason);
      memory.doubts.push({ key, reason: outcome.reason, at: clock.now() });
      return;
  }
}

/** The third in a row pauses the channel, and its owner hears of it once. */
async function countFailure(
  { schedules, subscriptions, poster }: DigestRunnerOptions,
  key: DigestKey,
  reason: string,
): Promise<void> {
  const before = await subscriptions.get(key.channel);
  const after = await subscriptions.failed(key.channel, reason);
  if (before.paused !== undefined || after.paused === undefined) return;
  const owner = (await schedules.find(key.channel))?.owner;
  await poster.tell(
    owner,
    say`The cost summary of ${channel(key.channel)} is paused: Slack answered ${reason} three times. Once that is fixed, turn it on again there with ${code('digest on')}.`,
  );
}

/** A gap between two ticks of a runner after which something may be too old. */
const GAP_MS = 3_600_000;

/**
 * After a long downtime: what was due more than 12 hours ago is not posted, and the ledger says so.
 * Only days after the last one that was posted: before that nothing was promised.
 */
export async function skipOld(options: DigestRunnerOptions, memory: RunnerMemory): Promise<void> {
  const { clock, schedules, settings } = options;
  const now = clock.now();
  if (now.toMillis() - memory.tickedAt < GAP_MS) return;
  for (const due of skippedSummaries(now, await schedules.list())) {
    for (const { key } of settings.get().organizations) await skip(options, due, key);
  }
}

async function skip(
  { ledger, logger, instance, writer }: DigestRunnerOptions,
  { scheduled, day, at }: DueSummary,
  organization: string,
): Promise<void> {
  const { channel, digest } = scheduled;
  const key = { channel, organization, period: digest.every, day };
  const [last] = await ledger.recent(key, 1);
  if (last === undefined || last.day >= day) return;
  if ((await ledger.find(key)) !== undefined) return;
  if (!(await writer.concerns(digest.services, organization))) return;
  if (!(await ledger.claim(key, instance))) return;
  await ledger.failed(key, 'skipped: it was due more than 12 hours before Steward ran again');
  logger.warn({ ...key, due: at.toISO() }, 'a cost summary was skipped');
}
