import type { DigestEntry } from '../../core/ports/digests.ts';
import type { DigestRow } from '../schema.ts';
import { parseJson } from '../stored-json.ts';

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
    postedAt: row.posted_at ?? undefined,
    ts: row.ts ?? undefined,
    snapshot: row.snapshot === null ? undefined : parseJson(row.snapshot),
    reason: row.reason ?? undefined,
  };
}
