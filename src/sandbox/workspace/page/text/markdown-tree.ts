import { Marked, type MarkedToken, type Token } from 'marked';
import { safeHref } from './links.ts';
import type { Inline } from './mrkdwn-tree.ts';

/** A `markdown` block as the page draws it: addresses checked, no HTML. */
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

/** A bare address stays text: only `[words](address)` is a link. */
const marked = new Marked({ tokenizer: { url: () => undefined } });

/** Splits a Markdown text into its parts; whatever it does not know becomes a paragraph. */
export function parseMarkdown(text: string): readonly MarkdownPart[] {
  return marked.lexer(text).flatMap(partOf);
}

/** The inline marks of one piece of Markdown text. */
export function parseMarkdownInline(text: string): readonly Inline[] {
  return inlines(marked.Lexer.lexInline(text, marked.defaults));
}

function partOf(token: Token): readonly MarkdownPart[] {
  if (!isOwn(token) || token.type === 'space' || token.type === 'def') return [];
  switch (token.type) {
    case 'heading':
      return [{ kind: 'heading', level: token.depth, children: inlines(token.tokens) }];
    case 'code':
      return [{ kind: 'pre', text: token.text }];
    case 'hr':
      return [{ kind: 'rule' }];
    case 'blockquote':
      return [{ kind: 'quote', children: inlines(token.tokens) }];
    case 'list':
      return [{ kind: 'list', ordered: token.ordered, items: token.items.flatMap(itemsOf) }];
    case 'table': {
      const rows = [token.header, ...token.rows];
      return [{ kind: 'table', rows: rows.map((row) => row.map((cell) => inlines(cell.tokens))) }];
    }
    default:
      return [{ kind: 'paragraph', children: inlines([token]) }];
  }
}

/** The page draws one level: an inner list goes on in the outer one. */
function itemsOf(item: { readonly tokens: readonly Token[] }): readonly (readonly Inline[])[] {
  const own = item.tokens.filter((token) => token.type !== 'list');
  const inner = item.tokens
    .filter(isOwn)
    .flatMap((token) => (token.type === 'list' ? token.items : []));
  return [inlines(own), ...inner.flatMap(itemsOf)];
}

function inlines(tokens: readonly Token[]): readonly Inline[] {
  return tokens.filter(isOwn).flatMap(inlineOf);
}

function inlineOf(token: MarkedToken): readonly Inline[] {
  switch (token.type) {
    case 'strong':
      return [{ kind: 'bold', children: inlines(token.tokens) }];
    case 'em':
      return [{ kind: 'italic', children: inlines(token.tokens) }];
    case 'del':
      return [{ kind: 'strike', children: inlines(token.tokens) }];
    case 'codespan':
      return [{ kind: 'code', text: token.text }];
    case 'br':
      return [{ kind: 'text', text: '\n' }];
    case 'escape':
      return [{ kind: 'text', text: token.text }];
    case 'link':
    case 'image': {
      const href = safeHref(token.href);
      if (href === null) return [{ kind: 'text', text: token.raw }];
      return [{ kind: 'link', href, children: [{ kind: 'text', text: token.text || href }] }];
    }
    case 'paragraph':
      return inlines(token.tokens);
    case 'text':
      return token.tokens ? inlines(token.tokens) : [{ kind: 'text', text: token.text }];
    default:
      return [{ kind: 'text', text: token.raw }];
  }
}

/** Without extensions every token is one of marked’s own; the type alone cannot tell. */
function isOwn(token: Token): token is MarkedToken {
  return token.type !== '';
}
