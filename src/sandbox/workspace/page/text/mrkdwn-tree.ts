import { type Node, NodeType, parse } from 'slack-message-parser';
import { safeHref } from './links.ts';

/** mrkdwn as the page draws it: entities decoded, addresses checked, no raw source left. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'pre'; readonly text: string }
  | {
      readonly kind: 'bold' | 'italic' | 'strike' | 'quote';
      readonly children: readonly Inline[];
    }
  | { readonly kind: 'link'; readonly href: string | null; readonly children: readonly Inline[] }
  | {
      readonly kind: 'user' | 'channel' | 'group';
      readonly id: string;
      readonly label: string | null;
    }
  | { readonly kind: 'broadcast'; readonly name: string }
  | {
      readonly kind: 'date';
      readonly seconds: number;
      readonly format: string;
      readonly href: string | null;
      readonly fallback: string;
    }
  | { readonly kind: 'emoji'; readonly name: string };

/** Parses mrkdwn; never throws, and never yields an address that is not http, https or mailto. */
export function parseMrkdwn(text: string): readonly Inline[] {
  return tidy(convertAll(parse(escapeBareGreaterThan(text)).children));
}

function convertAll(nodes: readonly Node[]): Inline[] {
  return nodes.map(convert);
}

function convert(node: Node): Inline {
  switch (node.type) {
    case NodeType.Text:
      return { kind: 'text', text: decodeEntities(node.text) };
    case NodeType.Code:
      return { kind: 'code', text: decodeEntities(node.text) };
    case NodeType.PreText:
      return { kind: 'pre', text: decodeEntities(node.text).replace(/^\n|\n$/g, '') };
    case NodeType.Bold:
      return { kind: 'bold', children: convertAll(node.children) };
    case NodeType.Italic:
      return { kind: 'italic', children: convertAll(node.children) };
    case NodeType.Strike:
      return { kind: 'strike', children: convertAll(node.children) };
    case NodeType.Quote:
      return { kind: 'quote', children: unindent(convertAll(node.children)) };
    case NodeType.URL:
      return link(decodeEntities(node.url), node.label, node.source);
    case NodeType.UserLink:
      return { kind: 'user', id: node.userID, label: labelText(node.label) };
    case NodeType.ChannelLink:
      return { kind: 'channel', id: node.channelID, label: labelText(node.label) };
    case NodeType.Emoji:
      return { kind: 'emoji', name: node.name };
    case NodeType.Command:
      return command(node.name, node.arguments, labelText(node.label));
    case NodeType.Root:
      return { kind: 'text', text: decodeEntities(node.source) };
  }
}

/** A refused address is shown as it was written: nothing is hidden behind a harmless label. */
function link(url: string, label: readonly Node[] | undefined, source: string): Inline {
  const href = safeHref(url);
  if (href === null) return { kind: 'text', text: decodeEntities(source) };
  const shown = href.replace(/^mailto:/i, '');
  return {
    kind: 'link',
    href,
    children: label ? convertAll(label) : [{ kind: 'text', text: shown }],
  };
}

function command(name: string, args: readonly string[], label: string | null): Inline {
  if (name === 'date') {
    return {
      kind: 'date',
      seconds: Number(args[0] ?? 'NaN'),
      format: decodeEntities(args[1] ?? ''),
      href: safeHref(decodeEntities(args[2] ?? '')),
      fallback: label ?? '',
    };
  }
  if (name === 'subteam') return { kind: 'group', id: args[0] ?? '', label };
  return { kind: 'broadcast', name: label ?? name };
}

function labelText(label: readonly Node[] | undefined): string | null {
  return label ? decodeEntities(label.map((node) => node.source).join('')) : null;
}

/** The parser keeps the space after each `>` of a quote. */
function unindent(children: readonly Inline[]): readonly Inline[] {
  return children.map((child, index) => {
    const before = children[index - 1];
    const startsLine =
      before === undefined || (before.kind === 'text' && before.text.endsWith('\n'));
    return child.kind === 'text' && startsLine
      ? { ...child, text: child.text.replace(/^ /, '') }
      : child;
  });
}

/** Blocks bring their own line break: the one in the text beside them would leave an empty line. */
function tidy(children: readonly Inline[]): readonly Inline[] {
  return children.map((child, index) => {
    const before = children[index - 1];
    if (child.kind !== 'text' || before === undefined || !isBlock(before)) return child;
    return { ...child, text: child.text.replace(/^\n/, '') };
  });
}

function isBlock(node: Inline): boolean {
  return node.kind === 'pre' || node.kind === 'quote';
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Undoes the three escapes of mrkdwn in one pass, so that `&amp;lt;` stays `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
}

/**
 * Escapes each `>` that closes no `<…>` token: the parser sees a quote only as `&gt;`, while bots and
 * people also write it bare.
 */
export function escapeBareGreaterThan(text: string): string {
  return text.replace(/<[^<>\n]*>|>/g, (found) => (found === '>' ? '&gt;' : found));
}
