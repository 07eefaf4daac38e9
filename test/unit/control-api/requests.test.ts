import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseRequest } from '../../../src/control-api/calls.ts';
import { CLIENT_ROUTES } from '../../../src/control-api/routes.ts';
import { AppError } from '../../../src/core/cloud/errors.ts';
import { type CreatePipeRequest, createPipeRequest } from '../../../src/core/cloud/pipe.ts';
import { costRange, invitationRequest } from '../../../src/core/cloud/records.ts';
import { type CreateServiceRequest, stateRequest } from '../../../src/core/cloud/service.ts';
import { createServiceRequest } from '../../../src/core/cloud/service-rules.ts';
import { type Fixture, failureOf, SERVICE_ID, startFixture } from './fixture.ts';

/** Every field once, all within the limits. */
const SERVICE: CreateServiceRequest = {
  name: 'Reporting 2',
  provider: 'aws',
  region: 'us-east-1',
  tier: 'production',
  profile: 'v1-default',
  complianceType: 'hipaa',
  releaseChannel: 'fast',
  numReplicas: 3,
  minReplicaMemoryGb: 48,
  maxReplicaMemoryGb: 232,
  minTotalMemoryGb: 24,
  maxTotalMemoryGb: 1068,
  idleScaling: false,
  idleTimeoutMinutes: 5,
  ipAccessList: [{ source: '192.0.2.1' }, { source: '0.0.0.0/0', description: 'anywhere' }],
  endpoints: [{ protocol: 'mysql', enabled: false }],
  privateEndpointIds: ['vpce-1'],
  byocId: 'byoc-1',
  dataWarehouseId: 'dw-1',
  isReadonly: true,
  backupId: '33333333-3333-4333-8333-333333333333',
  hasTransparentDataEncryption: true,
  encryptionKey: 'fake-encryption-key',
  encryptionAssumedRoleIdentifier: 'arn:aws:iam::1:role/x',
  privatePreviewTermsChecked: false,
};

const PIPE: CreatePipeRequest = {
  name: 'events',
  destination: {
    database: 'default',
    table: 'events',
    managedTable: true,
    roles: ['writer'],
    columns: [{ name: 'id', type: 'UInt64' }],
    tableDefinition: {
      engine: { columnIds: ['id'], versionColumnId: 'v' },
      partitionBy: 'day',
      primaryKey: 'id',
      sortingKey: ['id'],
    },
  },
  fieldMappings: [{ sourceField: 'a', destinationField: 'b' }],
  scaling: { concurrency: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5, replicas: 2 },
  settings: {
    engine_max_download_threads: 1,
    engine_max_insert_threads: 1,
    engine_max_threads: 1,
    engine_min_insert_block_size_bytes: 1,
    engine_parallel_distributed_insert_select: 0,
    engine_parallel_view_processing: false,
    object_storage_concurrency: 1,
    object_storage_max_file_count: 1,
    object_storage_max_insert_bytes: 1,
    object_storage_polling_interval_ms: 100,
    object_storage_use_cluster_function: true,
    streaming_max_insert_wait_ms: 500,
  },
  source: {
    kafka: {
      brokers: 'b:9092',
      topics: 't',
      consumerGroup: 'g',
      caCertificate: 'fake-certificate',
      iamRole: 'arn',
      credentials: { username: 'fake-user', password: 'fake-password' },
      offset: { timestamp: '2026-01-01T00:00' },
      reversePrivateEndpointIds: ['r'],
      schemaRegistry: {
        url: 'https://registry.example.com',
        authentication: 'PLAIN',
        caCertificate: 'fake-certificate',
        credentials: { username: 'fake-user', password: 'fake-password' },
      },
    },
    validateSamples: false,
  },
};

const OTHER_SOURCES: readonly NonNullable<CreatePipeRequest['source']>[] = [
  {
    kinesis: {
      streamName: 's',
      region: 'us-east-1',
      timestamp: 1_700_000_000,
      useEnhancedFanOut: true,
      iamRole: 'arn',
      accessKey: { accessKeyId: 'fake-id', secretKey: 'fake-secret' },
    },
  },
  {
    objectStorage: {
      url: 'https://s.example.com/{a,b}/*.csv',
      path: '/',
      compression: 'gzip',
      delimiter: ',',
      isContinuous: false,
      queueUrl: 'https://q.example.com',
      azureContainerName: 'c',
      connectionString: 'fake-connection',
      iamRole: 'arn',
      accessKey: { accessKeyId: 'fake-id', secretKey: 'fake-secret' },
    },
  },
  {
    postgres: {
      host: 'db',
      port: 5432,
      database: 'shop',
      credentials: { username: 'fake-user', password: 'fake-password' },
      settings: {
        allowNullableColumns: true,
        enableFailoverSlots: false,
        initialLoadParallelism: 1,
        publicationName: 'p',
        pullBatchSize: 1,
        replicationSlotName: 'r',
        snapshotNumRowsPerPartition: 1000,
        snapshotNumberOfParallelTables: 1,
        syncIntervalSeconds: 10,
      },
      tableMappings: [
        {
          sourceSchemaName: 'public',
          sourceTable: 'orders',
          targetTable: 'orders',
          excludedColumns: ['x'],
          sortingKeys: ['id'],
          useCustomSortingKey: true,
        },
      ],
    },
  },
];

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return String(error.userMessage);
    throw error;
  }
  return 'nothing was refused';
}

describe('a request to create a service', () => {
  const parse = (request: unknown) => parseRequest('createService', createServiceRequest, request);

  it('may use every field of the specification', () => {
    expect(parse(SERVICE)).toEqual(SERVICE);
    expect(Object.keys(SERVICE)).toHaveLength(25);
  });

  it('drops what is undefined, keeps what is false, requires nothing', () => {
    expect(
      parse({
        name: undefined,
        idleScaling: false,
        ipAccessList: [{ source: '192.0.2.1', description: undefined }],
      }),
    ).toEqual({
      idleScaling: false,
      ipAccessList: [{ source: '192.0.2.1' }],
    });
    expect(parse({})).toEqual({});
  });

  it.each<[object, string]>([
    [{ name: 'x'.repeat(51) }, 'name has to be at most 50 characters long'],
    [{ name: 'a-b' }, 'name has to be letters, digits and spaces'],
    [{ name: '' }, 'name has to be letters, digits and spaces'],
    [{ name: '  ' }, 'name has to be letters, digits and spaces'],
    [{ name: 'a\n' }, 'name has to be letters, digits and spaces'],
    [{ name: 7 }, 'name has to be text'],
    [{ provider: 'ibm' }, 'provider has to be one of aws, gcp, azure'],
    [{ region: 'moon-1' }, 'region has to be one of ap-northeast-1'],
    [{ tier: 'gold' }, 'tier has to be one of development'],
    [{ profile: 'v2' }, 'profile has to be one of v1-default'],
    [{ complianceType: 'soc2' }, 'complianceType has to be one of hipaa, pci'],
    [{ releaseChannel: 'soon' }, 'releaseChannel has to be one of slow, default, fast'],
    [{ numReplicas: 0 }, 'numReplicas has to be 1 to 20'],
    [{ numReplicas: 21 }, 'numReplicas has to be 1 to 20'],
    [{ numReplicas: 2.5 }, 'numReplicas has to be 1 to 20'],
    [{ numReplicas: null }, 'numReplicas has to be 1 to 20'],
    [{ minReplicaMemoryGb: 4 }, 'minReplicaMemoryGb has to be 8 to 356, a multiple of 4'],
    [{ maxReplicaMemoryGb: 360 }, 'maxReplicaMemoryGb has to be 8 to 356, a multiple of 4'],
    [{ maxReplicaMemoryGb: 10 }, 'maxReplicaMemoryGb has to be 8 to 356, a multiple of 4'],
    [
      { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 8 },
      'minReplicaMemoryGb has to be at most maxReplicaMemoryGb',
    ],
    [{ minTotalMemoryGb: 12 }, 'minTotalMemoryGb has to be 24 to 1068, a multiple of 12'],
    [{ maxTotalMemoryGb: 1080 }, 'maxTotalMemoryGb has to be 24 to 1068, a multiple of 12'],
    [{ maxTotalMemoryGb: 25 }, 'maxTotalMemoryGb has to be 24 to 1068, a multiple of 12'],
    [
      { tier: 'production', minTotalMemoryGb: 36, maxTotalMemoryGb: 24 },
      'minTotalMemoryGb has to be at most maxTotalMemoryGb',
    ],
    [
      { tier: 'development', maxTotalMemoryGb: 24 },
      'maxTotalMemoryGb has to be left out unless the tier is production',
    ],
    [{ tier: 'development', minTotalMemoryGb: 24 }, 'minTotalMemoryGb has to be left out unless'],
    [{ tier: 'development', releaseChannel: 'fast' }, 'releaseChannel has to be left out unless'],
    [
      { provider: 'azure', tier: 'development' },
      'tier has to be another than development on azure',
    ],
    [{ idleScaling: 'no' }, 'idleScaling has to be true or false'],
    [{ idleTimeoutMinutes: 4 }, 'idleTimeoutMinutes has to be a number from 5'],
    [
      { ipAccessList: [{ source: '::1' }] },
      'ipAccessList.0.source has to be an IPv4 address or IPv4 CIDR',
    ],
    [{ ipAccessList: [{ source: '192.0.2.0/33' }] }, 'ipAccessList.0.source has to be'],
    [
      { ipAccessList: [{ source: '192.0.2.1', note: 'x' }] },
      'ipAccessList.0.note is not a field of this request',
    ],
    [
      { endpoints: [{ protocol: 'https', enabled: true }] },
      'endpoints.0.protocol has to be one of mysql',
    ],
    [{ endpoints: [{ protocol: 'mysql' }] }, 'endpoints.0.enabled has to be true or false'],
    [{ endpoints: [] }, 'endpoints has to be a list with at least one entry'],
    [{ privateEndpointIds: [''] }, 'privateEndpointIds.0 has to be text'],
    [
      { byocId: 'b' },
      'minReplicaMemoryGb has to be one of 48, 116, 172, 232 where byocId is set; maxReplicaMemoryGb',
    ],
    [
      { byocId: 'b', minReplicaMemoryGb: 48, maxReplicaMemoryGb: 64 },
      'maxReplicaMemoryGb has to be one of 48',
    ],
    [{ isReadonly: true }, 'isReadonly has to be left out unless a dataWarehouseId is given'],
    [{ backupId: 'yesterday' }, 'backupId has to be a UUID'],
    [{ encryptionKey: '' }, 'encryptionKey has to be text, or left out'],
    [{ state: 'running', id: 'x' }, 'state, id is not a field of this request'],
    [{ password: 'fake-password' }, 'password is not a field of this request'],
  ])('is refused: %j', (request, words) => {
    expect(refusal(() => parse(request))).toContain(`No service was created: ${words}`);
  });
});

describe('a request to create a pipe', () => {
  const parse = (request: unknown) => parseRequest('createPipe', createPipeRequest, request);

  it.each([PIPE, ...OTHER_SOURCES.map((source) => ({ source }))])(
    'may use every field of the specification',
    (request) => {
      expect(parse(request)).toEqual(request);
    },
  );

  it.each<[object, string]>([
    [{ source: {} }, 'source has to be exactly one of kafka, kinesis, objectStorage, postgres'],
    [
      { source: { kafka: { topics: 't' }, kinesis: { region: 'r' } } },
      'source has to be exactly one of',
    ],
    [{ source: { kafka: {} } }, 'source.kafka has to be filled in, or left out'],
    [{ source: { kafka: { type: 'msk' } } }, 'source.kafka.type is not a field of this request'],
    [
      { source: { kafka: { credentials: { username: 'u' } } } },
      'source.kafka.credentials.password has to be text',
    ],
    [{ source: { kinesis: { timestamp: 'now' } } }, 'source.kinesis.timestamp has to be a number'],
    [{ source: { postgres: { port: 70_000 } } }, 'source.postgres.port has to be 1 to 65535'],
    [
      { source: { postgres: { tableMappings: [{ table: 'x' }] } } },
      'source.postgres.tableMappings.0.table is not',
    ],
    [{ source: 'kafka' }, 'source has to be an object'],
    [{ settings: { clickhouse_max_threads: 1 } }, 'settings.clickhouse_max_threads is not a field'],
    [
      { settings: { engine_parallel_view_processing: 1 } },
      'settings.engine_parallel_view_processing has to be true or false',
    ],
    [
      { settings: { engine_max_threads: -1 } },
      'settings.engine_max_threads has to be a number from 0',
    ],
    [{ scaling: { replicas: '2' } }, 'scaling.replicas has to be a number'],
    [
      { destination: { tableDefinition: { engine: { type: 'MergeTree' } } } },
      'destination.tableDefinition.engine.type is not',
    ],
    [
      { destination: { columns: [] } },
      'destination.columns has to be a list with at least one entry',
    ],
    [{ fieldMappings: [{ sourceField: 'a' }] }, 'fieldMappings.0.destinationField has to be text'],
    [{ name: '' }, 'name has to be text, or left out'],
    [{ state: 'Running' }, 'state is not a field of this request'],
  ])('is refused: %j', (request, words) => {
    expect(refusal(() => parse(request))).toContain(`No pipe was created: ${words}`);
  });

  it('names what is no request at all', () => {
    for (const request of ['events', 7, null, undefined, [{ name: 'events' }]]) {
      expect(refusal(() => parse(request))).toMatch(/^No pipe was created: the request has to be /);
    }
  });

  it('drops what is undefined in lists too', () => {
    const tableMappings = [{ sourceTable: 'a', targetTable: undefined }, { sourceTable: 'b' }];
    expect(parse({ source: { postgres: { tableMappings } } })).toEqual({
      source: { postgres: { tableMappings: [{ sourceTable: 'a' }, { sourceTable: 'b' }] } },
    });
  });

  it('says that nothing was sent, beside why', () => {
    const failure = (request: unknown): AppError => {
      try {
        parse(request);
      } catch (error) {
        if (error instanceof AppError) return error;
      }
      throw new Error('It was expected to refuse.');
    };
    const { because, cause } = failure({ name: '', scaling: { replicas: '2' } });
    expect(because).toEqual({
      cause: 'name has to be text, or left out; scaling.replicas has to be a number',
      way: 'Nothing was sent.',
    });
    expect(cause).toBeInstanceOf(Error);
  });

  it('names five problems at most', () => {
    const five = Array.from({ length: 5 }, () => ({ name: '', type: 'x' }));
    const all = refusal(() => parse({ destination: { columns: five } }));
    expect(all).toMatch(
      /columns\.0\.name has .*; destination\.columns\.4\.name has to be text, or left out\.$/,
    );
    expect(all).not.toContain('more');
    const columns = Array.from({ length: 9 }, () => ({ name: '', type: 'x' }));
    expect(refusal(() => parse({ destination: { columns } }))).toMatch(/; and 4 more\.$/);
  });
});

describe('the other requests', () => {
  it.each<[() => unknown, string]>([
    [
      () => parseRequest('setServiceState', stateRequest, { command: 'awake' }),
      'command has to be one of start, stop',
    ],
    [
      () => parseRequest('createInvitation', invitationRequest, { email: 'ana' }),
      'email has to be an e-mail address',
    ],
    [
      () => parseRequest('usageCost', costRange, { from: '2026-11-1', to: '2026-11-02' }),
      'from has to be a day',
    ],
    [
      () => parseRequest('usageCost', costRange, { from: '2026-02-01', to: '2026-02-29' }),
      'to has to be a day',
    ],
    [
      () =>
        parseRequest('usageCost', costRange, {
          from: '2026-11-02T00:00:00Z',
          to: '2026-11-02',
        }),
      'from has to be a day',
    ],
    [
      () => parseRequest('usageCost', costRange, { from: '2026-11-02', to: '2026-11-01' }),
      'to has to be no earlier than from',
    ],
    [
      () => parseRequest('usageCost', costRange, { from: '2026-11-01', to: '2026-12-02' }),
      'to has to be at most 30 days after from',
    ],
  ])('are refused: %s', (run, words) => {
    expect(refusal(run)).toContain(words);
  });

  it('allow one day and 31 days', () => {
    for (const to of ['2026-11-01', '2026-12-01']) {
      const range = { from: '2026-11-01', to };
      expect(parseRequest('usageCost', costRange, range)).toEqual(range);
    }
  });
});

describe('a refused request', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(() => fixture.close());

  it.each<[string, (api: Fixture['api']) => Promise<unknown>]>([
    ['createService', (api) => api.createService('acme', { numReplicas: 21 })],
    ['createPipe', (api) => api.createPipe('acme', SERVICE_ID, { source: {} })],
    ['createInvitation', (api) => api.createInvitation('acme', 'ana')],
    ['usageCost', (api) => api.usageCost('acme', { from: '2026-11-01', to: '2027-11-01' })],
  ])('of %s never leaves', async (_, run) => {
    expect(await failureOf(run(fixture.api))).toMatchObject({
      code: 'invalid',
      changed: 'no',
      retryable: false,
    });
    expect(fixture.server.requests).toHaveLength(0);
  });

  it('is told apart from any that fits, for any replica memory', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 400 }), (memory) => {
        const fits = memory >= 8 && memory <= 356 && memory % 4 === 0;
        expect(createServiceRequest.safeParse({ maxReplicaMemoryGb: memory }).success).toBe(fits);
      }),
    );
  });
});

describe('the table of routes', () => {
  it('holds the nine operations of the specification, and retries none that creates', () => {
    const routes = Object.values(CLIENT_ROUTES).slice(0, 9);
    expect(routes.map((route) => `${route.method} ${route.path} ${route.retry}`)).toEqual([
      'POST /v1/organizations/{organizationId}/services never',
      'PATCH /v1/organizations/{organizationId}/services/{serviceId}/state unsent',
      'POST /v1/organizations/{organizationId}/invitations never',
      'GET /v1/organizations/{organizationId}/invitations/{invitationId} read',
      'GET /v1/organizations/{organizationId}/services/{serviceId}/serviceQueryEndpoint read',
      'POST /v1/organizations/{organizationId}/services/{serviceId}/pipes never',
      'GET /v1/organizations/{organizationId}/activities/{activityId} read',
      'GET /v1/organizations/{organizationId}/usageCost read',
      'DELETE /api/v2/dashboards/{id} unsent',
    ]);
  });
});
