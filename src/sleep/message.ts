import { digestOf } from '../core/operation/operation.ts';
import type { Night } from '../core/ports/sleep.ts';
import { nightCard } from './card.ts';
import { iso, type SleepDeps, scheduleNamed } from './parts.ts';

/** A message that could not be changed is given up after so long. */
const GIVEN_UP = { hours: 24 };
/** One that the channel did not take is tried again after so long. */
const POST_AGAIN = { minutes: 1 };

/**
 * Sees to it that the night's one message stands and says what is. True when it does, or when nobody
 * could ever change it: first it is told, then it is done. `settled`: nothing of the night will happen
 * any more. Design: §15.
 */
export async function tell(deps: SleepDeps, night: Night, settled = false): Promise<boolean> {
  const { ledger, poster, settings, clock } = deps;
  const { state, ts, shown } = night.message;
  if (state === 'claimed') return false;
  const runs = await ledger.runs(night);
  const snooze = scheduleNamed(settings, night.schedule)?.snooze;
  const card = nightCard(night, runs, { snooze, settled });
  const digest = digestOf('night', card);
  if (state === 'none' || (state === 'unknown' && runs.length > 0)) {
    // Nobody was told of it, so nobody has to hear that it is off.
    if (night.state === 'cancelled' && state === 'none') return true;
    return await post(deps, night, { card, digest, settled });
  }
  if (ts === undefined || shown === digest) return true;
  const end = await poster.update({ channelId: night.plan.channel, ts }, card);
  if (end === 'failed') return iso(clock.now().minus(GIVEN_UP)) > night.plan.endsAt;
  await ledger.message(night, { state: 'posted', ts, shown: digest });
  return true;
}

type Wanted = {
  readonly card: ReturnType<typeof nightCard>;
  readonly digest: string;
  readonly settled: boolean;
};

async function post(
  deps: SleepDeps,
  night: Night,
  { card, digest, settled }: Wanted,
): Promise<boolean> {
  const { ledger, poster, logger, clock } = deps;
  if (night.message.state === 'unknown') await ledger.message(night, { state: 'none' });
  else if ((night.message.at ?? '') > iso(clock.now().minus(POST_AGAIN))) return false;
  if (!(await ledger.claimMessage(night))) return false;
  const outcome = await poster.post(night, card);
  switch (outcome.kind) {
    case 'posted':
      await ledger.message(night, { state: 'posted', ts: outcome.ts, shown: digest });
      return true;
    case 'unknown':
      await ledger.message(night, { state: 'unknown' });
      return true;
    case 'refused':
      await ledger.message(night, { state: 'none' });
      logger.warn({ schedule: night.schedule, reason: outcome.reason }, 'a notice was not posted');
      if (night.state !== 'skipped' && !settled) return false;
      // Nothing of it will happen: it is told wherever somebody reads it.
      await deps.tellChannel(night, card);
      return true;
  }
}
