/** What is shown of a block or an attachment; ids, values and addresses are not. */
const SHOWN = new Set([
  'text',
  'title',
  'subtitle',
  'body',
  'label',
  'caption',
  'pretext',
  'fallback',
  'author_name',
  'footer',
]);
/** Shown after a press at most. */
const FOLDED = new Set(['options', 'option_groups', 'confirm', 'metadata']);
/** Text objects in which `<` is a letter. */
const LITERAL = new Set(['plain_text', 'raw_text', 'raw_number']);

/**
 * What a person sees of a message, one text a line: its text, blocks, attachments and the titles of
 * its files. Takes anything, reads what it knows.
 */
export function messageWords(message: unknown): string {
  const words: string[] = [];
  const { text, blocks, attachments, files } = membersOf(message);
  for (const file of Array.isArray(files) ? files : [])
    collect({ title: membersOf(file)['title'] }, words);
  collect({ text, parts: [blocks, attachments] }, words);
  return words.join('\n');
}

/** Without recursion: how deep a payload nests is not ours to say. */
function collect(root: unknown, words: string[]): void {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const node = left.pop();
    const line = richLine(node);
    if (line !== undefined) words.push(line);
    else for (const part of partsOf(node, words).toReversed()) left.push(part);
  }
}

/** Puts a node's own words down; returns what is inside it. */
function partsOf(node: unknown, words: string[]): readonly unknown[] {
  if (Array.isArray(node)) return node;
  const members = membersOf(node);
  // A field of an attachment: nothing else with a title has a value that is shown.
  if (typeof members['title'] === 'string') put(members, 'value', words);
  return Object.entries(members).flatMap(([key, value]) => {
    if (SHOWN.has(key)) put(members, key, words);
    return FOLDED.has(key) || typeof value !== 'object' ? [] : [value];
  });
}

function put(members: Readonly<Record<string, unknown>>, key: string, words: string[]): void {
  const value = members[key];
  if (typeof value !== 'string') return;
  words.push(LITERAL.has(String(members['type'])) ? value : withoutMarkup(value));
}

/** Links by their label, mentions and dates by theirs, italics without their marks. */
function withoutMarkup(text: string): string {
  return text
    .replace(/<([^<>|]*)(?:\|([^<>]*))?>/gu, (_all, target: string, label?: string) =>
      label === undefined ? target.replace(/^[@#!].*$/su, '') : label,
    )
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/gu, ' ');
}

/** A line of rich text is read as one, however it is styled. */
function richLine(node: unknown): string | undefined {
  const { type, elements } = membersOf(node);
  if (typeof type !== 'string' || !/^rich_text_(?!list)/u.test(type)) return undefined;
  if (!Array.isArray(elements)) return undefined;
  return elements
    .map(membersOf)
    .map(({ text, url, fallback }) => String(text ?? url ?? fallback ?? ' '))
    .join('');
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
