import { type Inline, parseMrkdwn } from '../../src/sandbox/workspace/page/text/mrkdwn-tree.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';

const PLAIN: ReadonlySet<unknown> = new Set(['plain_text', 'raw_text', 'raw_number', 'text']);
/** Carried, not shown. */
const CARRIED = new Set(['value', 'initial_value', 'private_metadata', 'content']);

export type SentText = { readonly text: string; readonly mrkdwn: boolean };

/** Every text that the bot had Slack show since a line of the traffic log. */
export function sentTexts(workspace: Workspace, since = 0): readonly SentText[] {
  return workspace
    .traffic()
    .slice(since)
    .filter(({ direction }) => direction === 'from-bot')
    .flatMap(({ sent }) => textsIn(sent));
}

/** The kinds of nodes in a text, and the words of those that format. */
export function formatting(
  text: string,
): readonly { readonly kind: string; readonly words: string }[] {
  return flat(parseMrkdwn(text)).map((node) => ({ kind: node.kind, words: wordsOf(node) }));
}

function textsIn(node: unknown): readonly SentText[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (typeof node === 'string') return parsed(node);
  if (typeof node !== 'object' || node === null) return [];
  const { text, type } = node as Record<string, unknown>;
  const own = typeof text === 'string' ? [{ text, mrkdwn: !PLAIN.has(type) }] : [];
  const inside = Object.entries(node).filter(([key]) => !CARRIED.has(key));
  return [...own, ...inside.flatMap(([, value]) => textsIn(value))];
}

/** Blocks and views travel as JSON text. */
function parsed(text: string): readonly SentText[] {
  if (!text.startsWith('[') && !text.startsWith('{')) return [];
  try {
    return textsIn(JSON.parse(text));
  } catch {
    return [];
  }
}

function flat(nodes: readonly Inline[]): readonly Inline[] {
  return nodes.flatMap((node) => [node, ...('children' in node ? flat(node.children) : [])]);
}

function wordsOf(node: Inline): string {
  if ('text' in node) return node.text;
  if ('children' in node) return node.children.map(wordsOf).join('');
  return 'name' in node ? node.name : '';
}
