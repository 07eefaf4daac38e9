import { type DueSummary, skippedSummaries } from './due.ts';
import type { DigestRunnerOptions, RunnerMemory } from './parts.ts';

/** A gap between two ticks of a runner after which something may be too old. */
const GAP_MS = 3_600_000;

/**
 * After a long downtime: what was due more than 12 hours ago is not posted, and the ledger says so.
 * Only days after the last one that was posted: before that nothing was promised. Design: §9.
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
