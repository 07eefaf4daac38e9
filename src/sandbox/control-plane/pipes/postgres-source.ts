import { z } from 'zod';
import { flag, group, text, texts, whole } from '../validation/scalars.ts';

const atLeastOne = z.int().min(1);

const POSTGRES_TYPES = [
  'postgres',
  'supabase',
  'neon',
  'alloydb',
  'planetscale',
  'rdspostgres',
  'aurorapostgres',
  'cloudsqlpostgres',
  'azurepostgres',
  'crunchybridge',
  'tigerdata',
] as const;

export const postgresSettings = {
  allowNullableColumns: flag.exactOptional(),
  enableFailoverSlots: flag.exactOptional(),
  initialLoadParallelism: atLeastOne.exactOptional(),
  publicationName: text.exactOptional(),
  pullBatchSize: atLeastOne.exactOptional(),
  replicationSlotName: text.exactOptional(),
  snapshotNumRowsPerPartition: z.int().min(1000).exactOptional(),
  snapshotNumberOfParallelTables: atLeastOne.exactOptional(),
  syncIntervalSeconds: atLeastOne.exactOptional(),
  /** clickhouse */
  replicationMode: z.enum(['cdc', 'snapshot', 'cdc_only']).exactOptional(),
};

export const tableMapping = z.strictObject({
  sourceSchemaName: text,
  sourceTable: text,
  targetTable: text,
  excludedColumns: texts.exactOptional(),
  sortingKeys: texts.exactOptional(),
  useCustomSortingKey: flag.exactOptional(),
  /** clickhouse */
  tableEngine: z.enum(['MergeTree', 'ReplacingMergeTree', 'Null']).exactOptional(),
});

/** Keys marked "clickhouse" are taken in that mode only; see `handlers.ts`. Spec: Pipe */
export const postgresSource = z.strictObject({
  host: text,
  port: whole(1, 65_535),
  database: text,
  credentials: z.strictObject({ username: text, password: text }).exactOptional(),
  settings: group(postgresSettings).exactOptional(),
  tableMappings: z.array(tableMapping).min(1),
  /** clickhouse */
  type: z.enum(POSTGRES_TYPES).exactOptional(),
  /** clickhouse; the casing is mixed in practice */
  authentication: z.enum(['basic', 'IAM_ROLE']).exactOptional(),
});
