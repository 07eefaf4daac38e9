import { describe, expect, it } from 'vitest';
import type { CostRecord } from '../../../../src/sandbox/control-plane/billing/day-records.ts';
import { PIPES, SERVICES, WAREHOUSES } from '../../../../src/sandbox/control-plane/seed.ts';
import { ORGANIZATION, refusal, type Started, start } from './harness.ts';

const path = (from: string, to: string) =>
  `GET ${ORGANIZATION}/usageCost?from_date=${from}&to_date=${to}`;

async function costs(plane: Started, from: string, to = from): Promise<readonly CostRecord[]> {
  return (await plane.ask(path(from, to))).json.result.costs;
}

async function record(plane: Started, date: string, entityId: string) {
  return (await costs(plane, date)).find((one) => one.entityId === entityId);
}

function total(records: readonly CostRecord[]): number {
  return Math.round(records.reduce((sum, one) => sum + one.totalUnits, 0) * 100) / 100;
}

describe('the range of a usage cost request', () => {
  it.each([
    ['', 'from_date', 'is required'],
    ['?from_date=2026-11-01', 'to_date', 'is required'],
    ['?from_date=&to_date=2026-11-01', 'from_date', 'is required'],
    ['?from_date=2026-11-1&to_date=2026-11-02', 'from_date', 'must be a day written YYYY-MM-DD'],
    ['?from_date=2026-02-30&to_date=2026-03-01', 'from_date', 'must be a day written YYYY-MM-DD'],
    [
      '?from_date=2026-11-01T00:00:00Z&to_date=2026-11-02',
      'from_date',
      'must be a day written YYYY-MM-DD',
    ],
    ['?from_date=20261101&to_date=2026-11-02', 'from_date', 'must be a day written YYYY-MM-DD'],
    ['?from_date=2026-11-02&to_date=2026-11-01', 'to_date', 'must not be before from_date'],
    [
      '?from_date=2026-10-01&to_date=2026-11-01',
      'to_date',
      'must be at most 30 days after from_date',
    ],
    [
      '?from_date=2026-11-01&to_date=2026-11-02&by=day',
      'by',
      'is not a query parameter of this request',
    ],
    [
      '?from_date=2026-11-01&from_date=2026-11-01&to_date=2026-11-01',
      'from_date',
      'must be given once',
    ],
  ])('refuses "%s"', async (query, field, words) => {
    const plane = await start();
    const answer = await plane.ask(`GET ${ORGANIZATION}/usageCost${query}`);
    expect(answer.json).toMatchObject(refusal(field, words));
  });

  it('takes 31 days, one day, and days without costs', async () => {
    const plane = await start();
    const month = await costs(plane, '2026-10-01', '2026-10-31');
    expect(new Set(month.map((one) => one.date)).size).toBe(31);
    expect(await costs(plane, '2026-11-20')).not.toEqual([]);
    expect(await costs(plane, '2026-11-28', '2026-12-05')).toEqual([]);
    expect(await costs(plane, '2026-09-27')).toEqual([]);
    expect(await costs(plane, '2026-09-28')).not.toEqual([]);
  });
});

describe('cost records', () => {
  it('are the same for the same day, whoever starts the stand-in', async () => {
    const [one, two] = [await start(), await start()];
    const range = ['2026-10-20', '2026-11-15'] as const;
    expect(await costs(one, ...range)).toEqual(await costs(two, ...range));
  });

  it('add up, and carry sparse metrics by type', async () => {
    const plane = await start();
    const { result } = (await plane.ask(path('2026-10-28', '2026-11-27'))).json;
    expect(result.grandTotalUnits).toBeCloseTo(total(result.costs), 2);
    for (const one of result.costs) {
      const sum = Object.values(one.metrics).reduce((all, value) => all + value, 0);
      expect(one.totalUnits).toBeCloseTo(sum, 2);
      expect(Object.values(one.metrics)).not.toContain(0);
      const allowed = {
        datawarehouse: /^(storage|backup)Units$/,
        service: /^(compute|publicDataTransfer|interRegionTier[1-4]DataTransfer)Units$/,
        clickpipe: /^(compute|dataTransfer|initialLoad)Units$/,
      }[one.entityType];
      for (const metric of Object.keys(one.metrics)) expect(metric).toMatch(allowed);
      expect(one.serviceId === null).toBe(one.entityType === 'datawarehouse');
    }
    const dates = result.costs.map((one) => one.date);
    expect(dates).not.toEqual([...dates].sort());
  });

  it('carry every metric of the specification somewhere in their 60 days', async () => {
    const plane = await start();
    const all = [
      ...(await costs(plane, '2026-09-28', '2026-10-28')),
      ...(await costs(plane, '2026-10-29', '2026-11-27')),
    ];
    expect([...new Set(all.flatMap(({ metrics }) => Object.keys(metrics)))].sort()).toEqual([
      'backupUnits',
      'computeUnits',
      'dataTransferUnits',
      'initialLoadUnits',
      'interRegionTier1DataTransferUnits',
      'interRegionTier2DataTransferUnits',
      'interRegionTier3DataTransferUnits',
      'interRegionTier4DataTransferUnits',
      'publicDataTransferUnits',
      'storageUnits',
    ]);
  });

  it('have weekdays, a mover, a newcomer, a vanished service, and storage of stopped ones', async () => {
    const plane = await start();
    const units = async (date: string, id: string) =>
      (await record(plane, date, id))?.totalUnits ?? 0;
    const analytics = SERVICES.analytics.id;
    expect(await units('2026-11-22', analytics)).toBeLessThan(
      0.75 * (await units('2026-11-24', analytics)),
    );
    const scratch = SERVICES.scratch.id;
    expect(await units('2026-11-26', scratch)).toBeGreaterThan(
      2 * (await units('2026-11-25', scratch)),
    );
    expect(await record(plane, '2026-11-20', PIPES.clickstream)).toBeUndefined();
    expect(await record(plane, '2026-11-22', PIPES.clickstream)).toBeDefined();
    expect(await record(plane, '2026-11-10', SERVICES.legacy.id)).toBeDefined();
    expect(await record(plane, '2026-11-16', SERVICES.legacy.id)).toBeUndefined();
    expect(await record(plane, '2026-11-25', SERVICES.reporting.id)).toBeUndefined();
    expect(await record(plane, '2026-11-25', WAREHOUSES.reporting)).toMatchObject({
      metrics: { storageUnits: expect.any(Number) },
    });
  });

  it('grow today and yesterday, and are locked three days after their day began', async () => {
    const plane = await start();
    const clock = plane.settableClock();
    const today = async () => total(await costs(plane, '2026-11-27'));
    const atTen = await today();
    clock.set('2026-11-27T20:00:00Z');
    const atTwenty = await today();
    expect(atTwenty).toBeGreaterThan(1.8 * atTen);
    clock.set('2026-11-28T08:00:00Z');
    const nextMorning = await today();
    clock.set('2026-11-29T00:00:00Z');
    const complete = await today();
    expect(nextMorning).toBeLessThan(complete);
    expect(nextMorning).toBeGreaterThan(0.98 * complete);
    clock.set('2026-11-29T23:59:59Z');
    expect((await costs(plane, '2026-11-27')).every((one) => !one.locked)).toBe(true);
    expect(await today()).toBe(complete);
    clock.set('2026-11-30T00:00:00Z');
    expect((await costs(plane, '2026-11-27')).every((one) => one.locked)).toBe(true);
    expect(await costs(plane, '2026-11-30')).toEqual([]);
    clock.advance('P1D');
    expect(await costs(plane, '2026-11-30')).not.toEqual([]);
  });

  it('follow what happens to a service', async () => {
    const plane = await start();
    const { id } = SERVICES.scratch;
    await plane.ask(`PATCH ${ORGANIZATION}/services/${id}/state`, { body: { command: 'stop' } });
    plane.settableClock().advance('P2D');
    expect(await record(plane, '2026-11-27', id)).toBeDefined();
    expect(await record(plane, '2026-11-28', id)).toBeUndefined();
    const create = `POST ${ORGANIZATION}/services`;
    const body = { name: 'fresh', provider: 'aws', region: 'us-east-1' };
    const { service } = (await plane.ask(create, { body })).json.result;
    plane.settableClock().advance('P1D');
    expect(await record(plane, '2026-11-30', service.id)).toMatchObject({
      entityName: 'fresh',
      metrics: { computeUnits: expect.any(Number) },
    });
  });
});

describe('planned costs', () => {
  const DAY = '2026-11-20';

  it('come in every shape', async () => {
    const plane = await start();
    const shaped = async (shape: 'array' | 'object' | 'null' | 'absent') => {
      plane.planCosts({ shape });
      return (await plane.ask(path(DAY, DAY))).json.result;
    };
    expect(await shaped('object')).toMatchObject({ costs: { date: DAY } });
    expect(await shaped('null')).toMatchObject({ costs: null });
    expect(await shaped('absent')).not.toHaveProperty('costs');
    expect(Array.isArray((await shaped('array')).costs)).toBe(true);
  });

  it('hold planted records as they are, in place of generated ones', async () => {
    const plane = await start();
    const odd = {
      date: DAY,
      entityId: SERVICES.analytics.id,
      entityType: 'hologram',
      totalUnits: '12.5',
      metrics: { teleportUnits: 12.5 },
    };
    plane.planCosts({ records: [odd, { date: DAY, note: 'no entity, no total' }] });
    const { result } = (await plane.ask(path(DAY, DAY))).json;
    expect(result.costs).toContainEqual(odd);
    expect(result.costs.filter((one) => one.entityId === odd.entityId)).toHaveLength(1);
    expect(Number.isFinite(result.grandTotalUnits)).toBe(true);
  });

  it('turn numbers into text and override the total', async () => {
    const plane = await start();
    plane.planCosts({ numbers: 'text', grandTotal: 1 });
    const { result } = (await plane.ask(path(DAY, DAY))).json;
    expect(result.grandTotalUnits).toBe('1');
    expect(typeof result.costs[0]?.totalUnits).toBe('string');
    plane.planCosts({ numbers: 'number', grandTotal: null });
    expect((await plane.ask(path(DAY, DAY))).json.result.grandTotalUnits).toBeGreaterThan(100);
  });

  it('restate and unlock', async () => {
    const plane = await start();
    const { id } = SERVICES.analytics;
    const before = await record(plane, DAY, id);
    expect(before?.locked).toBe(true);
    plane.planCosts({
      restate: [{ date: DAY, entityId: id, factor: 2, add: 3, metric: 'backupUnits' }],
      unlock: [{ date: DAY, entityId: id }],
    });
    const after = await record(plane, DAY, id);
    expect(after).toMatchObject({ locked: false, metrics: { backupUnits: 3 } });
    expect(after?.totalUnits).toBeCloseTo(2 * (before?.totalUnits ?? 0) + 3, 1);
    plane.planCosts({ lock: [{}] });
    expect((await record(plane, DAY, id))?.locked).toBe(true);
    plane.planCosts({ clear: true, lockAfterDays: 30 });
    expect(await record(plane, DAY, id)).toEqual({ ...before, locked: false });
  });

  it('arrive late, all or one entity', async () => {
    const plane = await start();
    plane.planCosts({ lateHours: 12 });
    expect(await costs(plane, '2026-11-26')).toEqual([]);
    plane.settableClock().set('2026-11-27T12:00:00Z');
    const all = await costs(plane, '2026-11-26');
    expect(all).not.toEqual([]);
    plane.planCosts({ lateHours: 13, lateEntityId: SERVICES.analytics.id });
    expect(await costs(plane, '2026-11-26')).toHaveLength(all.length - 1);
  });

  it('are renamed in clickhouse mode', async () => {
    const plane = await start({ settings: { names: 'clickhouse' } });
    const answer = await plane.ask(path(DAY, DAY));
    expect(answer.json.result).toMatchObject({
      grandTotalCHC: expect.any(Number),
      costs: expect.arrayContaining([
        expect.objectContaining({ totalCHC: expect.any(Number) }),
        expect.objectContaining({
          metrics: { storageCHC: expect.any(Number), backupCHC: expect.any(Number) },
        }),
      ]),
    });
    expect(answer.text).not.toContain('Units');
  });
});
