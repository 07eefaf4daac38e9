import { z } from 'zod';
import { CLICKHOUSE_PIPE_RULES, sourceKindOf } from './clickhouse-pipe-rules.ts';
import {
  createPipeRequest,
  destination,
  exactlyOneSource,
  kafkaSource,
  kinesisSource,
  objectStorageSource,
  pipeSettings,
  postgresSource,
  tableMapping,
} from './pipe.ts';
import {
  exactObject,
  filledObject,
  filledText,
  filledTexts,
  flag,
  list,
  oneOf,
  type ValueOf,
  whole,
} from './schema.ts';

/**
 * A pipe's creation as ClickHouse Cloud takes it: what the specification lists in the record alone,
 * and what it does not list. The rules between the fields are in `clickhouse-pipe-rules.ts`.
 * Spec: ClickHouse spellings. Facts: Pipes.
 */

/** A whole number from a bound on. */
function count(min: number) {
  const error = `a whole number from ${min}`;
  return z.number({ error }).int({ error }).min(min, { error });
}

/** One of four kinds; which, is said by the authentication. */
const kafkaCredentials = z.union(
  [
    exactObject({ username: filledText, password: filledText }),
    exactObject({ accessKeyId: filledText, secretKey: filledText }),
    exactObject({ connectionString: filledText }),
    exactObject({ certificate: filledText, privateKey: filledText }),
  ],
  { error: 'the values that its authentication takes' },
);
export type KafkaCredentials = z.output<typeof kafkaCredentials>;

/** Known there as a list in which each stands once. */
const names = filledTexts.refine((list) => new Set(list).size === list.length, {
  error: 'a list in which each stands once',
});

const HOSTNAME =
  /^(?=.{1,253}\.?$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i;

/** Neither an underscore nor an IPv6 address. */
export const hostname = filledText.regex(HOSTNAME, {
  error: 'a host name such as db.example.com',
});

const { offset, schemaRegistry, ...kafkaShape } = kafkaSource.shape;

export const clickhouseKafkaSource = filledObject({
  ...kafkaShape,
  schemaRegistry: filledObject({
    ...schemaRegistry.unwrap().shape,
    authentication: oneOf(['PLAIN']).optional(),
  }).optional(),
  credentials: kafkaCredentials.optional(),
  offset: filledObject({
    ...offset.unwrap().shape,
    strategy: oneOf(['from_beginning', 'from_latest', 'from_timestamp']).optional(),
  }).optional(),
  type: oneOf([
    ...(['kafka', 'redpanda', 'msk', 'gcmk', 'confluent', 'warpstream'] as const),
    ...(['azureeventhub', 'dokafka'] as const),
  ]).optional(),
  authentication: oneOf([
    ...(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'IAM_ROLE', 'IAM_USER'] as const),
    'MUTUAL_TLS',
  ]).optional(),
  format: oneOf(['JSONEachRow', 'Avro', 'AvroConfluent', 'Protobuf']).optional(),
  exactlyOnce: flag.optional(),
});

export const clickhouseKinesisSource = filledObject({
  ...kinesisSource.shape,
  /** Unix seconds. */
  timestamp: count(1).optional(),
  authentication: oneOf(['IAM_ROLE', 'IAM_USER']).optional(),
  format: oneOf(['JSONEachRow', 'Avro', 'AvroConfluent']).optional(),
  iteratorType: oneOf(['TRIM_HORIZON', 'LATEST', 'AT_TIMESTAMP']).optional(),
});

export const clickhouseObjectStorageSource = filledObject({
  ...objectStorageSource.shape,
  compression: oneOf([
    ...(['none', 'gzip', 'gz', 'brotli', 'br', 'xz', 'LZMA', 'zstd', 'auto'] as const),
  ]).optional(),
  type: oneOf([
    ...(['s3', 'gcs', 'dospaces', 'azureblobstorage', 'cloudflarer2'] as const),
    'ovhobjectstorage',
  ]).optional(),
  authentication: oneOf([
    ...(['IAM_ROLE', 'IAM_USER', 'CONNECTION_STRING', 'SERVICE_ACCOUNT'] as const),
  ]).optional(),
  format: oneOf([
    ...(['JSONEachRow', 'JSONAsObject', 'CSV', 'CSVWithNames', 'TabSeparated'] as const),
    ...(['TabSeparatedWithNames', 'Parquet', 'Avro'] as const),
  ]).optional(),
  skipInitialLoad: flag.optional(),
  startAfter: filledText.optional(),
  serviceAccountKey: filledText.optional(),
});

export const TABLE_ENGINES = ['MergeTree', 'ReplacingMergeTree', 'Null'] as const;

export const clickhousePostgresSource = filledObject({
  ...postgresSource.shape,
  host: hostname.optional(),
  type: oneOf([
    ...(['postgres', 'supabase', 'neon', 'alloydb', 'planetscale', 'rdspostgres'] as const),
    ...(['aurorapostgres', 'cloudsqlpostgres', 'azurepostgres', 'crunchybridge'] as const),
    'tigerdata',
  ]).optional(),
  authentication: oneOf(['basic', 'IAM_ROLE']).optional(),
  iamRole: filledText.optional(),
  tlsHost: filledText.optional(),
  caCertificate: filledText.optional(),
  disableTls: flag.optional(),
  skipCertVerification: flag.optional(),
  settings: filledObject({
    ...postgresSource.shape.settings.unwrap().shape,
    initialLoadParallelism: count(1).optional(),
    pullBatchSize: count(1).optional(),
    snapshotNumRowsPerPartition: count(1_000).optional(),
    snapshotNumberOfParallelTables: count(1).optional(),
    syncIntervalSeconds: count(1).optional(),
    replicationMode: oneOf(['cdc', 'snapshot', 'cdc_only']).optional(),
    deleteOnMerge: flag.optional(),
  }).optional(),
  tableMappings: list(
    filledObject({
      ...tableMapping.shape,
      excludedColumns: names.optional(),
      sortingKeys: names.optional(),
      tableEngine: oneOf(TABLE_ENGINES).optional(),
      partitionKey: filledText.optional(),
      partitionByExpr: filledText.optional(),
    }),
  ).optional(),
});

const { tableDefinition } = destination.shape;
const tableShape = tableDefinition.unwrap().shape;

const clickhouseDestination = filledObject({
  ...destination.shape,
  tableDefinition: filledObject({
    ...tableShape,
    engine: filledObject({
      ...tableShape.engine.unwrap().shape,
      type: oneOf([...TABLE_ENGINES, 'SummingMergeTree']).optional(),
    }).optional(),
  }).optional(),
});

const scaling = filledObject({
  concurrency: count(1).optional(),
  replicaCpuMillicores: whole(125, 2_000).optional(),
  replicaMemoryGb: z
    .number({ error: '0.5 to 8' })
    .min(0.5, { error: '0.5 to 8' })
    .max(8, { error: '0.5 to 8' })
    .optional(),
  replicas: whole(1, 40).optional(),
});

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const settings = filledObject({
  ...pipeSettings.shape,
  engine_max_download_threads: whole(0, 32).optional(),
  engine_max_insert_threads: whole(0, 16).optional(),
  engine_max_threads: whole(0, 64).optional(),
  engine_min_insert_block_size_bytes: whole(0, 10 * GIB).optional(),
  engine_parallel_distributed_insert_select: whole(0, 2).optional(),
  object_storage_concurrency: whole(1, 35).optional(),
  object_storage_max_file_count: whole(1, 10_000).optional(),
  object_storage_max_insert_bytes: whole(10 * MIB, 50 * GIB).optional(),
  object_storage_polling_interval_ms: whole(100, 3_600_000).optional(),
  streaming_max_insert_wait_ms: whole(500, 60_000).optional(),
});

const source = exactlyOneSource({
  kafka: clickhouseKafkaSource.optional(),
  kinesis: clickhouseKinesisSource.optional(),
  objectStorage: clickhouseObjectStorageSource.optional(),
  postgres: clickhousePostgresSource.optional(),
});

/** Every field, without the rules between them: what the form is made of. */
export const clickhousePipeFields = exactObject({
  ...createPipeRequest.shape,
  destination: clickhouseDestination.optional(),
  scaling: scaling.optional(),
  settings: settings.optional(),
  source: source.optional(),
});

/** Of either mode: the fields of the cloud are absent where the specification is followed. */
export type AnyCreatePipeRequest = ValueOf<typeof clickhousePipeFields>;

/** Every field of a pipe's creation and the rules between them. Spec: ClickHouse spellings. */
export const clickhouseCreatePipeRequest = clickhousePipeFields.superRefine((request, context) => {
  const kind = sourceKindOf(request);
  for (const rule of CLICKHOUSE_PIPE_RULES) {
    const message = rule.kind === undefined || rule.kind === kind ? rule.fits(request) : undefined;
    if (message === undefined) continue;
    context.addIssue({ code: 'custom', path: rule.path.split('.'), message });
  }
});
