import type { PageMessage } from '../../protocol/page-protocol.ts';

/** A message of the main list with what hangs below it. */
export type Thread = { readonly root: PageMessage; readonly replies: readonly PageMessage[] };

function isReply(message: PageMessage): boolean {
  return message.threadTs !== null && message.threadTs !== message.ts;
}

/** The main list of a channel: roots in their order, each with its replies. */
export function threadsOf(messages: readonly PageMessage[], channel: string): readonly Thread[] {
  const here = messages.filter((message) => message.channel === channel);
  const replies = new Map<string | null, PageMessage[]>();
  for (const reply of here.filter(isReply)) {
    replies.set(reply.threadTs, [...(replies.get(reply.threadTs) ?? []), reply]);
  }
  const roots = here.filter((message) => !isReply(message));
  return roots.map((root) => ({ root, replies: replies.get(root.ts) ?? [] }));
}

/** The messages of one thread, root first; empty when nothing of it is visible. */
export function threadMessages(
  messages: readonly PageMessage[],
  channel: string,
  ts: string,
): readonly PageMessage[] {
  return messages.filter(
    (message) => message.channel === channel && (message.ts === ts || message.threadTs === ts),
  );
}
