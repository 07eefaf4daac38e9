import { z } from 'zod';
import {
  type Fact,
  facts,
  kafkaSource,
  kinesisSource,
  objectStorageSource,
  postgresSource,
} from './pipe-sources.ts';
import {
  amount,
  exactObject,
  filledObject,
  filledText,
  filledTexts,
  flag,
  list,
  type ValueOf,
} from './schema.ts';

/** The ingestion pipe of the control API. Spec: Pipe. */

/** The kinds of source that a pipe reads, by the specification's key. Spec: Pipe, `source`. */
export const SOURCE_KINDS = ['kafka', 'kinesis', 'objectStorage', 'postgres'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

const destination = filledObject({
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

const settings = filledObject({
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
const source = exactObject({
  kafka: kafkaSource.optional(),
  kinesis: kinesisSource.optional(),
  objectStorage: objectStorageSource.optional(),
  postgres: postgresSource.optional(),
  validateSamples: flag.optional(),
}).refine((given) => SOURCE_KINDS.filter((kind) => given[kind] !== undefined).length === 1, {
  error: `exactly one of ${SOURCE_KINDS.join(', ')}`,
});

/** Every field of a pipe's creation. Spec: Pipe; Endpoints 6. */
export const createPipeRequest = exactObject({
  name: filledText.optional(),
  destination: destination.optional(),
  fieldMappings: list(
    exactObject({ sourceField: filledText, destinationField: filledText }),
  ).optional(),
  scaling: scaling.optional(),
  settings: settings.optional(),
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

export const DESTINATION_FACTS: readonly Fact[] = [
  ...facts('database', 'table', 'managedTable'),
  { name: 'engine', path: ['tableDefinition', 'engine', 'type'] },
];

export const SCALING_FACTS = facts(
  ...['replicas', 'concurrency', 'replicaCpuMillicores', 'replicaMemoryGb'],
);

/** Only what is safe to show is read: no connection string, no credentials. */
export type PipeRecord = ValueOf<typeof pipeRecord> &
  Readonly<{
    sourceKind?: string | undefined;
    /** Named facts of the source and destination that may be shown: `brokers`, `topics` … */
    facts: Readonly<Record<string, string>>;
  }>;
