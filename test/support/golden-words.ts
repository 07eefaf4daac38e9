/**
 * A message or view in few lines: one a block, one a row of a table or an option of a long list.
 * Nothing is left out, so that two that read the same here are the same.
 */
export function inWords(value: object): string {
  const { blocks, ...rest } = { blocks: [], ...value };
  const head = Object.entries(rest).filter(([, part]) => !hasBlocks(part));
  const below = Object.entries(rest).filter(([, part]) => hasBlocks(part));
  return [
    ...head.map(([key, part]) => `${key}: ${words(part)}`),
    ...(Array.isArray(blocks) ? blocks.flatMap(blockLines) : []),
    ...below.flatMap(([key, part]) => [
      `${key}:`,
      ...(hasBlocks(part) ? indented(inWords(part)) : []),
    ]),
  ].join('\n');
}

function hasBlocks(part: unknown): part is object {
  return typeof part === 'object' && part !== null && 'blocks' in part;
}

const WIDE = 160;

/** A block on one line; where that is too long, its lists one item a line below it. */
function blockLines(block: unknown): readonly string[] {
  const whole = `- ${words(block)}`;
  if (whole.length <= WIDE || typeof block !== 'object' || block === null) return [whole];
  const lists = Object.entries(block).filter(([, part]) => Array.isArray(part) && part.length > 1);
  const rest = Object.fromEntries(
    Object.entries(block).filter(([key]) => !lists.some(([list]) => list === key)),
  );
  return [
    `- ${words(rest)}`,
    ...lists.flatMap(([key, part]) => [
      `    ${key}:`,
      ...(Array.isArray(part) ? part.map((item) => `    - ${words(item)}`) : []),
    ]),
  ];
}

function words(value: unknown): string {
  if (typeof value === 'string') return spoken(value);
  if (Array.isArray(value)) return `[${value.map(words).join(' | ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const { type, ...rest } = { type: undefined, ...value };
  const keys = Object.keys(rest);
  const body = Object.entries(rest).map(([key, part]) => `${key}=${words(part)}`);
  // The commonest of all: a text alone.
  if (keys.length === 1 && 'text' in rest && typeof type === 'string') {
    return type === 'plain_text' ? words(rest.text) : `${type} ${words(rest.text)}`;
  }
  return `${typeof type === 'string' ? type : ''}(${body.join(', ')})`;
}

/** Text as it is, a value that is JSON as what it holds. */
function spoken(text: string): string {
  const held = jsonIn(text);
  return held === undefined ? JSON.stringify(text) : `json${words(held)}`;
}

function jsonIn(text: string): object | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const held: object = JSON.parse(text);
    return JSON.stringify(held) === text ? held : undefined;
  } catch {
    return undefined;
  }
}

function indented(text: string): readonly string[] {
  return text.split('\n').map((line) => `  ${line}`);
}
