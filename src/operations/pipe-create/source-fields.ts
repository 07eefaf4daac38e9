import { DateTime } from 'luxon';
import { z } from 'zod';
import {
  type KafkaSource,
  type KinesisSource,
  kafkaSource,
  kinesisSource,
  type ObjectStorageSource,
  objectStorageSource,
  type PostgresSource,
  postgresSource,
} from '../../core/cloud/pipe.ts';
import {
  all,
  fieldsIn,
  LONG_TEXT,
  type Paths,
  type PipeFields,
  TABLE_MAPPINGS,
  type Words,
} from './pipe-field.ts';
import { flag, group, listOf, oneOf, shaped, texts, whole, words } from './schema-values.ts';

const details = { section: 'Source details' };

const BROKER = String.raw`(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}`;
const brokers = shaped(
  new RegExp(`^${BROKER}(?:\\s*,\\s*${BROKER})*$`, 'iu'),
  'host:port, several with commas between them.',
);

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?$/u;
const moment = words().refine(
  (iso) => MOMENT.test(iso) && DateTime.fromISO(iso).isValid,
  'A moment in UTC such as 2026-01-31T09:00.',
);

/** A certificate is public; the key that belongs to it is refused like every secret. */
export const certificate = words(3_000).regex(
  /-----BEGIN CERTIFICATE-----/u,
  'A certificate that begins with -----BEGIN CERTIFICATE-----.',
);

const registryAddress = shaped(
  /^https?:\/\/[^\s/]/iu,
  'An address such as https://registry.example.com.',
);

/** Spec: Pipe, `source.kafka`. Facts: Pipes. */
const kafkaFields = fieldsIn(kafkaSource, {
  source: 'kafka',
  keys: { 'schemaRegistry.': 'registry', '': 'kafka' },
  words: {
    brokers: {
      rule: brokers,
      label: 'Brokers',
      placeholder: 'broker-1.example.com:9092,broker-2.example.com:9092',
      hint: 'host:port, several with commas between them.',
      secret: true,
    },
    topics: { label: 'Topics', placeholder: 'orders', hint: 'Several with commas between them.' },
    credentials: { label: 'Kafka credentials', hint: 'By name: with username and password.' },
    ...all(details, {
      consumerGroup: { label: 'Consumer group' },
      'offset.timestamp': {
        rule: moment,
        label: 'Start at',
        placeholder: '2026-01-31T09:00',
        hint: 'A moment in UTC from which messages are read.',
      },
      iamRole: { label: 'IAM role for Kafka', placeholder: 'arn:aws:iam::123456789012:role/pipe' },
      caCertificate: {
        rule: certificate,
        as: LONG_TEXT,
        label: 'CA certificate of the brokers',
        hint: 'PEM text. A certificate is public; never paste a private key.',
      },
      reversePrivateEndpointIds: { label: 'Reverse private endpoint ids', hint: 'One a line.' },
      'schemaRegistry.url': {
        rule: registryAddress,
        label: 'Schema registry address',
        placeholder: 'https://registry.example.com',
        secret: true,
      },
      'schemaRegistry.authentication': {
        rule: oneOf(['PLAIN']),
        label: 'Schema registry authentication',
      },
      'schemaRegistry.credentials': {
        label: 'Schema registry credentials',
        hint: 'By name: with username and password.',
      },
      'schemaRegistry.caCertificate': {
        rule: certificate,
        as: LONG_TEXT,
        label: 'CA certificate of the registry',
        hint: 'PEM text.',
      },
    }),
  } satisfies Record<Paths<KafkaSource>, Words>,
});

const error = 'Whole seconds since 1970, such as 1767225600; not milliseconds.';
const timestamp = z.number({ error }).int(error).min(1, error).max(99_999_999_999, error);

/** Spec: Pipe, `source.kinesis`. */
const kinesisFields = fieldsIn(kinesisSource, {
  source: 'kinesis',
  keys: { '': 'kinesis' },
  words: {
    streamName: { label: 'Stream', placeholder: 'clicks' },
    region: { label: 'Region of the stream', placeholder: 'us-east-1' },
    accessKey: {
      label: 'Kinesis access key',
      hint: 'By name: with accessKeyId and secretKey. Or give an IAM role.',
    },
    iamRole: { label: 'IAM role for Kinesis', placeholder: 'arn:aws:iam::123456789012:role/pipe' },
    ...all(details, {
      timestamp: {
        rule: timestamp,
        label: 'Start at (seconds since 1970)',
        placeholder: '1767225600',
      },
      useEnhancedFanOut: { label: 'Enhanced fan-out' },
    }),
  } satisfies Record<Paths<KinesisSource>, Words>,
});

/** The specification leaves them open. Facts: Pipes. */
const COMPRESSIONS = ['none', 'gzip', 'gz', 'brotli', 'br', 'xz', 'LZMA', 'zstd', 'auto'] as const;

const address = shaped(
  /^(?:https|s3|gs|gcs|az|abfss?|wasbs?):\/\/[^\s/]/iu,
  'An address such as https://…, s3://… or gs://….',
);
const queueAddress = shaped(
  /^(?:https:\/\/[^\s/]|arn:)/iu,
  'An address that begins with https://.',
);

/** Spec: Pipe, `source.objectStorage`. */
const objectStorageFields = fieldsIn(objectStorageSource, {
  source: 'objectStorage',
  keys: { '': 'storage' },
  words: {
    url: {
      rule: address,
      label: 'Address of the files',
      placeholder: 'https://bucket.s3.us-east-1.amazonaws.com/orders/*.json',
      hint: 'Wildcards are allowed. For Azure give container, path and connection string instead.',
      secret: true,
    },
    accessKey: {
      label: 'Storage access key',
      hint: 'By name: with accessKeyId and secretKey. None for public files.',
    },
    iamRole: {
      label: 'IAM role for the storage',
      placeholder: 'arn:aws:iam::123456789012:role/pipe',
    },
    ...all(details, {
      compression: { rule: oneOf(COMPRESSIONS), label: 'Compression' },
      delimiter: {
        rule: words(20),
        label: 'Delimiter',
        placeholder: ',',
        hint: 'A tab or a space only in the definition.',
      },
      isContinuous: { label: 'Keep watching for new files' },
      queueUrl: {
        rule: queueAddress,
        label: 'Queue address',
        hint: 'The queue that announces new files.',
        secret: true,
      },
      azureContainerName: { label: 'Azure container' },
      path: { rule: words(1_000), label: 'Path in the container', placeholder: 'orders/*.json' },
      connectionString: {
        holds: ['connectionString'],
        label: 'Azure connection string',
        hint: 'By name: with connectionString.',
      },
    }),
  } satisfies Record<Paths<ObjectStorageSource>, Words>,
});

const host = shaped(
  /^(?:[\w.-]+|\[?[\da-f]*(?::[\da-f]*){2,}\]?)$/iu,
  'A host name such as db.example.com, without scheme and port.',
);

export const tableMapping = group({
  sourceSchemaName: words(),
  sourceTable: words(),
  targetTable: words(),
  excludedColumns: texts.exactOptional(),
  sortingKeys: texts.exactOptional(),
  useCustomSortingKey: flag.exactOptional(),
});

/** Spec: Pipe, `source.postgres`. Facts: Pipes. */
const postgresFields = fieldsIn(postgresSource, {
  source: 'postgres',
  keys: { 'settings.': 'postgres', '': 'postgres' },
  words: {
    host: { rule: host, label: 'Postgres host', placeholder: 'db.example.com', secret: true },
    port: { rule: whole(1, 65_535), label: 'Postgres port', placeholder: '5432' },
    database: { label: 'Postgres database' },
    credentials: { label: 'Postgres credentials', hint: 'By name: with username and password.' },
    tableMappings: {
      rule: listOf(tableMapping),
      as: TABLE_MAPPINGS,
      label: 'Tables',
      placeholder: 'public.orders -> orders exclude(card, note) sort(id) customsort',
      hint:
        'One a line: schema.table -> target, then as needed exclude(a, b) for columns left out, ' +
        'sort(a, b) for sorting keys, customsort or customsort(no). Quote names with dots or spaces.',
    },
    ...all(details, {
      'settings.publicationName': { label: 'Publication' },
      'settings.replicationSlotName': { label: 'Replication slot' },
      'settings.enableFailoverSlots': { label: 'Failover slots' },
      'settings.allowNullableColumns': { label: 'Nullable columns' },
      'settings.syncIntervalSeconds': { rule: whole(1), label: 'Sync interval (seconds)' },
      'settings.pullBatchSize': { rule: whole(1), label: 'Pull batch size (rows)' },
      'settings.initialLoadParallelism': {
        rule: whole(1),
        label: 'Initial load: parallel workers',
      },
      'settings.snapshotNumRowsPerPartition': {
        rule: whole(1_000),
        label: 'Snapshot: rows per partition',
        hint: 'From 1,000.',
      },
      'settings.snapshotNumberOfParallelTables': {
        rule: whole(1),
        label: 'Snapshot: parallel tables',
      },
    }),
  } satisfies Record<Paths<PostgresSource>, Words>,
});

/** The fields of the four kinds of source, in the form's order. */
export const SOURCE_FIELDS: PipeFields = {
  ...kafkaFields,
  ...kinesisFields,
  ...objectStorageFields,
  ...postgresFields,
};
