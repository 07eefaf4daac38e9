import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createControlApi } from '../../src/control-api/create-control-api.ts';
import { CLIENT_ROUTES, wirePath } from '../../src/control-api/routes.ts';
import type { AnyCreatePipeRequest } from '../../src/core/cloud/clickhouse-pipe.ts';
import type { CreatePipeRequest } from '../../src/core/cloud/pipe.ts';
import type { CreateServiceRequest } from '../../src/core/cloud/service.ts';
import type { NamesMode } from '../../src/core/settings/settings.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import { CLOUD_ROUTES, ROUTES } from '../../src/sandbox/control-plane/http/routes.ts';
import type { ControlPlane } from '../../src/sandbox/control-plane/plane.ts';
import {
  ACME,
  ACTIVITIES,
  BEARER,
  DASHBOARDS,
  INVITATIONS,
  KEYS,
  SERVICES,
} from '../../src/sandbox/control-plane/seed.ts';
import { QUIRKS } from '../../src/sandbox/control-plane/settings.ts';
import { createTestClock, type TestClock } from '../support/settable-clock.ts';
import { failureOf, type LogLine, recordingLogger, until } from '../unit/control-api/fixture.ts';

type Side = {
  readonly plane: ControlPlane;
  readonly clock: TestClock;
  /** One for each attempt that the client has seen end. */
  readonly lines: readonly LogLine[];
};
type Api = ReturnType<typeof createControlApi>;

let side: Side & { readonly api: Api };

async function start(names: NamesMode): Promise<typeof side> {
  const clock = createTestClock('2026-11-27T10:00:00Z');
  const plane = await startControlPlane({ clock, settings: { names } });
  const { id: keyId, secret: keySecret } = KEYS.admin;
  const { lines, logger } = recordingLogger();
  const api = createControlApi({
    baseUrl: plane.url,
    organizations: () => [{ key: 'acme', id: ACME.id, keyId, keySecret, names }],
    observability: { baseUrl: plane.url, token: BEARER.token },
    clock,
    logger,
    random: () => 1,
  });
  return { plane, clock, lines, api };
}

async function stop(): Promise<void> {
  await side.plane.close();
  await side.api.close();
}

const SERVICE: CreateServiceRequest = {
  name: 'fresh',
  provider: 'aws',
  region: 'us-east-1',
  numReplicas: 2,
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 16,
  idleScaling: true,
  idleTimeoutMinutes: 5,
  ipAccessList: [{ source: '203.0.113.0/24', description: 'office' }],
};

const PIPE: CreatePipeRequest = {
  name: 'events',
  destination: {
    database: 'default',
    table: 'events',
    managedTable: true,
    columns: [{ name: 'id', type: 'UInt64' }],
  },
  fieldMappings: [{ sourceField: 'id', destinationField: 'id' }],
  settings: { engine_max_threads: 4, streaming_max_insert_wait_ms: 500 },
  source: {
    kafka: {
      brokers: 'broker.example.com:9092',
      topics: 'events',
      credentials: { username: 'fake-user', password: 'fake-password' },
    },
  },
};

/** What ClickHouse Cloud needs of it as well. */
const CLOUD_PIPE: AnyCreatePipeRequest = {
  ...PIPE,
  destination: { ...PIPE.destination, tableDefinition: { engine: { type: 'MergeTree' } } },
  source: {
    kafka: {
      ...{ brokers: 'broker.example.com:9092', topics: 'events' },
      ...{ type: 'kafka', format: 'JSONEachRow', authentication: 'PLAIN' },
      credentials: { username: 'fake-user', password: 'fake-password' },
    },
  },
};

describe('the routes', () => {
  it.each(['neutral', 'clickhouse'] as const)('are those that the stand-in serves: %s', (names) => {
    const specified = Object.values(CLIENT_ROUTES).slice(0, ROUTES.length);
    const called = specified.map((route) => [route.method, wirePath(route.path, names)]);
    const served = ROUTES.map((route) => [
      route.method,
      names === 'clickhouse' ? (route.clickhousePath ?? route.path) : route.path,
    ]);
    expect(called).toEqual(served);
    expect(specified.map((route) => route.base)).toEqual(ROUTES.map((route) => route.api));
  });

  it('beyond the specification are among those that ClickHouse Cloud serves', () => {
    const shape = (path: string) => path.replaceAll(/\{\w+\}/gu, '{}');
    const served = CLOUD_ROUTES.map(({ method, path }) => `${method} ${shape(path)}`);
    const beyond = Object.values(CLIENT_ROUTES).slice(ROUTES.length);
    for (const { method, path } of beyond) {
      expect(served).toContain(`${method} ${shape(wirePath(path, 'clickhouse'))}`);
    }
  });
});

describe.each(['neutral', 'clickhouse'] as const)('all nine operations in %s names', (names) => {
  beforeEach(async () => {
    side = await start(names);
  });
  afterEach(stop);

  it('create a service and give its password once', async () => {
    const { result, requestId } = await side.api.createService('acme', SERVICE);
    expect(result.service).toMatchObject({ ...SERVICE, state: 'provisioning' });
    expect(result.service.engineVersion).toMatch(/\d/);
    expect(result.password).toMatch(/\S{8}/);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('stop and start a service', async () => {
    const stopped = await side.api.setServiceState('acme', SERVICES.scratch.id, 'stop');
    expect(stopped.result).toMatchObject({ name: 'scratch', state: 'stopping' });
    const started = await side.api.setServiceState('acme', SERVICES.reporting.id, 'start');
    expect(started.result).toMatchObject({ name: 'reporting', state: 'starting' });
  });

  it('invite, and read the invitation', async () => {
    const made = await side.api.createInvitation('acme', 'ana@example.com');
    expect(made.result).toMatchObject({ email: 'ana@example.com' });
    const read = await side.api.invitation('acme', made.result.id ?? '');
    expect(read.result).toEqual(made.result);
    const seeded = await side.api.invitation('acme', INVITATIONS.pending);
    expect(seeded.result.id).toBe(INVITATIONS.pending);
  });

  it('read a query endpoint', async () => {
    const { result } = await side.api.queryEndpoint('acme', SERVICES.analytics.id);
    expect(result.roles?.length).toBeGreaterThan(0);
  });

  it('create a pipe', async () => {
    const { result } = await side.api.createPipe(
      'acme',
      SERVICES.analytics.id,
      names === 'neutral' ? PIPE : CLOUD_PIPE,
    );
    expect(result).toMatchObject({ name: 'events', sourceKind: 'kafka' });
    expect(result.facts).toMatchObject({ topics: 'events', table: 'events' });
    expect(JSON.stringify(result)).not.toContain('fake-');
  });

  it('read an activity', async () => {
    const { result } = await side.api.activity('acme', ACTIVITIES.serviceStop);
    expect(result).toMatchObject({ id: ACTIVITIES.serviceStop, type: 'service_stop' });
  });

  it('read the costs of 31 days', async () => {
    const range = { from: '2026-10-27', to: '2026-11-26' };
    const { result } = await side.api.usageCost('acme', range);
    expect(result.skipped).toBe(0);
    expect(new Set(result.costs.map((cost) => cost.date)).size).toBe(31);
    const sum = result.costs.reduce((total, cost) => total + cost.totalUnits, 0);
    expect(result.grandTotalUnits).toBeCloseTo(sum, 3);
    expect(result.costs.every((cost) => Object.keys(cost.metrics).every(isUnits))).toBe(true);
  });

  it('delete a dashboard', async () => {
    await expect(side.api.deleteDashboard(DASHBOARDS.unused)).resolves.toMatchObject({
      result: {},
    });
    expect(await failureOf(side.api.deleteDashboard(DASHBOARDS.unused))).toMatchObject({
      code: 'not-found',
      changed: 'no',
    });
  });
});

describe('what the stand-in can do wrong', () => {
  beforeEach(async () => {
    side = await start('neutral');
  });
  afterEach(stop);

  it.each(QUIRKS)('%s breaks no reply', async (quirk) => {
    side.plane.changeSettings({ quirks: [quirk] });
    const created = await side.api.createService('acme', SERVICE);
    expect(created.result.service).toMatchObject({ name: 'fresh', numReplicas: 2 });
    const piped = await side.api.createPipe('acme', SERVICES.analytics.id, PIPE);
    expect(piped.result.sourceKind).toBe('kafka');
    const day = { from: '2026-11-25', to: '2026-11-25' };
    const { result } = await side.api.usageCost('acme', day);
    expect(result).toMatchObject({ skipped: 0 });
    expect(result.costs.length).toBeGreaterThan(0);
  });

  it.each(['array', 'object', 'null', 'absent'] as const)('costs as %s', async (shape) => {
    side.plane.planCosts({ shape, numbers: 'text' });
    const day = { from: '2026-11-25', to: '2026-11-25' };
    const { result } = await side.api.usageCost('acme', day);
    expect(result.skipped).toBe(0);
    expect(result.costs.length > 0).toBe(shape === 'array' || shape === 'object');
  });

  it.each([
    ['html504', 'timeout', 'maybe'],
    ['cut', 'unavailable', 'maybe'],
    ['cut-after', 'unavailable', 'maybe'],
    ['malformed', 'malformed', 'maybe'],
    ['empty', 'malformed', 'maybe'],
    ['oversized', 'malformed', 'maybe'],
  ] as const)(
    'a create after %s is sent once and its outcome unknown',
    async (kind, code, changed) => {
      side.plane.faults.add({ kind });
      const failure = await failureOf(side.api.createService('acme', SERVICE));
      expect(failure).toMatchObject({ code, changed });
      expect(side.plane.requests()).toHaveLength(1);
    },
  );

  it('a read outlives two failures', async () => {
    side.plane.faults.add({ kind: 'html504', times: 1 });
    side.plane.faults.add({ kind: 'cut', times: 1 });
    const reading = side.api.activity('acme', ACTIVITIES.serviceStop);
    for (const [index, backoff] of [500, 1_000].entries()) {
      await until(() => side.lines.length > index);
      await side.clock.advance(backoff);
    }
    expect((await reading).result.id).toBe(ACTIVITIES.serviceStop);
  });

  it('twenty people at once never meet a 429', async () => {
    const calls = Array.from({ length: 20 }, () =>
      side.api.activity('acme', ACTIVITIES.serviceStop),
    );
    await until(() => side.lines.length === 10);
    await side.clock.advance(10_000);
    await Promise.all(calls);
    expect(side.plane.requests().map((request) => request.status)).toEqual(Array(20).fill(200));
  });

  it('a refusal comes back as the stand-in worded it', async () => {
    const failure = await failureOf(
      side.api.createService('acme', { ...SERVICE, region: 'eastus' }),
    );
    expect(failure).toMatchObject({ code: 'invalid', status: 400, changed: 'no' });
    expect(failure.userMessage).toMatch(/^No service was created: the API says “.*region/);
    const idle = await failureOf(side.api.createPipe('acme', SERVICES.archive.id, PIPE));
    expect(idle).toMatchObject({ code: 'conflict', status: 424 });
    const missing = await failureOf(
      side.api.queryEndpoint('acme', '00000000-0000-4000-8000-000000000000'),
    );
    expect(missing).toMatchObject({ code: 'not-found', changed: 'no' });
  });
});

function isUnits(metric: string): boolean {
  return metric.endsWith('Units');
}
