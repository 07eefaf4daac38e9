import fc from 'fast-check';
import type { CreatePipeRequest, PipeSettings } from '../../src/core/cloud/pipe.ts';
import { filled, somePlaces } from './valid-services.ts';

const GIB = 1024 ** 3;

/** At least one of these fields: the API takes no empty object. */
function some<T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc
    .record(fields, { requiredKeys: [], noNullPrototype: true })
    .filter((value) => Object.keys(value).length > 0);
}

/** These fields, and any of the others. */
function record<T, K extends keyof T>(
  fields: { [Key in keyof T]: fc.Arbitrary<T[Key]> },
  requiredKeys: readonly K[],
) {
  return fc.record(fields, { requiredKeys: [...requiredKeys], noNullPrototype: true });
}

const credentials = fc.record({ username: filled, password: filled });
const accessKey = fc.record({ accessKeyId: filled, secretKey: filled });
const count = fc.integer({ min: 1, max: 1_000_000 });

const moment = fc
  .date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2099-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 16));

const kafka = record(
  {
    brokers: filled,
    topics: filled,
    consumerGroup: filled,
    caCertificate: filled,
    iamRole: filled,
    credentials,
    offset: fc.record({ timestamp: moment }),
    reversePrivateEndpointIds: somePlaces,
    schemaRegistry: record(
      {
        url: filled,
        authentication: fc.constant('PLAIN'),
        caCertificate: filled,
        credentials,
      },
      ['url'],
    ),
  },
  ['brokers', 'topics'],
);

const kinesis = record(
  {
    streamName: filled,
    region: filled,
    timestamp: fc.integer({ min: 1, max: 4_000_000_000 }),
    useEnhancedFanOut: fc.boolean(),
    iamRole: filled,
    accessKey,
  },
  ['streamName', 'region'],
);

const COMPRESSIONS = ['none', 'gzip', 'gz', 'brotli', 'br', 'xz', 'LZMA', 'zstd', 'auto'];
const files = {
  url: filled,
  path: filled,
  compression: fc.constantFrom(...COMPRESSIONS),
  delimiter: filled,
  isContinuous: fc.boolean(),
  queueUrl: filled,
  azureContainerName: filled,
  connectionString: filled,
  iamRole: filled,
  accessKey,
};
const { url: _url, ...azureFiles } = files;
const objectStorage = fc.oneof(
  record(files, ['url']),
  record(azureFiles, ['path', 'azureContainerName', 'connectionString']),
);

const postgres = record(
  {
    host: filled,
    port: fc.integer({ min: 1, max: 65_535 }),
    database: filled,
    credentials,
    settings: some({
      allowNullableColumns: fc.boolean(),
      enableFailoverSlots: fc.boolean(),
      initialLoadParallelism: count,
      publicationName: filled,
      pullBatchSize: count,
      replicationSlotName: filled,
      snapshotNumRowsPerPartition: fc.integer({ min: 1_000, max: 1_000_000 }),
      snapshotNumberOfParallelTables: count,
      syncIntervalSeconds: count,
    }),
    tableMappings: fc.array(
      record(
        {
          sourceSchemaName: filled,
          sourceTable: filled,
          targetTable: filled,
          excludedColumns: somePlaces,
          sortingKeys: somePlaces,
          useCustomSortingKey: fc.boolean(),
        },
        ['sourceSchemaName', 'sourceTable', 'targetTable'],
      ),
      { minLength: 1, maxLength: 3 },
    ),
  },
  ['host', 'port', 'database', 'tableMappings'],
);

const scaling = some({
  concurrency: count,
  replicaCpuMillicores: fc.integer({ min: 125, max: 2_000 }),
  replicaMemoryGb: fc.integer({ min: 2, max: 32 }).map((quarters) => quarters / 4),
  replicas: fc.integer({ min: 1, max: 40 }),
});

const settings: fc.Arbitrary<PipeSettings> = some<Record<string, number | boolean>>({
  engine_max_download_threads: fc.nat({ max: 32 }),
  engine_max_insert_threads: fc.nat({ max: 16 }),
  engine_max_threads: fc.nat({ max: 64 }),
  engine_min_insert_block_size_bytes: fc.nat({ max: 2 * GIB - 1 }),
  engine_parallel_distributed_insert_select: fc.nat({ max: 2 }),
  engine_parallel_view_processing: fc.boolean(),
  object_storage_concurrency: fc.integer({ min: 1, max: 35 }),
  object_storage_max_file_count: fc.integer({ min: 1, max: 10_000 }),
  object_storage_max_insert_bytes: fc.integer({ min: 10 * 1024 ** 2, max: 50 * GIB }),
  object_storage_polling_interval_ms: fc.integer({ min: 100, max: 3_600_000 }),
  object_storage_use_cluster_function: fc.boolean(),
  streaming_max_insert_wait_ms: fc.integer({ min: 500, max: 60_000 }),
}).map((values) => Object.fromEntries(Object.entries(values).flatMap(present)));

function present([key, value]: [string, number | boolean | undefined]): [
  string,
  number | boolean,
][] {
  return value === undefined ? [] : [[key, value]];
}

const tableDefinition = some({
  engine: some({ columnIds: somePlaces, versionColumnId: filled }),
  partitionBy: filled,
  primaryKey: filled,
  sortingKey: somePlaces,
});

const columns = fc.array(fc.record({ name: filled, type: filled }), {
  minLength: 1,
  maxLength: 5,
});

const stream = fc.oneof(fc.record({ kafka }), fc.record({ kinesis }), fc.record({ objectStorage }));

/** Streams and files: every column mapped, nothing else mapped. */
const streamPipe = fc
  .record({
    name: filled,
    stream,
    columns,
    more: record(
      {
        database: filled,
        table: filled,
        managedTable: fc.boolean(),
        roles: somePlaces,
        tableDefinition,
      },
      ['table', 'managedTable'],
    ),
    rest: fc.record({ scaling, settings }, { requiredKeys: [], noNullPrototype: true }),
    validateSamples: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map((parts): CreatePipeRequest => {
    const { validateSamples: validate } = parts;
    return {
      name: parts.name,
      source: { ...parts.stream, ...(validate === undefined ? {} : { validateSamples: validate }) },
      destination: { ...parts.more, columns: parts.columns },
      fieldMappings: parts.columns.map((column, index) => ({
        sourceField: `source.${index}`,
        destinationField: column.name,
      })),
      ...parts.rest,
    };
  });

const postgresPipe = fc.record(
  {
    name: filled,
    source: fc.record({ postgres }),
    destination: record({ database: filled, roles: somePlaces }, ['database']),
    settings,
  },
  { requiredKeys: ['name', 'source', 'destination'], noNullPrototype: true },
);

/** Pipes of every kind of source within the bounds that are known. Spec: Pipe. Facts: Pipes. */
export const validPipe: fc.Arbitrary<CreatePipeRequest> = fc.oneof(
  { weight: 3, arbitrary: streamPipe },
  { weight: 1, arbitrary: postgresPipe },
);
