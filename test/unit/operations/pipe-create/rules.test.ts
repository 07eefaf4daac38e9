import { describe, expect, it } from 'vitest';
import type { SourceKind } from '../../../../src/core/cloud/pipe.ts';
import { LEAST } from '../../../support/pipe-fields.ts';
import { issuesOf, saidOf } from './fixture.ts';

function least(kind: SourceKind, changes: object = {}): Record<string, unknown> {
  return { name: 'orders', sourceKind: kind, ...LEAST[kind], ...changes };
}

const NUMBERS: readonly (readonly [SourceKind, string, readonly string[], string])[] = [
  ['kafka', 'replicas', ['0', '41', '1.5', 'two', '0x10', '1e1'], '1 to 40'],
  ['kafka', 'replicaCpuMillicores', ['124', '2001'], '125 to 2,000'],
  ['kafka', 'replicaMemoryGb', ['0.4', '8.5'], '0.5 to 8'],
  ['kafka', 'concurrency', ['0'], 'from 1'],
  ['kafka', 'streamingMaxInsertWaitMs', ['499', '60001'], '500 to 60,000'],
  ['objectStorage', 'objectStorageConcurrency', ['0', '36'], '1 to 35'],
  ['objectStorage', 'objectStoragePollingIntervalMs', ['99', '3600001'], '100 to 3,600,000'],
  ['objectStorage', 'objectStorageMaxInsertBytes', ['10485759', '53687091201'], '10,485,760 to'],
  ['objectStorage', 'objectStorageMaxFileCount', ['0', '10001'], '1 to 10,000'],
  ['kafka', 'engineMaxThreads', ['-1', '65'], '0 to 64'],
  ['kafka', 'engineMaxInsertThreads', ['17'], '0 to 16'],
  ['kafka', 'engineMaxDownloadThreads', ['33'], '0 to 32'],
  ['kafka', 'engineMinInsertBlockSizeBytes', ['10737418241'], '0 to 10,737,418,240'],
  ['kafka', 'engineParallelDistributedInsertSelect', ['3'], '0 to 2'],
  ['kinesis', 'kinesisTimestamp', ['0', '1767225600000', '1.5'], 'not milliseconds'],
  ['postgres', 'postgresPort', ['0', '65536'], '1 to 65,535'],
  ['postgres', 'postgresSnapshotNumRowsPerPartition', ['999'], 'from 1,000'],
  ['postgres', 'postgresInitialLoadParallelism', ['0'], 'from 1'],
  ['postgres', 'postgresPullBatchSize', ['0'], 'from 1'],
  ['postgres', 'postgresSnapshotNumberOfParallelTables', ['0'], 'from 1'],
  ['postgres', 'postgresSyncIntervalSeconds', ['0'], 'from 1'],
];

describe('the rules of a pipe, told beside the field', () => {
  it.each(NUMBERS)('%s: %s outside its bounds', (kind, key, values, words) => {
    for (const value of values) {
      const [issue, ...more] = issuesOf(least(kind, { [key]: value }));
      expect(more).toEqual([]);
      expect(issue?.field).toBe(key);
      expect(issue?.message).toMatch(
        /^(?:two|0x10|1e1)$/u.test(value) ? /A number/u : new RegExp(words, 'u'),
      );
    }
  });

  it.each<[SourceKind, string, string, string]>([
    ['kafka', 'name', 'n'.repeat(201), 'At most 200 characters.'],
    ['kafka', 'kafkaBrokers', 'broker', 'host:port, several with commas between them.'],
    ['kafka', 'kafkaBrokers', 'kafka://a:9092', 'host:port, several with commas between them.'],
    ['kafka', 'kafkaOffsetTimestamp', 'yesterday', 'A moment in UTC such as 2026-01-31T09:00.'],
    [
      'kafka',
      'kafkaOffsetTimestamp',
      '2026-02-31T09:00',
      'A moment in UTC such as 2026-01-31T09:00.',
    ],
    [
      'kafka',
      'kafkaCaCertificate',
      'abc',
      'A certificate that begins with -----BEGIN CERTIFICATE-----.',
    ],
    ['kafka', 'registryUrl', 'registry', 'An address such as https://registry.example.com.'],
    ['kafka', 'managedTable', 'maybe', 'Yes (true) or no (false).'],
    ['kafka', 'columns', 'id', 'Entry 1: name type, as in id UInt64.'],
    [
      'objectStorage',
      'storageUrl',
      'bucket/key',
      'An address such as https://…, s3://… or gs://….',
    ],
    [
      'objectStorage',
      'storageUrl',
      'file:///etc/passwd',
      'An address such as https://…, s3://… or gs://….',
    ],
    [
      'objectStorage',
      'storageCompression',
      'zip',
      'One of none, gzip, gz, brotli, br, xz, LZMA, zstd, auto.',
    ],
    [
      'postgres',
      'postgresHost',
      'https://db',
      'A host name such as db.example.com, without scheme and port.',
    ],
    [
      'postgres',
      'postgresHost',
      'db:5432',
      'A host name such as db.example.com, without scheme and port.',
    ],
  ])('%s: %s', (kind, key, value, message) => {
    expect(saidOf(least(kind, { [key]: value }))).toEqual([`${key}: ${message}`]);
  });

  it.each<[SourceKind, readonly string[]]>([
    ['kafka', ['kafkaBrokers', 'kafkaTopics', 'table', 'managedTable', 'columns', 'fieldMappings']],
    [
      'kinesis',
      ['kinesisStreamName', 'kinesisRegion', 'table', 'managedTable', 'columns', 'fieldMappings'],
    ],
    ['objectStorage', ['table', 'managedTable', 'columns', 'fieldMappings', 'storageUrl']],
    [
      'postgres',
      ['postgresHost', 'postgresPort', 'postgresDatabase', 'postgresTableMappings', 'database'],
    ],
  ])('%s: what is missing is said all at once', (kind, keys) => {
    const found = issuesOf({ sourceKind: kind });
    expect(found.map(({ field }) => field)).toEqual(['name', ...keys]);
    expect(issuesOf(least(kind))).toEqual([]);
  });

  it('checks the fields also where the service is missing', () => {
    const fields = issuesOf({ service: undefined, sourceKind: 'kafka' }).map(({ field }) => field);
    expect(fields.slice(0, 3)).toEqual(['service', 'name', 'kafkaBrokers']);
  });

  it('asks for a source where there is none', () => {
    expect(saidOf({ name: 'orders' })).toEqual([
      'sourceKind: Choose a source, or paste a definition that has one.',
    ]);
    expect(saidOf({ sourceKind: 'pulsar' })).toEqual([
      'sourceKind: One of kafka, kinesis, objectStorage, postgres.',
    ]);
  });

  it('wants a mapping for every column, and none besides', () => {
    const columns = 'id UInt64\nat DateTime\nnote String';
    expect(saidOf(least('kafka', { columns }))).toEqual([
      'fieldMappings: Every column needs one; missing: at, note.',
    ]);
    expect(saidOf(least('kafka', { fieldMappings: 'id -> id\nx -> y' }))).toEqual([
      'fieldMappings: Only to columns of the table; not one: y.',
    ]);
  });

  it('finds Azure files by container, path and connection string', () => {
    const azure = { storageUrl: '', storageAzureContainerName: 'orders' };
    expect(issuesOf(least('objectStorage', azure)).map(({ field }) => field)).toEqual([
      'storagePath',
      'storageConnectionString',
    ]);
    const whole = { ...azure, storagePath: 'a/*.json', storageConnectionString: 'azure' };
    expect(issuesOf(least('objectStorage', whole))).toEqual([]);
  });

  it('wants the address of a schema registry that is described', () => {
    expect(saidOf(least('kafka', { registryAuthentication: 'PLAIN' }))).toEqual([
      'registryUrl: The address of the schema registry.',
    ]);
  });

  it('leaves aside what was typed for another source before the choice changed', () => {
    const left = { ...LEAST.kafka, kafkaOffsetTimestamp: 'nonsense', replicas: '99' };
    expect(issuesOf({ ...left, ...least('postgres') })).toEqual([]);
  });
});

describe('secrets', () => {
  const URL_SECRETS = [
    'https://user:fake@bucket.example.com/a',
    'https://fake-token@bucket.example.com/a',
    'https://acc.blob.core.windows.net/c/a?sv=2024&sig=ZmFrZQ%3D%3D',
    'https://b.s3.amazonaws.com/a?X-Amz-Signature=fake',
    's3://user:fa/ke@bucket/a',
  ];
  it.each([
    ...URL_SECRETS.map((text) => ['objectStorage', 'storageUrl', text] as const),
    ['objectStorage', 'storageQueueUrl', 'https://user:fake@sqs.example.com'],
    ['objectStorage', 'storagePath', 'AccountName=a;AccountKey=ZmFrZQ=='],
    ['kafka', 'kafkaBrokers', 'user:fake@broker:9092'],
    ['kafka', 'registryUrl', 'https://user:fake@registry.example.com'],
    ['kafka', 'kafkaCaCertificate', '-----BEGIN PRIVATE KEY-----\nZmFrZQ==\n'],
    ['postgres', 'postgresHost', 'postgres://user:fake@db.example.com'],
    ['postgres', 'postgresHost', 'user:fake@db.example.com'],
    ['postgres', 'postgresDatabase', 'app?password=fake'],
  ] as const)('%s: %s refuses %s', (kind, key, text) => {
    expect(saidOf(least(kind, { [key]: text }))).toEqual([
      `${key}: Holds a secret. Name it under credentials: in steward.yaml and choose that name.`,
    ]);
  });

  it.each(['AccountName=a;AccountKey=ZmFrZQ==', 'fake/secret+key', ''.padEnd(51, 'k')])(
    'a credential is a name, not %s',
    (text) => {
      const [said] = saidOf(least('objectStorage', { storageConnectionString: text }));
      expect(said).toMatch(/^storageConnectionString: The name of an entry/u);
      expect(said).not.toContain(text);
    },
  );

  it.each([
    'https://bucket.s3.amazonaws.com:443/a@b/*.json',
    's3://bucket/year=2026/{a,b}.json',
    'abfss://container@account.dfs.core.windows.net/orders/*.json',
    'https://bucket.example.com/a?versionId=3',
  ])('%s holds none', (storageUrl) => {
    expect(issuesOf(least('objectStorage', { storageUrl }))).toEqual([]);
  });
});
