import {
  COLUMNS,
  FIELD_MAPPINGS,
  fieldsFor,
  type PipeFields,
  TEXT,
  TEXTS,
  YES_NO,
} from './pipe-field.ts';

const field = fieldsFor();
const tableField = fieldsFor('kafka', 'kinesis', 'objectStorage');
const section = 'Destination table';

/** Where the rows go. Spec: Pipe, `destination` and `fieldMappings`. */
export const destinationFields: PipeFields = {
  database: field('destination.database', TEXT, {
    label: 'Destination database',
    placeholder: 'default',
  }),
  table: tableField('destination.table', TEXT, { label: 'Destination table' }),
  managedTable: tableField('destination.managedTable', YES_NO, {
    label: 'Managed table',
    hint: 'Yes: the pipe creates the table. No: it exists already.',
  }),
  columns: tableField('destination.columns', COLUMNS, {
    label: 'Columns',
    placeholder: 'id UInt64',
    hint: 'One a line: name type, as in id UInt64.',
  }),
  fieldMappings: tableField('fieldMappings', FIELD_MAPPINGS, {
    label: 'Field mappings',
    placeholder: 'user.id -> user_id',
    hint: 'One a line: source -> destination. Every column needs one.',
  }),
  roles: field('destination.roles', TEXTS, { label: 'Roles', hint: 'One a line.', section }),
  sortingKey: tableField('destination.tableDefinition.sortingKey', TEXTS, {
    label: 'Sorting key',
    hint: 'One column or expression a line.',
    section,
  }),
  primaryKey: tableField('destination.tableDefinition.primaryKey', TEXT, {
    label: 'Primary key',
    placeholder: 'id',
    section,
  }),
  partitionBy: tableField('destination.tableDefinition.partitionBy', TEXT, {
    label: 'Partition by',
    placeholder: 'toYYYYMM(created_at)',
    section,
  }),
  engineColumnIds: tableField('destination.tableDefinition.engine.columnIds', TEXTS, {
    label: 'Engine: column ids',
    hint: 'One a line.',
    section,
  }),
  engineVersionColumnId: tableField('destination.tableDefinition.engine.versionColumnId', TEXT, {
    label: 'Engine: version column id',
    section,
  }),
};
