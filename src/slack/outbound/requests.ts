import { DateTime } from 'luxon';
import type { ChannelCard } from '../../core/card/card.ts';
import { spokenInput } from '../../core/card/request-options.ts';
import type { Operation } from '../../core/operation/operation.ts';
import { settledText } from '../../core/pipeline/press.ts';
import type { Actor, Pending, PendingStore } from '../../core/ports/ports.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { joinText, say, type Text, time, user, whoText } from '../../core/text/text.ts';
import { postTo, updateCard } from './deliver.ts';
import { placeOf, type SlackDeps } from './deps.ts';
import { createReplies } from './replies.ts';

/** How a request for approval ended without being approved. */
export type Closing =
  | {
      readonly how: 'denied' | 'withdrawn';
      readonly by: Actor;
      /** ISO 8601. */
      readonly at: string;
      readonly note?: string | undefined;
    }
  | { readonly how: 'expired' };

/** In place of the request and its buttons: what did not happen, who decided, when and why. */
export function closedRequestCard(
  pending: Pending,
  operation: Pick<Operation, 'refused'>,
  closing: Closing,
): ChannelCard {
  const note = closing.how === 'expired' ? undefined : closing.note;
  const asker = say`Asked by ${user(pending.actor.userId)} at ${time(pending.createdAt, 'time')}.`;
  return {
    audience: 'channel',
    tone: 'plain',
    headline: closingText(pending, operation, closing),
    lines: [...(note === undefined ? [] : [say`Reason: ${note}`]), asker],
  };
}

function closingText(
  pending: Pending,
  operation: Pick<Operation, 'refused'>,
  closing: Closing,
): Text {
  const what = operation.refused(spokenInput(pending.input, pending.options?.names));
  if (closing.how === 'expired') {
    return say`${what}: nobody approved it until ${time(pending.expiresAt, 'time')}.`;
  }
  return say`${what}: ${closing.how} by ${user(closing.by.userId)} at ${time(closing.at, 'time')}.`;
}

/**
 * Updates the request's message and tells the asker, who may not look at it; whoever decided knows.
 * Throws nothing: a failed post does not undo the decision.
 */
export async function showClosed(
  pending: Pending,
  closing: Closing,
  deps: SlackDeps,
): Promise<void> {
  const operation = deps.registry.find(pending.operation);
  if (operation === undefined) return;
  const card = closedRequestCard(pending, operation, closing);
  await quietly(deps, async () => {
    if (pending.message !== undefined) await updateCard(pending.message, card, deps);
  });
  if (closing.how === 'withdrawn') return;
  const note = closing.how === 'denied' && closing.note !== undefined ? closing.note : undefined;
  const why = note === undefined ? [] : say` Reason: ${note}`;
  const asker = createReplies(deps).to({ actor: pending.actor, place: placeOf(pending.channelId) });
  await quietly(deps, () => asker.tell(say`${card.headline}${why}`));
}

async function quietly(deps: SlackDeps, tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (cause) {
    deps.logger.info({ cause }, 'the end of a request was not told');
  }
}

export type WaitingOptions = {
  readonly stores: {
    readonly pending: PendingStore & { overdue(): Promise<readonly Pending[]> };
    /** What only one of the replicas does. */
    readonly runs: { shouldRun(key: string, ttlMs: number): Promise<boolean> };
  };
  readonly deps: SlackDeps;
};

/** Expired requests say so in their message, and the asker is told; the buttons go. */
export async function expireRequests({ stores, deps }: WaitingOptions): Promise<void> {
  for (const pending of await stores.pending.overdue()) {
    if (!(await stores.pending.settle(pending.id, 'expired', 'steward'))) continue;
    if (pending.kind === 'approval') {
      await showClosed(pending, { how: 'expired' }, deps);
      continue;
    }
    const text = settledText({ ...pending, state: 'expired' }, deps.ports.clock.now().toISO());
    if (pending.message === undefined || text === undefined) continue;
    try {
      const card = { audience: 'channel', tone: 'plain', headline: text } as const;
      await updateCard(pending.message, card, deps);
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
  const { stores, deps } = options;
  const now = deps.ports.clock.now();
  for (const pending of await stores.pending.open()) {
    if (pending.kind !== 'approval' || pending.message === undefined) continue;
    const { halfway, lastsMs } = timesOf(pending);
    if (now < halfway) continue;
    if (!(await stores.runs.shouldRun(`reminder:${pending.id}`, lastsMs))) continue;
    const { channelId, ts } = pending.message;
    try {
      const card = reminderCard(pending, deps.ports.settings.get());
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
