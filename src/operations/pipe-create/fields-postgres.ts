import {
  CREDENTIAL,
  fieldsFor,
  NUMBER,
  type PipeFields,
  TABLE_MAPPINGS,
  TEXT,
  YES_NO,
} from './pipe-field.ts';

const field = fieldsFor('postgres');
const section = 'Source details';

/** Spec: Pipe, `source.postgres`. */
export const postgresFields: PipeFields = {
  postgresHost: field('source.postgres.host', TEXT, {
    label: 'Postgres host',
    placeholder: 'db.example.com',
    secret: true,
  }),
  postgresPort: field('source.postgres.port', NUMBER, {
    label: 'Postgres port',
    placeholder: '5432',
  }),
  postgresDatabase: field('source.postgres.database', TEXT, { label: 'Postgres database' }),
  postgresCredentials: field('source.postgres.credentials', CREDENTIAL, {
    label: 'Postgres credentials',
    hint: 'By name: with username and password.',
  }),
  postgresTableMappings: field('source.postgres.tableMappings', TABLE_MAPPINGS, {
    label: 'Tables',
    placeholder: 'public.orders -> orders exclude(card, note) sort(id) customsort',
    hint:
      'One a line: schema.table -> target, then as needed exclude(a, b) for columns left out, ' +
      'sort(a, b) for sorting keys, customsort or customsort(no). Quote names with dots or spaces.',
  }),
  postgresPublicationName: field('source.postgres.settings.publicationName', TEXT, {
    label: 'Publication',
    section,
  }),
  postgresReplicationSlotName: field('source.postgres.settings.replicationSlotName', TEXT, {
    label: 'Replication slot',
    section,
  }),
  postgresEnableFailoverSlots: field('source.postgres.settings.enableFailoverSlots', YES_NO, {
    label: 'Failover slots',
    section,
  }),
  postgresAllowNullableColumns: field('source.postgres.settings.allowNullableColumns', YES_NO, {
    label: 'Nullable columns',
    section,
  }),
  postgresSyncIntervalSeconds: field('source.postgres.settings.syncIntervalSeconds', NUMBER, {
    label: 'Sync interval (seconds)',
    section,
  }),
  postgresPullBatchSize: field('source.postgres.settings.pullBatchSize', NUMBER, {
    label: 'Pull batch size (rows)',
    section,
  }),
  postgresInitialLoadParallelism: field('source.postgres.settings.initialLoadParallelism', NUMBER, {
    label: 'Initial load: parallel workers',
    section,
  }),
  postgresSnapshotNumRowsPerPartition: field(
    'source.postgres.settings.snapshotNumRowsPerPartition',
    NUMBER,
    { label: 'Snapshot: rows per partition', hint: 'From 1,000.', section },
  ),
  postgresSnapshotNumberOfParallelTables: field(
    'source.postgres.settings.snapshotNumberOfParallelTables',
    NUMBER,
    { label: 'Snapshot: parallel tables', section },
  ),
};
