import { between, flag, group, listOf, texts, whole, words } from './schema-values.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

export const columns = listOf(group({ name: words(), type: words(1_000) }));

export const fieldMappings = listOf(group({ sourceField: words(), destinationField: words() }));

export const destination = group({
  database: words().exactOptional(),
  table: words().exactOptional(),
  managedTable: flag.exactOptional(),
  roles: texts.exactOptional(),
  columns: columns.exactOptional(),
  tableDefinition: group({
    engine: group({
      columnIds: texts.exactOptional(),
      versionColumnId: words().exactOptional(),
    }).exactOptional(),
    partitionBy: words().exactOptional(),
    primaryKey: words().exactOptional(),
    sortingKey: texts.exactOptional(),
  }).exactOptional(),
});

/** The bounds are practice. Facts: Pipes. */
export const scaling = group({
  concurrency: whole(1).exactOptional(),
  replicaCpuMillicores: whole(125, 2_000).exactOptional(),
  replicaMemoryGb: between(0.5, 8).exactOptional(),
  replicas: whole(1, 40).exactOptional(),
});

/** Bytes, milliseconds and counts, as the keys say. Facts: Pipes. */
export const settings = group({
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
