import { SOURCE_KINDS, type SourceKind } from './pipe.ts';

type Given = Readonly<Record<string, unknown>>;

/**
 * A rule between fields of a pipe's creation. `fits` is asked of a request, also of one that is not
 * whole yet, and completes "… has to be"; undefined while nothing is broken.
 */
export type ClickhousePipeRule = Readonly<{
  /** The field beside which it is told; dotted. */
  path: string;
  /** Only of pipes with this source. */
  kind?: SourceKind | undefined;
  fits(request: Given): string | undefined;
}>;

/** The value at a dotted path; undefined where there is none. */
function at(from: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => {
    const isObject = typeof inner === 'object' && inner !== null;
    return isObject ? Object.entries(inner).find(([name]) => name === key)?.[1] : undefined;
  }, from);
}

export function sourceKindOf(request: Given): SourceKind | undefined {
  return SOURCE_KINDS.find((kind) => at(request, `source.${kind}`) !== undefined);
}

/** The fields that the cloud's own client always sends, whichever kind; then by kind. */
const NEEDED: Readonly<Record<SourceKind | 'every', readonly string[]>> = {
  every: ['name', 'destination.database'],
  kafka: ['type', 'format', 'authentication', 'brokers', 'topics'],
  kinesis: ['format', 'streamName', 'region', 'iteratorType', 'authentication'],
  objectStorage: ['type', 'format'],
  postgres: [
    ...['host', 'port', 'database', 'authentication', 'credentials', 'tableMappings'],
    'settings.replicationMode',
  ],
};

const NEEDED_OF_STREAMS = [
  ...['table', 'managedTable', 'columns', 'tableDefinition.engine.type'],
] as const;

/** Which authentication a kind of Kafka takes. Facts: Pipes. */
const KAFKA_TAKES: Readonly<Record<string, readonly string[]>> = {
  kafka: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'MUTUAL_TLS'],
  redpanda: ['SCRAM-SHA-256', 'SCRAM-SHA-512', 'MUTUAL_TLS'],
  msk: ['SCRAM-SHA-512', 'IAM_ROLE', 'IAM_USER', 'MUTUAL_TLS'],
  gcmk: ['PLAIN', 'MUTUAL_TLS'],
  confluent: ['PLAIN', 'MUTUAL_TLS'],
  warpstream: ['PLAIN'],
  azureeventhub: ['PLAIN'],
  dokafka: ['SCRAM-SHA-256', 'MUTUAL_TLS'],
};

/** The values that the named credential of a Kafka has to hold. */
export function kafkaCredentialKeys(request: Given): readonly string[] {
  switch (at(request, 'source.kafka.authentication')) {
    case 'IAM_USER':
      return ['accessKeyId', 'secretKey'];
    case 'MUTUAL_TLS':
      return ['certificate', 'privateKey'];
    default:
      return at(request, 'source.kafka.type') === 'azureeventhub'
        ? ['connectionString']
        : ['username', 'password'];
  }
}

/** The field that each authentication needs, and that no other has. */
const NEEDED_BY: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  kafka: {
    iamRole: ['IAM_ROLE'],
    credentials: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'IAM_USER', 'MUTUAL_TLS'],
  },
  kinesis: { iamRole: ['IAM_ROLE'], accessKey: ['IAM_USER'] },
  objectStorage: {
    iamRole: ['IAM_ROLE'],
    accessKey: ['IAM_USER'],
    connectionString: ['CONNECTION_STRING'],
    serviceAccountKey: ['SERVICE_ACCOUNT'],
  },
  postgres: { iamRole: ['IAM_ROLE'] },
};

/** A field that has a meaning with one value of another alone; `needed`: and is needed there. */
type Only = Readonly<{ path: string; with: string; value: string; needed?: true }>;

const ONLY: readonly Only[] = [
  {
    path: 'source.kafka.offset.timestamp',
    with: 'source.kafka.offset.strategy',
    value: 'from_timestamp',
    needed: true,
  },
  {
    path: 'source.kinesis.timestamp',
    with: 'source.kinesis.iteratorType',
    value: 'AT_TIMESTAMP',
    needed: true,
  },
  {
    path: 'source.postgres.settings.replicationSlotName',
    with: 'source.postgres.settings.replicationMode',
    value: 'cdc_only',
  },
  {
    path: 'destination.tableDefinition.engine.columnIds',
    with: 'destination.tableDefinition.engine.type',
    value: 'SummingMergeTree',
  },
  {
    path: 'destination.tableDefinition.engine.versionColumnId',
    with: 'destination.tableDefinition.engine.type',
    value: 'ReplacingMergeTree',
  },
];

/** Where one of a group is given, all of these are. */
const REGISTRY = 'source.kafka.schemaRegistry';
const TOGETHER = ['url', 'authentication', 'credentials'].map((key) => `${REGISTRY}.${key}`);

export const CLICKHOUSE_PIPE_RULES: readonly ClickhousePipeRule[] = [
  ...NEEDED.every.map((path) => needed(path)),
  ...SOURCE_KINDS.flatMap((kind) => [
    ...NEEDED[kind].map((key) => needed(`source.${kind}.${key}`, kind)),
    ...(kind === 'postgres'
      ? []
      : NEEDED_OF_STREAMS.map((key) => needed(`destination.${key}`, kind))),
    ...Object.entries(NEEDED_BY[kind] ?? {}).map(([key, by]) => neededBy(kind, key, by)),
  ]),
  {
    path: 'source.kafka.authentication',
    kind: 'kafka',
    fits: (request) => {
      const type = String(at(request, 'source.kafka.type'));
      const taken = KAFKA_TAKES[type];
      const given = at(request, 'source.kafka.authentication');
      if (given === undefined || taken === undefined || taken.includes(String(given))) return;
      return `one of ${taken.join(', ')} for ${type}`;
    },
  },
  {
    path: 'source.objectStorage.authentication',
    kind: 'objectStorage',
    fits: (request) => {
      const type = at(request, 'source.objectStorage.type');
      const given = at(request, 'source.objectStorage.authentication');
      if (given === 'SERVICE_ACCOUNT' && type !== 'gcs')
        return 'another one unless the type is gcs';
      if ((given === 'CONNECTION_STRING') === (type === 'azureblobstorage')) return undefined;
      return type === 'azureblobstorage'
        ? 'CONNECTION_STRING for azureblobstorage'
        : 'another one unless the type is azureblobstorage';
    },
  },
  ...TOGETHER.map((path) => ({
    path,
    kind: 'kafka' as const,
    fits: (request: Given) =>
      at(request, REGISTRY) !== undefined && at(request, path) === undefined
        ? 'set where a schema registry is given'
        : undefined,
  })),
  {
    path: 'source.kafka.offset.strategy',
    kind: 'kafka',
    fits: (request) =>
      at(request, 'source.kafka.offset') !== undefined &&
      at(request, 'source.kafka.offset.strategy') === undefined
        ? 'set where an offset is given'
        : undefined,
  },
  ...ONLY.map(onlyWith),
];

function needed(path: string, kind?: SourceKind): ClickhousePipeRule {
  return {
    path,
    kind,
    fits: (request) => (at(request, path) === undefined ? 'set' : undefined),
  };
}

function neededBy(kind: SourceKind, key: string, by: readonly string[]): ClickhousePipeRule {
  const path = `source.${kind}.${key}`;
  return {
    path,
    kind,
    fits: (request) => {
      const authentication = at(request, `source.${kind}.authentication`);
      const isNeeded = by.includes(String(authentication));
      if (isNeeded === (at(request, path) !== undefined)) return undefined;
      return isNeeded
        ? `set with the authentication ${String(authentication)}`
        : `left out unless the authentication is ${by.join(' or ')}`;
    },
  };
}

function onlyWith({ path, with: other, value, needed: isNeeded }: Only): ClickhousePipeRule {
  return {
    path,
    fits: (request) => {
      const fits = at(request, other) === value;
      const given = at(request, path) !== undefined;
      if (given && !fits) return `left out unless ${other.split('.').at(-1)} is ${value}`;
      if (!given && fits && isNeeded) return `set where ${other.split('.').at(-1)} is ${value}`;
      return undefined;
    },
  };
}
