import type { PageMessage } from '../protocol/page-protocol.ts';

/** By persona and channel: the newest `ts` that was on the screen. */
export type Seen = Readonly<Record<string, string>>;

/** The key of a persona's channel in `Seen`. */
function seenKey(person: string, channel: string): string {
  return `${person}/${channel}`;
}

/**
 * Channels with messages newer than what the person saw there. What is older than `since` (the moment
 * the page opened, Unix seconds) and what the person wrote never count.
 */
export function unreadChannels(
  messages: readonly PageMessage[],
  person: string,
  seen: Seen,
  since: number,
): ReadonlySet<string> {
  const unread = new Set<string>();
  for (const message of messages) {
    const last = Number(seen[seenKey(person, message.channel)] ?? since);
    if (message.userId !== person && Number(message.ts) > last) unread.add(message.channel);
  }
  return unread;
}

/** `seen` after a look at a channel; the same object when nothing is new, so that nothing re-renders. */
export function markSeen(
  seen: Seen,
  messages: readonly PageMessage[],
  at: { person: string; channel: string },
): Seen {
  const key = seenKey(at.person, at.channel);
  const newest = messages.findLast((message) => message.channel === at.channel)?.ts;
  if (newest === undefined || Number(newest) <= Number(seen[key] ?? 0)) return seen;
  return { ...seen, [key]: newest };
}
