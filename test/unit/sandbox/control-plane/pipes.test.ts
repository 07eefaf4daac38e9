import { describe, expect, it } from 'vitest';
import { SERVICES } from '../../../../src/sandbox/control-plane/seed.ts';
import {
  AZURE_PIPE,
  FILES_PIPE,
  KAFKA_PIPE,
  KINESIS_PIPE,
  POSTGRES_PIPE,
  withValue,
} from './bodies.ts';
import { ORGANIZATION, refusal, start } from './harness.ts';

const on = (id: string, segment = 'pipes') => `POST ${ORGANIZATION}/services/${id}/${segment}`;
const CREATE = on(SERVICES.analytics.id);
const EMPTY = 'must not be empty, leave it out instead';
const ONE_SOURCE = 'must hold exactly one of kafka, kinesis, objectStorage, postgres';
const NOT_TAKEN = 'is not taken by a postgres pipe';
const RETURNED = 'is returned by the API, it cannot be sent';
const UNKNOWN = 'is not a field that this request takes';

type Rows = readonly (readonly [path: string, value: unknown, words: string, named?: string])[];

const KAFKA: Rows = [
  ['name', undefined, 'is required'],
  ['name', '', EMPTY],
  ['source', undefined, 'is required'],
  ['source', {}, ONE_SOURCE],
  ['source.kinesis', KINESIS_PIPE.source.kinesis, ONE_SOURCE, 'source'],
  ['source.postgres', null, 'must not be null, leave it out instead'],
  ['source.mysql', {}, UNKNOWN],
  ['source.validateSamples', 'yes', 'must be true or false'],
  ['source.kafka.brokers', undefined, 'is required'],
  ['source.kafka.brokers', ['a:9092'], 'must be a string'],
  ['source.kafka.topics', '', EMPTY],
  ['source.kafka.consumerGroup', 1, 'must be a string'],
  ['source.kafka.caCertificate', '', EMPTY],
  ['source.kafka.iamRole', '', EMPTY],
  ['source.kafka.credentials', {}, 'is required', 'source.kafka.credentials.username'],
  ['source.kafka.credentials.password', '', EMPTY],
  ['source.kafka.offset', {}, EMPTY],
  ['source.kafka.offset.timestamp', 'yesterday', 'must be a moment such as 2021-01-01T00:00'],
  ['source.kafka.reversePrivateEndpointIds', [], EMPTY],
  ['source.kafka.schemaRegistry.url', undefined, 'is required'],
  ['source.kafka.schemaRegistry.authentication', 'BASIC', 'must be one of PLAIN'],
  ['source.kafka.schemaRegistry.credentials.username', 5, 'must be a string'],
  ['source.kafka.type', 'msk', RETURNED],
  ['source.kafka.authentication', 'PLAIN', RETURNED],
  ['source.kafka.format', 'Avro', RETURNED],
  ['source.kafka.offset.strategy', 'from_latest', RETURNED],
  ['destination.tableDefinition.engine.type', 'Null', RETURNED],
  ['destination', undefined, 'is required'],
  ['destination.database', '', EMPTY],
  ['destination.table', undefined, 'is required'],
  ['destination.managedTable', undefined, 'is required'],
  ['destination.managedTable', 'true', 'must be true or false'],
  ['destination.columns', undefined, 'is required'],
  ['destination.columns', [], EMPTY],
  ['destination.columns.0.type', undefined, 'is required'],
  ['destination.roles', [], EMPTY],
  ['destination.tableDefinition', {}, EMPTY],
  ['destination.tableDefinition.engine', {}, EMPTY],
  ['destination.tableDefinition.engine.columnIds', 'id', 'must be an array'],
  ['destination.tableDefinition.engine.versionColumnId', '', EMPTY],
  ['destination.tableDefinition.partitionBy', '', EMPTY],
  ['destination.tableDefinition.primaryKey', ['id'], 'must be a string'],
  ['destination.tableDefinition.sortingKey', [], EMPTY],
  ['fieldMappings', [], EMPTY],
  ['fieldMappings', undefined, 'must map every column, "id" has no mapping'],
  [
    'fieldMappings',
    [{ sourceField: 'key', destinationField: 'id' }],
    'must map every column, "body" has no mapping',
  ],
  ['fieldMappings.0.sourceField', '', EMPTY],
  [
    'fieldMappings.2',
    { sourceField: 'x', destinationField: 'ghost' },
    'must be the name of a column of destination.columns',
    'fieldMappings.2.destinationField',
  ],
  ['scaling', {}, EMPTY],
  ['scaling.replicas', 41, 'must be at most 40'],
  ['scaling.replicas', 0, 'must be at least 1'],
  ['scaling.replicas', '2', 'must be a number'],
  ['scaling.concurrency', 0, 'must be at least 1'],
  ['scaling.replicaCpuMillicores', 124, 'must be at least 125'],
  ['scaling.replicaCpuMillicores', 2001, 'must be at most 2000'],
  ['scaling.replicaMemoryGb', 0.4, 'must be at least 0.5'],
  ['scaling.replicaMemoryGb', 8.5, 'must be at most 8'],
  ['settings', {}, EMPTY],
  ['settings.engine_max_threads', 65, 'must be at most 64'],
  ['settings.engine_max_insert_threads', 17, 'must be at most 16'],
  ['settings.engine_max_download_threads', 33, 'must be at most 32'],
  [
    'settings.engine_min_insert_block_size_bytes',
    10 * 1024 ** 3 + 1,
    'must be at most 10737418240',
  ],
  ['settings.engine_parallel_distributed_insert_select', 3, 'must be at most 2'],
  ['settings.engine_parallel_view_processing', 1, 'must be true or false'],
  ['settings.object_storage_concurrency', 36, 'must be at most 35'],
  ['settings.object_storage_max_file_count', 10_001, 'must be at most 10000'],
  ['settings.object_storage_max_insert_bytes', 10_485_759, 'must be at least 10485760'],
  ['settings.object_storage_polling_interval_ms', 99, 'must be at least 100'],
  ['settings.object_storage_use_cluster_function', 'no', 'must be true or false'],
  ['settings.streaming_max_insert_wait_ms', 499, 'must be at least 500'],
  ['settings.clickhouse_max_threads', 4, UNKNOWN],
  ['id', 'x', UNKNOWN],
  ['state', 'Running', UNKNOWN],
];

const KINESIS: Rows = [
  ['source.kinesis.streamName', undefined, 'is required'],
  ['source.kinesis.region', undefined, 'is required'],
  ['source.kinesis.timestamp', '2026-11-01', 'must be a number'],
  ['source.kinesis.timestamp', 0, 'must be at least 1'],
  ['source.kinesis.useEnhancedFanOut', 0, 'must be true or false'],
  ['source.kinesis.iamRole', '', EMPTY],
  ['source.kinesis.accessKey.secretKey', undefined, 'is required'],
  ['source.kinesis.iteratorType', 'LATEST', RETURNED],
];

const FILES: Rows = [
  ['source.objectStorage.url', undefined, 'is required'],
  ['source.objectStorage.compression', 'zip', expect.stringContaining('must be one of none, gzip')],
  ['source.objectStorage.delimiter', '', EMPTY],
  ['source.objectStorage.isContinuous', 'true', 'must be true or false'],
  ['source.objectStorage.queueUrl', '', EMPTY],
  ['source.objectStorage.path', 3, 'must be a string'],
  ['source.objectStorage.format', 'CSV', RETURNED],
];

const AZURE: Rows = [
  ['source.objectStorage.path', undefined, 'is required when url is left out'],
  ['source.objectStorage.connectionString', undefined, 'is required when url is left out'],
  ['source.objectStorage.azureContainerName', undefined, 'is required when url is left out'],
];

const POSTGRES: Rows = [
  ['source.postgres.host', undefined, 'is required'],
  ['source.postgres.port', 65_536, 'must be at most 65535'],
  ['source.postgres.port', 0, 'must be at least 1'],
  ['source.postgres.database', undefined, 'is required'],
  ['source.postgres.credentials.username', undefined, 'is required'],
  ['source.postgres.settings', {}, EMPTY],
  ['source.postgres.settings.allowNullableColumns', 1, 'must be true or false'],
  ['source.postgres.settings.initialLoadParallelism', 0, 'must be at least 1'],
  ['source.postgres.settings.pullBatchSize', 0.5, 'must be a whole number'],
  ['source.postgres.settings.snapshotNumRowsPerPartition', 999, 'must be at least 1000'],
  ['source.postgres.settings.syncIntervalSeconds', 0, 'must be at least 1'],
  ['source.postgres.settings.replicationMode', 'cdc', RETURNED],
  ['source.postgres.tableMappings', [], EMPTY],
  ['source.postgres.tableMappings.0.targetTable', undefined, 'is required'],
  ['source.postgres.tableMappings.0.excludedColumns', [], EMPTY],
  ['source.postgres.tableMappings.0.useCustomSortingKey', 'x', 'must be true or false'],
  ['source.postgres.tableMappings.0.tableEngine', 'Null', RETURNED],
  ['destination.database', undefined, 'is required'],
  ['destination.table', 'orders', NOT_TAKEN],
  ['destination.managedTable', true, NOT_TAKEN],
  ['destination.columns', [{ name: 'a', type: 'b' }], NOT_TAKEN],
  ['destination.tableDefinition', { primaryKey: 'id' }, NOT_TAKEN],
  ['fieldMappings', [{ sourceField: 'a', destinationField: 'b' }], NOT_TAKEN],
  ['scaling', { replicas: 2 }, NOT_TAKEN],
];

describe('creating a pipe', () => {
  it.each([
    ['kafka', KAFKA_PIPE, KAFKA],
    ['kinesis', KINESIS_PIPE, KINESIS],
    ['object storage', FILES_PIPE, FILES],
    ['azure', AZURE_PIPE, AZURE],
    ['postgres', POSTGRES_PIPE, POSTGRES],
  ])(
    'refuses every field of a %s pipe that does not fit, by its path',
    async (_kind, body, rows) => {
      const plane = await start();
      for (const [path, value, words, named = path] of rows) {
        const answer = await plane.ask(CREATE, { body: withValue(body, path, value) });
        const hint = `${path} = ${JSON.stringify(value)}: ${answer.text}`;
        expect(answer.status, hint).toBe(400);
        expect(answer.json.error, hint).toContain(`BAD_REQUEST: ${named}: `);
        expect(answer.json.error.slice(`BAD_REQUEST: ${named}: `.length), hint).toEqual(words);
      }
      expect(plane.state().pipes).toHaveLength(2);
    },
  );

  it.each([
    [
      'kafka',
      KAFKA_PIPE,
      {
        kafka: {
          type: 'kafka',
          authentication: 'PLAIN',
          format: 'JSONEachRow',
          offset: { strategy: 'from_timestamp', timestamp: '2026-11-01T00:00' },
          schemaRegistry: { url: 'https://registry.example', authentication: 'PLAIN' },
        },
      },
    ],
    [
      'kinesis',
      KINESIS_PIPE,
      {
        kinesis: {
          authentication: 'IAM_USER',
          format: 'JSONEachRow',
          iteratorType: 'AT_TIMESTAMP',
        },
      },
    ],
    ['files', FILES_PIPE, { objectStorage: { type: 's3', authentication: 'IAM_ROLE' } }],
    [
      'azure',
      AZURE_PIPE,
      { objectStorage: { type: 'azureblobstorage', authentication: 'CONNECTION_STRING' } },
    ],
    [
      'postgres',
      POSTGRES_PIPE,
      {
        postgres: {
          settings: { replicationMode: 'cdc', pullBatchSize: 1000 },
          tableMappings: [{ tableEngine: 'ReplacingMergeTree', sourceTable: 'orders' }],
        },
      },
    ],
  ])(
    'takes every field of a %s pipe and returns none of its secrets',
    async (_kind, body, source) => {
      const plane = await start();
      const answer = await plane.ask(CREATE, { body });
      expect(answer.json).toMatchObject({
        status: 200,
        result: {
          name: body.name,
          serviceId: SERVICES.analytics.id,
          createdAt: '2026-11-27T10:00:00.000Z',
          updatedAt: '2026-11-27T10:00:00.000Z',
          source,
        },
      });
      const { roles: _roles, ...shown } = body.destination;
      expect(answer.json.result).toMatchObject({ destination: shown });
      expect(answer.text).not.toMatch(/password|secretKey|accessKeyId|fake-user|fake-azure|writer/);
      expect(plane.requests().at(-1)?.body).toEqual(body);
    },
  );

  it.each([
    [SERVICES.archive, 'idle'],
    [SERVICES.reporting, 'stopped'],
    [SERVICES.staging, 'degraded'],
  ])('needs a running service, unlike %o', async (service, state) => {
    const plane = await start();
    const answer = await plane.ask(on(service.id), { body: KAFKA_PIPE });
    expect(answer.json).toMatchObject({
      status: 424,
      error: `FAILED_DEPENDENCY: the service is ${state}, it has to be running to create a pipe`,
    });
  });

  it('derives what the request leaves open', async () => {
    const plane = await start();
    const { credentials: _credentials, offset: _offset, ...kafka } = KAFKA_PIPE.source.kafka;
    const variants: readonly (readonly [object, object])[] = [
      [
        { kafka },
        { kafka: { authentication: 'MUTUAL_TLS', offset: { strategy: 'from_beginning' } } },
      ],
      [
        { kafka: { ...kafka, iamRole: 'r' } },
        { kafka: { type: 'msk', authentication: 'IAM_ROLE' } },
      ],
      [
        { kinesis: { streamName: 's', region: 'r', iamRole: 'i' } },
        { kinesis: { authentication: 'IAM_ROLE', iteratorType: 'TRIM_HORIZON' } },
      ],
      [{ objectStorage: { url: 'gs://bucket/x' } }, { objectStorage: { type: 'gcs' } }],
    ];
    for (const [source, expected] of variants) {
      const answer = await plane.ask(CREATE, { body: { ...KAFKA_PIPE, source } });
      expect(answer.json.result).toMatchObject({ source: expected });
    }
  });

  it('plays the oddities of real replies', async () => {
    const quirks = ['echo-connection-string', 'null-source-arms'] as const;
    const plane = await start({ settings: { quirks: [...quirks] } });
    const answer = await plane.ask(CREATE, { body: AZURE_PIPE });
    expect(answer.json.result).toMatchObject({
      source: {
        kafka: null,
        postgres: null,
        objectStorage: { connectionString: AZURE_PIPE.source.objectStorage.connectionString },
      },
    });
  });
});

describe('creating a pipe in clickhouse names', () => {
  const names = { settings: { names: 'clickhouse' } } as const;
  const { settings: _neutral, ...rest } = KAFKA_PIPE;

  it('is served at /clickpipes only, with clickhouse_ settings both ways', async () => {
    const plane = await start(names);
    const route = on(SERVICES.analytics.id, 'clickpipes');
    const body = {
      ...rest,
      settings: { clickhouse_max_threads: 4, object_storage_concurrency: 2 },
    };
    const answer = await plane.ask(route, { body });
    expect(answer.json.result).toMatchObject({ settings: body.settings });
    const neutral = await plane.ask(CREATE, { body });
    expect(neutral).toMatchObject({ status: 404, json: undefined });
  });

  it('refuses in its own words', async () => {
    const plane = await start(names);
    const route = on(SERVICES.analytics.id, 'clickpipes');
    const tooMany = { ...rest, settings: { clickhouse_max_threads: 65 } };
    expect((await plane.ask(route, { body: tooMany })).json).toMatchObject(
      refusal('settings.clickhouse_max_threads', 'must be at most 64'),
    );
    const neutral = { ...rest, settings: { engine_max_threads: 4 } };
    expect((await plane.ask(route, { body: neutral })).json).toMatchObject(
      refusal('settings.engine_max_threads', UNKNOWN),
    );
  });

  it('takes what neutral mode only returns', async () => {
    const plane = await start(names);
    const route = on(SERVICES.analytics.id, 'clickpipes');
    const kafka = {
      brokers: 'b:1',
      topics: 't',
      type: 'redpanda',
      authentication: 'SCRAM-SHA-256',
      format: 'Avro',
      offset: { strategy: 'from_latest' },
    };
    const answer = await plane.ask(route, { body: { ...rest, source: { kafka } } });
    expect(answer.json.result).toMatchObject({ source: { kafka } });
  });
});
