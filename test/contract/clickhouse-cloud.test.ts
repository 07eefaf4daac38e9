import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/core/operation/operation.ts';
import { plain } from '../../src/core/text/text.ts';
import { dashboardDelete } from '../../src/operations/dashboard-delete/dashboard-delete.ts';
import { invitationCreate } from '../../src/operations/invitation-create/invitation-create.ts';
import { pipeCreate } from '../../src/operations/pipe-create/pipe-create.ts';
import { serviceCreate } from '../../src/operations/service-create/service-create.ts';
import { CLOUD_DASHBOARDS, PIPES, SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import {
  CLOUD_CREDENTIALS,
  hexId,
  invitationInputs,
  pipeInputs,
  serviceId,
  serviceInputs,
} from '../support/cloud-inputs.ts';
import { createCloudSide, type Seen } from '../support/cloud-side.ts';
import { CONTEXT, fakePorts, settingsWith } from '../support/operation-ports.ts';

/** Of each kind; `npm run test:long`: 1,000. */
const TIMES = Number(process.env['CLICKHOUSE_REQUESTS'] ?? 250);
/** So many at a time: the stand-in and the client share this process. */
const AT_ONCE = 20;

/** Each kind begins in a world of its own. */
let side: ReturnType<typeof createCloudSide>;
beforeEach(() => {
  side = createCloudSide();
});
afterEach(() => side.close());

/** Lets each of the generated inputs lead to its request; what came is what was sent. */
async function sent<T>(inputs: fc.Arbitrary<T>, send: (input: T) => Promise<unknown>) {
  const all = fc.sample(inputs, { numRuns: TIMES, seed: 14 });
  side.take();
  for (let start = 0; start < all.length; start += AT_ONCE) {
    await Promise.all(all.slice(start, start + AT_ONCE).map(send));
  }
  return side.take();
}

function expectDescribed(seen: readonly Seen[], statuses: readonly number[]): void {
  expect(seen.length).toBeGreaterThanOrEqual(TIMES);
  const faulty = seen.filter(
    ({ problems, status }) => problems.length > 0 || !statuses.includes(status),
  );
  expect(faulty.slice(0, 3)).toEqual([]);
}

const ACME = settingsWith().organizations.map((one) => ({ ...one, names: 'clickhouse' as const }));

/** Through the operation's own form: parsed, planned, and sent by the real client. */
function run(operation: Operation, raw: Readonly<Record<string, unknown>>) {
  const { id, name } = SERVICES.analytics;
  const ports = fakePorts({
    settings: { organizations: ACME, credentials: CLOUD_CREDENTIALS },
    entries: [{ id, name, organization: 'acme', tags: [], source: 'configuration' }],
    control: side.api,
  });
  const prepared = operation.inClouds?.clickhouse.prepare(raw);
  if (prepared === undefined || 'issues' in prepared) {
    throw new TypeError(JSON.stringify({ raw, issues: prepared?.issues }));
  }
  return prepared.plan(ports, CONTEXT).then((plan) => {
    if ('problem' in plan) throw new TypeError(`${plain(plan.problem)} ${JSON.stringify(raw)}`);
    return plan.execute(ports, CONTEXT);
  });
}

const bodiesOf = (seen: readonly Seen[]) => seen.map(({ body }) => body as Record<string, unknown>);

function expectAlways(bodies: readonly unknown[], keys: readonly string[]): void {
  const lacking = (body: unknown) => keys.filter((key) => valueAt(body, key) === undefined);
  expect(bodies.flatMap(lacking)).toEqual([]);
}

function valueAt(from: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], from);
}

const PATIENT = { timeout: 60_000 };

describe('generated requests of each kind fit the cloud’s interface description', PATIENT, () => {
  it('creations of services', async () => {
    const seen = await sent(serviceInputs, (raw) => run(serviceCreate, raw));
    expectDescribed(seen, [200]);
    expectAlways(bodiesOf(seen), ['name', 'provider', 'region', 'ipAccessList']);
  });

  it('commands', async () => {
    const command = fc.constantFrom('start', 'stop', 'awake');
    const seen = await sent(fc.tuple(serviceId, command), ([id, name]) =>
      side.api.setServiceState('acme', id, name as 'awake').catch(() => undefined),
    );
    expectDescribed(seen, [200, 400, 404, 409]);
    expectAlways(bodiesOf(seen), ['command']);
    expect(seen.filter(({ status }) => status === 200).length).toBeGreaterThan(TIMES / 10);
  });

  it('invitations', async () => {
    const seen = await sent(invitationInputs, (raw) => run(invitationCreate, raw));
    expectDescribed(seen, [200]);
    const made = seen.filter(({ method }) => method === 'POST');
    expectAlways(bodiesOf(made), ['email']);
    expect(made.filter(({ body }) => valueAt(body, 'assignedRoleIds')).length).toBeGreaterThan(100);
  });

  /** Optional in the description, always sent by the cloud's own client. */
  const STREAM = ['table', 'managedTable', 'columns', 'tableDefinition.engine.type'].map(
    (key) => `destination.${key}`,
  );
  it.each([
    ['kafka', ['type', 'format', 'authentication', 'brokers', 'topics'], STREAM],
    ['kinesis', ['format', 'streamName', 'region', 'iteratorType', 'authentication'], STREAM],
    ['objectStorage', ['type', 'format'], STREAM],
    [
      'postgres',
      [
        ...['host', 'port', 'database', 'authentication', 'credentials', 'tableMappings'],
        ...['disableTls', 'skipCertVerification', 'settings.replicationMode'],
      ],
      [],
    ],
  ] as const)('pipes from %s', async (kind, own, more) => {
    const inputs = pipeInputs[kind];
    if (inputs === undefined) throw new TypeError(kind);
    const seen = await sent(inputs, (raw) => run(pipeCreate, raw));
    expectDescribed(seen, [200]);
    expectAlways(bodiesOf(seen), [
      ...['name', 'source', 'destination.database', ...more],
      ...own.map((key) => `source.${kind}.${key}`),
    ]);
  });

  it('deletions of dashboards', async () => {
    const ids = fc.oneof(fc.constantFrom(...Object.values(CLOUD_DASHBOARDS)), hexId);
    const seen = await sent(ids, (id) =>
      run(dashboardDelete, { id, confirmId: id, service: 'analytics' }).catch(() => undefined),
    );
    expectDescribed(seen, [200, 404]);
    expect(seen.some(({ status }) => status === 200)).toBe(true);
  });

  it('reads', async () => {
    const { api } = side;
    const days = fc.tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 0, max: 2 }));
    const read = fc.oneof(
      serviceId.map((id) => () => api.queryEndpoint('acme', id)),
      hexId.map((id) => () => api.activity('acme', id)),
      fc.uuid().map((id) => () => api.invitation('acme', id)),
      fc.constant(() => api.roles('acme')),
      days.map(([day, length]) => () => {
        const from = `2026-10-${String(day).padStart(2, '0')}`;
        const last = Math.min(31, day + length);
        return api.usageCost('acme', { from, to: `2026-10-${last}`.replace(/-(\d)$/, '-0$1') });
      }),
    );
    const seen = await sent(read, (call) => call().catch(() => undefined));
    expectDescribed(seen, [200, 404]);
  });

  it('reads beyond the specification', async () => {
    const { cloud } = side.api;
    const hour = fc.integer({ min: 10, max: 23 });
    const read = fc.oneof(
      fc.constant(() => cloud.services('acme')),
      fc.constant(() => cloud.organizations('acme')),
      fc.constant(() => cloud.invitations('acme')),
      fc.tuple(serviceId, fc.constantFrom('pipes', 'backups', 'dashboards')).map(
        ([id, list]) =>
          (): Promise<unknown> =>
            cloud[list]('acme', id),
      ),
      serviceId.map((id) => () => cloud.service('acme', id)),
      fc.tuple(serviceId, fc.constantFrom(...Object.values(PIPES))).map(
        ([service, pipeId]) =>
          () =>
            cloud.pipe('acme', { serviceId: service, pipeId }),
      ),
      fc.tuple(hour, hour).map(([from, to]) => () => {
        const at = (it: number) => `2026-11-20T${it}:00:00.000Z`;
        return cloud.activities('acme', { from: at(from), to: at(to) });
      }),
    );
    await side.api.createInvitation('acme', 'fay@example.com');
    const seen = await sent<() => Promise<unknown>>(read, (call) => call().catch(() => undefined));
    expectDescribed(seen, [200, 400, 404]);
    expect(seen.filter(({ status }) => status === 200).length).toBeGreaterThan(TIMES * 0.3);
  });
});
