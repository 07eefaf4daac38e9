import { type CreatePipeRequest, createPipeRequest } from '../../core/cloud/pipe.ts';
import {
  COLUMNS,
  FIELD_MAPPINGS,
  fieldsIn,
  type Paths,
  type PipeFields,
  type Words,
} from './pipe-field.ts';
import { group, listOf, words } from './schema-values.ts';

export const columns = listOf(group({ name: words(), type: words(1_000) }));
export const fieldMappings = listOf(group({ sourceField: words(), destinationField: words() }));

/** A Postgres pipe makes its own tables. */
const tables = { kinds: ['kafka', 'kinesis', 'objectStorage'] } as const;
const section = 'Destination table';

/** Where the rows go. Spec: Pipe, `destination` and `fieldMappings`. */
export const destinationFields: PipeFields = fieldsIn(createPipeRequest, {
  keys: { 'destination.tableDefinition.': '', 'destination.': '', '': '' },
  words: {
    'destination.database': { label: 'Destination database', placeholder: 'default' },
    'destination.table': { ...tables, label: 'Destination table' },
    'destination.managedTable': {
      ...tables,
      label: 'Managed table',
      hint: 'Yes: the pipe creates the table. No: it exists already.',
    },
    'destination.columns': {
      ...tables,
      rule: columns,
      as: COLUMNS,
      label: 'Columns',
      placeholder: 'id UInt64',
      hint: 'One a line: name type, as in id UInt64.',
    },
    fieldMappings: {
      ...tables,
      rule: fieldMappings,
      as: FIELD_MAPPINGS,
      label: 'Field mappings',
      placeholder: 'user.id -> user_id',
      hint: 'One a line: source -> destination. Every column needs one.',
    },
    'destination.roles': { label: 'Roles', hint: 'One a line.', section },
    'destination.tableDefinition.sortingKey': {
      ...tables,
      label: 'Sorting key',
      hint: 'One column or expression a line.',
      section,
    },
    'destination.tableDefinition.primaryKey': {
      ...tables,
      label: 'Primary key',
      placeholder: 'id',
      section,
    },
    'destination.tableDefinition.partitionBy': {
      ...tables,
      label: 'Partition by',
      placeholder: 'toYYYYMM(created_at)',
      section,
    },
    'destination.tableDefinition.engine.columnIds': {
      ...tables,
      label: 'Engine: column ids',
      hint: 'One a line.',
      section,
    },
    'destination.tableDefinition.engine.versionColumnId': {
      ...tables,
      label: 'Engine: version column id',
      section,
    },
  } satisfies Record<Paths<Pick<CreatePipeRequest, 'destination' | 'fieldMappings'>>, Words>,
});
