import { safeHref } from './links.ts';
import type { Inline } from './mrkdwn-tree.ts';

/** A `markdown` block, line by line: enough of CommonMark for what a bot writes. */
export type MarkdownPart =
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph' | 'quote'; readonly children: readonly Inline[] }
  | {
      readonly kind: 'list';
      readonly ordered: boolean;
      readonly items: readonly (readonly Inline[])[];
    }
  | { readonly kind: 'pre'; readonly text: string }
  | { readonly kind: 'rule' }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] };

const INLINE =
  /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|~~([^~]+)~~|\[([^\]]*)\]\(([^)\s]+)\)|(?<!\w)[*_]([^*_\n]+)[*_](?!\w)/g;

/** The inline marks of one piece of Markdown text. */
export function parseMarkdownInline(text: string): readonly Inline[] {
  const out: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) out.push({ kind: 'text', text: text.slice(from, match.index) });
    out.push(inline(match));
    from = match.index + match[0].length;
  }
  if (from < text.length) out.push({ kind: 'text', text: text.slice(from) });
  return out;
}

function inline(match: RegExpExecArray): Inline {
  const [whole, code, bold, bold2, strike, label, url, italic] = match;
  if (code !== undefined) return { kind: 'code', text: code };
  const strong = bold ?? bold2;
  if (strong !== undefined) return { kind: 'bold', children: parseMarkdownInline(strong) };
  if (strike !== undefined) return { kind: 'strike', children: parseMarkdownInline(strike) };
  if (italic !== undefined) return { kind: 'italic', children: parseMarkdownInline(italic) };
  const href = safeHref(url ?? '');
  if (href === null) return { kind: 'text', text: whole };
  return { kind: 'link', href, children: [{ kind: 'text', text: label || href }] };
}

/** Splits a Markdown text into its parts; whatever it does not know becomes a paragraph. */
export function parseMarkdown(text: string): readonly MarkdownPart[] {
  const lines = text.split('\n');
  const parts: MarkdownPart[] = [];
  let at = 0;
  while (at < lines.length) {
    const taken = takePart(lines, at);
    if (taken.part) parts.push(taken.part);
    at = taken.next;
  }
  return parts;
}

type Taken = { readonly part: MarkdownPart | null; readonly next: number };

function takePart(lines: readonly string[], at: number): Taken {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { part: null, next: at + 1 };
  if (line.startsWith('```')) return takeFence(lines, at);
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading) {
    const children = parseMarkdownInline(heading[2] ?? '');
    return { part: { kind: 'heading', level: heading[1]?.length ?? 1, children }, next: at + 1 };
  }
  if (/^\s*(-{3,}|\*{3,}|_{3,})\s*$/.test(line)) return { part: { kind: 'rule' }, next: at + 1 };
  for (const take of [takeTable, takeList, takeQuote]) {
    const taken = take(lines, at);
    if (taken) return taken;
  }
  const next = run(
    lines,
    at,
    (other) => other.trim() !== '' && !/^(#{1,6}\s|```|[-*+]\s|\d+\.\s|>)/.test(other),
  );
  const children = parseMarkdownInline(lines.slice(at, Math.max(next, at + 1)).join('\n'));
  return { part: { kind: 'paragraph', children }, next: Math.max(next, at + 1) };
}

function run(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  let next = at;
  while (next < lines.length && belongs(lines[next] ?? '')) next += 1;
  return next;
}

function takeFence(lines: readonly string[], at: number): Taken {
  const end = run(lines, at + 1, (line) => !line.startsWith('```'));
  return { part: { kind: 'pre', text: lines.slice(at + 1, end).join('\n') }, next: end + 1 };
}

function takeList(lines: readonly string[], at: number): Taken | null {
  const mark = /^\s*(?:[-*+]|(\d+)\.)\s+/;
  const first = mark.exec(lines[at] ?? '');
  if (!first) return null;
  const next = run(lines, at, (line) => mark.test(line));
  const items = lines.slice(at, next).map((line) => parseMarkdownInline(line.replace(mark, '')));
  return { part: { kind: 'list', ordered: first[1] !== undefined, items }, next };
}

function takeQuote(lines: readonly string[], at: number): Taken | null {
  const next = run(lines, at, (line) => line.startsWith('>'));
  if (next === at) return null;
  const text = lines
    .slice(at, next)
    .map((line) => line.replace(/^>\s?/, ''))
    .join('\n');
  return { part: { kind: 'quote', children: parseMarkdownInline(text) }, next };
}

function takeTable(lines: readonly string[], at: number): Taken | null {
  if (!/^\s*\|?[\s:|-]*-[\s:|-]*$/.test(lines[at + 1] ?? '') || !(lines[at] ?? '').includes('|'))
    return null;
  const next = run(lines, at, (line) => line.includes('|'));
  const rows = lines
    .slice(at, next)
    .filter((_, index) => index !== 1)
    .map((line) =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|'),
    );
  return {
    part: {
      kind: 'table',
      rows: rows.map((row) => row.map((cell) => parseMarkdownInline(cell.trim()))),
    },
    next,
  };
}
