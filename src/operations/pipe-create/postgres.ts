import { type PostgresSource, postgresSource } from '../../core/cloud/pipe-sources.ts';
import { fieldsIn, type Paths, type PipeFields, TABLE_MAPPINGS, type Words } from './pipe-field.ts';
import { flag, group, listOf, shaped, texts, whole, words } from './schema-values.ts';

const host = shaped(
  /^(?:[\w.-]+|\[?[\da-f]*(?::[\da-f]*){2,}\]?)$/iu,
  'A host name such as db.example.com, without scheme and port.',
);

const tableMapping = group({
  sourceSchemaName: words(),
  sourceTable: words(),
  targetTable: words(),
  excludedColumns: texts.exactOptional(),
  sortingKeys: texts.exactOptional(),
  useCustomSortingKey: flag.exactOptional(),
});

const section = 'Source details';

/** Spec: Pipe, `source.postgres`. Facts: Pipes. */
export const postgresFields: PipeFields = fieldsIn(postgresSource, {
  path: 'source.postgres.',
  keys: { 'settings.': 'postgres', '': 'postgres' },
  kinds: ['postgres'],
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
    'settings.publicationName': { label: 'Publication', section },
    'settings.replicationSlotName': { label: 'Replication slot', section },
    'settings.enableFailoverSlots': { label: 'Failover slots', section },
    'settings.allowNullableColumns': { label: 'Nullable columns', section },
    'settings.syncIntervalSeconds': { rule: whole(1), label: 'Sync interval (seconds)', section },
    'settings.pullBatchSize': { rule: whole(1), label: 'Pull batch size (rows)', section },
    'settings.initialLoadParallelism': {
      rule: whole(1),
      label: 'Initial load: parallel workers',
      section,
    },
    'settings.snapshotNumRowsPerPartition': {
      rule: whole(1_000),
      label: 'Snapshot: rows per partition',
      hint: 'From 1,000.',
      section,
    },
    'settings.snapshotNumberOfParallelTables': {
      rule: whole(1),
      label: 'Snapshot: parallel tables',
      section,
    },
  } satisfies Record<Paths<PostgresSource>, Words>,
});
