/** Requests that hold every field of the specification, each valid as it is. */
export const FULL_SERVICE = {
  name: 'Reports 2026',
  provider: 'aws',
  region: 'us-east-1',
  tier: 'production',
  profile: 'v1-highmem-s',
  complianceType: 'hipaa',
  releaseChannel: 'slow',
  numReplicas: 3,
  minReplicaMemoryGb: 16,
  maxReplicaMemoryGb: 120,
  minTotalMemoryGb: 48,
  maxTotalMemoryGb: 360,
  idleScaling: true,
  idleTimeoutMinutes: 10,
  ipAccessList: [{ source: '203.0.113.7', description: 'Office' }, { source: '198.51.100.0/24' }],
  endpoints: [{ protocol: 'mysql', enabled: true }],
  privateEndpointIds: ['vpce-1'],
  hasTransparentDataEncryption: true,
  encryptionKey: 'fake-encryption-key',
  encryptionAssumedRoleIdentifier: 'fake-role',
  privatePreviewTermsChecked: true,
};

export const SMALL_SERVICE = { name: 'small', provider: 'aws', region: 'us-east-1' };

const DESTINATION = {
  database: 'default',
  table: 'events',
  managedTable: true,
  roles: ['writer'],
  columns: [
    { name: 'id', type: 'UInt64' },
    { name: 'body', type: 'String' },
  ],
  tableDefinition: {
    engine: { columnIds: ['id'], versionColumnId: 'version' },
    partitionBy: 'toYYYYMM(at)',
    primaryKey: 'id',
    sortingKey: ['id'],
  },
};

const REST = {
  fieldMappings: [
    { sourceField: 'key', destinationField: 'id' },
    { sourceField: 'value', destinationField: 'body' },
  ],
  scaling: { concurrency: 1, replicaCpuMillicores: 250, replicaMemoryGb: 0.5, replicas: 2 },
  settings: {
    engine_max_download_threads: 4,
    engine_max_insert_threads: 1,
    engine_max_threads: 0,
    engine_min_insert_block_size_bytes: 1_048_576,
    engine_parallel_distributed_insert_select: 2,
    engine_parallel_view_processing: false,
    object_storage_concurrency: 4,
    object_storage_max_file_count: 100,
    object_storage_max_insert_bytes: 10_485_760,
    object_storage_polling_interval_ms: 30_000,
    object_storage_use_cluster_function: true,
    streaming_max_insert_wait_ms: 5000,
  },
};

export const KAFKA_PIPE = {
  name: 'events',
  source: {
    kafka: {
      brokers: 'kafka-1.example:9092',
      topics: 'events',
      consumerGroup: 'pipes',
      caCertificate: 'fake-certificate',
      credentials: { username: 'fake-user', password: 'fake-kafka-password' },
      offset: { timestamp: '2026-11-01T00:00' },
      reversePrivateEndpointIds: ['rpe-1'],
      schemaRegistry: {
        url: 'https://registry.example',
        authentication: 'PLAIN',
        caCertificate: 'fake-registry-certificate',
        credentials: { username: 'fake-registry-user', password: 'fake-registry-password' },
      },
    },
    validateSamples: true,
  },
  destination: DESTINATION,
  ...REST,
};

export const KINESIS_PIPE = {
  ...KAFKA_PIPE,
  source: {
    kinesis: {
      streamName: 'events',
      region: 'eu-central-1',
      timestamp: 1_764_201_600,
      useEnhancedFanOut: true,
      accessKey: { accessKeyId: 'fake-access-key-id', secretKey: 'fake-kinesis-secret' },
    },
  },
};

export const FILES_PIPE = {
  ...KAFKA_PIPE,
  source: {
    objectStorage: {
      url: 'https://bucket.s3.example/events/*.json',
      compression: 'gzip',
      delimiter: ',',
      isContinuous: true,
      queueUrl: 'https://queue.example/1',
      iamRole: 'fake-iam-role',
    },
  },
};

export const AZURE_PIPE = {
  ...KAFKA_PIPE,
  source: {
    objectStorage: {
      connectionString: 'AccountName=fake;AccountKey=fake-azure-secret',
      azureContainerName: 'events',
      path: 'daily/*.json',
    },
  },
};

export const POSTGRES_PIPE = {
  name: 'orders',
  source: {
    postgres: {
      host: 'pg.example',
      port: 5432,
      database: 'shop',
      credentials: { username: 'fake-user', password: 'fake-postgres-password' },
      settings: {
        allowNullableColumns: true,
        enableFailoverSlots: false,
        initialLoadParallelism: 4,
        publicationName: 'pub',
        pullBatchSize: 1000,
        replicationSlotName: 'slot',
        snapshotNumRowsPerPartition: 100_000,
        snapshotNumberOfParallelTables: 2,
        syncIntervalSeconds: 60,
      },
      tableMappings: [
        {
          sourceSchemaName: 'public',
          sourceTable: 'orders',
          targetTable: 'orders',
          excludedColumns: ['note'],
          sortingKeys: ['id'],
          useCustomSortingKey: true,
        },
      ],
    },
  },
  destination: { database: 'default', roles: ['writer'] },
};

/** A copy with one value set at a dotted path, or removed when the value is undefined. */
export function withValue(body: unknown, path: string, value: unknown): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const holder = keys.reduce((at, key) => at[key] as Record<string, unknown>, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}
