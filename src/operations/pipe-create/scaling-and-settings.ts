import { type CreatePipeRequest, createPipeRequest } from '../../core/cloud/pipe.ts';
import { DECIMAL, fieldsIn, type Paths, type PipeFields, type Words } from './pipe-field.ts';
import { between, whole } from './schema-values.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

const tables = { kinds: ['kafka', 'kinesis', 'objectStorage'], section: 'Scaling' } as const;
const files = { kinds: ['objectStorage'] } as const;
const streams = { kinds: ['kafka', 'kinesis'] } as const;
const section = 'Settings';

/** Spec: Pipe, `scaling` and `settings`. Facts: Pipes. Units as the keys say. */
export const scalingAndSettingsFields: PipeFields = fieldsIn(createPipeRequest, {
  keys: { 'scaling.': '', 'settings.': '' },
  words: {
    'scaling.replicas': {
      ...tables,
      rule: whole(1, 40),
      label: 'Replicas of the pipe',
      hint: '1 to 40.',
    },
    'scaling.replicaCpuMillicores': {
      ...tables,
      rule: whole(125, 2_000),
      label: 'CPU of a replica (millicores)',
      hint: '125 to 2,000.',
    },
    'scaling.replicaMemoryGb': {
      ...tables,
      rule: between(0.5, 8),
      as: DECIMAL,
      label: 'Memory of a replica (GB)',
      hint: '0.5 to 8.',
    },
    'scaling.concurrency': {
      ...tables,
      rule: whole(1),
      label: 'Concurrency',
      badge: 'Deprecated',
      hint: 'Replicas take its place.',
    },
    'settings.streaming_max_insert_wait_ms': {
      ...streams,
      rule: whole(500, 60_000),
      label: 'Streaming: longest wait before an insert (ms)',
      hint: '500 to 60,000.',
      section,
    },
    'settings.object_storage_concurrency': {
      ...files,
      rule: whole(1, 35),
      label: 'Files: concurrency',
      hint: '1 to 35.',
      section,
    },
    'settings.object_storage_max_file_count': {
      ...files,
      rule: whole(1, 10_000),
      label: 'Files: at most in one insert',
      hint: '1 to 10,000.',
      section,
    },
    'settings.object_storage_max_insert_bytes': {
      ...files,
      rule: whole(10 * MIB, 50 * GIB),
      label: 'Files: at most in one insert (bytes)',
      hint: '10,485,760 (10 MiB) to 53,687,091,200 (50 GiB).',
      section,
    },
    'settings.object_storage_polling_interval_ms': {
      ...files,
      rule: whole(100, 3_600_000),
      label: 'Files: polling interval (ms)',
      hint: '100 to 3,600,000.',
      section,
    },
    'settings.object_storage_use_cluster_function': {
      ...files,
      label: 'Files: use the cluster function',
      section,
    },
    'settings.engine_max_threads': {
      rule: whole(0, 64),
      label: 'Engine: threads',
      hint: '0 to 64.',
      section,
    },
    'settings.engine_max_insert_threads': {
      rule: whole(0, 16),
      label: 'Engine: insert threads',
      hint: '0 to 16.',
      section,
    },
    'settings.engine_max_download_threads': {
      rule: whole(0, 32),
      label: 'Engine: download threads',
      hint: '0 to 32.',
      section,
    },
    'settings.engine_min_insert_block_size_bytes': {
      rule: whole(0, 10 * GIB),
      label: 'Engine: smallest insert block (bytes)',
      hint: '0 to 10,737,418,240 (10 GiB).',
      section,
    },
    'settings.engine_parallel_distributed_insert_select': {
      rule: whole(0, 2),
      label: 'Engine: parallel distributed insert select',
      hint: '0 to 2.',
      section,
    },
    'settings.engine_parallel_view_processing': {
      label: 'Engine: parallel view processing',
      section,
    },
  } satisfies Record<Paths<Pick<CreatePipeRequest, 'scaling' | 'settings'>>, Words>,
});
