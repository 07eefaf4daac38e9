import { describe, expect, it } from 'vitest';
import { clickhouseCreatePipeRequest } from '../../../src/core/cloud/clickhouse-pipe.ts';
import { kafkaCredentialKeys } from '../../../src/core/cloud/clickhouse-pipe-rules.ts';
import {
  CLICKHOUSE_SERVICE_RULES,
  clickhouseCreateServiceRequest,
} from '../../../src/core/cloud/clickhouse-service.ts';

type Json = Readonly<Record<string, unknown>>;

/** A copy in which the value at a dotted path is another; undefined takes it away. */
function changed(from: Json, path: string, value: unknown): Json {
  const [key = '', ...rest] = path.split('.');
  const { [key]: inner, ...others } = from;
  if (rest.length > 0)
    return { ...others, [key]: changed((inner ?? {}) as Json, rest.join('.'), value) };
  return value === undefined ? others : { ...others, [key]: value };
}

const changedBy = (from: Json, changes: Json): Json =>
  Object.entries(changes).reduce((request, [path, value]) => changed(request, path, value), from);

type Schema = {
  safeParse(request: unknown): {
    error?: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } | undefined;
  };
};
const faultsOf = (schema: Schema, request: Json): readonly string[] =>
  (schema.safeParse(request).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

const STREAM = {
  database: 'default',
  table: 'orders',
  managedTable: true,
  columns: [{ name: 'id', type: 'String' }],
  tableDefinition: { engine: { type: 'MergeTree' } },
};
const PIPES = {
  kafka: {
    name: 'orders',
    destination: STREAM,
    source: {
      kafka: {
        type: 'kafka',
        format: 'JSONEachRow',
        authentication: 'PLAIN',
        brokers: 'kafka.example.com:9092',
        topics: 'orders',
        credentials: { username: 'reader', password: 'fake-password' },
      },
    },
  },
  kinesis: {
    name: 'orders',
    destination: STREAM,
    source: {
      kinesis: {
        format: 'JSONEachRow',
        streamName: 'orders',
        region: 'eu-west-1',
        iteratorType: 'LATEST',
        authentication: 'IAM_ROLE',
        iamRole: 'arn:aws:iam::123456789012:role/reader',
      },
    },
  },
  objectStorage: {
    name: 'orders',
    destination: STREAM,
    source: {
      objectStorage: { type: 's3', format: 'CSV', url: 'https://bucket.s3.amazonaws.com/*.csv' },
    },
  },
  postgres: {
    name: 'orders',
    destination: { database: 'default' },
    source: {
      postgres: {
        host: 'db.example.com',
        port: 5432,
        database: 'shop',
        authentication: 'basic',
        credentials: { username: 'reader', password: 'fake-password' },
        settings: { replicationMode: 'cdc' },
        tableMappings: [
          { sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' },
        ],
      },
    },
  },
} as const;
type Kind = keyof typeof PIPES;

/** The faults of a pipe that is right but for these changes. */
const faulty = (kind: Kind, changes: Json): readonly string[] =>
  faultsOf(clickhouseCreatePipeRequest, changedBy(PIPES[kind], changes));

/** What the cloud's own client always sends. Facts: Pipes. */
const NEEDED: Readonly<Record<Kind, readonly string[]>> = {
  kafka: ['type', 'format', 'authentication', 'brokers', 'topics'],
  kinesis: ['format', 'streamName', 'region', 'iteratorType', 'authentication'],
  objectStorage: ['type', 'format'],
  postgres: ['host', 'port', 'database', 'authentication', 'credentials', 'tableMappings'],
};
const KINDS: readonly Kind[] = ['kafka', 'kinesis', 'objectStorage', 'postgres'];
const STREAMED = ['table', 'managedTable', 'columns', 'tableDefinition.engine.type'];

describe('a pipe as ClickHouse Cloud takes it', () => {
  it.each(KINDS)('is taken from %s', (kind) => {
    expect(faulty(kind, {})).toEqual([]);
  });

  it.each([
    ...KINDS.flatMap((kind) => [
      [kind, 'name'] as const,
      [kind, 'destination.database'] as const,
      ...NEEDED[kind].map((key) => [kind, `source.${kind}.${key}`] as const),
      ...(kind === 'postgres' ? [] : STREAMED.map((key) => [kind, `destination.${key}`] as const)),
    ]),
    ['postgres', 'source.postgres.settings.replicationMode'] as const,
  ])('from %s needs %s', (kind, path) => {
    expect(faulty(kind, { [path]: undefined })).toContain(`${path}: set`);
  });

  it.each<readonly [Kind, Json, readonly string[]]>([
    [
      'kafka',
      { 'source.kafka.authentication': 'IAM_ROLE', 'source.kafka.type': 'msk' },
      [
        'source.kafka.iamRole: set with the authentication IAM_ROLE',
        'source.kafka.credentials: left out unless the authentication is PLAIN or SCRAM-SHA-256 or SCRAM-SHA-512 or IAM_USER or MUTUAL_TLS',
      ],
    ],
    [
      'kafka',
      { 'source.kafka.iamRole': 'arn:role' },
      ['source.kafka.iamRole: left out unless the authentication is IAM_ROLE'],
    ],
    [
      'kinesis',
      { 'source.kinesis.authentication': 'IAM_USER' },
      [
        'source.kinesis.iamRole: left out unless the authentication is IAM_ROLE',
        'source.kinesis.accessKey: set with the authentication IAM_USER',
      ],
    ],
    [
      'objectStorage',
      { 'source.objectStorage.authentication': 'IAM_ROLE' },
      ['source.objectStorage.iamRole: set with the authentication IAM_ROLE'],
    ],
    [
      'objectStorage',
      { 'source.objectStorage.connectionString': 'fake' },
      [
        'source.objectStorage.connectionString: left out unless the authentication is CONNECTION_STRING',
      ],
    ],
    [
      'objectStorage',
      { 'source.objectStorage.serviceAccountKey': 'fake' },
      [
        'source.objectStorage.serviceAccountKey: left out unless the authentication is SERVICE_ACCOUNT',
      ],
    ],
    [
      'postgres',
      { 'source.postgres.authentication': 'IAM_ROLE' },
      ['source.postgres.iamRole: set with the authentication IAM_ROLE'],
    ],
  ])('from %s, what its authentication asks for: %j', (kind, changes, faults) => {
    expect(faulty(kind, changes)).toEqual(faults);
  });

  it.each([
    ['kafka', ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'MUTUAL_TLS']],
    ['redpanda', ['SCRAM-SHA-256', 'SCRAM-SHA-512', 'MUTUAL_TLS']],
    ['msk', ['SCRAM-SHA-512', 'IAM_ROLE', 'IAM_USER', 'MUTUAL_TLS']],
    ['gcmk', ['PLAIN', 'MUTUAL_TLS']],
    ['confluent', ['PLAIN', 'MUTUAL_TLS']],
    ['warpstream', ['PLAIN']],
    ['azureeventhub', ['PLAIN']],
    ['dokafka', ['SCRAM-SHA-256', 'MUTUAL_TLS']],
  ])('Kafka of the kind %s takes %j', (type, taken) => {
    const all = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'IAM_ROLE', 'IAM_USER', 'MUTUAL_TLS'];
    for (const authentication of all) {
      const told = faulty('kafka', {
        'source.kafka.type': type,
        'source.kafka.authentication': authentication,
      }).filter((fault) => fault.startsWith('source.kafka.authentication'));
      expect(told).toEqual(
        taken.includes(authentication)
          ? []
          : [`source.kafka.authentication: one of ${taken.join(', ')} for ${type}`],
      );
    }
  });

  it.each([
    ['IAM_USER', 'msk', ['accessKeyId', 'secretKey']],
    ['MUTUAL_TLS', 'kafka', ['certificate', 'privateKey']],
    ['PLAIN', 'azureeventhub', ['connectionString']],
    ['PLAIN', 'kafka', ['username', 'password']],
    ['SCRAM-SHA-256', 'redpanda', ['username', 'password']],
  ])('Kafka with %s on %s takes a credential with %j', (authentication, type, keys) => {
    const request = changedBy(PIPES.kafka, {
      'source.kafka.authentication': authentication,
      'source.kafka.type': type,
      'source.kafka.credentials': Object.fromEntries(keys.map((key) => [key, 'fake'])),
    });
    expect(kafkaCredentialKeys(request)).toEqual(keys);
    expect(faultsOf(clickhouseCreatePipeRequest, request)).toEqual([]);
  });

  it.each([
    ['azureblobstorage', 'CONNECTION_STRING', undefined],
    ['gcs', 'SERVICE_ACCOUNT', undefined],
    ['s3', 'SERVICE_ACCOUNT', 'another one unless the type is gcs'],
    ['azureblobstorage', 'SERVICE_ACCOUNT', 'another one unless the type is gcs'],
    ['s3', 'CONNECTION_STRING', 'another one unless the type is azureblobstorage'],
    ['azureblobstorage', 'IAM_ROLE', 'CONNECTION_STRING for azureblobstorage'],
    ['azureblobstorage', undefined, 'CONNECTION_STRING for azureblobstorage'],
    ['gcs', undefined, undefined],
  ])('storage of the kind %s with %s: %s', (type, authentication, fault) => {
    const told = faulty('objectStorage', {
      'source.objectStorage.type': type,
      'source.objectStorage.authentication': authentication,
    }).filter((one) => one.startsWith('source.objectStorage.authentication'));
    expect(told).toEqual(
      fault === undefined ? [] : [`source.objectStorage.authentication: ${fault}`],
    );
  });

  it('a schema registry comes whole', () => {
    const registry = {
      url: 'https://registry.example.com',
      authentication: 'PLAIN',
      credentials: { username: 'reader', password: 'fake-password' },
    };
    expect(faulty('kafka', { 'source.kafka.schemaRegistry': registry })).toEqual([]);
    for (const key of Object.keys(registry)) {
      expect(
        faulty('kafka', { 'source.kafka.schemaRegistry': changed(registry, key, undefined) }),
      ).toEqual([`source.kafka.schemaRegistry.${key}: set where a schema registry is given`]);
    }
  });

  it.for<readonly [Kind, string, string, string, unknown]>([
    [
      'kafka',
      'source.kafka.offset.strategy',
      'from_timestamp',
      'source.kafka.offset.timestamp',
      '2026-11-01T00:00',
    ],
    [
      'kinesis',
      'source.kinesis.iteratorType',
      'AT_TIMESTAMP',
      'source.kinesis.timestamp',
      1_764_547_200,
    ],
  ])('from %s: with %s %s there is %s, and with no other', ([kind, path, value, moment, when]) => {
    const last = path.split('.').at(-1);
    expect(faulty(kind, { [path]: value, [moment]: when })).toEqual([]);
    expect(faulty(kind, { [path]: value })).toEqual([`${moment}: set where ${last} is ${value}`]);
    const other = kind === 'kafka' ? 'from_latest' : 'LATEST';
    expect(faulty(kind, { [path]: other, [moment]: when })).toEqual([
      `${moment}: left out unless ${last} is ${value}`,
    ]);
  });

  it('an offset has a strategy', () => {
    expect(faulty('kafka', { 'source.kafka.offset.timestamp': '2026-11-01T00:00' })).toEqual([
      'source.kafka.offset.strategy: set where an offset is given',
      'source.kafka.offset.timestamp: left out unless strategy is from_timestamp',
    ]);
  });

  it.for<readonly [Kind, string, string, string, unknown]>([
    [
      'postgres',
      'source.postgres.settings.replicationMode',
      'cdc_only',
      'source.postgres.settings.replicationSlotName',
      'slot',
    ],
    [
      'kafka',
      'destination.tableDefinition.engine.type',
      'SummingMergeTree',
      'destination.tableDefinition.engine.columnIds',
      ['total'],
    ],
    [
      'kafka',
      'destination.tableDefinition.engine.type',
      'ReplacingMergeTree',
      'destination.tableDefinition.engine.versionColumnId',
      'version',
    ],
  ])('from %s: only with %s %s there may be %s', ([kind, path, value, only, given]) => {
    expect(faulty(kind, { [path]: value, [only]: given })).toEqual([]);
    expect(faulty(kind, { [path]: value })).toEqual([]);
    expect(faulty(kind, { [only]: given })).toEqual([
      `${only}: left out unless ${path.split('.').at(-1)} is ${value}`,
    ]);
  });

  it('names each sorting key and each excluded column once', () => {
    const mapping = PIPES.postgres.source.postgres.tableMappings[0];
    const withKeys = (keys: readonly string[]) =>
      faulty('postgres', { 'source.postgres.tableMappings': [{ ...mapping, sortingKeys: keys }] });
    expect(withKeys(['id', 'day'])).toEqual([]);
    expect(withKeys(['id', 'id'])).toEqual([
      'source.postgres.tableMappings.0.sortingKeys: a list in which each stands once',
    ]);
  });
});

const SERVICE = {
  name: 'nightly',
  provider: 'aws',
  region: 'us-east-1',
  ipAccessList: [{ source: '203.0.113.0/24', description: 'office' }],
};
const HORIZONTAL = { autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 4 };

/** What a form says of the same request, by field. */
function saidInForm(request: Json): readonly string[] {
  return CLICKHOUSE_SERVICE_RULES.flatMap(({ field, fault }) => {
    const found = fault(request);
    return found === undefined ? [] : [`${field}: ${found.form}`];
  });
}

describe('a service as ClickHouse Cloud takes it', () => {
  it.each<readonly [string, Json, readonly string[], readonly string[]]>([
    ['nothing of scaling', {}, [], []],
    ['replicas that scale', HORIZONTAL, [], []],
    ['the least as many as the most', { ...HORIZONTAL, minReplicas: 4 }, [], []],
    [
      'more at least than at most',
      { ...HORIZONTAL, minReplicas: 5 },
      ['minReplicas: at most maxReplicas'],
      ['minReplicas: At most 4, the maximum.'],
    ],
    [
      'bounds without the mode',
      { minReplicas: 2, maxReplicas: 4 },
      [
        'minReplicas: left out unless autoscalingMode is horizontal',
        'maxReplicas: left out unless autoscalingMode is horizontal',
      ],
      ['minReplicas: Only where replicas scale.', 'maxReplicas: Only where replicas scale.'],
    ],
    [
      'the mode without bounds',
      { autoscalingMode: 'horizontal' },
      [
        'minReplicas: set where autoscalingMode is horizontal',
        'maxReplicas: set where autoscalingMode is horizontal',
      ],
      ['minReplicas: Needed where replicas scale.', 'maxReplicas: Needed where replicas scale.'],
    ],
    [
      'a number of replicas that scale',
      { ...HORIZONTAL, numReplicas: 3 },
      ['numReplicas: left out where autoscalingMode is horizontal'],
      ['numReplicas: Left empty where replicas scale: give the least and the most.'],
    ],
    ['a number of replicas that stays', { autoscalingMode: 'vertical', numReplicas: 3 }, [], []],
  ])('%s', (_what, changes, faults, inForm) => {
    const request = { ...SERVICE, ...changes };
    expect(faultsOf(clickhouseCreateServiceRequest, request)).toEqual(faults);
    expect(saidInForm(request)).toEqual(inForm);
  });

  it.each([
    [{ key: 'team', value: 'data_1.x-y' }, []],
    [{ key: 'team' }, []],
    [{ key: 'a b' }, ['tags.0.key: letters, digits, ".", "_" and "-"']],
    [{ key: 'k'.repeat(129) }, ['tags.0.key: at most 128 characters long']],
    [{ key: 'k'.repeat(128), value: 'v'.repeat(256) }, []],
    [{ key: 'k', value: 'v'.repeat(257) }, ['tags.0.value: at most 256 characters long']],
  ])('with the tag %j', (tag, faults) => {
    expect(faultsOf(clickhouseCreateServiceRequest, { ...SERVICE, tags: [tag] })).toEqual(faults);
  });

  it.each(['name', 'provider', 'region', 'ipAccessList'])('needs %s', (field) => {
    expect(
      faultsOf(clickhouseCreateServiceRequest, changed(SERVICE, field, undefined)).map(
        (fault) => fault.split(':')[0],
      ),
    ).toEqual([field]);
  });
});
