import { z } from 'zod';
import {
  amount,
  exactObject,
  filledObject,
  filledText,
  filledTexts,
  flag,
  list,
  type ValueOf,
  whole,
} from './schema.ts';

/**
 * The four kinds of source of a pipe: what a request may hold, and what of a record may be shown.
 * The specification states no bounds and marks nothing as required, so none is invented here; the
 * form knows more. Spec: Pipe, `source`; Pipe record.
 */

const userPassword = exactObject({ username: filledText, password: filledText });
const accessKey = exactObject({ accessKeyId: filledText, secretKey: filledText });
export type UserPassword = ValueOf<typeof userPassword>;
export type AccessKey = ValueOf<typeof accessKey>;

export const kafkaSource = filledObject({
  brokers: filledText.optional(),
  topics: filledText.optional(),
  consumerGroup: filledText.optional(),
  caCertificate: filledText.optional(),
  iamRole: filledText.optional(),
  credentials: userPassword.optional(),
  offset: filledObject({ timestamp: filledText.optional() }).optional(),
  reversePrivateEndpointIds: filledTexts.optional(),
  schemaRegistry: filledObject({
    url: filledText.optional(),
    authentication: filledText.optional(),
    caCertificate: filledText.optional(),
    credentials: userPassword.optional(),
  }).optional(),
});
export type KafkaSource = ValueOf<typeof kafkaSource>;

export const kinesisSource = filledObject({
  streamName: filledText.optional(),
  region: filledText.optional(),
  /** Unix seconds. */
  timestamp: amount.optional(),
  useEnhancedFanOut: flag.optional(),
  iamRole: filledText.optional(),
  accessKey: accessKey.optional(),
});
export type KinesisSource = ValueOf<typeof kinesisSource>;

export const objectStorageSource = filledObject({
  url: filledText.optional(),
  path: filledText.optional(),
  compression: filledText.optional(),
  delimiter: filledText.optional(),
  isContinuous: flag.optional(),
  queueUrl: filledText.optional(),
  azureContainerName: filledText.optional(),
  connectionString: filledText.optional(),
  iamRole: filledText.optional(),
  accessKey: accessKey.optional(),
});
export type ObjectStorageSource = ValueOf<typeof objectStorageSource>;

export const tableMapping = filledObject({
  sourceSchemaName: filledText.optional(),
  sourceTable: filledText.optional(),
  targetTable: filledText.optional(),
  excludedColumns: filledTexts.optional(),
  sortingKeys: filledTexts.optional(),
  useCustomSortingKey: flag.optional(),
});

export const postgresSource = filledObject({
  host: filledText.optional(),
  port: whole(1, 65_535).optional(),
  database: filledText.optional(),
  credentials: userPassword.optional(),
  settings: filledObject({
    allowNullableColumns: flag.optional(),
    enableFailoverSlots: flag.optional(),
    initialLoadParallelism: amount.optional(),
    publicationName: filledText.optional(),
    pullBatchSize: amount.optional(),
    replicationSlotName: filledText.optional(),
    snapshotNumRowsPerPartition: amount.optional(),
    snapshotNumberOfParallelTables: amount.optional(),
    syncIntervalSeconds: amount.optional(),
  }).optional(),
  tableMappings: list(tableMapping).optional(),
});
export type PostgresSource = ValueOf<typeof postgresSource>;

/** The ingestion pipe of the control API. Spec: Pipe. */

/** The kinds of source that a pipe reads, by the specification's key. Spec: Pipe, `source`. */
export const SOURCE_KINDS = ['kafka', 'kinesis', 'objectStorage', 'postgres'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export const destination = filledObject({
  database: filledText.optional(),
  table: filledText.optional(),
  managedTable: flag.optional(),
  roles: filledTexts.optional(),
  columns: list(exactObject({ name: filledText, type: filledText })).optional(),
  tableDefinition: filledObject({
    engine: filledObject({
      columnIds: filledTexts.optional(),
      versionColumnId: filledText.optional(),
    }).optional(),
    partitionBy: filledText.optional(),
    primaryKey: filledText.optional(),
    sortingKey: filledTexts.optional(),
  }).optional(),
});

const scaling = filledObject({
  concurrency: amount.optional(),
  replicaCpuMillicores: amount.optional(),
  replicaMemoryGb: amount.optional(),
  replicas: amount.optional(),
});

export const pipeSettings = filledObject({
  engine_max_download_threads: amount.optional(),
  engine_max_insert_threads: amount.optional(),
  engine_max_threads: amount.optional(),
  engine_min_insert_block_size_bytes: amount.optional(),
  engine_parallel_distributed_insert_select: amount.optional(),
  engine_parallel_view_processing: flag.optional(),
  object_storage_concurrency: amount.optional(),
  object_storage_max_file_count: amount.optional(),
  object_storage_max_insert_bytes: amount.optional(),
  object_storage_polling_interval_ms: amount.optional(),
  object_storage_use_cluster_function: flag.optional(),
  streaming_max_insert_wait_ms: amount.optional(),
});

/** "One of" four kinds, and whether samples are validated. Spec: Pipe, `source`. */
const source = exactlyOneSource({
  kafka: kafkaSource.optional(),
  kinesis: kinesisSource.optional(),
  objectStorage: objectStorageSource.optional(),
  postgres: postgresSource.optional(),
});

export function exactlyOneSource<S extends Record<SourceKind, z.ZodOptional>>(kinds: S) {
  return exactObject({ ...kinds, validateSamples: flag.optional() }).refine(
    (given) => {
      const set = Object.entries(given).filter(([, value]) => value !== undefined);
      return SOURCE_KINDS.filter((kind) => set.some(([key]) => key === kind)).length === 1;
    },
    { error: `exactly one of ${SOURCE_KINDS.join(', ')}` },
  );
}

/** Every field of a pipe's creation. Spec: Pipe; Endpoints 6. */
export const createPipeRequest = exactObject({
  name: filledText.optional(),
  destination: destination.optional(),
  fieldMappings: list(
    exactObject({ sourceField: filledText, destinationField: filledText }),
  ).optional(),
  scaling: scaling.optional(),
  settings: pipeSettings.optional(),
  source: source.optional(),
});
export type CreatePipeRequest = ValueOf<typeof createPipeRequest>;
/** By the specification's key: `engine_max_threads`, `streaming_max_insert_wait_ms` … */
export type PipeSettings = NonNullable<CreatePipeRequest['settings']>;

/** The record beside its source, destination and scaling. Spec: Pipe record. */
export const pipeRecord = z
  .object({
    id: filledText,
    serviceId: filledText,
    name: filledText,
    state: filledText,
    createdAt: filledText,
    updatedAt: filledText,
  })
  .partial();

/** Only what is safe to show is read: no connection string, no credentials. */
export type PipeRecord = ValueOf<typeof pipeRecord> &
  Readonly<{
    sourceKind?: string | undefined;
    /** Named facts of the source and destination that may be shown: `brokers`, `topics` … */
    facts: Readonly<Record<string, string>>;
  }>;
