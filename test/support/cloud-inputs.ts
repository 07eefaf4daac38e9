import fc from 'fast-check';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';

/** What people type into the forms of clickhouse mode, whole and fitting, by kind. */

type Raw = Readonly<Record<string, unknown>>;

const REGIONS = {
  aws: ['ap-northeast-2', 'ca-central-1', 'il-central-1', 'us-east-1', 'eu-west-2'],
  gcp: ['us-east1', 'europe-west2', 'asia-northeast1'],
  azure: ['eastus', 'centralus'],
} as const;

const LETTERS = [...'abcxyzABC019'];
const word = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 12 });
const yesNo = fc.constantFrom('true', 'false');
const oneOf = (...values: readonly string[]) => fc.constantFrom(...values);
const whole = (min: number, max: number) => fc.integer({ min, max }).map(String);
const stepped = (min: number, max: number, step: number) =>
  fc.integer({ min: min / step, max: Math.floor(max / step) }).map((count) => count * step);
const ARN = 'arn:aws:iam::123456789012:role/pipe';
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nZmFrZQ==\n-----END CERTIFICATE-----';

/** Each of these or not. */
const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Raw> =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true });

const merged = (...parts: readonly fc.Arbitrary<Raw>[]): fc.Arbitrary<Raw> =>
  fc.tuple(...parts).map((raws) => Object.assign({}, ...raws));

const place = fc.constantFrom(...(['aws', 'gcp', 'azure'] as const)).chain((provider) =>
  fc.record<Raw>({
    provider: fc.constant(provider),
    region: fc.constantFrom<string>(...REGIONS[provider]),
  }),
);

const scaling: fc.Arbitrary<Raw> = fc.oneof(
  fc.constant({}),
  fc.integer({ min: 2, max: 20 }).map((numReplicas) => ({ numReplicas: String(numReplicas) })),
  fc.constant({ autoscalingMode: 'vertical' }),
  fc
    .tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 0, max: 10 }))
    .map(([least, more]) => ({
      autoscalingMode: 'horizontal',
      minReplicas: String(least),
      maxReplicas: String(least + more),
    })),
);

const memory: fc.Arbitrary<Raw> = fc.oneof(
  fc.constant({}),
  fc.tuple(stepped(8, 180, 4), stepped(0, 176, 4)).map(([least, more]) => ({
    minReplicaMemoryGb: String(least),
    maxReplicaMemoryGb: String(least + more),
  })),
);

const idling: fc.Arbitrary<Raw> = fc.oneof(
  fc.constant({}),
  fc.constant({ idleScaling: 'false' }),
  fc.integer({ min: 5, max: 500 }).map((minutes) => ({
    idleScaling: 'true',
    idleTimeoutMinutes: String(minutes),
  })),
);

const tag = fc
  .tuple(word, fc.option(word))
  .map(([key, value]) => (value === null ? key : `${key}=${value}`));

export const serviceInputs: fc.Arbitrary<Raw> = merged(
  fc.record<Raw>({
    name: word,
    ipAccessList: fc.constantFrom('203.0.113.0/24 office', '198.51.100.7\n203.0.113.9 home'),
  }),
  place,
  scaling,
  memory,
  idling,
  some({
    profile: oneOf('v1-default', 'v1-highmem-xl'),
    complianceType: oneOf('hipaa', 'pci'),
    releaseChannel: oneOf('slow', 'default', 'fast'),
    tags: fc.array(tag, { minLength: 1, maxLength: 5 }).map((tags) => tags.join('\n')),
    enableCoreDumps: yesNo,
    endpoints: yesNo,
    hasTransparentDataEncryption: yesNo,
    encryptionKey: fc.constant('disk'),
    privatePreviewTermsChecked: fc.constant(true),
    privateEndpointIds: fc.constant('vpce-1\nvpce-2'),
  }),
);

export const invitationInputs: fc.Arbitrary<Raw> = merged(
  word.map((name) => ({ email: `${name}@example.com` })),
  some({
    roles: fc
      .subarray(['admin', 'Developer', 'Analyst', 'Billing reader'], { minLength: 1 })
      .map((roles) => roles.join('\n')),
  }),
);

const table = merged(
  fc.record<Raw>({ database: word, table: word, managedTable: yesNo }),
  fc.uniqueArray(word, { minLength: 1, maxLength: 4 }).map((names) => ({
    columns: names.map((name) => `${name} String`).join('\n'),
    fieldMappings: names.map((name) => `${name} -> ${name}`).join('\n'),
  })),
  fc.oneof(
    fc.constantFrom<Raw>({ engineType: 'MergeTree' }, { engineType: 'Null' }),
    fc.constantFrom<Raw>(
      { engineType: 'SummingMergeTree', engineColumnIds: 'a\nb' },
      { engineType: 'ReplacingMergeTree', engineVersionColumnId: 'a' },
    ),
  ),
  some({
    sortingKey: fc.constant('id\ncityHash64(a, b)'),
    primaryKey: word,
    partitionBy: word,
    roles: fc.constant('loader\nreader'),
    replicas: whole(1, 40),
    replicaCpuMillicores: whole(125, 2_000),
    replicaMemoryGb: oneOf('0.5', '2', '7.5', '8'),
    concurrency: whole(1, 10),
    validateSamples: yesNo,
    engineMaxThreads: whole(0, 64),
    engineMinInsertBlockSizeBytes: whole(0, 10_737_418_240),
    engineParallelViewProcessing: yesNo,
  }),
);

/** By the kind of Kafka and its authentication; the form names the credential. */
const KAFKA_WAYS: readonly Raw[] = [
  ...['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'].map((way) => kafkaWay('kafka', way, 'login')),
  kafkaWay('redpanda', 'MUTUAL_TLS', 'tls'),
  kafkaWay('msk', 'IAM_USER', 'key'),
  { kafkaType: 'msk', kafkaAuthentication: 'IAM_ROLE', kafkaIamRole: ARN },
  kafkaWay('confluent', 'PLAIN', 'login'),
  kafkaWay('azureeventhub', 'PLAIN', 'azure'),
  kafkaWay('dokafka', 'SCRAM-SHA-256', 'login'),
];

function kafkaWay(type: string, authentication: string, credential: string): Raw {
  return { kafkaType: type, kafkaAuthentication: authentication, kafkaCredentials: credential };
}

const registry = {
  registryUrl: 'https://registry.example.com',
  registryAuthentication: 'PLAIN',
  registryCredentials: 'login',
};

const named = (kind: string) =>
  word.map((name): Raw => ({ name, sourceKind: kind, service: 'analytics' }));

export const pipeInputs: Readonly<Record<string, fc.Arbitrary<Raw>>> = {
  kafka: merged(
    named('kafka'),
    table,
    fc.record<Raw>({
      kafkaBrokers: fc.constantFrom('b-1.example.com:9092', 'b-1.example.com:9092,b-2:9092'),
      kafkaTopics: word,
      kafkaFormat: oneOf('JSONEachRow', 'Avro', 'AvroConfluent', 'Protobuf'),
    }),
    fc.constantFrom(...KAFKA_WAYS),
    fc.constantFrom<Raw>(
      {},
      { kafkaOffsetStrategy: 'from_latest' },
      { kafkaOffsetStrategy: 'from_timestamp', kafkaOffsetTimestamp: '2026-01-31T09:00' },
    ),
    fc.constantFrom<Raw>({}, registry),
    some({
      kafkaConsumerGroup: word,
      kafkaCaCertificate: fc.constant(CERTIFICATE),
      kafkaExactlyOnce: yesNo,
      kafkaReversePrivateEndpointIds: fc.constant('a\nb'),
      streamingMaxInsertWaitMs: whole(500, 60_000),
    }),
  ),
  kinesis: merged(
    named('kinesis'),
    table,
    fc.record<Raw>({
      kinesisStreamName: word,
      kinesisRegion: fc.constant('us-east-1'),
      kinesisFormat: oneOf('JSONEachRow', 'Avro', 'AvroConfluent'),
    }),
    fc.constantFrom<Raw>(
      { kinesisIteratorType: 'LATEST' },
      { kinesisIteratorType: 'TRIM_HORIZON' },
      { kinesisIteratorType: 'AT_TIMESTAMP', kinesisTimestamp: '1767225600' },
    ),
    fc.constantFrom<Raw>(
      { kinesisAuthentication: 'IAM_ROLE', kinesisIamRole: ARN },
      { kinesisAuthentication: 'IAM_USER', kinesisAccessKey: 'key' },
    ),
    some({ kinesisUseEnhancedFanOut: yesNo, streamingMaxInsertWaitMs: whole(500, 60_000) }),
  ),
  objectStorage: merged(
    named('objectStorage'),
    table,
    fc.record<Raw>({
      storageFormat: oneOf('JSONEachRow', 'JSONAsObject', 'CSV', 'CSVWithNames', 'Parquet', 'Avro'),
    }),
    fc.constantFrom<Raw>(
      { storageType: 's3', storageUrl: 'https://b.s3.us-east-1.amazonaws.com/a/*.json' },
      {
        ...{ storageType: 's3', storageUrl: 's3://bucket/a/*.json' },
        ...{ storageAuthentication: 'IAM_ROLE', storageIamRole: ARN },
      },
      {
        ...{ storageType: 'cloudflarer2', storageUrl: 'https://r2.example.com/a.csv' },
        ...{ storageAuthentication: 'IAM_USER', storageAccessKey: 'key' },
      },
      {
        ...{ storageType: 'gcs', storageUrl: 'gs://bucket/a.csv' },
        ...{ storageAuthentication: 'SERVICE_ACCOUNT', storageServiceAccountKey: 'google' },
      },
      {
        ...{ storageType: 'azureblobstorage', storageAuthentication: 'CONNECTION_STRING' },
        ...{ storageConnectionString: 'azure', storageAzureContainerName: 'orders' },
        storagePath: 'a/*.json',
      },
    ),
    some({
      storageCompression: oneOf('none', 'gzip', 'LZMA', 'auto'),
      storageDelimiter: fc.constant(';'),
      storageIsContinuous: yesNo,
      storageSkipInitialLoad: yesNo,
      storageStartAfter: word,
      storageQueueUrl: fc.constant('https://sqs.example.com/q'),
      objectStorageConcurrency: whole(1, 35),
      objectStorageMaxFileCount: whole(1, 10_000),
      objectStorageMaxInsertBytes: whole(10_485_760, 53_687_091_200),
    }),
  ),
  postgres: merged(
    named('postgres'),
    fc.record<Raw>({
      database: word,
      postgresHost: fc.constantFrom('db.example.com', '203.0.113.7'),
      postgresPort: whole(1, 65_535),
      postgresDatabase: word,
      postgresCredentials: fc.constant('login'),
      postgresTableMappings: fc.constantFrom(
        'public.orders -> orders',
        'public.a -> a engine(Null) exclude(x, y) sort(id)\npublic.b -> b partitionby(toYYYYMM(at)) partitionkey(id)',
      ),
    }),
    fc.constantFrom<Raw>(
      { postgresAuthentication: 'basic' },
      { postgresAuthentication: 'IAM_ROLE', postgresIamRole: ARN, postgresType: 'rdspostgres' },
    ),
    fc.constantFrom<Raw>(
      { postgresReplicationMode: 'cdc' },
      { postgresReplicationMode: 'snapshot' },
      { postgresReplicationMode: 'cdc_only', postgresReplicationSlotName: 'slot' },
    ),
    some({
      postgresTlsHost: fc.constant('db.example.com'),
      postgresCaCertificate: fc.constant(CERTIFICATE),
      postgresDisableTls: yesNo,
      postgresSkipCertVerification: yesNo,
      postgresDeleteOnMerge: yesNo,
      postgresPublicationName: word,
      postgresSyncIntervalSeconds: whole(1, 600),
      postgresPullBatchSize: whole(1, 100_000),
      postgresInitialLoadParallelism: whole(1, 8),
      postgresSnapshotNumRowsPerPartition: whole(1_000, 500_000),
      postgresAllowNullableColumns: yesNo,
    }),
  ),
};

export const CLOUD_CREDENTIALS = [
  { name: 'login', values: { username: 'fake-user', password: 'fake-password' } },
  { name: 'key', values: { accessKeyId: 'fake-access-key-id', secretKey: 'fake-secret-key' } },
  { name: 'tls', values: { certificate: CERTIFICATE, privateKey: 'fake-private-key' } },
  { name: 'azure', values: { connectionString: 'AccountName=fake;AccountKey=fake-account-key' } },
  { name: 'google', values: { serviceAccountKey: 'fake-service-account' } },
  { name: 'disk', values: { value: 'fake-disk-key' } },
];

export const hexId = fc.string({
  unit: fc.constantFrom(...'0123456789abcdef'),
  minLength: 24,
  maxLength: 24,
});
export const serviceId = fc.oneof(
  fc.constantFrom(...Object.values(SERVICES).map(({ id }) => id)),
  fc.uuid(),
);
