import { code, joinText, say, type Text } from '../../core/text/text.ts';
import { PIPE_FIELDS } from './all-fields.ts';
import { isNested, type Nested, valueAt } from './nested.ts';
import type { PipeDefinition } from './pipe-definition.ts';

/** Told whole by the line that says from where to where. */
const TOLD = [
  'source.kafka.topics',
  'source.kafka.brokers',
  'source.kinesis.streamName',
  'source.kinesis.region',
  'source.postgres.host',
  'source.postgres.port',
  'source.postgres.database',
  'destination.database',
  'destination.table',
];

/** A line for each other field that is sent, with its whole value; credentials by their names. */
export function fieldLines(pipe: PipeDefinition): readonly Text[] {
  return Object.values(PIPE_FIELDS).flatMap(({ path, meta: { label } }) => {
    const value = valueAt(pipe, path);
    return value === undefined || TOLD.includes(path) ? [] : [say`${label}: ${valueText(value)}`];
  });
}

function valueText(value: unknown): Text {
  if (!Array.isArray(value)) return [code(wordOf(value))];
  return joinText(
    value.map((item) => code(isNested(item) ? entryOf(item) : wordOf(item))),
    ', ',
  );
}

function wordOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  if (!/^[a-z][a-z\d+.-]*:\/\//iu.test(text)) return text;
  // A query may hold what nobody should read: what it sets is told, not to what.
  return text.replace(/[?#].*$/su, (query) =>
    query.replace(/([?&#;])([^=&#;]*=)?[^&#;]*/gu, '$1$2…'),
  );
}

/** An entry of a list the way it is typed in the form. */
function entryOf(item: Nested): string {
  const { name, type, sourceField, destinationField, ...more } = item;
  if (name !== undefined) return `${quoted(name, /\s/u)} ${String(type)}`;
  if (sourceField !== undefined) return `${String(sourceField)} -> ${String(destinationField)}`;
  const { sourceSchemaName, sourceTable, targetTable, ...options } = more;
  return [
    `${quoted(sourceSchemaName, DOTTED)}.${quoted(sourceTable, DOTTED)} -> ${quoted(targetTable, /\s/u)}`,
    ...optionsOf(options),
  ].join(' ');
}

const DOTTED = /[\s.]/u;

function quoted(name: unknown, where: RegExp): string {
  const text = String(name);
  return where.test(text) ? `"${text}"` : text;
}

function optionsOf({
  excludedColumns,
  sortingKeys,
  useCustomSortingKey,
}: Nested): readonly string[] {
  return [
    ...(Array.isArray(excludedColumns) ? [`exclude(${excludedColumns.join(', ')})`] : []),
    ...(Array.isArray(sortingKeys) ? [`sort(${sortingKeys.join(', ')})`] : []),
    ...(useCustomSortingKey === undefined
      ? []
      : [`customsort(${useCustomSortingKey === true ? 'yes' : 'no'})`]),
  ];
}
