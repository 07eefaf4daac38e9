import { randomUUID } from 'node:crypto';
import type { Card, ChannelCard } from '../../core/card/card.ts';
import type { JournalEntry } from '../../core/ports/journal.ts';
import type { Notification } from '../../core/ports/outbox.ts';
import { bold, code, joinText, say, type Text, user } from '../../core/text/text.ts';
import { placeOf, type SlackDeps } from './deps.ts';
import { auditChannel, type NotifierDeps } from './notifications.ts';

/**
 * Of a request that a restart interrupted: nobody knows what happened, or nothing did. In the message
 * of its approval where there is one; an unknown outcome also in the audit channel. Design: §1, §10.
 */
export async function interruptedNotifications(
  { entry, started }: { readonly entry: JournalEntry; readonly started: boolean },
  deps: NotifierDeps,
): Promise<readonly Notification[]> {
  const asked = entry.parent === undefined ? [] : await deps.pending.ofJournal(entry.parent);
  const request = asked.find(({ kind, state }) => kind === 'approval' && state === 'claimed');
  await forgetQuestions(entry, deps);
  const base = {
    at: deps.clock.now().toISO(),
    actor: request?.actor ?? entry.actor,
    place: placeOf(entry.channelId),
    journal: entry.number,
  };
  if (!started) {
    const card = notRunCard(entry, request === undefined ? 'requester' : 'channel');
    return [{ ...base, id: randomUUID(), kind: 'not-run', card, pending: request?.id }];
  }
  const card = interruptedCard(entry);
  const audit = auditChannel(deps);
  return [
    { ...base, id: randomUUID(), kind: 'unknown', card, pending: request?.id },
    ...(audit === undefined || audit === entry.channelId
      ? []
      : [{ ...base, id: randomUUID(), kind: 'audit' as const, card }]),
  ];
}

/** What it had asked was never shown to anybody. */
async function forgetQuestions(entry: JournalEntry, { pending }: Pick<SlackDeps, 'pending'>) {
  for (const question of await pending.ofJournal(entry.number)) {
    if (question.state === 'open') await pending.settle(question.id, 'cancelled', 'steward');
  }
}

/** Of an operation that a crash interrupted: its outcome is unknown, and it is not repeated. */
function interruptedCard(entry: JournalEntry): ChannelCard {
  return {
    audience: 'channel',
    tone: 'warning',
    headline: say`Outcome unknown: ${code(entry.operation)}${onTargets(entry)}, asked by ${user(entry.actor.userId)}, was interrupted by a restart of Steward. It was not sent again. Check the console before trying again. Reference ${code(entry.reference)}.`,
    details: [{ label: 'Journal', value: say`${entry.number}` }],
  };
}

/** Of one that had not begun: in its request's message, or for the asker alone. */
function notRunCard(entry: JournalEntry, audience: Card['audience']): Card {
  return {
    audience,
    tone: 'plain',
    headline: say`Not run: ${code(entry.operation)}${onTargets(entry)} was interrupted by a restart of Steward before anything was done. Ask again if it is still wanted. Reference ${code(entry.reference)}.`,
  };
}

function onTargets({ targets }: JournalEntry): Text {
  const names = targets.map(({ name }) => bold(name));
  return names.length === 0 ? [] : say` on ${joinText(names, ', ')}`;
}
