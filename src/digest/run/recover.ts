import { DateTime } from 'luxon';
import type { DigestKey } from '../../core/ports/digests.ts';
import { channel, code, say } from '../../core/text/text.ts';
import type { DigestRunnerOptions, RunnerMemory } from './parts.ts';

/** A post that was not answered may still arrive for so long. */
const PATIENCE = { minutes: 1 };

/**
 * What is not known to be posted: records that the database did not take, posts without an answer,
 * and a crash between claim and post or between post and record. Design: §9.
 */
export async function recoverPosts(
  options: DigestRunnerOptions,
  memory: RunnerMemory,
): Promise<void> {
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
