import { DateTime } from 'luxon';
import { type ChannelCard, type Fact, fact } from '../../core/card/card.ts';
import type { PipeRecord } from '../../core/cloud/pipe.ts';
import { stateMeaning } from '../../core/cloud/state-meaning.ts';
import type { Context, UnknownOutcome } from '../../core/operation/operation.ts';
import type { Preview } from '../../core/operation/outcome.ts';
import { standing } from '../../core/operation/resolve.ts';
import {
  approvedText,
  bold,
  code,
  joinText,
  type Piece,
  say,
  type Text,
  time,
  user,
} from '../../core/text/text.ts';
import { isNested, type Nested, valueAt } from './definition.ts';
import type { PipeDefinition } from './pipe-definition.ts';
import { isSourceKind, SOURCE_LABELS } from './pipe-field.ts';
import type { PipePlan } from './plan.ts';

/** What the approver reads: from where, to where, every field that is sent, and what it costs. */
export function preview(plan: PipePlan): Preview {
  const { entry, kind, name } = plan;
  const place = [...entry.tags, entry.organization].join(', ');
  return {
    question: say`Create the pipe ${bold(name)} on ${bold(entry.name)}?`,
    ask: say`create the pipe ${bold(name)} (${SOURCE_LABELS[kind]}) on ${bold(entry.name)} (${place})`,
    lines: [
      say`From ${sourceWords(plan.pipe)} to ${destinationWords(plan.pipe)}.`,
      ...fieldLines(plan),
      say`${standing(entry)}. A pipe costs compute while it runs.`,
      ...notRunning(plan),
    ],
    button: 'Create',
    danger: false,
  };
}

/** What was last reported may be old, so it warns and does not stop. */
function notRunning({ entry }: PipePlan): readonly Text[] {
  const { state, stateAt } = entry;
  if (state === undefined || state === 'running') return [];
  const at = stateAt === undefined ? [] : say`, ${time(stateAt)}`;
  const meaning = stateMeaning(state);
  const means = meaning === undefined ? [] : say` ${meaning}`;
  return [
    say`The API refuses pipes unless the service is running; last reported ${code(state)}${at}.${means}`,
  ];
}

/** The specification lists no pipes, so the console is the one place to look. Design: §8. */
export function unknownOutcome({ entry, name }: PipePlan): UnknownOutcome {
  return {
    state: say`The pipe ${bold(name)} may have been created on ${bold(entry.name)}`,
    check: say`Look at the service’s pipes in the console before trying again, or see whether it appears in tomorrow’s costs.`,
  };
}

/** `Kafka orders at broker-1:9092`, never with a query that an address may carry. */
function sourceWords({ source = {} }: PipeDefinition): Text {
  const { kafka, kinesis, objectStorage, postgres } = source;
  if (kafka !== undefined) {
    return say`Kafka ${code(kafka.topics ?? '')} at ${code(kafka.brokers ?? '')}`;
  }
  if (kinesis !== undefined) {
    return say`Kinesis ${code(kinesis.streamName ?? '')} (${kinesis.region ?? ''})`;
  }
  if (postgres !== undefined) {
    const { host = '', port = '', database = '', tableMappings = [] } = postgres;
    const count = tableMappings.length === 1 ? '1 table' : `${tableMappings.length} tables`;
    return say`Postgres ${code(`${host}:${port}/${database}`)} (${count})`;
  }
  const { url, azureContainerName = '', path = '' } = objectStorage ?? {};
  return say`object storage ${code(url?.replace(/[?#].*$/su, '') ?? `${azureContainerName}/${path}`)}`;
}

/** `raw.orders`; which database is the default is the API’s own affair. */
function destinationWords({ destination = {} }: PipeDefinition): Text {
  const { database, table } = destination;
  const parts = [database, table].filter((part) => part !== undefined);
  return parts.length === 0 ? ['the default database'] : [code(parts.join('.'))];
}

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
function fieldLines({ pipe, form }: PipePlan): readonly Text[] {
  return Object.values(form.fields).flatMap(({ path, meta: { label } }) => {
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
  ...valued
}: Nested): readonly string[] {
  const custom = useCustomSortingKey === true ? 'yes' : 'no';
  return [
    Array.isArray(excludedColumns) ? `exclude(${excludedColumns.join(', ')})` : '',
    Array.isArray(sortingKeys) ? `sort(${sortingKeys.join(', ')})` : '',
    useCustomSortingKey === undefined ? '' : `customsort(${custom})`,
    optionOf('engine', valued['tableEngine']),
    optionOf('partitionkey', valued['partitionKey']),
    optionOf('partitionby', valued['partitionByExpr']),
  ].filter((option) => option !== '');
}

function optionOf(word: string, value: unknown): string {
  return value === undefined ? '' : `${word}(${String(value)})`;
}

/** States in which nothing is loaded; every other one, also one unknown here, is told plainly. */
const TROUBLED: readonly string[] = ['Failed', 'InternalError', 'Degraded', 'Stopped', 'Unknown'];

/** The channel's card: only what the API reported, and of that only what may be shown. */
export function present(record: PipeRecord, plan: PipePlan, context: Context): ChannelCard {
  const { state } = record;
  const name = filled(record.name) ?? plan.name;
  return {
    audience: 'channel',
    tone: state !== undefined && TROUBLED.includes(state) ? 'warning' : 'good',
    headline: say`${user(context.actor.userId)} created the pipe ${bold(name)} on ${bold(plan.entry.name)}${approvedText(context.approvedBy)}: ${reported(state)}.`,
    facts: [
      { label: 'Source', value: sourceWords(plan.pipe) },
      { label: 'Destination', value: destinationWords(plan.pipe) },
    ],
    details: details(record, plan),
    context: say`All fields: in the thread.`,
  };
}

function reported(state: string | undefined): Text {
  return filled(state) === undefined
    ? say`the API did not say which state it is in`
    : say`the API reports ${code(state ?? '')}`;
}

function details(record: PipeRecord, { entry, kind }: PipePlan): readonly Fact[] {
  const reportedKind = record.sourceKind ?? kind;
  const label = isSourceKind(reportedKind) ? SOURCE_LABELS[reportedKind] : reportedKind;
  return [
    ...fact('Pipe id', filled(record.id), code),
    { label: 'Service id', value: [code(entry.id)] },
    { label: 'Organization', value: [entry.organization] },
    { label: 'Source kind', value: [label] },
    ...fact('Created', filled(record.createdAt), moment),
    ...fact('Updated', filled(record.updatedAt), moment),
    ...Object.entries(record.facts).flatMap(([key, value]) =>
      fact(words(key), filled(value), code),
    ),
  ];
}

/** A time that cannot be read is shown as it came. */
function moment(text: string): Piece {
  return DateTime.fromISO(text).isValid ? time(text) : code(text);
}

/** `schemaRegistryUrl` → `Schema registry url`, `engine_max_threads` → `Engine max threads` */
function words(key: string): string {
  const spaced = key
    .replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll('_', ' ');
  return `${spaced[0]?.toUpperCase() ?? ''}${spaced.slice(1)}`;
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}
