import type { PageState } from '../../protocol/page-protocol.ts';

export type CommandHint = PageState['commands'][number];

/** Commands to offer for what stands in the composer; none once the text is no command. */
export function commandHints(
  text: string,
  commands: readonly CommandHint[],
): readonly CommandHint[] {
  if (!text.startsWith('/') || text.includes('\n')) return [];
  const [word = ''] = text.split(' ');
  if (text.includes(' ')) return commands.filter((each) => each.command === word);
  return commands.filter((each) => each.command.startsWith(word));
}

/** Whether Enter should complete the hint first: the word is still a part of the command. */
export function isPartial(text: string, hint: CommandHint): boolean {
  return !text.includes(' ') && text !== hint.command;
}

/** The line recalled by the arrows, newest first; `step` 0 is the empty composer. */
export function recall(sent: readonly string[], step: number): { text: string; step: number } {
  const bounded = Math.max(0, Math.min(step, sent.length));
  return { text: bounded === 0 ? '' : (sent[sent.length - bounded] ?? ''), step: bounded };
}
