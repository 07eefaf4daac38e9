import { fieldsFor, NUMBER, type PipeFields, YES_NO } from './pipe-field.ts';

const field = fieldsFor();
const fileField = fieldsFor('objectStorage');
const streamField = fieldsFor('kafka', 'kinesis');
const section = 'Settings';

/** Spec: Pipe, `settings` keys. */
export const settingsFields: PipeFields = {
  streamingMaxInsertWaitMs: streamField('settings.streaming_max_insert_wait_ms', NUMBER, {
    label: 'Streaming: longest wait before an insert (ms)',
    hint: '500 to 60,000.',
    section,
  }),
  objectStorageConcurrency: fileField('settings.object_storage_concurrency', NUMBER, {
    label: 'Files: concurrency',
    hint: '1 to 35.',
    section,
  }),
  objectStorageMaxFileCount: fileField('settings.object_storage_max_file_count', NUMBER, {
    label: 'Files: at most in one insert',
    hint: '1 to 10,000.',
    section,
  }),
  objectStorageMaxInsertBytes: fileField('settings.object_storage_max_insert_bytes', NUMBER, {
    label: 'Files: at most in one insert (bytes)',
    hint: '10,485,760 (10 MiB) to 53,687,091,200 (50 GiB).',
    section,
  }),
  objectStoragePollingIntervalMs: fileField('settings.object_storage_polling_interval_ms', NUMBER, {
    label: 'Files: polling interval (ms)',
    hint: '100 to 3,600,000.',
    section,
  }),
  objectStorageUseClusterFunction: fileField(
    'settings.object_storage_use_cluster_function',
    YES_NO,
    { label: 'Files: use the cluster function', section },
  ),
  engineMaxThreads: field('settings.engine_max_threads', NUMBER, {
    label: 'Engine: threads',
    hint: '0 to 64.',
    section,
  }),
  engineMaxInsertThreads: field('settings.engine_max_insert_threads', NUMBER, {
    label: 'Engine: insert threads',
    hint: '0 to 16.',
    section,
  }),
  engineMaxDownloadThreads: field('settings.engine_max_download_threads', NUMBER, {
    label: 'Engine: download threads',
    hint: '0 to 32.',
    section,
  }),
  engineMinInsertBlockSizeBytes: field('settings.engine_min_insert_block_size_bytes', NUMBER, {
    label: 'Engine: smallest insert block (bytes)',
    hint: '0 to 10,737,418,240 (10 GiB).',
    section,
  }),
  engineParallelDistributedInsertSelect: field(
    'settings.engine_parallel_distributed_insert_select',
    NUMBER,
    { label: 'Engine: parallel distributed insert select', hint: '0 to 2.', section },
  ),
  engineParallelViewProcessing: field('settings.engine_parallel_view_processing', YES_NO, {
    label: 'Engine: parallel view processing',
    section,
  }),
};
