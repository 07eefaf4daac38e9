import { z } from 'zod';
import type { SourceKind } from '../../core/cloud/pipe.ts';
import { nearest } from '../../core/text/typed-text.ts';
import { type Nested, valueAt } from './definition.ts';
import { PIPE_FORMS, type PipeForm } from './pipe-definition.ts';
import { columns, fieldMappings } from './request-fields.ts';

/** Something at a dotted path of the definition that does not fit, and what would. */
export type Finding = { readonly path: string; readonly message: string };

/** Known from the replies only: said apart, because copies of a reply hold them. Spec: Pipe record. */
const REPORTED_ONLY =
  /^source\.(?:kafka\.(?:type|authentication|format|offset\.strategy)|kinesis\.(?:authentication|format|iteratorType)|objectStorage\.(?:type|authentication|format)|postgres\.(?:type|authentication|settings\.replicationMode|tableMappings\.\d+\.tableEngine))$|^destination\.tableDefinition\.engine\.type$/u;

/** All that does not fit the shape of a definition; empty for one that does. */
export function findingsOf(
  value: unknown,
  form: PipeForm = PIPE_FORMS.neutral,
): readonly Finding[] {
  const read = form.definition.safeParse(value);
  return read.success ? [] : read.error.issues.flatMap((issue) => toFindings(issue, form));
}

function toFindings(issue: z.core.$ZodIssue, form: PipeForm): readonly Finding[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: path.join('.'), message: issue.message }];
  }
  const known = knownKeys(path, form);
  return issue.keys.map((key) => unknownKey([...path, key].join('.'), key, known));
}

function unknownKey(path: string, key: string, known: readonly string[]): Finding {
  if (REPORTED_ONLY.test(path)) {
    return { path, message: 'reported by the API, not taken in a request.' };
  }
  // A key that is no word may be part of a secret that was pasted by mistake.
  if (!/^\w{1,40}$/u.test(key)) {
    return { path: path.slice(0, -key.length - 1), message: 'holds a key that is not a field.' };
  }
  const near = nearest(key, known);
  return { path, message: `not a field${near === undefined ? '.' : `; did you mean ${near}?`}` };
}

function knownKeys(path: readonly string[], form: PipeForm): readonly string[] {
  const at = path.reduce<unknown>(stepInto, form.definition);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function stepInto(schema: unknown, key: string): unknown {
  if (schema instanceof z.ZodArray) return unwrapped(schema.element);
  return schema instanceof z.ZodObject ? unwrapped(schema.shape[key]) : undefined;
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodExactOptional ? schema.unwrap() : schema;
}

/** What the rules look at: all values, also those that do not fit by themselves. */
type Filled = {
  readonly kind: SourceKind;
  readonly values: Nested;
  /** Typed, but in a way that could not be read: told elsewhere, so not missing. */
  readonly unread: readonly string[];
};

type Need = readonly [path: string, message: string];

const ONE_TABLE: readonly Need[] = [
  ['destination.table', 'The name of the table.'],
  ['destination.managedTable', 'Yes or no: does the pipe create the table?'],
  ['destination.columns', 'At least one column, as in id UInt64.'],
  ['fieldMappings', 'A mapping for every column, as in user.id -> user_id.'],
];

/** Needed in practice; the specification marks nothing as required. Facts: Pipes. */
const NEEDS: Readonly<Record<SourceKind, readonly Need[]>> = {
  kafka: [
    ['source.kafka.brokers', 'At least one host:port.'],
    ['source.kafka.topics', 'At least one topic.'],
    ...ONE_TABLE,
  ],
  kinesis: [
    ['source.kinesis.streamName', 'The name of the stream.'],
    ['source.kinesis.region', 'The region of the stream.'],
    ...ONE_TABLE,
  ],
  objectStorage: ONE_TABLE,
  postgres: [
    ['source.postgres.host', 'The host name of the database server.'],
    ['source.postgres.port', 'The port, most often 5432.'],
    ['source.postgres.database', 'The database to read.'],
    ['source.postgres.tableMappings', 'At least one table, as in public.orders -> orders.'],
    ['destination.database', 'The database to fill.'],
  ],
};

const NOT_FOR_POSTGRES = [
  'destination.table',
  'destination.managedTable',
  'destination.columns',
  'destination.tableDefinition',
  'fieldMappings',
  'scaling',
];

/** Every rule over more than one field. Spec: Pipe. Facts: Pipes. */
export function brokenRules(
  filled: Filled,
  form: PipeForm = PIPE_FORMS.neutral,
): readonly Finding[] {
  const specified = [
    ...missing(filled),
    ...postgresLimits(filled),
    ...placeOfFiles(filled),
    ...registryAddress(filled),
    ...mappings(filled),
  ];
  const told = new Set(specified.map(({ path }) => path));
  return [...specified, ...ofTheCloud(filled, form).filter(({ path }) => !told.has(path))];
}

/** What the cloud's own rules say, as a sentence beside the field. */
function ofTheCloud({ kind, values, unread }: Filled, form: PipeForm): readonly Finding[] {
  return form.rules.flatMap((rule) => {
    if (rule.kind !== undefined && rule.kind !== kind) return [];
    const fits = unread.includes(rule.path) ? undefined : rule.fits(values);
    if (fits === undefined) return [];
    const words = fits === 'set' ? 'Needed by ClickHouse Cloud' : `Has to be ${fits}`;
    return [{ path: rule.path, message: `${words}.` }];
  });
}

function missing(filled: Filled): readonly Finding[] {
  const needs: readonly Need[] = [['name', 'A name for the pipe.'], ...NEEDS[filled.kind]];
  return needs.filter(([path]) => !has(filled, path)).map(([path, message]) => ({ path, message }));
}

function postgresLimits(filled: Filled): readonly Finding[] {
  if (filled.kind !== 'postgres') return [];
  return NOT_FOR_POSTGRES.filter((path) => has(filled, path)).map((path) => ({
    path,
    message: 'A Postgres pipe makes its own tables: give a database and table mappings only.',
  }));
}

/** Azure files are found by container, path and connection string, all others by their address. */
function placeOfFiles(filled: Filled): readonly Finding[] {
  const at = (key: string): string => `source.objectStorage.${key}`;
  if (filled.kind !== 'objectStorage' || has(filled, at('url'))) return [];
  const azure = ['azureContainerName', 'path', 'connectionString'].map(at);
  if (!azure.some((path) => has(filled, path))) {
    const message = 'The address, or for Azure: container, path and connection string.';
    return [{ path: at('url'), message }];
  }
  return azure
    .filter((path) => !has(filled, path))
    .map((path) => ({ path, message: 'Needed for Azure, where no address is given.' }));
}

function registryAddress(filled: Filled): readonly Finding[] {
  const registry = 'source.kafka.schemaRegistry';
  const given = has(filled, registry) && !has(filled, `${registry}.url`);
  return given ? [{ path: `${registry}.url`, message: 'The address of the schema registry.' }] : [];
}

function mappings(filled: Filled): readonly Finding[] {
  const table = columns.safeParse(valueAt(filled.values, 'destination.columns'));
  const mapped = fieldMappings.safeParse(valueAt(filled.values, 'fieldMappings'));
  if (filled.kind === 'postgres' || !table.success || !mapped.success) return [];
  const names = new Set(table.data.map(({ name }) => name));
  const targets = new Set(mapped.data.map(({ destinationField }) => destinationField));
  const unmapped = [...names].filter((name) => !targets.has(name));
  const unknown = [...targets].filter((target) => !names.has(target));
  return [
    { names: unmapped, message: `Every column needs one; missing: ${few(unmapped)}.` },
    { names: unknown, message: `Only to columns of the table; not one: ${few(unknown)}.` },
  ].flatMap(({ names: wrong, message }) =>
    wrong.length === 0 ? [] : [{ path: 'fieldMappings', message }],
  );
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => name.slice(0, 60));
  return `${shown.join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
}

function has({ values, unread }: Filled, path: string): boolean {
  const under = unread.some((other) => other === path || other.startsWith(`${path}.`));
  return under || valueAt(values, path) !== undefined;
}
