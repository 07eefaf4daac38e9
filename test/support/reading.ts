import type {
  Json,
  PageMessage,
  PageView,
} from '../../src/sandbox/workspace/protocol/page-protocol.ts';

/** The element with what a person would call it. */
export type Labelled = {
  readonly block: Json;
  readonly element: Json;
  readonly labels: readonly string[];
};

/** What a person reads: without markup, with names for ids, entities decoded. */
export function plain(text: string, names: ReadonlyMap<string, string>): string {
  return text
    .replace(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
    .replace(/<([@#])(\w+)(?:\|([^>]*))?>/g, (_all, sign: string, id: string, label?: string) => {
      return `${sign}${label ?? names.get(id) ?? id}`;
    })
    .replace(/<(?:[^|>]*)\|([^>]*)>/g, '$1')
    .replace(/<((?:https?|mailto):[^>]*)>/g, '$1')
    .replace(/(^|[^\w*])\*([^*\n]+)\*(?!\w)/g, '$1$2')
    .replace(/(^|[^\w_])_([^_\n]+)_(?!\w)/g, '$1$2')
    .replace(/`([^`\n]+)`/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** All visible words of blocks, one line for each text; not the words inside option lists. */
function wordsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(wordsIn);
  if (typeof node !== 'object' || node === null) return [];
  const entries = Object.entries(node);
  const rich = richLine(node);
  if (rich !== undefined) return [rich];
  return entries.flatMap(([key, value]) => {
    if (hidden.has(key)) return [];
    if (typeof value === 'string') return shown.has(key) ? [value] : [];
    return wordsIn(value);
  });
}

const shown = new Set(['text', 'title', 'alt_text', 'caption', 'subtitle', 'body', 'markdown']);
const hidden = new Set(['confirm', 'options', 'option_groups', 'placeholder', 'initial_option']);

/** A line of rich text is read as one, whatever its pieces are. */
function richLine(node: object): string | undefined {
  if (!('type' in node) || !('elements' in node) || !Array.isArray(node.elements)) return undefined;
  const lines = ['rich_text_section', 'rich_text_preformatted', 'rich_text_quote'];
  if (typeof node.type !== 'string' || !lines.includes(node.type)) return undefined;
  return node.elements
    .map((piece: unknown) => {
      const part = piece as Record<string, unknown>;
      if (typeof part['user_id'] === 'string') return `<@${part['user_id']}>`;
      if (typeof part['channel_id'] === 'string') return `<#${part['channel_id']}>`;
      return String(part['text'] ?? part['fallback'] ?? part['url'] ?? part['name'] ?? '');
    })
    .join('');
}

/**
 * How a message is looked at: as a person reads it on the page, with its markup, or by the words of
 * a notification and a screen reader alone.
 */
export type Look = 'page' | 'markup' | 'fallback';

/** The fallback is read on the page only where a message has no blocks. */
export function readMessage(
  message: PageMessage,
  names: ReadonlyMap<string, string>,
  look: Look = 'page',
): string {
  const hasBlocks = message.blocks.length > 0;
  const files = message.files.map((file) => file.title);
  const lines = look === 'fallback' || !hasBlocks ? [message.text] : wordsIn(message.blocks);
  const shown = look === 'page' ? [...lines, ...files] : lines;
  return shown.map((line) => (look === 'markup' ? line : plain(line, names))).join('\n');
}

/** Every word of a message, wherever it stands: for what nobody may read. */
export function readEverything(message: PageMessage, names: ReadonlyMap<string, string>): string {
  const looks: readonly Look[] = ['page', 'markup', 'fallback'];
  return looks.map((look) => readMessage(message, names, look)).join('\n');
}

export function readView(view: PageView, names: ReadonlyMap<string, string>): string {
  const labels = view.blocks.map((block) => wordOf(block['label']));
  const words = [view.title, ...wordsIn(view.blocks), ...labels];
  return words.map((line) => plain(line, names)).join('\n');
}

export function wordOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : '';
  return typeof text === 'string' ? text : '';
}

/** The interactive elements of the blocks, each with its labels. */
export function labelled(blocks: readonly Json[]): readonly Labelled[] {
  return blocks.flatMap((block) => walk(block, block));
}

function walk(node: unknown, block: Json): readonly Labelled[] {
  if (Array.isArray(node)) return node.flatMap((child) => walk(child, block));
  if (typeof node !== 'object' || node === null) return [];
  const element = node as Json;
  const own = typeof element['block_id'] === 'string' ? element : block;
  const here = typeof element['action_id'] === 'string' ? [label(element, own)] : [];
  return [...here, ...Object.values(element).flatMap((child) => walk(child, own))];
}

function label(element: Json, block: Json): Labelled {
  const labels = [
    wordOf(element['text']),
    wordOf(block['label']),
    wordOf(element['placeholder']),
    block['type'] === 'section' ? plain(wordOf(block['text']), new Map()) : '',
    String(element['accessibility_label'] ?? ''),
    String(element['action_id']),
  ];
  return { block, element, labels: labels.filter((text) => text !== '') };
}

/** The first that has exactly this label, else the first that begins with it. */
export function pick(all: readonly Labelled[], wanted: string): Labelled | undefined {
  const name = wanted.trim().toLowerCase();
  const has = (test: (label: string) => boolean) =>
    all.find((one) => one.labels.some((text) => test(text.trim().toLowerCase())));
  return has((text) => text === name) ?? has((text) => text.startsWith(name));
}
