import type { Generated } from 'kysely';
import type { CostReadRow, CostRecordRow, CostRestatementRow } from './cost-tables.ts';

/**
 * The tables as Kysely sees them, equal on SQLite and Postgres: times are ISO 8601 text in UTC with
 * milliseconds (so they sort as text), structures are JSON text, truth values are 0 or 1.
 * Design: §10.
 */
export type Schema = {
  readonly journal_events: JournalEventRow;
  readonly journal_head: JournalHeadRow;
  readonly journal_index: JournalIndexRow;
  readonly journal_targets: { readonly target_id: string; readonly entry: number };
  /** What requests make, in small letters. */
  readonly journal_names: { readonly name: string; readonly entry: number };
  /** The last message in a channel that tells an entry. */
  readonly journal_messages: PlaceRow & { readonly entry: number };
  /** The direct messages that call those who may approve. */
  readonly request_messages: PlaceRow & { readonly pending: string; readonly user_id: string };
  readonly instances: InstanceRow;
  readonly pending: PendingRow;
  readonly outbox: OutboxTable;
  readonly services: ServiceRow;
  /** When an organization's cloud last listed its services. */
  readonly cloud_lists: { readonly organization: string; readonly listed_at: string };
  readonly follows: FollowRow;
  /** Activities of a cloud that were looked at: none is told twice. */
  readonly cloud_activities: {
    readonly organization: string;
    readonly id: string;
    readonly at: string;
  };
  readonly one_time_secrets: OneTimeSecretRow;
  readonly claims: { readonly key: string; readonly expires_at: string };
  readonly forms: FormRow;
  readonly key_values: { readonly key: string; readonly value: string };
  readonly cost_records: CostRecordRow;
  readonly cost_reads: CostReadRow;
  readonly cost_restatements: CostRestatementRow;
  readonly digests: DigestRow;
  readonly digest_subscriptions: DigestSubscriptionRow;
  readonly sleep_nights: SleepNightRow;
  readonly sleep_runs: SleepRunRow;
};

type PlaceRow = { readonly channel_id: string; readonly ts: string };

export type EventKind = 'opened' | 'started' | 'closed' | 'noted';

/** One link of the chain; never updated, never deleted: triggers refuse both. */
export type JournalEventRow = {
  readonly seq: number;
  /** The number people see; 0 for a note that belongs to no entry. */
  readonly entry: number;
  readonly kind: EventKind;
  readonly at: string;
  /** Canonical JSON, hashed as it stands here. */
  readonly body: string;
  readonly prev_hash: string;
  readonly hash: string;
};

/** The only row says how long the chain is and where it ends, so that a cut tail shows. */
export type JournalHeadRow = {
  readonly id: number;
  readonly rows: number;
  readonly hash: string;
  readonly entries: number;
};

/** For finding entries only; what is shown is always folded from the events. */
export type JournalIndexRow = {
  readonly entry: number;
  readonly operation: string;
  readonly user_id: string;
  readonly opened_at: string;
  readonly instance: string;
  readonly state: 'opened' | 'started' | 'closed';
  /** Of its last closing. */
  readonly outcome: string | null;
  /** By what a repeat of its payload is known. */
  readonly delivery: string | null;
  /** Sealed, while it is open. */
  readonly answer_to: string | null;
};

export type InstanceRow = {
  readonly id: string;
  readonly started_at: string;
  readonly beat_at: string;
  readonly stopped_at: string | null;
  readonly host: string;
  readonly pid: number;
  /** Random, one for each process: a restarted container has the old host and pid again. */
  readonly process: string;
  /** JSON, as of its last beat. */
  readonly says: string | null;
};

export type PendingRow = {
  readonly id: string;
  readonly kind: 'confirm' | 'approval' | 'run';
  readonly state: 'open' | 'claimed' | 'cancelled' | 'denied' | 'expired';
  readonly operation: string;
  readonly input: string;
  readonly user_id: string;
  readonly team_id: string;
  readonly channel_id: string | null;
  readonly plan_hash: string;
  readonly approvers: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly journal: number;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  readonly note: string | null;
  readonly message_channel: string | null;
  readonly message_ts: string | null;
  readonly options: string | null;
};

type OutboxTable = {
  readonly number: Generated<number>;
  readonly id: string;
  readonly kind: string;
  readonly journal: number;
  readonly pending: string | null;
  readonly user_id: string;
  readonly body: string;
  /** Sealed. */
  readonly response_url: string | null;
  /** `sending`: its instance is at it; else nobody is. */
  readonly state: 'sending' | 'waiting' | 'told' | 'undelivered';
  readonly progress: string;
  readonly due_at: string;
  readonly instance: string;
  readonly settled_at: string | null;
  readonly by: string | null;
  readonly reason: string | null;
};

export type ServiceRow = {
  readonly id: string;
  readonly organization: string;
  readonly name: string | null;
  readonly source: 'created here' | 'costs' | 'command' | 'cloud';
  readonly state: string | null;
  readonly state_at: string | null;
  /** JSON, as the cloud last listed it. */
  readonly cloud_tags: string | null;
  /** The list of its organization in which it last stood. */
  readonly listed_at: string | null;
};

/** A change that is followed until the cloud shows what came of it. */
export type FollowRow = {
  readonly id: string;
  readonly journal: number;
  readonly organization: string;
  readonly target_id: string;
  readonly body: string;
  readonly progress: string;
  /** When it is looked at next; null once it has ended. */
  readonly due_at: string | null;
  readonly ends_at: string;
};

export type OneTimeSecretRow = {
  readonly id: string;
  readonly owner: string;
  /** base64 of IV, tag and ciphertext; null once shown or expired. */
  readonly sealed: string | null;
  readonly expires_at: string;
  readonly shown_at: string | null;
  /** The name of what it is for. */
  readonly about: string | null;
};

export type FormRow = {
  readonly id: string;
  readonly owner: string;
  readonly value: string;
  readonly expires_at: string;
};

export type DigestRow = {
  readonly channel: string;
  readonly organization: string;
  readonly period: 'day' | 'week' | 'month';
  readonly day: string;
  readonly state: 'claimed' | 'posted' | 'failed' | 'unknown' | 'final';
  readonly owner: string;
  readonly attempts: number;
  readonly claimed_at: string;
  readonly posted_at: string | null;
  readonly ts: string | null;
  readonly snapshot: string | null;
  readonly reason: string | null;
};

export type DigestSubscriptionRow = {
  readonly channel: string;
  /** Null: as `steward.yaml` says. */
  readonly enabled: number | null;
  readonly changed_by: string | null;
  readonly failures: number;
  readonly paused_at: string | null;
  readonly paused_reason: string | null;
};

export type SleepNightRow = {
  readonly schedule: string;
  /** The planned stop. */
  readonly at: string;
  readonly state: 'open' | 'cancelled' | 'skipped' | 'over';
  readonly version: number;
  readonly begun_at: string | null;
  /** JSON. */
  readonly plan: string;
  readonly message_state: 'none' | 'claimed' | 'posted' | 'unknown';
  readonly message_owner: string | null;
  readonly message_at: string | null;
  readonly message_ts: string | null;
  readonly message_shown: string | null;
};

export type SleepRunRow = {
  readonly schedule: string;
  readonly at: string;
  readonly act: 'stop' | 'start';
  readonly service: string;
  readonly state: 'claimed' | 'waiting' | 'done' | 'unknown' | 'left' | 'failed';
  readonly owner: string | null;
  readonly attempts: number;
  readonly moved_at: string;
  readonly next_at: string | null;
  readonly reason: string;
  readonly journal: number | null;
};
