import type { DateTime } from 'luxon';
import type { ChannelCard } from '../core/card/card.ts';
import type { Outcome } from '../core/operation/outcome.ts';
import type { Request } from '../core/pipeline/request.ts';
import type { PostOutcome } from '../core/ports/digests.ts';
import type { JournalReads } from '../core/ports/journal.ts';
import type { MessageRef } from '../core/ports/outbox.ts';
import type { PendingStore } from '../core/ports/pending.ts';
import {
  type Actor,
  type Clock,
  type DirectoryReads,
  type Logger,
  scheduleActor,
} from '../core/ports/ports.ts';
import type { Night, NightKey, NightPlan, SleepLedger } from '../core/ports/sleep.ts';
import type { SmallMemory } from '../core/ports/stores.ts';
import type { CurrentSettings, ScheduleSettings } from '../core/settings/settings.ts';

/** How a night's message reaches its channel. Throws nothing that Slack can be blamed for. */
export type SleepPoster = {
  post(night: Night, card: ChannelCard): Promise<PostOutcome>;
  update(message: MessageRef, card: ChannelCard): Promise<'updated' | 'gone' | 'failed'>;
  find(night: Night, from: string): Promise<{ readonly ts: string } | 'not-there' | 'cannot-look'>;
};

export type SleepDeps = {
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ledger: SleepLedger;
  readonly directory: Pick<DirectoryReads, 'list'>;
  readonly journal: Pick<JournalReads, 'find'>;
  readonly pending: Pick<PendingStore, 'open'>;
  readonly memory: SmallMemory;
  readonly poster: SleepPoster;
  /** What a night is expected to save, in cost units by service id; empty where the data carries nothing. */
  readonly expected: (plan: NightPlan) => Promise<Readonly<Record<string, number>>>;
  /** A message of its own about a night, once, however often it is asked for. */
  readonly tellChannel: (night: Night, card: ChannelCard) => Promise<void>;
  /** The one way to the API: the pipeline. */
  readonly act: (request: Request) => Promise<Outcome>;
};

/** A sleep that somebody set once is theirs; all else is the schedule's. */
export function actorOf({ schedule, plan }: Pick<Night, 'schedule' | 'plan'>): Actor {
  return plan.owner ?? scheduleActor(schedule);
}

export function scheduleNamed(
  settings: CurrentSettings,
  name: string,
): ScheduleSettings | undefined {
  return settings.get().schedules.find((one) => one.name === name);
}

export function iso(at: DateTime<true>): string {
  return at.toUTC().toISO();
}

export function keyOf({ schedule, at }: NightKey): NightKey {
  return { schedule, at };
}
