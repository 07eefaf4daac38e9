import { type CreatePipeRequest, createPipeRequest } from '../../core/cloud/pipe.ts';
import {
  all,
  COLUMNS,
  DECIMAL,
  FIELD_MAPPINGS,
  fieldsIn,
  type Paths,
  type PipeFields,
  type Words,
} from './pipe-field.ts';
import { between, group, listOf, whole, words } from './schema-values.ts';

export const columns = listOf(group({ name: words(), type: words(1_000) }));
export const fieldMappings = listOf(group({ sourceField: words(), destinationField: words() }));

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

/** A Postgres pipe makes its own tables. */
const tables = { kinds: ['kafka', 'kinesis', 'objectStorage'] } as const;
const files = { kinds: ['objectStorage'] } as const;
const streams = { kinds: ['kafka', 'kinesis'] } as const;

type Request = Omit<CreatePipeRequest, 'name' | 'source'>;

/** All but the name and the kinds of source; units as the keys say. Spec: Pipe. Facts: Pipes. */
export const REQUEST_FIELDS: PipeFields = fieldsIn(createPipeRequest, {
  keys: {
    'source.': '',
    'destination.tableDefinition.': '',
    'destination.': '',
    'scaling.': '',
    'settings.': '',
    '': '',
  },
  words: {
    'source.validateSamples': {
      label: 'Validate samples',
      hint: 'Whether samples of the source are checked.',
      section: 'Source details',
    },
    'destination.database': { label: 'Destination database', placeholder: 'default' },
    ...all(tables, {
      'destination.table': { label: 'Destination table' },
      'destination.managedTable': {
        label: 'Managed table',
        hint: 'Yes: the pipe creates the table. No: it exists already.',
      },
      'destination.columns': {
        rule: columns,
        as: COLUMNS,
        label: 'Columns',
        placeholder: 'id UInt64',
        hint: 'One a line: name type, as in id UInt64.',
      },
      fieldMappings: {
        rule: fieldMappings,
        as: FIELD_MAPPINGS,
        label: 'Field mappings',
        placeholder: 'user.id -> user_id',
        hint: 'One a line: source -> destination. Every column needs one.',
      },
    }),
    ...all(
      { section: 'Destination table' },
      {
        'destination.roles': { label: 'Roles', hint: 'One a line.' },
        ...all(tables, {
          'destination.tableDefinition.sortingKey': {
            label: 'Sorting key',
            hint: 'One column or expression a line.',
          },
          'destination.tableDefinition.primaryKey': { label: 'Primary key', placeholder: 'id' },
          'destination.tableDefinition.partitionBy': {
            label: 'Partition by',
            placeholder: 'toYYYYMM(created_at)',
          },
          'destination.tableDefinition.engine.columnIds': {
            label: 'Engine: column ids',
            hint: 'One a line.',
          },
          'destination.tableDefinition.engine.versionColumnId': {
            label: 'Engine: version column id',
          },
        }),
      },
    ),
    ...all(
      { ...tables, section: 'Scaling' },
      {
        'scaling.replicas': { rule: whole(1, 40), label: 'Replicas of the pipe', hint: '1 to 40.' },
        'scaling.replicaCpuMillicores': {
          rule: whole(125, 2_000),
          label: 'CPU of a replica (millicores)',
          hint: '125 to 2,000.',
        },
        'scaling.replicaMemoryGb': {
          rule: between(0.5, 8),
          as: DECIMAL,
          label: 'Memory of a replica (GB)',
          hint: '0.5 to 8.',
        },
        'scaling.concurrency': {
          rule: whole(1),
          label: 'Concurrency',
          badge: 'Deprecated',
          hint: 'Replicas take its place.',
        },
      },
    ),
    ...all(
      { section: 'Settings' },
      {
        'settings.streaming_max_insert_wait_ms': {
          ...streams,
          rule: whole(500, 60_000),
          label: 'Streaming: longest wait before an insert (ms)',
          hint: '500 to 60,000.',
        },
        ...all(files, {
          'settings.object_storage_concurrency': {
            rule: whole(1, 35),
            label: 'Files: concurrency',
            hint: '1 to 35.',
          },
          'settings.object_storage_max_file_count': {
            rule: whole(1, 10_000),
            label: 'Files: at most in one insert',
            hint: '1 to 10,000.',
          },
          'settings.object_storage_max_insert_bytes': {
            rule: whole(10 * MIB, 50 * GIB),
            label: 'Files: at most in one insert (bytes)',
            hint: '10,485,760 (10 MiB) to 53,687,091,200 (50 GiB).',
          },
          'settings.object_storage_polling_interval_ms': {
            rule: whole(100, 3_600_000),
            label: 'Files: polling interval (ms)',
            hint: '100 to 3,600,000.',
          },
          'settings.object_storage_use_cluster_function': {
            label: 'Files: use the cluster function',
          },
        }),
        'settings.engine_max_threads': {
          rule: whole(0, 64),
          label: 'Engine: threads',
          hint: '0 to 64.',
        },
        'settings.engine_max_insert_threads': {
          rule: whole(0, 16),
          label: 'Engine: insert threads',
          hint: '0 to 16.',
        },
        'settings.engine_max_download_threads': {
          rule: whole(0, 32),
          label: 'Engine: download threads',
          hint: '0 to 32.',
        },
        'settings.engine_min_insert_block_size_bytes': {
          rule: whole(0, 10 * GIB),
          label: 'Engine: smallest insert block (bytes)',
          hint: '0 to 10,737,418,240 (10 GiB).',
        },
        'settings.engine_parallel_distributed_insert_select': {
          rule: whole(0, 2),
          label: 'Engine: parallel distributed insert select',
          hint: '0 to 2.',
        },
        'settings.engine_parallel_view_processing': { label: 'Engine: parallel view processing' },
      },
    ),
  } satisfies Record<Paths<Request> | 'source.validateSamples', Words>,
});
