import type { ScheduleSettings } from '../settings/settings.ts';
import type { Text } from '../text/text.ts';
import type { Actor } from './ports.ts';

/** A night of a schedule, or a sleep that somebody set once. Moments are ISO 8601 in UTC. Design: §15. */
export type NightKey = {
  /** The schedule's name, or `once:` and a random id. */
  readonly schedule: string;
  /** The planned stop. */
  readonly at: string;
};

export type SleepingService = {
  readonly id: string;
  readonly name: string;
  readonly organization: string;
};

export type SnoozeChoice = 'skip' | 'hour' | 'keep';

/** What somebody said to the notice. */
export type Snoozed = {
  readonly choice: SnoozeChoice;
  readonly by: string;
  readonly at: string;
  /** Of `keep`: ids of what stays awake. */
  readonly keep: readonly string[];
};

/** As the notice told it: later changes of the file are for later nights. */
export type NightPlan = {
  readonly channel: string;
  readonly services: readonly SleepingService[];
  /** With all delays. */
  readonly stopAt: string;
  readonly startAt?: string | undefined;
  /** No stop after it. */
  readonly endsAt: string;
  /** No start after it. */
  readonly startEndsAt?: string | undefined;
  /** From then on what a person does to a service wins. */
  readonly since: string;
  readonly snoozed: readonly Snoozed[];
  /** Whose sleep it is, where somebody set it by command. */
  readonly owner?: Actor | undefined;
  /** What it is expected to save from the planned stop to the start, in cost units by service id. */
  readonly expects?: Readonly<Record<string, number>> | undefined;
  /** Why nothing is stopped: nobody was there in time, it was paused, it left the file. */
  readonly because?: string | undefined;
};

export type NightState = 'open' | 'cancelled' | 'skipped' | 'over';

export type Night = NightKey & {
  readonly state: NightState;
  /** Grows with every change; whoever acts on another one looks again. */
  readonly version: number;
  /** When the first service was claimed: nobody puts it off any more. */
  readonly begunAt?: string | undefined;
  readonly plan: NightPlan;
  readonly message: NightMessage;
};

/** `unknown`: it may stand there, and nobody knows where. */
export type NightMessage = {
  readonly state: 'none' | 'claimed' | 'posted' | 'unknown';
  readonly ts?: string | undefined;
  readonly at?: string | undefined;
  /** The digest of what it says. */
  readonly shown?: string | undefined;
};

export type SleepAct = 'stop' | 'start';

/**
 * What became of one service. `waiting`: tried again until the window's end. `unknown`: it may have
 * happened and is never repeated. `left`: a person's act, or nothing to do.
 */
export type SleepRun = NightKey & {
  readonly act: SleepAct;
  readonly service: string;
  readonly state: 'claimed' | 'waiting' | 'done' | 'unknown' | 'left' | 'failed';
  /** Of a claim: the process. */
  readonly claimedBy?: string | undefined;
  readonly attempts: number;
  /** When it came to this state. */
  readonly movedAt: string;
  /** Not before this moment again. */
  readonly nextAt?: string | undefined;
  /** After "was not stopped: "; empty where nothing is to be said. */
  readonly reason: Text;
  /** The journal number of the request. */
  readonly journal?: number | undefined;
};

export type RunKey = NightKey & Pick<SleepRun, 'act' | 'service'>;

/** For how long a service slept by a schedule, ISO 8601 in UTC; without `to` it still does. */
export type SleepSpan = {
  readonly service: string;
  readonly from: string;
  readonly to?: string | undefined;
};

/** Nights and what they did; over replicas each request is claimed once. Throws AppError `storage`. */
export type SleepLedger = {
  /** False where it is known already. */
  note(night: NightKey, plan: NightPlan, state: NightState): Promise<boolean>;
  find(key: NightKey): Promise<Night | undefined>;
  /** Not over: what may still act, or whose message may still change. */
  open(): Promise<readonly Night[]>;
  /** The last night of a schedule that was noted before a moment. */
  lastBefore(schedule: string, at: string): Promise<string | undefined>;
  /** False where it is another version by now; `begun` false refuses one that has begun. */
  change(
    night: Pick<Night, 'schedule' | 'at' | 'version'>,
    to: { readonly state?: NightState | undefined; readonly plan?: NightPlan | undefined },
    only?: { readonly notBegun: true },
  ): Promise<boolean>;
  /** True for exactly one caller, who posts. */
  claimMessage(key: NightKey): Promise<boolean>;
  message(key: NightKey, message: NightMessage): Promise<void>;
  /** From now on nobody puts it off. False where somebody just did. */
  begin(night: Pick<Night, 'schedule' | 'at' | 'version'>): Promise<boolean>;
  /**
   * `claimed` for exactly one caller, who acts. `changed`: the night is another one by now.
   */
  claim(
    night: Pick<Night, 'schedule' | 'at' | 'version'>,
    run: RunKey,
  ): Promise<'claimed' | 'taken' | 'changed'>;
  /** Whether the claim of this process stands: where it stood still, another one may have taken it for gone. */
  isOurs(run: RunKey): Promise<boolean>;
  /**
   * What became of it; also of one that nobody claimed. The claim of another process stays, unless it is
   * the one that `claimedBy` names.
   */
  settle(run: RunKey & Pick<SleepRun, 'claimedBy'>, end: RunEnd): Promise<void>;
  runs(key: NightKey): Promise<readonly SleepRun[]>;
  /**
   * What slept between two moments (ISO 8601), as far as Steward stopped and started it: a night that
   * somebody ended by hand is left out, since nobody knows when.
   */
  slept(from: string, to: string): Promise<readonly SleepSpan[]>;
  /** Claims of processes that are gone, and messages that they may have posted. */
  abandoned(): Promise<{
    readonly runs: readonly SleepRun[];
    readonly messages: readonly Night[];
  }>;
};

export type RunEnd = Pick<SleepRun, 'reason' | 'journal' | 'nextAt'> & {
  readonly state: Exclude<SleepRun['state'], 'claimed'>;
};

/** What will happen. */
export type ComingNight = NightKey & {
  readonly stopAt: string;
  readonly startAt?: string | undefined;
  readonly services: readonly string[];
  /** IANA; of the schedule, UTC for a sleep set once. */
  readonly zone: string;
  readonly owner?: string | undefined;
  /** Why it will not. */
  readonly off?: string | undefined;
};

export type Pause = {
  /** ISO 8601; absent: until it is resumed. */
  readonly until?: string | undefined;
  readonly by: string;
};

export type SleepReads = {
  /** In a channel within so many days, the next first. */
  coming(channel: string, days: number): Promise<readonly ComingNight[]>;
  schedule(name: string): ScheduleSettings | undefined;
  night(key: NightKey): Promise<Night | undefined>;
  /** The next night of a schedule that can still be put off, else the one that has begun. */
  nextOpen(name: string): Promise<Night | undefined>;
  /** Sleeps of a service that are set and have not begun. */
  setFor(serviceId: string): Promise<readonly Night[]>;
  /** What slept between two moments (ISO 8601), by Steward's own ledger. */
  slept(from: string, to: string): Promise<readonly SleepSpan[]>;
  /** The zone of somebody's Slack profile; UTC where Slack does not say. */
  zoneOf(actor: Actor): Promise<string>;
};

export type OnceSleep = Pick<NightPlan, 'channel' | 'stopAt' | 'startAt'> & {
  readonly service: SleepingService;
  readonly owner: Actor;
};

/** How a word to a notice ended. */
export type SnoozeEnd = 'done' | 'begun' | 'changed';

export type Sleeps = SleepReads & {
  pause(name: string, pause: Pause): Promise<void>;
  /** False where it was not paused. */
  resume(name: string): Promise<boolean>;
  snooze(night: Night, plan: NightPlan, state: NightState): Promise<SnoozeEnd>;
  set(sleep: OnceSleep): Promise<void>;
  /** False where it has begun, or is gone. */
  cancel(night: Night): Promise<boolean>;
};
