import { z } from 'zod';
import { flag, group, text, texts, whole } from '../validation/scalars.ts';
import { postgresSource } from './postgres-source.ts';
import { kafkaSource, kinesisSource, objectStorageSource } from './stream-sources.ts';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const destination = z.strictObject({
  database: text.exactOptional(),
  table: text.exactOptional(),
  managedTable: flag.exactOptional(),
  roles: texts.exactOptional(),
  columns: z
    .array(z.strictObject({ name: text, type: text }))
    .min(1)
    .exactOptional(),
  tableDefinition: group({
    engine: group({
      columnIds: texts.exactOptional(),
      versionColumnId: text.exactOptional(),
      /** Taken in clickhouse mode only. */
      type: z.enum(['MergeTree', 'ReplacingMergeTree', 'Null', 'SummingMergeTree']).exactOptional(),
    }).exactOptional(),
    partitionBy: text.exactOptional(),
    primaryKey: text.exactOptional(),
    sortingKey: texts.exactOptional(),
  }).exactOptional(),
});

const scaling = group({
  concurrency: z.int().min(1).exactOptional(),
  replicaCpuMillicores: whole(125, 2000).exactOptional(),
  replicaMemoryGb: z.number().min(0.5).max(8).exactOptional(),
  replicas: whole(1, 40).exactOptional(),
});

/** In bounds that include 0, an explicit 0 is a value, not an unset field. */
const settings = group({
  engine_max_download_threads: whole(0, 32).exactOptional(),
  engine_max_insert_threads: whole(0, 16).exactOptional(),
  engine_max_threads: whole(0, 64).exactOptional(),
  engine_min_insert_block_size_bytes: whole(0, 10 * GIB).exactOptional(),
  engine_parallel_distributed_insert_select: whole(0, 2).exactOptional(),
  engine_parallel_view_processing: flag.exactOptional(),
  object_storage_concurrency: whole(1, 35).exactOptional(),
  object_storage_max_file_count: whole(1, 10_000).exactOptional(),
  object_storage_max_insert_bytes: whole(10 * MIB, 50 * GIB).exactOptional(),
  object_storage_polling_interval_ms: whole(100, 3_600_000).exactOptional(),
  object_storage_use_cluster_function: flag.exactOptional(),
  streaming_max_insert_wait_ms: whole(500, 60_000).exactOptional(),
});

/** The pipe request, field by field; rules over several fields are in `pipe-rules.ts`. Spec: Pipe */
export const pipeRequest = z.strictObject({
  name: text,
  source: z.strictObject({
    kafka: kafkaSource.exactOptional(),
    kinesis: kinesisSource.exactOptional(),
    objectStorage: objectStorageSource.exactOptional(),
    postgres: postgresSource.exactOptional(),
    validateSamples: flag.exactOptional(),
  }),
  destination,
  fieldMappings: z
    .array(z.strictObject({ sourceField: text, destinationField: text }))
    .min(1)
    .exactOptional(),
  scaling: scaling.exactOptional(),
  settings: settings.exactOptional(),
});

export const SOURCE_KINDS = ['kafka', 'kinesis', 'objectStorage', 'postgres'] as const;

export type SourceKind = (typeof SOURCE_KINDS)[number];
