import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createControlApi } from '../../src/control-api/create-control-api.ts';
import { createSights } from '../../src/control-api/sights.ts';
import type { Operation } from '../../src/core/operation/operation.ts';
import { plain } from '../../src/core/text/text.ts';
import { dashboardDelete } from '../../src/operations/dashboard-delete/dashboard-delete.ts';
import { invitationCreate } from '../../src/operations/invitation-create/invitation-create.ts';
import { pipeCreate } from '../../src/operations/pipe-create/pipe-create.ts';
import { serviceStop } from '../../src/operations/service-state/service-state.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import type { FaultRequest } from '../../src/sandbox/control-plane/faults.ts';
import { ACME, CLOUD_DASHBOARDS, KEYS, SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { CONTEXT, fakePorts, settingsWith } from '../support/operation-ports.ts';
import { planned } from '../support/run-operation.ts';
import { createTestClock } from '../support/settable-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { eventually } from '../support/waiting.ts';

/** Every operation whose question has an eye, with the real client before the stand-in. */
const ORGANIZATIONS = settingsWith().organizations.map((one) => ({
  ...{ ...one, id: ACME.id, keyId: KEYS.admin.id, keySecret: KEYS.admin.secret },
  names: 'clickhouse' as const,
}));
const { id, name } = SERVICES.analytics;
const PENDING = 'fay@example.com';

type Asked = {
  readonly operation: Operation;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly end: string;
  /** What the eye adds to the question. */
  readonly adds: RegExp;
};

const pipe = inCloud(pipeCreate);
const ASKED: readonly Asked[] = [
  { operation: serviceStop, raw: { service: name }, end: '/backups', adds: /Last backup: / },
  {
    operation: pipe,
    raw: {
      ...{ service: name, name: 'orders', sourceKind: 'kinesis', kinesisStreamName: 'orders' },
      ...{
        kinesisRegion: 'us-east-1',
        kinesisFormat: 'JSONEachRow',
        kinesisIteratorType: 'LATEST',
      },
      ...{ kinesisAuthentication: 'IAM_ROLE', kinesisIamRole: 'arn:aws:iam::123456789012:role/p' },
      ...{ database: 'default', table: 'orders', managedTable: 'true', engineType: 'MergeTree' },
      ...{ columns: 'id UInt64', fieldMappings: 'id -> id' },
    },
    end: '/clickpipes',
    adds: /A pipe orders is there on analytics already, Running\./,
  },
  {
    operation: inCloud(invitationCreate),
    raw: { email: PENDING },
    end: '/invitations',
    adds: /fay@example\.com has an open invitation to acme already, until /,
  },
  {
    operation: inCloud(dashboardDelete),
    raw: { ...{ id: CLOUD_DASHBOARDS.errors, confirmId: CLOUD_DASHBOARDS.errors }, service: name },
    end: '/clickstack/dashboards',
    adds: /Delete the dashboard Errors \(6602\w+\)\?/,
  },
];

function inCloud(operation: Operation): Operation {
  return operation.inClouds?.clickhouse ?? operation;
}

let plane: Awaited<ReturnType<typeof startControlPlane>>;
let api: ReturnType<typeof createControlApi>;
beforeAll(async () => {
  const clock = createSettableClock({ ticking: true });
  plane = await startControlPlane({ clock });
  plane.changeSettings({ names: 'clickhouse', listLagSeconds: 0, rateLimit: { limit: 10_000 } });
  api = createControlApi({
    ...{ baseUrl: plane.url, organizations: () => ORGANIZATIONS, clock, logger: silentLogger },
    limit: { requests: 1_000_000, perMs: 1 },
  });
  await api.createInvitation('acme', PENDING);
});
afterAll(async () => {
  await api.close();
  await plane.close();
});
beforeEach(() => plane.faults.clear());

/** Fresh eyes, all open. */
function around(isSeen: boolean) {
  const clock = createTestClock(plane.state().now);
  const ports = fakePorts({
    settings: { organizations: ORGANIZATIONS },
    entries: [{ id, name, organization: 'acme', tags: [], source: 'configuration' }],
  });
  const sights = createSights({ cloud: api.cloud, settings: ports.settings, clock });
  return { ...ports, clock, sights: isSeen ? sights : ports.sights };
}

const read = (end: string): number =>
  plane.requests().filter(({ method, path }) => method === 'GET' && path.endsWith(end)).length;

const FAULTS: readonly FaultRequest[] = [
  ...[401, 403, 404, 429, 500].map((status) => ({ kind: 'status', status }) as const),
  ...([{ kind: 'malformed' }, { kind: 'empty' }, { kind: 'html504' }, { kind: 'cut' }] as const),
  { kind: 'result', result: 'nonsense' },
  { kind: 'result', result: [null, 7, { name: {}, status: [], startedAt: 'soon', email: 3 }] },
  { kind: 'slow', delayMs: 60_000 },
];

describe.each(ASKED)('the question of $operation.id', ({ operation, raw, end, adds }) => {
  const words = async (ports: ReturnType<typeof around>, context = CONTEXT) => {
    const plan = await planned(operation, raw, ports, context);
    const { question, lines } = plan.preview ?? { question: [], lines: [] };
    const doubles = plan.doubles.map(({ text }) => text);
    const text = [question, ...lines, ...doubles].map((line) => plain(line)).join('\n');
    return { digest: plan.digest, text };
  };

  it('says what the eye sees, and its digest does not', async () => {
    const blind = await words(around(false));
    const seeing = await words(around(true));
    expect(seeing.text).toMatch(adds);
    expect(blind.text).not.toMatch(adds);
    expect(seeing.digest).toBe(blind.digest);
  });

  it.each(FAULTS)('stands without it where it meets $kind $status $result', async (fault) => {
    const blind = await words(around(false));
    const ports = around(true);
    const before = read(end);
    plane.faults.add({ match: { end }, ...fault });
    const asking = words(ports);
    await eventually(() => expect(read(end)).toBeGreaterThan(before));
    if (fault.kind === 'slow') await ports.clock.advance(1_000);
    expect(await asking).toEqual(blind);
    if (fault.kind !== 'slow' && (fault.status ?? 500) === 500) return;
    const looked = read(end);
    expect(await words(ports)).toEqual(blind);
    expect(read(end)).toBe(looked);
    expect(ports.sights.closed()).toHaveLength(1);
  });

  it('is not looked at for a press on it, nor for a schedule', async () => {
    if (operation.id === 'dashboard.delete') return;
    const before = read(end);
    await words(around(true), { ...CONTEXT, answered: true });
    await words(around(true), { ...CONTEXT, actor: { userId: 'schedule:nights', teamId: '' } });
    expect(read(end)).toBe(before);
  });
});
