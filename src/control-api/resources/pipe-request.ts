import { z } from 'zod';
import type { NamesMode } from '../../core/settings/settings.ts';
import { wireSettingKey } from '../wire-names.ts';
import { pipeSourceSchema } from './pipe-sources.ts';
import {
  amount,
  filledObject,
  filledText,
  filledTexts,
  flag,
  list,
  objectError,
} from './request-fields.ts';

const destination = filledObject({
  database: filledText.optional(),
  table: filledText.optional(),
  managedTable: flag.optional(),
  roles: filledTexts.optional(),
  columns: list(
    z.strictObject({ name: filledText, type: filledText }, { error: objectError }),
  ).optional(),
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

/**
 * Every field of a pipe's creation. The specification states no bounds and marks nothing as
 * required, so none is invented here. Spec: Pipe; Endpoints 6.
 */
export const createPipeRequestSchema = z.strictObject(
  {
    name: filledText.optional(),
    destination: destination.optional(),
    fieldMappings: list(
      z.strictObject(
        { sourceField: filledText, destinationField: filledText },
        { error: objectError },
      ),
    ).optional(),
    scaling: scaling.optional(),
    settings: settings.optional(),
    source: pipeSourceSchema.optional(),
  },
  { error: objectError },
);

/** The body as the organization's cloud spells it. */
export function pipeRequestBody(
  request: z.output<typeof createPipeRequestSchema>,
  names: NamesMode,
): object {
  if (request.settings === undefined) return request;
  const entries = Object.entries(request.settings);
  const renamed = entries.map(([key, value]) => [wireSettingKey(key, names), value]);
  return { ...request, settings: Object.fromEntries(renamed) };
}
