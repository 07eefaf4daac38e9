/** A typed text as a value of the request, or what would fit instead. */
export type Reading = { readonly value: unknown } | { readonly problem: string };

const ARROW = /\s*(?:->|-&gt;|=>|→)\s*/u;

/** Entries of a list: one a line; on a single line (slash text) a semicolon parts them. */
function splitEntries(text: string): readonly string[] {
  const parts = text.includes('\n') ? text.split('\n') : text.split(';');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** A list that came in parts, one for each time its flag was typed, as one text. */
export function joinedLists(parts: readonly unknown[]): string {
  return parts.flatMap((part) => splitEntries(String(part))).join('\n');
}

/** Entries as they stand: roles, keys, ids. */
export function readTexts(text: string): Reading {
  return { value: splitEntries(text) };
}

/** `id UInt64`; a name with spaces stands in backquotes. */
export function readColumns(text: string): Reading {
  return readEach(text, 'name type, as in id UInt64', (entry) => {
    const match = /^(?:`([^`]+)`|(\S+))\s+(\S.*)$/u.exec(entry);
    if (match === null) return undefined;
    return { name: match[1] ?? match[2], type: match[3] };
  });
}

/** `user.id -> user_id` */
export function readFieldMappings(text: string): Reading {
  return readEach(text, 'source -> destination, as in user.id -> user_id', (entry) => {
    const [sourceField = '', destinationField = '', ...more] = entry.split(ARROW);
    if (sourceField === '' || destinationField === '' || more.length > 0) return undefined;
    return { sourceField, destinationField };
  });
}

const TABLE = /^("[^"]+"|[^\s."]+)\.("[^"]+"|\S+)$/u;
const TARGET = /^("[^"]+"|[^\s"]+)\s*(.*)$/u;

/**
 * `public.orders -> orders exclude(card, note) sort(id) customsort`: the options in any order, a
 * name with dots or spaces in double quotes.
 */
export function readTableMappings(text: string): Reading {
  const fits = 'schema.table -> target, then exclude(a, b), sort(a, b) or customsort';
  return readTables(text, fits, {});
}

/** The same with what ClickHouse Cloud takes: `engine(MergeTree)`, `partitionkey(a)`, `partitionby(b)`. */
export function readCloudTableMappings(text: string): Reading {
  const fits =
    'schema.table -> target, then exclude(a, b), sort(a, b), customsort, engine(MergeTree), partitionkey(a) or partitionby(b)';
  return readTables(text, fits, CLOUD_OPTIONS);
}

/** Options with one value, by their word. */
type Valued = Readonly<Record<string, string>>;

const CLOUD_OPTIONS: Valued = {
  engine: 'tableEngine',
  partitionkey: 'partitionKey',
  partitionby: 'partitionByExpr',
};

function readTables(text: string, fits: string, valued: Valued): Reading {
  return readEach(text, fits, (entry) => {
    const [from = '', to = '', ...more] = entry.split(ARROW);
    const source = TABLE.exec(from);
    const target = TARGET.exec(to);
    if (source === null || target === null || more.length > 0) return undefined;
    const options = readOptions(target[2] ?? '', valued);
    if (options === undefined) return undefined;
    return {
      sourceSchemaName: unquoted(source[1]),
      sourceTable: unquoted(source[2]),
      targetTable: unquoted(target[1]),
      ...options,
    };
  });
}

/** Each option at most once; undefined for a word that is none. */
function readOptions(text: string, valued: Valued): Readonly<Record<string, unknown>> | undefined {
  const options: Record<string, unknown> = {};
  let left = text.trim();
  while (left !== '') {
    const match = /^([a-z]+)(?:\(((?:[^()]|\([^()]*\))*)\))?(?:\s+|$)/iu.exec(left);
    const option = match === null ? undefined : readOption(match[1] ?? '', match[2], valued);
    if (match === null || option === undefined || Object.hasOwn(options, option[0])) {
      return undefined;
    }
    options[option[0]] = option[1];
    left = left.slice(match[0].length);
  }
  return options;
}

function readOption(
  word: string,
  inside: string | undefined,
  valued: Valued,
): [string, unknown] | undefined {
  const key = valued[word.toLowerCase()];
  if (key !== undefined) return inside?.trim() ? [key, inside.trim()] : undefined;
  const names = (inside ?? '').split(',').map((name) => name.trim());
  const named = names.every((name) => name !== '');
  switch (word.toLowerCase()) {
    case 'exclude':
      return named ? ['excludedColumns', names] : undefined;
    case 'sort':
      return named ? ['sortingKeys', names] : undefined;
    case 'customsort':
      if (inside === undefined || inside === 'yes') return ['useCustomSortingKey', true];
      return inside === 'no' ? ['useCustomSortingKey', false] : undefined;
    default:
      return undefined;
  }
}

function readEach(
  text: string,
  fits: string,
  read: (entry: string) => Readonly<Record<string, unknown>> | undefined,
): Reading {
  const values: unknown[] = [];
  for (const [index, entry] of splitEntries(text).entries()) {
    const value = read(entry);
    if (value === undefined) return { problem: `Entry ${index + 1}: ${fits}.` };
    values.push(value);
  }
  return { value: values };
}

function unquoted(text: string | undefined): string {
  return (text ?? '').replace(/^"(.*)"$/u, '$1');
}
