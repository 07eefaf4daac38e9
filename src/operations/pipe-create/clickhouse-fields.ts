import {
  clickhouseKafkaSource,
  clickhouseKinesisSource,
  clickhouseObjectStorageSource,
  clickhousePipeFields,
  clickhousePostgresSource,
  hostname,
  TABLE_ENGINES,
} from '../../core/cloud/clickhouse-pipe.ts';
import { kafkaCredentialKeys } from '../../core/cloud/clickhouse-pipe-rules.ts';
import { all, CLOUD_TABLE_MAPPINGS, fieldsIn, LONG_TEXT, type PipeFields } from './pipe-field.ts';
import { flag, listOf, oneOf, texts, words } from './schema-values.ts';
import { certificate, tableMapping } from './source-fields.ts';

const details = { section: 'Source details' };
const tables = { kinds: ['kafka', 'kinesis', 'objectStorage'] } as const;

const hostRule = words(253).refine(
  (text) => hostname.safeParse(text).success,
  'A host name such as db.example.com, without scheme and port.',
);

const kafkaFields = fieldsIn(clickhouseKafkaSource, {
  source: 'kafka',
  keys: { '': 'kafka' },
  words: {
    type: { label: 'Kind of Kafka' },
    format: { label: 'Format of the messages' },
    authentication: {
      label: 'Kafka authentication',
      hint: 'Which fit follows from the kind of Kafka.',
    },
    credentials: {
      holdsIn: kafkaCredentialKeys,
      label: 'Kafka credentials',
      hint:
        'By name: username and password; for IAM_USER accessKeyId and secretKey, for MUTUAL_TLS ' +
        'certificate and privateKey, for Azure Event Hubs connectionString.',
    },
    ...all(details, {
      'offset.strategy': { label: 'Start from', hint: 'With from_timestamp give a moment too.' },
      exactlyOnce: { label: 'Exactly once' },
    }),
  },
});

const kinesisFields = fieldsIn(clickhouseKinesisSource, {
  source: 'kinesis',
  keys: { '': 'kinesis' },
  words: {
    format: { label: 'Format of the records' },
    iteratorType: { label: 'Start from', hint: 'With AT_TIMESTAMP give a moment too.' },
    authentication: { label: 'Kinesis authentication' },
  },
});

const objectStorageFields = fieldsIn(clickhouseObjectStorageSource, {
  source: 'objectStorage',
  keys: { '': 'storage' },
  words: {
    type: { label: 'Kind of storage' },
    format: { label: 'Format of the files' },
    authentication: { label: 'Storage authentication', hint: 'None for public files.' },
    ...all(details, {
      serviceAccountKey: {
        holds: ['serviceAccountKey'],
        label: 'Service account key',
        hint: 'By name: with serviceAccountKey. For Google Cloud Storage.',
      },
      skipInitialLoad: { label: 'Skip the files that are there already' },
      startAfter: { rule: words(1_000), label: 'Start after the file' },
    }),
  },
});

const names = texts.refine((list) => new Set(list).size === list.length, 'Each name once.');

const cloudTableMapping = tableMapping.safeExtend({
  excludedColumns: names.exactOptional(),
  sortingKeys: names.exactOptional(),
  tableEngine: oneOf(TABLE_ENGINES).exactOptional(),
  partitionKey: words().exactOptional(),
  partitionByExpr: words().exactOptional(),
});

const postgresFields = fieldsIn(clickhousePostgresSource, {
  source: 'postgres',
  keys: { 'settings.': 'postgres', '': 'postgres' },
  words: {
    tableMappings: {
      rule: listOf(cloudTableMapping),
      as: CLOUD_TABLE_MAPPINGS,
      label: 'Tables',
      placeholder: 'public.orders -> orders engine(ReplacingMergeTree) sort(id)',
      hint:
        'One a line: schema.table -> target, then as needed exclude(a, b), sort(a, b), customsort, ' +
        'engine(MergeTree), partitionkey(a), partitionby(expression).',
    },
    host: {
      rule: hostRule,
      label: 'Postgres host',
      placeholder: 'db.example.com',
      secret: true,
    },
    type: { label: 'Kind of Postgres' },
    authentication: { label: 'Postgres authentication' },
    'settings.replicationMode': {
      label: 'Replication',
      hint: 'cdc: a copy, then changes; snapshot: a copy; cdc_only: changes, from a slot.',
    },
    ...all(details, {
      iamRole: {
        label: 'IAM role for Postgres',
        placeholder: 'arn:aws:iam::123456789012:role/pipe',
      },
      tlsHost: { rule: hostRule, label: 'Host name in the certificate', secret: true },
      caCertificate: {
        rule: certificate,
        as: LONG_TEXT,
        label: 'CA certificate of Postgres',
        hint: 'PEM text. A certificate is public; never paste a private key.',
      },
      disableTls: { label: 'Without TLS', hint: 'No if empty.' },
      skipCertVerification: { label: 'Skip the check of the certificate', hint: 'No if empty.' },
      'settings.deleteOnMerge': { rule: flag, label: 'Delete on merge' },
    }),
  },
});

const engineField = fieldsIn(clickhousePipeFields, {
  keys: { 'destination.tableDefinition.': '' },
  words: {
    'destination.tableDefinition.engine.type': { ...tables, label: 'Table engine' },
  },
});

/** What ClickHouse Cloud's request has beside the specified one, or has otherwise. */
export const CLICKHOUSE_FIELDS: PipeFields = {
  ...kafkaFields,
  ...kinesisFields,
  ...objectStorageFields,
  ...postgresFields,
  ...engineField,
};
