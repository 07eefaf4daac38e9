import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  envelope,
  type Fixture,
  failureOf,
  KEY_ID,
  KEY_SECRET,
  ORGANIZATION_ID,
  SERVICE_ID,
  startFixture,
  TOKEN,
} from './fixture.ts';

const BASE = `/v1/organizations/${ORGANIZATION_ID}`;

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.close());

type Case = {
  readonly name: string;
  readonly answer: object;
  readonly run: (api: Fixture['api']) => Promise<unknown>;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly result: object;
};

const CASES: readonly Case[] = [
  {
    name: 'createService',
    answer: { password: 'fake-password', service: { id: SERVICE_ID, state: 'provisioning' } },
    run: (api) =>
      api.createService('acme', { name: 'reporting', idleScaling: false, ipAccessList: [] }),
    method: 'POST',
    path: `${BASE}/services`,
    body: { name: 'reporting', idleScaling: false, ipAccessList: [] },
    result: { password: 'fake-password', service: { id: SERVICE_ID, state: 'provisioning' } },
  },
  {
    name: 'setServiceState',
    answer: { id: SERVICE_ID, state: 'stopping' },
    run: (api) => api.setServiceState('acme', SERVICE_ID, 'stop'),
    method: 'PATCH',
    path: `${BASE}/services/${SERVICE_ID}/state`,
    body: { command: 'stop' },
    result: { id: SERVICE_ID, state: 'stopping' },
  },
  {
    name: 'createInvitation',
    answer: { id: 'i1', email: 'ana@example.com', role: 'developer' },
    run: (api) => api.createInvitation('acme', 'ana@example.com'),
    method: 'POST',
    path: `${BASE}/invitations`,
    body: { email: 'ana@example.com' },
    result: { id: 'i1', email: 'ana@example.com', role: 'developer' },
  },
  {
    name: 'invitation',
    answer: { id: 'i1', email: 'ana@example.com' },
    run: (api) => api.invitation('acme', 'i 1'),
    method: 'GET',
    path: `${BASE}/invitations/i%201`,
    result: { id: 'i1', email: 'ana@example.com' },
  },
  {
    name: 'queryEndpoint',
    answer: { id: 'e1', roles: ['sql_console_admin'] },
    run: (api) => api.queryEndpoint('acme', SERVICE_ID),
    method: 'GET',
    path: `${BASE}/services/${SERVICE_ID}/serviceQueryEndpoint`,
    result: { id: 'e1', roles: ['sql_console_admin'] },
  },
  {
    name: 'createPipe',
    answer: { id: 'p1', state: 'Provisioning', source: { kafka: { topics: 'events' } } },
    run: (api) =>
      api.createPipe('acme', SERVICE_ID, {
        name: 'events',
        settings: { engine_max_threads: 4 },
        source: { kafka: { topics: 'events' } },
      }),
    method: 'POST',
    path: `${BASE}/services/${SERVICE_ID}/pipes`,
    body: {
      name: 'events',
      settings: { engine_max_threads: 4 },
      source: { kafka: { topics: 'events' } },
    },
    result: { id: 'p1', state: 'Provisioning', sourceKind: 'kafka', facts: { topics: 'events' } },
  },
  {
    name: 'activity',
    answer: { id: 'a1', type: 'service_stop' },
    run: (api) => api.activity('acme', 'a1'),
    method: 'GET',
    path: `${BASE}/activities/a1`,
    result: { id: 'a1', type: 'service_stop' },
  },
  {
    name: 'usageCost',
    answer: { costs: [], grandTotalUnits: 0 },
    run: (api) => api.usageCost('acme', { from: '2026-11-01', to: '2026-12-01' }),
    method: 'GET',
    path: `${BASE}/usageCost?from_date=2026-11-01&to_date=2026-12-01`,
    result: { costs: [], grandTotalUnits: 0, skipped: 0 },
  },
];

describe('each operation of the control API', () => {
  it.each(CASES)('$name sends and reads what is specified', async (expected) => {
    fixture.server.script(envelope(expected.answer));
    await expect(expected.run(fixture.api)).resolves.toEqual({
      result: expected.result,
      requestId: 'request-1',
    });
    const [request] = fixture.server.requests;
    expect(request).toMatchObject({ method: expected.method, path: expected.path });
    expect(request?.body === '' ? undefined : JSON.parse(request?.body ?? '')).toEqual(
      expected.body,
    );
    const basic = Buffer.from(`${KEY_ID}:${KEY_SECRET}`).toString('base64');
    expect(request?.headers['authorization']).toBe(`Basic ${basic}`);
    expect(request?.headers['content-type']).toBe(
      expected.body === undefined ? undefined : 'application/json',
    );
  });

  it.each([{ body: {} }, { body: '' }, { status: 204 }])(
    'deleteDashboard uses the bearer token and takes %j for an answer without error',
    async (answer) => {
      fixture.server.script(answer);
      await expect(fixture.api.deleteDashboard('65f1c0')).resolves.toEqual({ result: {} });
      expect(fixture.server.requests[0]).toMatchObject({
        method: 'DELETE',
        path: '/api/v2/dashboards/65f1c0',
        headers: { authorization: `Bearer ${TOKEN}` },
        body: '',
      });
    },
  );
});

describe('an answer to a deletion', () => {
  it.each(['<html>', 'deleted', '[]', '"deleted"', 'null'])(
    'that is %j may be no success at all',
    async (body) => {
      fixture.server.script({ body });
      const failure = await failureOf(fixture.api.deleteDashboard('65f1c0'));
      expect(failure).toMatchObject({ code: 'malformed', changed: 'maybe', status: 200 });
    },
  );

  it('may be blank', async () => {
    fixture.server.script({ body: ' \n' });
    await expect(fixture.api.deleteDashboard('65f1c0')).resolves.toEqual({ result: {} });
  });
});

describe('the address of the API', () => {
  it.each([
    ['', ''],
    ['/', ''],
    ['//', ''],
    ['/cloud/', '/cloud'],
    ['/cloud//api//', '/cloud//api'],
  ])('may end in %j', async (end, path) => {
    const plain = await startFixture();
    plain.server.script(envelope({ id: 'a1' }));
    const elsewhere = await startFixture({ baseUrl: `${plain.server.url}${end}` });
    await elsewhere.api.activity('acme', 'a1');
    expect(plain.server.requests[0]?.path).toBe(`${path}${BASE}/activities/a1`);
    await elsewhere.close();
    await plain.close();
  });
});

describe('a client that was closed', () => {
  it('sends nothing more, though the API is there, and lets running calls end', async () => {
    fixture.server.script({ ...envelope({ id: 'a1' }), lastByte: fixture.received(1) });
    const running = fixture.api.activity('acme', 'a1');
    await fixture.received(1);
    const closing = [fixture.api.close(), fixture.api.close()];
    const failure = await failureOf(fixture.api.activity('acme', 'a2'));
    expect(failure).toMatchObject({ code: 'unavailable', changed: 'no' });
    await expect(running).resolves.toMatchObject({ result: { id: 'a1' } });
    await Promise.all(closing);
    expect(fixture.server.requests).toHaveLength(1);
  });
});

describe('what is not set up', () => {
  it('refuses an organization that the settings do not have, and sends nothing', async () => {
    const failure = await failureOf(fixture.api.activity('globex', 'a1'));
    expect(failure).toMatchObject({ code: 'not-configured', changed: 'no' });
    expect(failure.userMessage).toBe(
      'Nothing was sent: no organization named globex is set up. Whoever runs Steward can add it.',
    );
    expect(fixture.server.requests).toHaveLength(0);
  });

  it('refuses dashboards without an observability API', async () => {
    const plain = await startFixture();
    const { createControlApi } = await import('../../../src/control-api/create-control-api.ts');
    const api = createControlApi({
      baseUrl: plain.server.url,
      organizations: () => [],
      clock: plain.clock,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
    expect(await failureOf(api.deleteDashboard('65f1c0'))).toMatchObject({
      code: 'not-configured',
      userMessage:
        'Nothing was sent: no observability API is set up. Whoever runs Steward can add its address and token.',
    });
    await api.close();
    await plain.close();
  });
});

describe('the names of ClickHouse Cloud', () => {
  it('are used for the pipe path and the settings, and only there', async () => {
    const cloud = await startFixture({ names: 'clickhouse' });
    cloud.server.script(envelope({ id: 'p1' }));
    const pipe = {
      name: 'events',
      source: { objectStorage: { url: 'https://files.example.com/a', type: 's3', format: 'CSV' } },
      destination: {
        ...{ database: 'default', table: 'events', managedTable: true },
        columns: [{ name: 'id', type: 'UInt64' }],
        tableDefinition: { engine: { type: 'MergeTree' } },
      },
    };
    const settings = { engine_max_threads: 4, object_storage_concurrency: 2 };
    await cloud.api.createPipe('acme', SERVICE_ID, { ...pipe, settings });
    expect(cloud.server.requests[0]?.path).toBe(`${BASE}/services/${SERVICE_ID}/clickpipes`);
    expect(JSON.parse(cloud.server.requests[0]?.body ?? '')).toEqual({
      ...pipe,
      settings: { clickhouse_max_threads: 4, object_storage_concurrency: 2 },
    });
    await cloud.close();
  });

  it.each(['neutral', 'clickhouse'] as const)(
    'are read beside the neutral ones in %s mode',
    async (names) => {
      const cloud = await startFixture({ names });
      const record = { date: '2026-11-20', entityId: 'e1' };
      cloud.server.script(
        envelope({
          costs: [
            { ...record, totalCHC: 2, metrics: { computeCHC: 2 } },
            { ...record, totalUnits: 3, metrics: { computeUnits: 3, computeCHC: 9 } },
          ],
          grandTotalCHC: 5,
        }),
        envelope({ id: SERVICE_ID, clickhouseVersion: '25.10' }),
        envelope({ id: SERVICE_ID, engineVersion: '25.10', clickhouseVersion: '' }),
      );
      const { result } = await cloud.api.usageCost('acme', {
        from: '2026-11-20',
        to: '2026-11-20',
      });
      expect(result.grandTotalUnits).toBe(5);
      expect(result.costs.map((cost) => [cost.totalUnits, cost.metrics])).toEqual([
        [2, { computeUnits: 2 }],
        [3, { computeUnits: 3 }],
      ]);
      for (let turn = 0; turn < 2; turn += 1) {
        const service = await cloud.api.setServiceState('acme', SERVICE_ID, 'start');
        expect(service.result.engineVersion).toBe('25.10');
      }
      await cloud.close();
    },
  );
});

describe('path parameters', () => {
  it.each([
    '',
    ' ',
    '.',
    '..',
    'a/b',
    'a\\b',
    '../x',
    'a\nb',
    'a\u0000',
    '\ud800',
    'x'.repeat(201),
  ])('refuses %j before sending', async (id) => {
    const failure = await failureOf(fixture.api.activity('acme', id));
    expect(failure).toMatchObject({ code: 'invalid', changed: 'no' });
    const cause = 'activityId has to be an id of at most 200 characters without slashes';
    expect(failure.userMessage).toBe(`The activity was not read: ${cause}.`);
    expect(failure.because).toEqual({ cause, way: 'Nothing was sent.' });
    expect(fixture.server.requests).toHaveLength(0);
  });

  it('takes the longest id', async () => {
    const id = 'x'.repeat(200);
    fixture.server.script(envelope({ id }));
    await fixture.api.activity('acme', id);
    expect(fixture.server.requests[0]?.path).toBe(`${BASE}/activities/${id}`);
  });

  it('keeps an odd id in its own segment', async () => {
    fixture.server.script(envelope({ id: 'x' }));
    await fixture.api.activity('acme', 'a?b#c%2Fd');
    expect(fixture.server.requests[0]?.path).toBe(`${BASE}/activities/a%3Fb%23c%252Fd`);
  });
});
