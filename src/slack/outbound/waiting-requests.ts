import { DateTime } from 'luxon';
import type { ChannelCard } from '../../core/card/card.ts';
import { settledText } from '../../core/pipeline/press.ts';
import type { Clock, Pending, PendingStore } from '../../core/ports/ports.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { joinText, say, time, user, whoText } from '../../core/text/text.ts';
import { showClosed } from './closed-request.ts';
import { postTo, updateCard } from './deliver.ts';
import type { SlackDeps } from './deps.ts';
import { settledCard } from './questions.ts';

export type WaitingOptions = {
  readonly stores: {
    readonly pending: PendingStore & { overdue(): Promise<readonly Pending[]> };
    /** What only one of the replicas does. */
    readonly runs: { shouldRun(key: string, ttlMs: number): Promise<boolean> };
  };
  readonly deps: SlackDeps;
  readonly clock: Clock;
};

/** Expired requests say so in their message, and the asker is told; the buttons go. Design: §6. */
export async function expireRequests({ stores, deps, clock }: WaitingOptions): Promise<void> {
  for (const pending of await stores.pending.overdue()) {
    if (!(await stores.pending.settle(pending.id, 'expired', 'steward'))) continue;
    if (pending.kind === 'approval') {
      await showClosed(pending, { how: 'expired' }, deps);
      continue;
    }
    const text = settledText({ ...pending, state: 'expired' }, clock.now().toISO());
    if (pending.message === undefined || text === undefined) continue;
    try {
      await updateCard(pending.message, settledCard(text), deps);
    } catch (cause) {
      deps.logger.info({ cause }, 'an expired question could not be updated');
    }
  }
}

/**
 * Once, when half of a request's time is over: a reply in its thread. Claimed in the database before
 * it is posted, so that neither a restart nor another replica says it again.
 */
export async function remindApprovers(options: WaitingOptions): Promise<void> {
  const { stores, deps, clock } = options;
  const now = clock.now();
  for (const pending of await stores.pending.open()) {
    if (pending.kind !== 'approval' || pending.message === undefined) continue;
    const { halfway, lastsMs } = timesOf(pending);
    if (now < halfway) continue;
    if (!(await stores.runs.shouldRun(`reminder:${pending.id}`, lastsMs))) continue;
    const { channelId, ts } = pending.message;
    try {
      const card = reminderCard(pending, deps.settings.get());
      await postTo(channelId, card, deps, { threadTs: ts });
    } catch (cause) {
      deps.logger.info({ cause }, 'a reminder was not posted');
    }
  }
}

function timesOf({ createdAt, expiresAt }: Pending): {
  readonly halfway: DateTime;
  readonly lastsMs: number;
} {
  const from = DateTime.fromISO(createdAt, { zone: 'utc' });
  const lastsMs = DateTime.fromISO(expiresAt, { zone: 'utc' }).diff(from).toMillis();
  return { halfway: from.plus({ milliseconds: lastsMs / 2 }), lastsMs };
}

/** Mentioned by name at most: a reminder is for a few, not for a crowd. */
const MENTIONED = 5;

/** Names the groups, and mentions the people that the settings name for them. */
export function reminderCard(pending: Pending, settings: Settings): ChannelCard {
  const groups = whoText(pending.approvers);
  const people = [
    ...new Set(pending.approvers.flatMap((name) => settings.groups[name]?.users ?? [])),
  ].filter((id) => id !== pending.actor.userId);
  const mentions = joinText(people.slice(0, MENTIONED).map(user), ' ');
  return {
    audience: 'channel',
    tone: 'plain',
    headline: say`Still waiting for ${groups}: the request of ${user(pending.actor.userId)} ends at ${time(pending.expiresAt, 'time')}.`,
    lines: people.length === 0 ? [] : [mentions],
  };
}
