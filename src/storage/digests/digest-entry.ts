import type { DigestRow } from '../schema.ts';
import { parseJson } from '../stored-json.ts';

/** One summary: a channel, an organization (its key), and the first UTC day of the period. */
export type DigestKey = {
  readonly channel: string;
  readonly organization: string;
  readonly period: 'day' | 'week' | 'month';
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
  readonly postedAt?: string;
  /** Of the message. */
  readonly ts?: string;
  /** The numbers as posted last. */
  readonly snapshot?: unknown;
  readonly reason?: string;
};

export function entryOf(row: DigestRow): DigestEntry {
  return {
    channel: row.channel,
    organization: row.organization,
    period: row.period,
    day: row.day,
    state: row.state,
    owner: row.owner,
    attempts: row.attempts,
    claimedAt: row.claimed_at,
    ...(row.posted_at === null ? {} : { postedAt: row.posted_at }),
    ...(row.ts === null ? {} : { ts: row.ts }),
    ...(row.snapshot === null ? {} : { snapshot: parseJson(row.snapshot) }),
    ...(row.reason === null ? {} : { reason: row.reason }),
  };
}
