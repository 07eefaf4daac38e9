import { describe, expect, it } from 'vitest';
import { readUsageCost } from '../../../src/control-api/answers/cost-records.ts';
import {
  readActivity,
  readCreatedService,
  readInvitation,
  readPipe,
  readQueryEndpoint,
  readService,
} from '../../../src/control-api/answers/records.ts';
import { flag, listOf, number, text } from '../../../src/control-api/answers/reply.ts';

describe('the readers', () => {
  it.each([
    [text, 'a', 'a'],
    [text, '', undefined],
    [text, 7, '7'],
    [text, null, undefined],
    [text, {}, undefined],
    [number, 7, 7],
    [number, '7.5', 7.5],
    [number, '', undefined],
    [number, ' ', undefined],
    [number, 'seven', undefined],
    [number, '1e999', undefined],
    [number, true, undefined],
    [number, '0x10', undefined],
    [number, '0b1', undefined],
    [number, '-2.5e-3', -0.0025],
    [flag, '1', undefined],
    [flag, false, false],
    [flag, 'true', true],
    [flag, 'false', false],
    [flag, 1, undefined],
    [listOf(text), ['a', null, '', 'b'], ['a', 'b']],
    [listOf(text), 'a', undefined],
    [listOf(text), [], []],
  ])('%o of %j is %j', (read, value, expected) => {
    expect(read(value)).toEqual(expected);
  });

  it.each([
    readActivity,
    readUsageCost,
    readQueryEndpoint,
    readInvitation,
    readPipe,
    readService,
    readCreatedService,
  ])('%o take nothing but an object', (read) => {
    for (const value of [undefined, null, 'text', 7, true, []]) expect(read(value)).toBeUndefined();
  });
});

describe('a service record', () => {
  it.each<[string, object, object]>([
    [
      'an unknown state and region',
      { state: 'softdeleting', region: 'il-central-1' },
      { state: 'softdeleting', region: 'il-central-1' },
    ],
    ['new fields', { id: 's1', mcpEnabled: true, autoscalingMode: 'x' }, { id: 's1' }],
    [
      'unset fields as empty text or null',
      { id: 's1', tier: '', profile: null, numReplicas: null },
      { id: 's1' },
    ],
    [
      'numbers as text',
      { numReplicas: '3', minReplicaMemoryGb: '8' },
      { numReplicas: 3, minReplicaMemoryGb: 8 },
    ],
    ['a false', { idleScaling: false, isPrimary: 'true' }, { idleScaling: false, isPrimary: true }],
    [
      'an entry without a description, and one without a source',
      {
        ipAccessList: [
          { source: '192.0.2.1' },
          { description: 'x' },
          { source: '192.0.2.0/24', description: 'office' },
        ],
      },
      {
        ipAccessList: [{ source: '192.0.2.1' }, { source: '192.0.2.0/24', description: 'office' }],
      },
    ],
    [
      'an endpoint with a null username',
      { endpoints: [{ host: 'h', port: '8443', protocol: 'https', username: null }, null] },
      { endpoints: [{ host: 'h', port: 8443, protocol: 'https' }] },
    ],
    ['a key: it is never read', { id: 's1', encryptionKey: 'fake-key' }, { id: 's1' }],
    ['nothing', {}, {}],
  ])('with %s', (_, value, record) => {
    expect(readService(value)).toEqual(record);
  });

  it('is created with or without a password', () => {
    expect(readCreatedService({ service: { id: 's1' }, password: '' })).toEqual({
      service: { id: 's1' },
    });
    expect(readCreatedService({ service: null, password: 'fake-password' })).toBeUndefined();
  });
});

describe('costs', () => {
  const cost = { date: '2026-11-20', entityId: 'e1', totalUnits: 2, locked: true, metrics: {} };
  it.each<[string, unknown, number, number]>([
    ['an empty list', [], 0, 0],
    ['a list', [cost, cost], 2, 0],
    ['one object', cost, 1, 0],
    ['a record without a day', [cost, { ...cost, date: 'today' }], 1, 1],
    ['a record of the 31st of November', [{ ...cost, date: '2026-11-31' }], 0, 1],
    ['a record without an entity', [{ ...cost, entityId: null }], 0, 1],
    ['a record without an amount', [{ ...cost, totalUnits: 'much' }, cost], 1, 1],
    ['what is no record', [null, 'x', 7, cost], 1, 3],
  ])('from %s', (_, costs, read, skipped) => {
    const usage = readUsageCost({ costs, grandTotalUnits: '4.5' });
    expect(usage?.costs).toHaveLength(read);
    expect(usage).toMatchObject({ skipped, grandTotalUnits: 4.5 });
  });

  it('of any other shape are malformed', () => {
    expect(readUsageCost({ costs: 'none' })).toBeUndefined();
  });

  it.each([undefined, null, '', {}])('are nothing as %j only beside a total of 0', (costs) => {
    for (const total of [0, '0', 0.0, -0]) {
      expect(readUsageCost({ costs, grandTotalUnits: total })).toEqual({
        costs: [],
        skipped: 0,
        grandTotalUnits: Number(total),
      });
    }
    expect(readUsageCost({ costs, grandTotalCHC: 0 })).toMatchObject({ costs: [] });
    for (const total of [undefined, null, '', 4.5, -1, 'much', [], {}, true]) {
      expect(readUsageCost({ costs, grandTotalUnits: total })).toBeUndefined();
    }
  });

  it('are nothing as an empty list, whatever the total', () => {
    expect(readUsageCost({ costs: [] })).toEqual({ costs: [], skipped: 0 });
    expect(readUsageCost({ costs: [], grandTotalUnits: null })).toMatchObject({ costs: [] });
  });

  it('keep zero and negative amounts, unknown metrics and null services', () => {
    const usage = readUsageCost({
      costs: [
        {
          ...cost,
          date: '2026-11-20T00:00:00Z',
          totalUnits: 0,
          totalCHC: 9,
          serviceId: null,
          entityName: 'warehouse',
          entityType: 'datawarehouse',
          locked: 'true',
          organizationTier: 'SCALE',
          metrics: { storageCHC: '1.5', discount: -1, quantumUnits: 2, none: null, text: 'x' },
        },
        { ...cost, locked: 1, metrics: null },
      ],
    });
    expect(usage?.costs).toEqual([
      {
        date: '2026-11-20',
        entityId: 'e1',
        entityName: 'warehouse',
        entityType: 'datawarehouse',
        locked: true,
        totalUnits: 0,
        metrics: { storageUnits: 1.5, discount: -1, quantumUnits: 2 },
      },
      { date: '2026-11-20', entityId: 'e1', locked: false, totalUnits: 2, metrics: {} },
    ]);
    expect(usage).not.toHaveProperty('grandTotalUnits');
  });
});

describe('an invitation, an endpoint, an activity', () => {
  it('names assigned roles', () => {
    const assignedRoles = [{ roleId: 'r1', roleName: 'Analyst' }, { roleId: 'r2' }, 'Owner', null];
    expect(readInvitation({ role: 'frozen', assignedRoles })).toEqual({
      role: 'frozen',
      assignedRoles: ['Analyst', 'r2', 'Owner'],
    });
    expect(readInvitation({ assignedRoles: [] })).toEqual({});
  });

  it('reads origins as a text or a list', () => {
    expect(
      readQueryEndpoint({ allowedOrigins: ['https://a.example', 'https://b.example'] }),
    ).toEqual({
      allowedOrigins: 'https://a.example,https://b.example',
    });
    expect(readQueryEndpoint({ allowedOrigins: '', openApiKeys: null, roles: [] })).toEqual({
      roles: [],
    });
  });

  it('reads an activity with inapplicable keys absent', () => {
    expect(
      readActivity({
        id: '65f1c0',
        type: 'quantum_leap',
        actorType: 'api',
        targetKeyId: 'k',
        serviceId: '',
      }),
    ).toEqual({ id: '65f1c0', type: 'quantum_leap', actorType: 'api' });
  });
});

describe('a pipe record', () => {
  it.each<[string, object, object]>([
    [
      'kafka',
      {
        kafka: {
          type: 'msk',
          brokers: 'b:9092',
          topics: 't',
          format: 'Avro',
          authentication: 'IAM_ROLE',
          offset: { strategy: 'from_latest' },
          credentials: { password: 'fake-password' },
          schemaRegistry: { url: 'https://u:fake-password@registry.example.com/x?key=fake-key' },
        },
        kinesis: null,
      },
      {
        type: 'msk',
        brokers: 'b:9092',
        topics: 't',
        format: 'Avro',
        authentication: 'IAM_ROLE',
        offsetStrategy: 'from_latest',
        schemaRegistryUrl: 'https://registry.example.com/x',
      },
    ],
    [
      'kinesis',
      {
        kinesis: {
          streamName: 's',
          region: 'us-east-1',
          iteratorType: 'LATEST',
          useEnhancedFanOut: true,
        },
      },
      { streamName: 's', region: 'us-east-1', iteratorType: 'LATEST', useEnhancedFanOut: 'true' },
    ],
    [
      'objectStorage',
      {
        objectStorage: {
          url: 'https://s.example.com/a*.csv?sig=fake-signature',
          compression: 'gzip',
          isContinuous: false,
          connectionString: 'AccountKey=fake-key',
          queueUrl: 'https://q.example.com?fake-key',
        },
      },
      {
        url: 'https://s.example.com/a*.csv',
        compression: 'gzip',
        isContinuous: 'false',
        queueUrl: 'https://q.example.com',
      },
    ],
    [
      'postgres',
      {
        postgres: {
          host: 'db',
          port: 5432,
          database: 'shop',
          settings: { replicationMode: 'cdc' },
          credentials: {},
        },
      },
      { host: 'db', port: '5432', sourceDatabase: 'shop', replicationMode: 'cdc' },
    ],
    [
      'pubsub',
      { pubsub: { serviceAccount: 'fake-account' }, validateSamples: true },
      { validateSamples: 'true' },
    ],
  ])('of %s shows safe facts only', (sourceKind, source, facts) => {
    const record = readPipe({ id: 'p1', state: 'Running', source, encryptionKey: 'fake-key' });
    expect(record).toEqual({ id: 'p1', state: 'Running', sourceKind, facts });
    expect(JSON.stringify(record)).not.toContain('fake-');
  });

  it('shows every field of the record, in either spelling, and no certificate', () => {
    const record = readPipe({
      updatedAt: '2026-11-27T10:00:00Z',
      settings: { clickhouse_max_threads: 4, object_storage_use_cluster_function: false },
      fieldMappings: [{ sourceField: 'key', destinationField: 'id', note: 'fake-note' }],
      destination: {
        roles: ['fake-role'],
        columns: [{ name: 'id', type: 'UInt64' }],
        tableDefinition: { engine: { columnIds: ['a', 'b'] }, sortingKey: ['id', 'at'] },
      },
      source: {
        postgres: {
          settings: { syncIntervalSeconds: 60, enableFailoverSlots: false },
          tableMappings: [
            {
              sourceSchemaName: 'public',
              sourceTable: 'orders',
              targetTable: 'orders',
              tableEngine: 'Null',
              excludedColumns: ['card', 'note'],
            },
          ],
        },
      },
    });
    expect(record).toEqual({
      updatedAt: '2026-11-27T10:00:00Z',
      sourceKind: 'postgres',
      facts: {
        engine_max_threads: '4',
        object_storage_use_cluster_function: 'false',
        fieldMappings: 'key · id',
        columns: 'id · UInt64',
        engineColumnIds: 'a, b',
        sortingKey: 'id, at',
        syncIntervalSeconds: '60',
        enableFailoverSlots: 'false',
        tableMappings: 'public · orders · orders · Null · card, note',
      },
    });
    const kafka = readPipe({ source: { kafka: { caCertificate: 'x'.repeat(9), topics: 't' } } });
    expect(kafka?.facts).toEqual({ caCertificate: 'set', topics: 't' });
    const long = readPipe({ source: { kafka: { topics: 't'.repeat(9_000) } } });
    expect(long?.facts['topics']).toHaveLength(1_500);
  });

  it('adds destination and scaling, whatever their types', () => {
    const record = readPipe({
      source: null,
      destination: {
        database: 'default',
        table: 'events',
        managedTable: true,
        tableDefinition: { engine: { type: 'MergeTree' } },
      },
      scaling: { replicas: '2', replicaMemoryGb: 0.5 },
    });
    expect(record?.facts).toEqual({
      database: 'default',
      table: 'events',
      managedTable: 'true',
      engine: 'MergeTree',
      replicas: '2',
      replicaMemoryGb: '0.5',
    });
    expect(record).not.toHaveProperty('sourceKind');
  });
});
