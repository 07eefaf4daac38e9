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
    ...(row.posted_at === null ? {} : { postedAt: row.posted_at }),
    ...(row.ts === null ? {} : { ts: row.ts }),
    ...(row.snapshot === null ? {} : { snapshot: parseJson(row.snapshot) }),
    ...(row.reason === null ? {} : { reason: row.reason }),
  };
}
