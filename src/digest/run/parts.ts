import type { DateTime } from 'luxon';
import type {
  DigestKey,
  DigestLedger,
  DigestPoster,
  DigestSubscriptions,
  DigestWriter,
} from '../../core/ports/digests.ts';
import type { Clock, Logger } from '../../core/ports/ports.ts';
import type { CurrentSettings } from '../../core/settings/settings.ts';
import type { Schedules } from './schedules.ts';

export type DigestRunnerOptions = {
  /** The id of this process, which owns what it claims. */
  readonly instance: string;
  readonly schedules: Schedules;
  readonly subscriptions: DigestSubscriptions;
  readonly ledger: DigestLedger;
  readonly writer: DigestWriter;
  readonly poster: DigestPoster;
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** What a runner knows beyond one tick; it may be lost without harm. */
export type RunnerMemory = {
  /** Organizations whose last 60 days were read. */
  readonly backfilled: Set<string>;
  /** When provisional ones were looked at last, in ms. */
  settledAt: number;
  /** When it ticked last, in ms. */
  tickedAt: number;
  /** Posts that Slack did not answer: a late one may still arrive, so they are looked for later. */
  doubts: Doubt[];
  /** Outcomes that the database did not take. */
  unrecorded: (() => Promise<void>)[];
};

export type Doubt = { readonly key: DigestKey; readonly reason: string; readonly at: DateTime };
