import type { SourceKind } from '../../src/core/cloud/pipe.ts';

/** One field of the specification's pipe request. Spec: Pipe. */
export type PipeFieldSample = {
  /** Dotted, as in the specification; a list and a credential are one field. */
  readonly path: string;
  /** The kind of source it is tried with. */
  readonly kind: SourceKind;
  /** The form's field, and what a person types into it. */
  readonly key: string;
  readonly typed: string;
  /** What a definition holds there. */
  readonly defined: unknown;
  /** What the request then holds; absent: as defined. */
  readonly sent?: unknown;
  /** Fields that have to follow it, by form key. */
  readonly also?: Readonly<Record<string, string>>;
};

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nZmFrZQ==\n-----END CERTIFICATE-----';
const LOGIN = { username: 'fake-user', password: 'fake-password-kafka' };
const KEY = { accessKeyId: 'fake-access-key-id', secretKey: 'fake-secret-key' };
const CONNECTION = 'AccountName=fake;AccountKey=fake-account-key';

export const CREDENTIALS = [
  { name: 'kafka-prod', values: LOGIN },
  { name: 'lake', values: KEY },
  { name: 'azure', values: { connectionString: CONNECTION } },
] as const;

export const SECRETS: readonly string[] = [LOGIN.password, KEY.secretKey, 'fake-account-key'];

export const PIPE_FIELD_SAMPLES: readonly PipeFieldSample[] = [
  text('name', 'kafka', 'name', 'invoices'),
  text('destination.database', 'kafka', 'database', 'raw'),
  text('destination.table', 'kafka', 'table', 'invoices'),
  flag('destination.managedTable', 'kafka', 'managedTable', false),
  list('destination.roles', 'kafka', 'roles', ['loader', 'reader']),
  {
    ...list('destination.columns', 'kafka', 'columns', []),
    typed: '`id` Map(String, UInt8)',
    defined: [{ name: 'id', type: 'Map(String, UInt8)' }],
  },
  list('destination.tableDefinition.engine.columnIds', 'kafka', 'engineColumnIds', ['id', 'at']),
  text(
    'destination.tableDefinition.engine.versionColumnId',
    'kafka',
    'engineVersionColumnId',
    'at',
  ),
  text('destination.tableDefinition.partitionBy', 'kafka', 'partitionBy', 'toYYYYMM(at)'),
  text('destination.tableDefinition.primaryKey', 'kafka', 'primaryKey', 'id'),
  list('destination.tableDefinition.sortingKey', 'kafka', 'sortingKey', ['id', 'cityHash64(a, b)']),
  {
    ...list('fieldMappings', 'kafka', 'fieldMappings', []),
    typed: 'user.id -> id',
    defined: [{ sourceField: 'user.id', destinationField: 'id' }],
  },
  number('scaling.concurrency', 'kafka', 'concurrency', 2),
  number('scaling.replicaCpuMillicores', 'kafka', 'replicaCpuMillicores', 250),
  number('scaling.replicaMemoryGb', 'kafka', 'replicaMemoryGb', 0.5),
  number('scaling.replicas', 'kafka', 'replicas', 3),
  number('settings.engine_max_download_threads', 'kafka', 'engineMaxDownloadThreads', 32),
  number('settings.engine_max_insert_threads', 'kafka', 'engineMaxInsertThreads', 16),
  number('settings.engine_max_threads', 'kafka', 'engineMaxThreads', 0),
  number(
    'settings.engine_min_insert_block_size_bytes',
    'kafka',
    'engineMinInsertBlockSizeBytes',
    1_048_576,
  ),
  number(
    'settings.engine_parallel_distributed_insert_select',
    'kafka',
    'engineParallelDistributedInsertSelect',
    2,
  ),
  flag('settings.engine_parallel_view_processing', 'kafka', 'engineParallelViewProcessing', true),
  files('settings.object_storage_concurrency', 'objectStorageConcurrency', 35),
  files('settings.object_storage_max_file_count', 'objectStorageMaxFileCount', 100),
  files('settings.object_storage_max_insert_bytes', 'objectStorageMaxInsertBytes', 10_485_760),
  files('settings.object_storage_polling_interval_ms', 'objectStoragePollingIntervalMs', 60_000),
  flag(
    'settings.object_storage_use_cluster_function',
    'objectStorage',
    'objectStorageUseClusterFunction',
    false,
  ),
  number('settings.streaming_max_insert_wait_ms', 'kafka', 'streamingMaxInsertWaitMs', 500),
  flag('source.validateSamples', 'kafka', 'validateSamples', true),

  text('source.kafka.brokers', 'kafka', 'kafkaBrokers', 'a.example.com:9092,b.example.com:9092'),
  text('source.kafka.topics', 'kafka', 'kafkaTopics', 'invoices'),
  text('source.kafka.consumerGroup', 'kafka', 'kafkaConsumerGroup', 'steward'),
  text('source.kafka.caCertificate', 'kafka', 'kafkaCaCertificate', CERTIFICATE),
  text('source.kafka.iamRole', 'kafka', 'kafkaIamRole', 'arn:aws:iam::123456789012:role/pipe'),
  credential('source.kafka.credentials', 'kafka', 'kafkaCredentials', LOGIN),
  text('source.kafka.offset.timestamp', 'kafka', 'kafkaOffsetTimestamp', '2026-01-31T09:00'),
  list('source.kafka.reversePrivateEndpointIds', 'kafka', 'kafkaReversePrivateEndpointIds', [
    '9a0e0f3c-0000-4aaa-8bbb-000000000001',
  ]),
  text('source.kafka.schemaRegistry.url', 'kafka', 'registryUrl', 'https://registry.example.com'),
  registry(
    text('source.kafka.schemaRegistry.authentication', 'kafka', 'registryAuthentication', 'PLAIN'),
  ),
  registry(
    text(
      'source.kafka.schemaRegistry.caCertificate',
      'kafka',
      'registryCaCertificate',
      CERTIFICATE,
    ),
  ),
  registry(
    credential('source.kafka.schemaRegistry.credentials', 'kafka', 'registryCredentials', LOGIN),
  ),

  text('source.kinesis.streamName', 'kinesis', 'kinesisStreamName', 'clicks'),
  text('source.kinesis.region', 'kinesis', 'kinesisRegion', 'eu-west-1'),
  number('source.kinesis.timestamp', 'kinesis', 'kinesisTimestamp', 1_767_225_600),
  flag('source.kinesis.useEnhancedFanOut', 'kinesis', 'kinesisUseEnhancedFanOut', true),
  text('source.kinesis.iamRole', 'kinesis', 'kinesisIamRole', 'arn:aws:iam::1:role/pipe'),
  credential('source.kinesis.accessKey', 'kinesis', 'kinesisAccessKey', KEY),

  stored('url', 'storageUrl', 's3://lake/{2025,2026}/orders-*.json'),
  stored('path', 'storagePath', 'orders/*.json'),
  stored('compression', 'storageCompression', 'zstd'),
  stored('delimiter', 'storageDelimiter', '|'),
  flag('source.objectStorage.isContinuous', 'objectStorage', 'storageIsContinuous', true),
  stored('queueUrl', 'storageQueueUrl', 'https://sqs.us-east-1.amazonaws.com/1/files'),
  stored('azureContainerName', 'storageAzureContainerName', 'orders'),
  {
    ...stored('connectionString', 'storageConnectionString', 'azure'),
    sent: CONNECTION,
  },
  stored('iamRole', 'storageIamRole', 'arn:aws:iam::123456789012:role/pipe'),
  credential('source.objectStorage.accessKey', 'objectStorage', 'storageAccessKey', KEY),

  text('source.postgres.host', 'postgres', 'postgresHost', 'replica.example.com'),
  number('source.postgres.port', 'postgres', 'postgresPort', 6432),
  text('source.postgres.database', 'postgres', 'postgresDatabase', 'shop'),
  credential('source.postgres.credentials', 'postgres', 'postgresCredentials', LOGIN),
  postgresFlag('allowNullableColumns', 'postgresAllowNullableColumns', false),
  postgresFlag('enableFailoverSlots', 'postgresEnableFailoverSlots', true),
  postgresNumber('initialLoadParallelism', 'postgresInitialLoadParallelism', 4),
  text('source.postgres.settings.publicationName', 'postgres', 'postgresPublicationName', 'pub'),
  postgresNumber('pullBatchSize', 'postgresPullBatchSize', 100_000),
  text(
    'source.postgres.settings.replicationSlotName',
    'postgres',
    'postgresReplicationSlotName',
    'slot',
  ),
  postgresNumber('snapshotNumRowsPerPartition', 'postgresSnapshotNumRowsPerPartition', 1_000),
  postgresNumber('snapshotNumberOfParallelTables', 'postgresSnapshotNumberOfParallelTables', 2),
  postgresNumber('syncIntervalSeconds', 'postgresSyncIntervalSeconds', 60),
  {
    ...list('source.postgres.tableMappings', 'postgres', 'postgresTableMappings', []),
    typed: 'public.orders -> orders exclude(card, note) sort(id, at) customsort\n"my.app".t -> t',
    defined: [
      {
        sourceSchemaName: 'public',
        sourceTable: 'orders',
        targetTable: 'orders',
        excludedColumns: ['card', 'note'],
        sortingKeys: ['id', 'at'],
        useCustomSortingKey: true,
      },
      { sourceSchemaName: 'my.app', sourceTable: 't', targetTable: 't' },
    ],
  },
];

/** The least that makes a pipe of each kind, as it is typed. */
export const LEAST: Readonly<Record<SourceKind, Readonly<Record<string, string>>>> = {
  kafka: {
    kafkaBrokers: 'broker.example.com:9092',
    kafkaTopics: 'orders',
    ...oneTable(),
  },
  kinesis: { kinesisStreamName: 'orders', kinesisRegion: 'us-east-1', ...oneTable() },
  objectStorage: { storageUrl: 'https://lake.example.com/orders/*.json', ...oneTable() },
  postgres: {
    postgresHost: 'db.example.com',
    postgresPort: '5432',
    postgresDatabase: 'app',
    postgresTableMappings: 'public.orders -> orders',
    database: 'raw',
  },
};

function oneTable(): Readonly<Record<string, string>> {
  return {
    table: 'orders',
    managedTable: 'true',
    columns: 'id UInt64',
    fieldMappings: 'id -> id',
  };
}

function text(path: string, kind: SourceKind, key: string, value: string): PipeFieldSample {
  return { path, kind, key, typed: value, defined: value };
}

function number(path: string, kind: SourceKind, key: string, value: number): PipeFieldSample {
  return { path, kind, key, typed: String(value), defined: value };
}

function flag(path: string, kind: SourceKind, key: string, value: boolean): PipeFieldSample {
  return { path, kind, key, typed: String(value), defined: value };
}

function list(
  path: string,
  kind: SourceKind,
  key: string,
  value: readonly string[],
): PipeFieldSample {
  return { path, kind, key, typed: value.join('\n'), defined: value };
}

function files(path: string, key: string, value: number): PipeFieldSample {
  return number(path, 'objectStorage', key, value);
}

function stored(name: string, key: string, value: string): PipeFieldSample {
  return text(`source.objectStorage.${name}`, 'objectStorage', key, value);
}

function postgresNumber(name: string, key: string, value: number): PipeFieldSample {
  return number(`source.postgres.settings.${name}`, 'postgres', key, value);
}

function postgresFlag(name: string, key: string, value: boolean): PipeFieldSample {
  return flag(`source.postgres.settings.${name}`, 'postgres', key, value);
}

function credential(
  path: string,
  kind: SourceKind,
  key: string,
  values: Readonly<Record<string, string>>,
): PipeFieldSample {
  const name = 'username' in values ? 'kafka-prod' : 'lake';
  return { path, kind, key, typed: name, defined: name, sent: values };
}

function registry(sample: PipeFieldSample): PipeFieldSample {
  return { ...sample, also: { registryUrl: 'https://registry.example.com' } };
}
