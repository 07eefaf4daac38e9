import type { DateTime } from 'luxon';
import type { AnyCreatePipeRequest } from '../cloud/clickhouse-pipe.ts';
import type { AnyCreateServiceRequest } from '../cloud/clickhouse-service.ts';
import type { PipeRecord } from '../cloud/pipe.ts';
import type {
  ActivityRecord,
  CostRange,
  InvitationRecord,
  InvitedAs,
  QueryEndpointRecord,
  RoleRecord,
  UsageCost,
} from '../cloud/records.ts';
import type { CreatedService, ServiceRecord, StateCommand } from '../cloud/service.ts';
import type { Text } from '../text/text.ts';
import type { Decision, LimitHints, Question, Target } from './decision.ts';

/** The time as a value that is handed down, so that a test can set it. */
export type Clock = {
  /** The present moment in UTC. */
  now(): DateTime<true>;
  /** Milliseconds since some moment; it never goes back, whatever is done to the wall clock. */
  monotonic(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

/** Structured log lines; pino behind it. Never pass a secret, a payload or a response body. */
export type Logger = {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  /** Perhaps our bug. */
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
};
export type LogFields = Readonly<Record<string, unknown>>;

/** What the API answered, with the id under which its operators find the request. */
export type Reply<T> = { readonly result: T; readonly requestId?: string | undefined };

export type CallOptions = {
  /**
   * People go before schedules in the limiter. What looks on in the background goes only where half
   * of the limit is free and nobody waits: else it fails at once as `unavailable`.
   */
  readonly priority?: 'person' | 'schedule' | 'background' | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Right before the first byte leaves, after the limiter gave its slot; where it throws, none does. */
  readonly beforeSend?: (() => Promise<void>) | undefined;
  /** Told once where the limiter lets it wait for so many ms. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
};

/** The reads of the control API. `organization` is a key of the settings. Throws AppError. */
export type ControlReads = {
  invitation(
    organization: string,
    id: string,
    call?: CallOptions,
  ): Promise<Reply<InvitationRecord>>;
  queryEndpoint(
    organization: string,
    serviceId: string,
    call?: CallOptions,
  ): Promise<Reply<QueryEndpointRecord>>;
  activity(organization: string, id: string, call?: CallOptions): Promise<Reply<ActivityRecord>>;
  /** Of ClickHouse Cloud alone: the roles that an invitation may name. */
  roles(organization: string, call?: CallOptions): Promise<Reply<readonly RoleRecord[]>>;
  /** One call, at most 31 days. */
  usageCost(organization: string, range: CostRange, call?: CallOptions): Promise<Reply<UsageCost>>;
};

type Invited = Promise<Reply<InvitationRecord>>;

/** The changes. None is ever retried where it may have run. Throws AppError with `changed`. */
export type ControlWrites = {
  createService(
    organization: string,
    request: AnyCreateServiceRequest,
  ): Promise<Reply<CreatedService>>;
  setServiceState(
    organization: string,
    serviceId: string,
    command: StateCommand,
  ): Promise<Reply<ServiceRecord>>;
  /** With roles only where the organization's cloud takes them. */
  createInvitation(organization: string, email: string, as?: InvitedAs): Invited;
  createPipe(
    organization: string,
    serviceId: string,
    request: AnyCreatePipeRequest,
  ): Promise<Reply<PipeRecord>>;
  /** Of a service, in ClickHouse Cloud itself. Throws AppError `not-found` where there is none. */
  deleteCloudDashboard(
    organization: string,
    serviceId: string,
    id: string,
  ): Promise<Reply<Readonly<Record<string, never>>>>;
  /** On the observability API; an answer without error proves no deletion. */
  deleteDashboard(id: string): Promise<Reply<Readonly<Record<string, never>>>>;
};

export type ControlApi = ControlReads &
  ControlWrites & {
    /** The same client, with these options on every change that it sends. */
    during(call: CallOptions): ControlApi;
  };

/** A service that Steward knows of, and from where. The specification's API itself lists none. */
export type DirectoryEntry = {
  readonly id: string;
  readonly name: string;
  /** An organization's key. */
  readonly organization: string;
  /** Those of `steward.yaml`, by which rules judge. */
  readonly tags: readonly string[];
  readonly source: 'configuration' | 'created here' | 'costs' | 'cloud';
  /** Where its cloud lists services: as it does. Design: §14. */
  readonly cloud?:
    | {
        readonly isListed: boolean;
        readonly name?: string | undefined;
        /** `team:data`; shown, and no rule judges by them. */
        readonly tags: readonly string[];
      }
    | undefined;
  /** The last state that the API reported to Steward. */
  readonly state?: string | undefined;
  /** ISO 8601, when it was reported. */
  readonly stateAt?: string | undefined;
};

export type DirectoryReads = {
  /** By name, then by id. Configuration wins over other sources for the same id. */
  list(): Promise<readonly DirectoryEntry[]>;
  /**
   * Has the clouds that list their services list them, unless they just did; waits 3 s at most.
   * False where none does, and nothing was asked. Throws nothing.
   */
  look(): Promise<boolean>;
  /** Asks those clouds for one service by its id. False where none knows it. Throws nothing. */
  ask(id: string): Promise<boolean>;
};

export type Directory = DirectoryReads & {
  /**
   * Notes the state (and, for a new one, the name) that the API just reported. False where it could
   * not be kept: that never makes a failure of what was done.
   */
  note(entry: {
    readonly id: string;
    readonly organization: string;
    readonly name?: string | undefined;
    readonly state?: string | undefined;
    readonly source: 'created here' | 'costs' | 'command' | 'cloud';
  }): Promise<boolean>;
};

/** Named credentials of the settings: names for the forms, values for the request alone. */
export type Credentials = {
  names(): readonly string[];
  /** Throws AppError `not-configured` for an unknown name. */
  values(name: string): Readonly<Record<string, string>>;
};

/** Generated passwords: encrypted, short-lived, given out once. Design: §7. */
export type OneTimeSecrets = {
  /** Returns the id for the reveal button and when it expires (ISO 8601). */
  keep(
    owner: Actor,
    secret: string,
    /** The name of what it is for. */
    about: string,
  ): Promise<{ readonly id: string; readonly expiresAt: string }>;
  /** Those that this person can still be shown, what ends first at first. */
  waiting(owner: Actor): Promise<readonly WaitingSecret[]>;
  /**
   * Hands it to `show`, and erases it when that says that it was seen; else it can be asked for again.
   * Meanwhile nobody else is shown it.
   */
  reveal(id: string, by: Actor, show: (secret: string) => Promise<boolean>): Promise<Revealed>;
};
/** A generated password that nobody has seen yet. */
export type WaitingSecret = {
  readonly id: string;
  readonly about: string;
  /** ISO 8601. */
  readonly expiresAt: string;
};
export type Revealed =
  | { readonly kind: 'seen' }
  /** It was not shown, and nothing is spent. */
  | { readonly kind: 'unseen' }
  | { readonly kind: 'shown'; readonly at: string }
  | { readonly kind: 'expired'; readonly at: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'not-yours' };

/** Who asks, by ids. `via`: the workspace that a payload came through, where it is not theirs. */
export type Actor = {
  readonly userId: string;
  readonly teamId: string;
  readonly via?: string | undefined;
};

const SCHEDULE = 'schedule:';

/** A schedule of `steward.yaml` as who acts; no workspace has it. Design: §15. */
export function scheduleActor(name: string): Actor {
  return { userId: `${SCHEDULE}${name}`, teamId: '' };
}

/** Its name; undefined for a person. Slack's ids have no colon. */
export function scheduleOf({
  userId,
  teamId,
}: Pick<Actor, 'userId' | 'teamId'>): string | undefined {
  return teamId === '' && userId.startsWith(SCHEDULE) ? userId.slice(SCHEDULE.length) : undefined;
}

/**
 * Where it is asked. `home` has no channel: App Home and global shortcuts. Answers go to the thread
 * (its root's `ts`) where it is asked in one; rules know channels only.
 */
export type Place = { readonly channelId: string; readonly threadTs?: string | undefined } | 'home';

export function channelOf(place: Place): string | undefined {
  return place === 'home' ? undefined : place.channelId;
}

export function threadOf(place: Place): string | undefined {
  return place === 'home' ? undefined : place.threadTs;
}

/** One question to the policy as it stands now; looks people up, fails closed. */
export type Policy = {
  decide(actor: Actor, place: Place, question: Question): Promise<Decision>;
  /**
   * Which of these may be asked for here at all, in their order: no reasons and no way on, so that
   * Slack is asked for no more than decides.
   */
  allowed(
    actor: Actor,
    place: Place,
    questions: readonly Question[],
  ): Promise<readonly Membership[]>;
  /** Is this person in a channel, as Slack lists theirs? `unknown`: it shows the bot neither. */
  isIn(actor: Actor, channelId: string): Promise<Membership>;
  /** Is this person, now, one of these groups or users? `unknown`: Slack would not say. */
  isOneOf(actor: Actor, groups: readonly string[]): Promise<Membership>;
  /** Is anybody but this person in one of these groups? */
  hasOthers(actor: Actor, groups: readonly string[]): Promise<Membership>;
  /** What keeps Slack from saying who somebody is, as a sentence after another; else nothing. */
  unsureBecause(): Text;
  /** What the limits of the rules for this action say of each attribute, for the form. */
  limits(actor: Actor, place: Place, action: string): Promise<LimitHints>;
  /** The ids of those of these services on which this person may do any of these actions here. */
  seen(
    actor: Actor,
    place: Place,
    asked: { readonly services: readonly Target[]; readonly actions: readonly string[] },
  ): Promise<ReadonlySet<string>>;
};

/** No answer is neither yes nor no, and is called what it is. Design: §5. */
export type Membership = 'yes' | 'no' | 'unknown';
