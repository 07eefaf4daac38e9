import { credential, flag, group, listOf, shaped, texts, whole, words } from './schema-values.ts';

const tableMapping = group({
  sourceSchemaName: words(),
  sourceTable: words(),
  targetTable: words(),
  excludedColumns: texts.exactOptional(),
  sortingKeys: texts.exactOptional(),
  useCustomSortingKey: flag.exactOptional(),
});

/** The bounds are practice. Facts: Pipes. */
export const postgres = group({
  host: shaped(
    /^(?:[\w.-]+|\[?[\da-f]*(?::[\da-f]*){2,}\]?)$/iu,
    'A host name such as db.example.com, without scheme and port.',
  ).exactOptional(),
  port: whole(1, 65_535).exactOptional(),
  database: words().exactOptional(),
  credentials: credential.exactOptional(),
  settings: group({
    allowNullableColumns: flag.exactOptional(),
    enableFailoverSlots: flag.exactOptional(),
    initialLoadParallelism: whole(1).exactOptional(),
    publicationName: words().exactOptional(),
    pullBatchSize: whole(1).exactOptional(),
    replicationSlotName: words().exactOptional(),
    snapshotNumRowsPerPartition: whole(1_000).exactOptional(),
    snapshotNumberOfParallelTables: whole(1).exactOptional(),
    syncIntervalSeconds: whole(1).exactOptional(),
  }).exactOptional(),
  tableMappings: listOf(tableMapping).exactOptional(),
});
