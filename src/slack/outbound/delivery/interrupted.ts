import { randomUUID } from 'node:crypto';
import type { Card, ChannelCard } from '../../../core/card/card.ts';
import type { Interrupted, JournalEntry, Recovered } from '../../../core/ports/journal.ts';
import type { Notification, NotificationKind } from '../../../core/ports/outbox.ts';
import type { Pending } from '../../../core/ports/pending.ts';
import { bold, code, joinText, say, type Text, user } from '../../../core/text/text.ts';
import { messageOf, placeOf, type SlackDeps } from '../deps.ts';
import { auditChannel, type NotifierDeps } from '../notifications.ts';

/**
 * Of a request that a restart interrupted: nobody knows what happened, or nothing did. In the message
 * of its approval where there is one; an unknown outcome also in the audit channel. The question that
 * was answered says its last word. Design: §1, §10.
 */
export async function interruptedNotifications(
  found: Interrupted,
  deps: NotifierDeps,
): Promise<Recovered> {
  const interruption = { ...found, entry: await recognised(found.entry, deps) };
  const { entry, started } = interruption;
  const asked = entry.parent === undefined ? [] : await deps.pending.ofJournal(entry.parent);
  const settled = asked.find((question) => isSettledBy(entry, question));
  if (settled !== undefined) {
    return { closing: { outcome: 'done', detail: `request ${settled.state}` }, notifications: [] };
  }
  await forgetQuestions(entry, deps);
  const question = asked.find(({ state }) => state === 'claimed');
  const told = { ...interruption, question, deps };
  // What a schedule did or did not is told in the message of its night, and tried again by itself.
  const isPlanned = entry.origin === 'schedule';
  if (!started && isPlanned) return { notifications: [] };
  if (!started) {
    const stands = asked.some(({ state }) => state === 'open');
    const audience = question?.kind === 'approval' ? 'channel' : 'requester';
    const card = stands ? stillOpenCard(entry) : notRunCard(entry, audience);
    return { notifications: [noteOf('not-run', card, told), ...lastState(card.headline, told)] };
  }
  const card = interruptedCard(entry);
  const audit = auditChannel(deps);
  if (isPlanned) return { notifications: audit === undefined ? [] : [noteOf('audit', card, told)] };
  return {
    notifications: [
      noteOf('unknown', card, told),
      ...lastState(unknownText(entry), told),
      ...(audit === undefined || audit === entry.channelId ? [] : [noteOf('audit', card, told)]),
    ],
  };
}

/** A press that nobody had looked at yet: its question says what it answers. */
async function recognised(entry: JournalEntry, deps: NotifierDeps): Promise<JournalEntry> {
  const id = entry.input['pending'] ?? entry.input['deny'];
  if (entry.parent !== undefined || typeof id !== 'string') return entry;
  const question = await deps.pending.get(id);
  if (question === undefined) return entry;
  const { operation, journal } = question;
  return { ...entry, operation, parent: journal === 0 ? undefined : journal };
}

/** A denial or a cancellation takes effect before its row is closed. */
function isSettledBy({ input, actor }: JournalEntry, { id, state, decidedBy }: Pending): boolean {
  const isPress = input['press'] === 'deny' || input['press'] === 'cancel';
  const isIts =
    input['deny'] === id || input['cancel'] === id || (isPress && input['pending'] === id);
  return isIts && (state === 'denied' || state === 'cancelled') && decidedBy === actor.userId;
}

type Telling = Interrupted & {
  /** The one that was answered, and by whose answer it began. */
  readonly question: Pending | undefined;
  readonly deps: Pick<NotifierDeps, 'clock'>;
};

function noteOf(kind: NotificationKind, card: Card, telling: Telling): Notification {
  const { entry, question, answerTo, deps } = telling;
  const request = question?.kind === 'approval' ? question : undefined;
  return {
    ...{ id: randomUUID(), kind, card },
    at: deps.clock.now().toISO(),
    actor: request?.actor ?? entry.actor,
    place: placeOf(entry.channelId),
    journal: entry.number,
    pending: kind === 'audit' ? undefined : request?.id,
    // After an approval the payload was the approver's.
    responseUrl: request === undefined && kind !== 'audit' ? answerTo?.responseUrl : undefined,
  };
}

/** The asker's own card, which had turned into progress or still has its buttons. */
function lastState(headline: Text, telling: Telling): readonly Notification[] {
  const { question, answerTo } = telling;
  const { pressed } = answerTo ?? {};
  if (question?.kind !== 'confirm' || pressed === undefined) return [];
  const card: Card = { audience: 'requester', tone: 'plain', headline };
  return [{ ...noteOf('last-state', card, telling), message: messageOf(pressed) }];
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

/** Of an answer that was not taken: it can be given again. */
function stillOpenCard(entry: JournalEntry): Card {
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`Not run: an answer to ${code(entry.operation)}${onTargets(entry)} was interrupted by a restart of Steward before anything was done. The question still stands. Reference ${code(entry.reference)}.`,
  };
}

function unknownText(entry: JournalEntry): Text {
  return say`${code(entry.operation)}${onTargets(entry)}: the outcome is ${bold('unknown')}.`;
}

function onTargets({ targets }: JournalEntry): Text {
  const names = targets.map(({ name }) => bold(name));
  return names.length === 0 ? [] : say` on ${joinText(names, ', ')}`;
}
