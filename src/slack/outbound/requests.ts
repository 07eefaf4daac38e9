import { DateTime } from 'luxon';
import type { ChannelCard } from '../../core/card/card.ts';
import { settledText } from '../../core/pipeline/press.ts';
import type { Notification } from '../../core/ports/outbox.ts';
import type { Pending, PendingStore } from '../../core/ports/pending.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { say, time, user, whoText } from '../../core/text/text.ts';
import { mentionsOf } from './approvers.ts';
import { postTo } from './deliver.ts';
import { placeOfPending, type SlackDeps } from './deps.ts';
import { lastWords, requestEnd } from './endings.ts';

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
    const notifications = ofExpired(pending, deps);
    if (!(await stores.pending.settle(pending.id, 'expired', 'steward', { notifications })))
      continue;
    await deps.delivery.deliver(notifications, true);
  }
}

/**
 * After a change of the rules: requests that they allow no more end and say so, as nobody could approve
 * them. What cannot be judged now is judged at the press.
 */
export async function endForbiddenRequests({ stores, deps }: WaitingOptions): Promise<void> {
  for (const pending of await stores.pending.open()) {
    if (pending.kind !== 'approval' || !(await isForbidden(pending, deps))) continue;
    const notifications = requestEnd({ pending, closing: { how: 'rules' } }, deps);
    if (!(await stores.pending.settle(pending.id, 'cancelled', 'steward', { notifications })))
      continue;
    await deps.delivery.deliver(notifications, true);
  }
}

async function isForbidden(pending: Pending, { registry, ports, policy }: SlackDeps) {
  const operation = registry.find(pending.operation);
  const prepared = operation?.prepare(pending.input);
  if (operation === undefined || prepared === undefined || 'issues' in prepared) return false;
  const { actor, journal } = pending;
  const place = placeOfPending(pending);
  const plan = await prepared.plan(ports, { actor, place, journal, reference: '' });
  if ('problem' in plan) return false;
  const { id: action, risk, open } = operation;
  const { targets, attributes } = plan;
  const decision = await policy.decide(actor, place, { action, risk, open, targets, attributes });
  return !decision.allowed && decision.unsure !== true;
}

function ofExpired(pending: Pending, deps: SlackDeps): readonly Notification[] {
  if (pending.kind === 'approval')
    return requestEnd({ pending, closing: { how: 'expired' } }, deps);
  const headline = settledText({ ...pending, state: 'expired' }, deps.ports.clock.now().toISO());
  if (headline === undefined) return [];
  return lastWords(pending, { audience: 'channel', tone: 'plain', headline }, deps);
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

/** Names the groups, and mentions them and the people that the settings name for them. */
export function reminderCard(pending: Pending, settings: Settings): ChannelCard {
  const groups = whoText(pending.approvers);
  return {
    audience: 'channel',
    tone: 'plain',
    headline: say`Still waiting for ${groups}: the request of ${user(pending.actor.userId)} ends at ${time(pending.expiresAt, 'time')}.`,
    lines: mentionsOf(pending, settings),
  };
}
