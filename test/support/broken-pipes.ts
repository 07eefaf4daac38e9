import fc from 'fast-check';
import type { Break, Json } from './broken-requests.ts';

type Path = readonly string[];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The request with another value at a path; objects on the way are made. */
function withAt(value: unknown, [key, ...rest]: Path, next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value)) {
    return value.map((item: unknown, at) => (String(at) === key ? withAt(item, rest, next) : item));
  }
  const fields = isObject(value) ? value : {};
  return { ...fields, [key]: withAt(fields[key], rest, next) };
}

function asJson(value: unknown): Json {
  if (!isObject(value)) throw new TypeError('No request.');
  return value;
}

/** Every place of a request that holds something. */
function pathsOf(value: unknown, walked: Path = []): readonly Path[] {
  const inner = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
  const below = inner.flatMap(([key, member]) => pathsOf(member, [...walked, key]));
  return walked.length === 0 ? below : [walked, ...below];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      Array.isArray(at) ? (at[Number(key)] as unknown) : isObject(at) ? at[key] : undefined,
    value,
  );
}

/** Something of another kind than what stands there. */
function otherKind(value: unknown): fc.Arbitrary<unknown> {
  const kinds: readonly unknown[] = ['', 'text', 7, -1, true, null, [], {}, [[]]];
  return fc.constantFrom(...kinds).filter((other) => {
    if (other === null || other === '' || other === -1) return true;
    return kindOf(other) !== kindOf(value) || isEmpty(other);
  });
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) || (isObject(value) && Object.keys(value).length === 0);
}

const SOURCES = {
  kafka: { brokers: 'b.example.com:9092', topics: 'orders' },
  kinesis: { streamName: 'orders', region: 'us-east-1' },
  objectStorage: { url: 'https://lake.example.com/*.json' },
} as const;
const KINDS = ['kafka', 'kinesis', 'objectStorage', 'postgres'] as const;

function kindIn(valid: Json): (typeof KINDS)[number] {
  return KINDS.find((kind) => valueAt(valid, ['source', kind]) !== undefined) ?? 'kafka';
}

/** Lists of bounds by path: what stands outside. Facts: Pipes. */
const BOUNDS: readonly (readonly [path: string, ...outside: number[]])[] = [
  ['settings.engine_max_download_threads', -1, 33, 0.5],
  ['settings.engine_max_insert_threads', -1, 17],
  ['settings.engine_max_threads', -1, 65],
  ['settings.engine_min_insert_block_size_bytes', -1, 10 * 1024 ** 3 + 1],
  ['settings.engine_parallel_distributed_insert_select', -1, 3],
  ['settings.object_storage_concurrency', 0, 36],
  ['settings.object_storage_max_file_count', 0, 10_001],
  ['settings.object_storage_max_insert_bytes', 0, 10_485_759],
  ['settings.object_storage_polling_interval_ms', 99, 3_600_001],
  ['settings.streaming_max_insert_wait_ms', 499, 60_001],
];

const REPORTED_ONLY = ['source.kafka.type', 'source.kafka.format', 'source.kafka.offset.strategy'];

export const PIPE_BREAKS: readonly Break[] = [
  {
    rule: 'another kind of value somewhere',
    stated: true,
    apply: (valid) =>
      fc
        .constantFrom(...pathsOf(valid))
        .chain((path) =>
          otherKind(valueAt(valid, path)).map((wrong) => asJson(withAt(valid, path, wrong))),
        ),
  },
  {
    rule: 'a key that is none',
    stated: true,
    apply: (valid) => {
      const objects = pathsOf(valid).filter((path) => isObject(valueAt(valid, path)));
      return fc
        .tuple(
          fc.constantFrom<Path>([], ...objects),
          fc.constantFrom('extra', 'Name', 'id', 'state'),
        )
        .map(([path, key]) => asJson(withAt(valid, [...path, key], 'x')));
    },
  },
  {
    rule: 'two sources',
    stated: true,
    apply: (valid) =>
      fc
        .constantFrom(...(['kafka', 'kinesis', 'objectStorage'] as const))
        .filter((kind) => kind !== kindIn(valid))
        .map((kind) => asJson(withAt(valid, ['source', kind], SOURCES[kind]))),
  },
  {
    rule: 'no source',
    stated: true,
    apply: (valid) =>
      fc
        .constantFrom<unknown>({}, { validateSamples: true })
        .map((source) => ({ ...valid, source })),
  },
  {
    rule: 'a port that is none',
    stated: true,
    apply: () =>
      fc.constantFrom(0, -1, 65_536, 5_432.5).map((port) => ({
        name: 'p',
        destination: { database: 'raw' },
        source: {
          postgres: {
            ...{ host: 'db.example.com', port, database: 'app' },
            tableMappings: [{ sourceSchemaName: 'a', sourceTable: 'b', targetTable: 'c' }],
          },
        },
      })),
  },
  {
    rule: 'half of a credential',
    stated: true,
    apply: (valid) => {
      const { source: _source, ...rest } = valid;
      const halves = [{ username: 'u' }, { password: 'fake' }, { username: 'u', password: '' }];
      return fc
        .constantFrom(...halves)
        .map((credentials) => ({ ...rest, source: { kafka: { ...SOURCES.kafka, credentials } } }));
    },
  },
  {
    rule: 'a setting out of its bounds',
    stated: false,
    apply: (valid) =>
      fc
        .constantFrom(...BOUNDS)
        .chain(([path, ...outside]) =>
          fc
            .constantFrom<number>(...outside)
            .map((wrong) => asJson(withAt(valid, path.split('.'), wrong))),
        ),
  },
  {
    rule: 'a key of replies only',
    stated: true,
    apply: (valid) =>
      fc
        .constantFrom(...REPORTED_ONLY, 'destination.tableDefinition.engine.type')
        .map((path) => asJson(withAt(valid, path.split('.'), 'kafka'))),
  },
  {
    rule: 'a mapping to no column',
    stated: false,
    apply: (valid) =>
      fc.constant({
        ...valid,
        fieldMappings: [{ sourceField: 'a', destinationField: 'no such column at all' }],
      }),
  },
  {
    rule: 'a name that is missing',
    stated: false,
    apply: ({ name: _name, ...rest }) => fc.constant(rest),
  },
  {
    rule: 'a destination that is missing',
    stated: false,
    apply: ({ destination: _destination, ...rest }) => fc.constant(rest),
  },
];
