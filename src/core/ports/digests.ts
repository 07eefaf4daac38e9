import type { ChannelCard, RequesterCard } from '../card/card.ts';
import type { DigestSettings } from '../settings/settings.ts';
import type { Text } from '../text/text.ts';
import type { Notification } from './outbox.ts';

/** One summary: a channel, an organization (its key), and the first UTC day of the period. */
export type DigestKey = {
  readonly channel: string;
  readonly organization: string;
  readonly period: DigestSettings['every'];
  /** YYYY-MM-DD. */
  readonly day: string;
};

export type DigestEntry = DigestKey & {
  readonly state: 'claimed' | 'posted' | 'failed' | 'unknown' | 'final';
  /** The instance that claimed it. */
  readonly owner: string;
  readonly attempts: number;
  /** ISO 8601. */
  readonly claimedAt: string;
  readonly postedAt?: string | undefined;
  /** Of the message. */
  readonly ts?: string | undefined;
  /** The numbers as posted last. */
  readonly snapshot?: unknown | undefined;
  readonly reason?: string | undefined;
};

/** Which summaries were posted: claimed before the post, settled after it. Design: §9. */
export type DigestLedger = {
  /** True for exactly one caller; a `failed` one may be claimed again. `owner`: an instance id. */
  claim(key: DigestKey, owner: string): Promise<boolean>;
  /** `snapshot`: the numbers as posted. Called again when the message is updated. */
  posted(key: DigestKey, post: { readonly ts: string; readonly snapshot: unknown }): Promise<void>;
  /** It was certainly not posted. */
  failed(key: DigestKey, reason: string): Promise<void>;
  /** It may have been posted; it is never claimed again. */
  unknown(key: DigestKey, reason: string): Promise<void>;
  /** An unknown one was looked for and is certainly not there: it may be claimed again. */
  absent(key: DigestKey, reason: string): Promise<void>;
  /** Gives a claim back as if it had never been. */
  release(key: DigestKey): Promise<void>;
  find(key: DigestKey): Promise<DigestEntry | undefined>;
  /** Posted and still provisional, oldest day first. */
  notFinal(): Promise<readonly DigestEntry[]>;
  /** True for exactly one caller, whose reply about what changed is kept in the same transaction. */
  finalised(
    key: DigestKey,
    snapshot?: unknown,
    notifications?: readonly Notification[],
  ): Promise<boolean>;
  /** Not posted, or nobody knows, from a day (YYYY-MM-DD) on; newest day first. */
  missed(scope: Omit<DigestKey, 'day'>, from: string): Promise<readonly DigestEntry[]>;
  /** Posted or final ones of a channel, newest day first: for "since the last post". */
  recent(scope: Omit<DigestKey, 'day'>, limit: number): Promise<readonly DigestEntry[]>;
  /** Claims of dead instances become `unknown`; returns them, to be told. */
  recoverClaims(): Promise<readonly DigestEntry[]>;
};

/** What was decided in Slack about a channel's summary, over what `steward.yaml` says. */
export type DigestSubscription = {
  readonly channel: string;
  /** Absent: as `steward.yaml` says. */
  readonly enabled?: boolean | undefined;
  /** The user id of whoever decided it. */
  readonly changedBy?: string | undefined;
  /** Posts in a row that failed. */
  readonly failures: number;
  readonly paused?: { readonly at: string; readonly reason: string } | undefined;
};

export type DigestSubscriptions = {
  /** A channel that nothing is known of has no failures and no override. */
  get(channel: string): Promise<DigestSubscription>;
  /** Channels with an override, a failure or a pause. */
  list(): Promise<readonly DigestSubscription[]>;
  /** `digest on|off`; either also ends a pause. */
  set(channel: string, enabled: boolean, by: string): Promise<void>;
  /** Counts a failed post; the third in a row pauses. */
  failed(channel: string, reason: string): Promise<DigestSubscription>;
  /** A post arrived: no failures, no pause. */
  delivered(channel: string): Promise<void>;
};

/** A channel's summary as it is in force: the file, and over it what was typed in Slack. */
export type ScheduledDigest = {
  readonly channel: string;
  readonly digest: DigestSettings;
  readonly enabled: boolean;
  readonly paused?: { readonly at: string; readonly reason: string } | undefined;
  /** Whoever turned it on in Slack. */
  readonly owner?: string | undefined;
  /** Slots up to this moment (ISO 8601) are not of this schedule. */
  readonly since?: string | undefined;
};

/** What a summary is written of. */
export type DigestRequest = {
  readonly key: DigestKey;
  readonly digest: Pick<DigestSettings, 'services' | 'budgetPerDay' | 'anomalyFloor'>;
  /** Milliseconds after the time it was due. */
  readonly lateMs?: number | undefined;
  /** When the summary before was posted, ISO 8601: for restatements since. */
  readonly since?: string | undefined;
  /** The snapshot of the message that this one replaces: its scope and its lateness stay. */
  readonly before?: unknown | undefined;
};

export type DigestDraft = {
  readonly card: ChannelCard;
  /** For the ledger; read again only by the writer. */
  readonly snapshot: unknown;
  /** `no-data`: nothing could be said; the message is updated as soon as something can. */
  readonly state: 'no-data' | 'provisional' | 'final';
};

/** Makes summaries of costs. Throws AppError `storage` and `not-configured`. */
export type DigestWriter = {
  /** Whether a scope has anything in an organization (its key). */
  concerns(services: readonly string[], organization: string): Promise<boolean>;
  /**
   * One read of the organization for all of them; drafts in the order of the requests. Undefined
   * for an update that has nothing new to say: neither first numbers nor final ones.
   */
  write(
    organization: string,
    requests: readonly DigestRequest[],
  ): Promise<readonly (DigestDraft | undefined)[]>;
  /** How late the message with this snapshot said that it was, in ms. */
  lateOf(snapshot: unknown): number | undefined;
  /** Whether the message with this snapshot said that there were no data. */
  isWithoutData(snapshot: unknown): boolean;
  /** `Final for 26 Nov: +3.1 units (analytics +2.9, scratch +0.2).` */
  finalReply(before: unknown, after: DigestDraft, key: DigestKey): ChannelCard;
  /** Reads what is missing of the last 60 days. False where not all could be read. */
  backfill(organization: string): Promise<boolean>;
};

export type PostOutcome =
  | { readonly kind: 'posted'; readonly ts: string }
  /** Certainly not posted. `channel`: nothing can be posted there until somebody changes it. */
  | { readonly kind: 'refused'; readonly reason: string; readonly channel: boolean }
  /** No answer: it may stand there. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Where a summary's message stands. */
export type DigestMessage = { readonly channel: string; readonly ts: string };

/** How summaries reach people. Throws nothing that Slack can be blamed for. */
export type DigestPoster = {
  post(key: DigestKey, card: ChannelCard): Promise<PostOutcome>;
  update(message: DigestMessage, card: ChannelCard): Promise<'updated' | 'gone' | 'failed'>;
  /** A reply in the thread of a summary, to be kept with the event that it tells. */
  reply(message: DigestMessage, card: ChannelCard): Notification;
  /** Right after it was kept. */
  deliver(replies: readonly Notification[]): Promise<void>;
  /** Looks for a summary's message by its metadata, from a moment (ISO 8601) on. */
  find(
    key: DigestKey,
    from: string,
  ): Promise<{ readonly ts: string } | 'not-there' | 'cannot-look'>;
  /** To a person, or to the audit channel where nobody is named. */
  tell(userId: string | undefined, text: Text): Promise<void>;
};

/** The summary of a channel as an operation may see it. */
export type DigestReads = {
  find(channel: string): Promise<ScheduledDigest | undefined>;
  /** When it is due next, ISO 8601. */
  nextAt(digest: DigestSettings): string;
  /** Posted or final, the newest. */
  posted(scope: Omit<DigestKey, 'day'>): Promise<PostedDigest | undefined>;
  /** Of the last two weeks: not posted, or nobody knows. Newest first. */
  missed(scope: Omit<DigestKey, 'day'>): Promise<readonly DigestEntry[]>;
  /** What nobody is told of for a while, what ends first at first. */
  muted(channel: string): Promise<readonly Muted[]>;
  /** What would be posted now, for the asker. */
  preview(channel: string, organization: string): Promise<RequesterCard>;
};

export type Digests = DigestReads & {
  start(
    channel: string,
    at: Pick<DigestSettings, 'at' | 'zone'>,
    by: string,
  ): Promise<ScheduledDigest>;
  stop(channel: string, by: string): Promise<void>;
  /** No alert about an entity, until (ISO 8601) the returned moment. */
  mute(channel: string, entity: Omit<Muted, 'until'>): Promise<string>;
  /** False where it was not muted. */
  unmute(channel: string, entityId: string): Promise<boolean>;
};

/** An entity of the costs of which a channel hears no alerts. */
export type Muted = {
  readonly entityId: string;
  readonly name: string;
  /** ISO 8601. */
  readonly until: string;
};

/** A summary that was posted, and how. */
export type PostedDigest = DigestEntry & {
  /** Milliseconds after the time it was due. */
  readonly lateMs?: number | undefined;
  /** It says that there are no numbers yet. */
  readonly withoutData?: boolean | undefined;
};
