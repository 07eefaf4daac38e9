import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { clickhouseCreatePipeRequest } from '../../../src/core/cloud/clickhouse-pipe.ts';
import { kafkaCredentialKeys } from '../../../src/core/cloud/clickhouse-pipe-rules.ts';
import {
  CLICKHOUSE_REGIONS_OF,
  clickhouseCreateServiceRequest,
} from '../../../src/core/cloud/clickhouse-service.ts';
import type { SourceKind } from '../../../src/core/cloud/pipe.ts';

type Given = Readonly<Record<string, unknown>>;

const TABLE = {
  ...{ database: 'raw', table: 'orders', managedTable: true },
  columns: [{ name: 'id', type: 'UInt64' }],
  tableDefinition: { engine: { type: 'MergeTree' } },
};
const LOGIN = { username: 'fake-user', password: 'fake-password' };

const SOURCES: Readonly<Record<SourceKind, Given>> = {
  kafka: {
    ...{ type: 'kafka', format: 'Avro', authentication: 'PLAIN', credentials: LOGIN },
    ...{ brokers: 'b:9092', topics: 'orders' },
  },
  kinesis: {
    ...{ format: 'Avro', streamName: 'orders', region: 'us-east-1', iteratorType: 'LATEST' },
    ...{ authentication: 'IAM_ROLE', iamRole: 'arn:aws:iam::1:role/x' },
  },
  objectStorage: { type: 's3', format: 'CSV', url: 'https://files.example.com/a' },
  postgres: {
    ...{ host: 'db.example.com', port: 5432, database: 'shop', authentication: 'basic' },
    ...{ credentials: LOGIN, settings: { replicationMode: 'cdc' } },
    tableMappings: [{ sourceSchemaName: 'public', sourceTable: 'a', targetTable: 'a' }],
  },
};

function pipeOf(kind: SourceKind, changes: Given = {}, others: Given = {}): Given {
  const destination = kind === 'postgres' ? { database: 'raw', table: 'orders' } : TABLE;
  const source = { [kind]: { ...SOURCES[kind], ...changes } };
  return { name: 'orders', destination, source, ...others };
}

/** `path: what it has to be` of each fault. */
function faultsIn(schema: z.ZodType, request: unknown): readonly string[] {
  const { error } = schema.safeParse(JSON.parse(JSON.stringify(request)));
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const faults = (request: unknown) => faultsIn(clickhouseCreatePipeRequest, request);

function without(from: unknown, [key = '', ...inner]: readonly string[]): unknown {
  const { [key]: found, ...others } = from as Given;
  return inner.length === 0 ? others : { ...others, [key]: without(found, inner) };
}

const KINDS = ['kafka', 'kinesis', 'objectStorage', 'postgres'] as const;

const NEEDED: Readonly<Record<SourceKind, readonly string[]>> = {
  kafka: ['type', 'format', 'brokers', 'topics'],
  kinesis: ['format', 'streamName', 'region', 'iteratorType'],
  objectStorage: ['type', 'format'],
  postgres: ['host', 'port', 'database', 'authentication', 'credentials', 'tableMappings'],
};

describe.each(KINDS)('a pipe from %s', (kind) => {
  it('is whole with what the cloud’s own client sends', () => {
    expect(faults(pipeOf(kind))).toEqual([]);
  });

  it.each(['name', 'destination.database', ...NEEDED[kind].map((key) => `source.${kind}.${key}`)])(
    'needs %s',
    (path) => {
      const request = without(pipeOf(kind), path.split('.'));
      expect(faults(request)).toEqual([`${path}: set`]);
    },
  );

  it.each(['table', 'managedTable', 'columns', 'tableDefinition.engine.type'])(
    'needs a table where it is a stream: %s',
    (key) => {
      const { destination: _, ...request } = pipeOf(kind);
      const path = `destination.${key}`;
      const destination = without(TABLE, key.split('.'));
      const isStream = kind !== 'postgres';
      const found = faults({ ...request, destination });
      if (key.includes('.')) {
        // What is left of it is an empty object.
        expect(found).toContain('destination.tableDefinition.engine: filled in, or left out');
        const bare = without(TABLE, ['tableDefinition']);
        expect(faults({ ...request, destination: bare })).toEqual(isStream ? [`${path}: set`] : []);
      } else expect(found).toEqual(isStream ? [`${path}: set`] : []);
    },
  );
});

describe('the authentication of a Kafka', () => {
  const TAKES: Readonly<Record<string, readonly string[]>> = {
    kafka: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'MUTUAL_TLS'],
    redpanda: ['SCRAM-SHA-256', 'SCRAM-SHA-512', 'MUTUAL_TLS'],
    msk: ['SCRAM-SHA-512', 'IAM_ROLE', 'IAM_USER', 'MUTUAL_TLS'],
    gcmk: ['PLAIN', 'MUTUAL_TLS'],
    confluent: ['PLAIN', 'MUTUAL_TLS'],
    warpstream: ['PLAIN'],
    azureeventhub: ['PLAIN'],
    dokafka: ['SCRAM-SHA-256', 'MUTUAL_TLS'],
  };
  const ALL = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'IAM_ROLE', 'IAM_USER', 'MUTUAL_TLS'];

  it.each(Object.entries(TAKES))('of %s is one of %j', (type, taken) => {
    for (const authentication of ALL) {
      const given = authentication === 'IAM_ROLE' ? { iamRole: 'arn', credentials: undefined } : {};
      const path = 'source.kafka.authentication';
      expect(faults(pipeOf('kafka', { type, authentication, ...given }))).toEqual(
        taken.includes(authentication) ? [] : [`${path}: one of ${taken.join(', ')} for ${type}`],
      );
    }
  });

  it('is needed, and without it nothing else is known', () => {
    const bare = { authentication: undefined, credentials: undefined };
    expect(faults(pipeOf('kafka', bare))).toEqual(['source.kafka.authentication: set']);
  });

  it.each<[string, Given, readonly string[]]>([
    [
      'a login that is missing',
      { credentials: undefined },
      ['credentials: set with the authentication PLAIN'],
    ],
    [
      'a role beside a login',
      { iamRole: 'arn' },
      ['iamRole: left out unless the authentication is IAM_ROLE'],
    ],
    [
      'a login beside a role',
      { type: 'msk', authentication: 'IAM_ROLE', iamRole: 'arn' },
      [
        'credentials: left out unless the authentication is PLAIN or SCRAM-SHA-256 or SCRAM-SHA-512 or IAM_USER or MUTUAL_TLS',
      ],
    ],
    [
      'no role',
      { type: 'msk', authentication: 'IAM_ROLE', credentials: undefined },
      ['iamRole: set with the authentication IAM_ROLE'],
    ],
  ])('knows %s', (_what, changes, expected) => {
    expect(faults(pipeOf('kafka', changes))).toEqual(expected.map((one) => `source.kafka.${one}`));
  });

  it.each<[Given, readonly string[]]>([
    [{ authentication: 'IAM_USER', type: 'msk' }, ['accessKeyId', 'secretKey']],
    [{ authentication: 'MUTUAL_TLS', type: 'kafka' }, ['certificate', 'privateKey']],
    [{ authentication: 'PLAIN', type: 'azureeventhub' }, ['connectionString']],
    [{ authentication: 'PLAIN', type: 'kafka' }, ['username', 'password']],
    [{}, ['username', 'password']],
  ])('as %j takes a credential with %j', (kafka, keys) => {
    expect(kafkaCredentialKeys({ source: { kafka } })).toEqual(keys);
    const credentials = Object.fromEntries(keys.map((key) => [key, 'fake']));
    expect(faults(pipeOf('kafka', { ...kafka, credentials }))).toEqual([]);
  });

  it('takes no half of a credential', () => {
    for (const credentials of [{ username: 'fake' }, { password: 'fake' }, {}]) {
      expect(faults(pipeOf('kafka', { credentials }))).toEqual([
        'source.kafka.credentials: the values that its authentication takes',
      ]);
    }
  });
});

describe('rules between fields', () => {
  const offset = (fields: Given) => pipeOf('kafka', { offset: fields });
  const engine = (fields: Given) =>
    pipeOf('kafka', {}, { destination: { ...TABLE, tableDefinition: { engine: fields } } });
  const registry = { url: 'https://r.example.com', authentication: 'PLAIN', credentials: LOGIN };
  const files = (fields: Given) => pipeOf('objectStorage', fields);

  it.each<[string, Given, readonly string[]]>([
    ['an offset', offset({ strategy: 'from_latest' }), []],
    [
      'an offset without a strategy',
      offset({ timestamp: '2026-01-01T00:00' }),
      [
        'source.kafka.offset.strategy: set where an offset is given',
        'source.kafka.offset.timestamp: left out unless strategy is from_timestamp',
      ],
    ],
    [
      'an offset at a moment',
      offset({ strategy: 'from_timestamp', timestamp: '2026-01-01T00:00' }),
      [],
    ],
    [
      'an offset at no moment',
      offset({ strategy: 'from_timestamp' }),
      ['source.kafka.offset.timestamp: set where strategy is from_timestamp'],
    ],
    ['a schema registry', pipeOf('kafka', { schemaRegistry: registry }), []],
    [
      'half a schema registry',
      pipeOf('kafka', { schemaRegistry: { url: registry.url } }),
      ['authentication', 'credentials'].map(
        (key) => `source.kafka.schemaRegistry.${key}: set where a schema registry is given`,
      ),
    ],
    [
      'a stream from a moment',
      pipeOf('kinesis', { iteratorType: 'AT_TIMESTAMP', timestamp: 1 }),
      [],
    ],
    [
      'a stream from no moment',
      pipeOf('kinesis', { iteratorType: 'AT_TIMESTAMP' }),
      ['source.kinesis.timestamp: set where iteratorType is AT_TIMESTAMP'],
    ],
    [
      'a moment of nothing',
      pipeOf('kinesis', { timestamp: 1 }),
      ['source.kinesis.timestamp: left out unless iteratorType is AT_TIMESTAMP'],
    ],
    [
      'a stream by keys',
      pipeOf('kinesis', {
        ...{ authentication: 'IAM_USER', iamRole: undefined },
        accessKey: { accessKeyId: 'fake', secretKey: 'fake' },
      }),
      [],
    ],
    [
      'a stream by nothing',
      pipeOf('kinesis', { authentication: 'IAM_USER' }),
      [
        'source.kinesis.iamRole: left out unless the authentication is IAM_ROLE',
        'source.kinesis.accessKey: set with the authentication IAM_USER',
      ],
    ],
    ['sums', engine({ type: 'SummingMergeTree', columnIds: ['a'] }), []],
    ['sums of all columns', engine({ type: 'SummingMergeTree' }), []],
    [
      'sums of no sum',
      engine({ type: 'MergeTree', columnIds: ['a'] }),
      ['destination.tableDefinition.engine.columnIds: left out unless type is SummingMergeTree'],
    ],
    ['versions', engine({ type: 'ReplacingMergeTree', versionColumnId: 'v' }), []],
    [
      'versions of nothing',
      engine({ type: 'Null', versionColumnId: 'v' }),
      [
        'destination.tableDefinition.engine.versionColumnId: left out unless type is ReplacingMergeTree',
      ],
    ],
    [
      'a slot',
      pipeOf('postgres', {
        settings: { replicationMode: 'cdc_only', replicationSlotName: 's' },
      }),
      [],
    ],
    [
      'a slot of a snapshot',
      pipeOf('postgres', { settings: { replicationMode: 'snapshot', replicationSlotName: 's' } }),
      ['source.postgres.settings.replicationSlotName: left out unless replicationMode is cdc_only'],
    ],
    [
      'settings without a mode',
      pipeOf('postgres', { settings: { deleteOnMerge: true } }),
      ['source.postgres.settings.replicationMode: set'],
    ],
    [
      'a database by a role',
      pipeOf('postgres', { authentication: 'IAM_ROLE', iamRole: 'arn' }),
      [],
    ],
    [
      'a database by no role',
      pipeOf('postgres', { authentication: 'IAM_ROLE' }),
      ['source.postgres.iamRole: set with the authentication IAM_ROLE'],
    ],
    [
      'files of Azure',
      files({
        ...{ type: 'azureblobstorage', authentication: 'CONNECTION_STRING' },
        connectionString: 'fake',
      }),
      [],
    ],
    [
      'files of Azure for everybody',
      files({ type: 'azureblobstorage' }),
      ['source.objectStorage.authentication: CONNECTION_STRING for azureblobstorage'],
    ],
    [
      'a connection string elsewhere',
      files({ authentication: 'CONNECTION_STRING', connectionString: 'fake' }),
      ['source.objectStorage.authentication: another one unless the type is azureblobstorage'],
    ],
    [
      'files of Google by an account',
      files({ type: 'gcs', authentication: 'SERVICE_ACCOUNT', serviceAccountKey: 'fake' }),
      [],
    ],
    [
      'an account elsewhere',
      files({ authentication: 'SERVICE_ACCOUNT', serviceAccountKey: 'fake' }),
      ['source.objectStorage.authentication: another one unless the type is gcs'],
    ],
    [
      'keys that nobody asks for',
      files({ accessKey: { accessKeyId: 'fake', secretKey: 'fake' }, connectionString: 'fake' }),
      [
        'source.objectStorage.accessKey: left out unless the authentication is IAM_USER',
        'source.objectStorage.connectionString: left out unless the authentication is CONNECTION_STRING',
      ],
    ],
  ])('%s', (_what, request, expected) => {
    expect([...faults(request)].toSorted()).toEqual([...expected].toSorted());
  });

  it('hold for the source that is there alone', () => {
    const request = { name: 'x', destination: { database: 'raw' } };
    expect(faults(request)).toEqual([]);
    expect(faults({})).toEqual(['name: set', 'destination.database: set']);
  });
});

describe('the bounds of a pipe', () => {
  const scaled = (scaling: Given) => pipeOf('kafka', {}, { scaling });
  const set = (settings: Given) => pipeOf('kafka', {}, { settings });
  const MIB = 1024 ** 2;
  it.each<[string, (value: number) => Given, number, number | undefined, string]>([
    ['replicas', (replicas) => scaled({ replicas }), 1, 40, '1 to 40'],
    [
      'CPU',
      (replicaCpuMillicores) => scaled({ replicaCpuMillicores }),
      ...([125, 2_000, '125 to 2000'] as const),
    ],
    ['memory', (replicaMemoryGb) => scaled({ replicaMemoryGb }), 0.5, 8, '0.5 to 8'],
    [
      'concurrency',
      (concurrency) => scaled({ concurrency }),
      1,
      undefined,
      'a whole number from 1',
    ],
    ['threads', (engine_max_threads) => set({ engine_max_threads }), 0, 64, '0 to 64'],
    [
      'threads of inserts',
      (engine_max_insert_threads) => set({ engine_max_insert_threads }),
      ...([0, 16, '0 to 16'] as const),
    ],
    [
      'threads of downloads',
      (engine_max_download_threads) => set({ engine_max_download_threads }),
      ...([0, 32, '0 to 32'] as const),
    ],
    [
      'blocks',
      (bytes) => set({ engine_min_insert_block_size_bytes: bytes }),
      ...([0, 10 * 1024 ** 3, '0 to 10737418240'] as const),
    ],
    [
      'distributed selects',
      (way) => set({ engine_parallel_distributed_insert_select: way }),
      ...([0, 2, '0 to 2'] as const),
    ],
    [
      'files at once',
      (count) => set({ object_storage_concurrency: count }),
      ...([1, 35, '1 to 35'] as const),
    ],
    [
      'files',
      (count) => set({ object_storage_max_file_count: count }),
      ...([1, 10_000, '1 to 10000'] as const),
    ],
    [
      'bytes of an insert',
      (bytes) => set({ object_storage_max_insert_bytes: bytes }),
      ...([10 * MIB, 50 * 1024 ** 3, '10485760 to 53687091200'] as const),
    ],
    [
      'polling',
      (ms) => set({ object_storage_polling_interval_ms: ms }),
      ...([100, 3_600_000, '100 to 3600000'] as const),
    ],
    [
      'waiting',
      (ms) => set({ streaming_max_insert_wait_ms: ms }),
      ...([500, 60_000, '500 to 60000'] as const),
    ],
    [
      'rows of a snapshot',
      (rows) =>
        pipeOf('postgres', {
          settings: { replicationMode: 'cdc', snapshotNumRowsPerPartition: rows },
        }),
      ...([1_000, undefined, 'a whole number from 1000'] as const),
    ],
    [
      'the moment of a stream',
      (timestamp) => pipeOf('kinesis', { iteratorType: 'AT_TIMESTAMP', timestamp }),
      ...([1, undefined, 'a whole number from 1'] as const),
    ],
  ])('%s', (...[, request, least, most, words]) => {
    const step = Number.isInteger(least) ? 1 : 0.25;
    expect(faults(request(least))).toEqual([]);
    expect(faults(request(least - step))).toEqual([expect.stringMatching(`: ${words}$`)]);
    if (most !== undefined) {
      expect(faults(request(most))).toEqual([]);
      expect(faults(request(most + step))).toEqual([expect.stringMatching(`: ${words}$`)]);
    }
    const half = faults(request(least + 0.5));
    expect(half).toEqual(step === 1 ? [expect.stringMatching(`: ${words}$`)] : []);
  });

  it.each([
    ['db', true],
    ['db-1.example.com.', true],
    ['10.0.0.1', true],
    ['a'.repeat(63), true],
    [`${'a.'.repeat(126)}a`, true],
    ['a'.repeat(64), false],
    [`${'a.'.repeat(127)}a`, false],
    ['my_db', false],
    ['-db', false],
    ['db-', false],
    ['::1', false],
    ['db..example', false],
    ['https://db', false],
    ['db:5432', false],
  ])('a host is %s: %s', (host, fits) => {
    expect(faults(pipeOf('postgres', { host }))).toEqual(
      fits ? [] : ['source.postgres.host: a host name such as db.example.com'],
    );
  });

  it('keys are named once', () => {
    const mapping = { sourceSchemaName: 'public', sourceTable: 'a', targetTable: 'a' };
    const of = (more: Given) => pipeOf('postgres', { tableMappings: [{ ...mapping, ...more }] });
    expect(faults(of({ sortingKeys: ['a', 'b'], excludedColumns: ['c'] }))).toEqual([]);
    for (const key of ['sortingKeys', 'excludedColumns']) {
      expect(faults(of({ [key]: ['a', 'b', 'a'] }))).toEqual([
        `source.postgres.tableMappings.0.${key}: a list in which each stands once`,
      ]);
    }
  });
});

describe('a service of ClickHouse Cloud', () => {
  const LEAST = {
    ...{ name: 'reporting', provider: 'aws', region: 'us-east-1' },
    ipAccessList: [{ source: '192.0.2.1' }],
  };
  const said = (changes: Given) =>
    faultsIn(clickhouseCreateServiceRequest, { ...LEAST, ...changes });

  it('is whole with four fields, and with none fewer', () => {
    expect(said({})).toEqual([]);
    for (const key of Object.keys(LEAST)) {
      expect(said({ [key]: undefined })).toEqual([expect.stringMatching(`^${key}: `)]);
    }
  });

  it('stands in any region of the cloud, whichever the provider, and in no other', () => {
    for (const region of Object.values(CLICKHOUSE_REGIONS_OF).flat()) {
      expect(said({ region })).toEqual([]);
    }
    expect(said({ region: 'me-central-1' })[0]).toMatch(/^region: one of ap-northeast-1, /u);
  });

  const horizontal = { autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 3 };
  it.each<[Given, readonly string[]]>([
    [horizontal, []],
    [{ ...horizontal, minReplicas: 3 }, []],
    [{ autoscalingMode: 'vertical', numReplicas: 2 }, []],
    [{ ...horizontal, minReplicas: 4 }, ['minReplicas: at most maxReplicas']],
    [
      { autoscalingMode: 'horizontal' },
      ['minReplicas', 'maxReplicas'].map(
        (key) => `${key}: set where autoscalingMode is horizontal`,
      ),
    ],
    [
      { ...horizontal, maxReplicas: undefined },
      ['maxReplicas: set where autoscalingMode is horizontal'],
    ],
    [
      { minReplicas: 2, maxReplicas: 3 },
      ['minReplicas', 'maxReplicas'].map(
        (key) => `${key}: left out unless autoscalingMode is horizontal`,
      ),
    ],
    [
      { ...horizontal, numReplicas: 2 },
      ['numReplicas: left out where autoscalingMode is horizontal'],
    ],
    [{ ...horizontal, maxReplicas: 21 }, ['maxReplicas: 1 to 20']],
    [{ tags: [{ key: 'a.b_c-D9', value: 'x'.repeat(256) }, { key: 'x'.repeat(128) }] }, []],
    [{ tags: [{ key: 'x'.repeat(129) }] }, ['tags.0.key: at most 128 characters long']],
    [
      { tags: [{ key: 'a', value: 'x'.repeat(257) }] },
      ['tags.0.value: at most 256 characters long'],
    ],
    [{ tags: [{ key: 'a b' }] }, ['tags.0.key: letters, digits, ".", "_" and "-"']],
    [{ tags: [{ key: '' }] }, ['tags.0.key: letters, digits, ".", "_" and "-"']],
    [{ tags: [{ key: 7 }] }, ['tags.0.key: text']],
    [{ enableCoreDumps: 'yes' }, ['enableCoreDumps: true or false']],
  ])('with %j', (changes, expected) => {
    expect(said(changes)).toEqual(expected);
  });
});
