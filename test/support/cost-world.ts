import { Duration, type DurationLike } from 'luxon';
import { onTestFinished } from 'vitest';
import { createControlApi } from '../../src/control-api/create-control-api.ts';
import type { CostRange } from '../../src/core/cloud/records.ts';
import type { Clock } from '../../src/core/ports/ports.ts';
import { sumUnits } from '../../src/cost/book/units.ts';
import { type BackfillingCostReader, createCostReader } from '../../src/cost/read/reader.ts';
import type { NamedService } from '../../src/cost/read/records.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import type { ControlPlane } from '../../src/sandbox/control-plane/plane.ts';
import { ACME, KEYS } from '../../src/sandbox/control-plane/seed.ts';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { type CostStore, createCostStore } from '../../src/storage/costs/cost-store.ts';
import type { Database } from '../../src/storage/database/database.ts';
import { silentLogger } from './silent-logger.ts';

export type CostWorld = {
  readonly clock: Clock;
  readonly plane: ControlPlane;
  readonly store: CostStore;
  readonly reader: BackfillingCostReader;
  advance(by: DurationLike): void;
  advanceTo(iso: string): void;
  /** The ranges that the API was asked for, repeated attempts included. */
  calls(): readonly string[];
  noted(): readonly NamedService[];
  /** The sum that the API itself would give, read past everything. */
  apiUnits(...ranges: readonly CostRange[]): Promise<number>;
};

/** The real reader, client and store before the stand-in of the control API, on one settable clock. */
export async function startCostWorld(db: Database): Promise<CostWorld> {
  const settable = createSettableClock({ start: '2026-11-27T10:02:00.000Z' });
  const plane = await startControlPlane({ clock: settable });
  plane.changeSettings({ rateLimit: { limit: 10_000 } });
  const control = createControlApi({
    baseUrl: plane.url,
    organizations: () => [
      {
        key: 'acme',
        id: ACME.id,
        keyId: KEYS.admin.id,
        keySecret: KEYS.admin.secret,
        names: 'neutral',
      },
    ],
    clock: { ...settable, sleep: impatient(settable) },
    logger: silentLogger,
    limit: { requests: 10_000, perMs: 10_000 },
  });
  onTestFinished(async () => {
    await plane.close();
    await control.close();
  });
  const noted: NamedService[] = [];
  const store = createCostStore(db);
  const directory = { noteAll: async (all: readonly NamedService[]) => void noted.push(...all) };
  const reader = createCostReader({ control, store, clock: settable, directory });
  return {
    clock: settable,
    plane,
    store,
    reader,
    advance: (by) => void settable.advance(Duration.fromDurationLike(by).toMillis()),
    advanceTo: (iso) => void settable.set(iso),
    calls: () =>
      plane.requests().map(({ query }) => `${query['from_date'] ?? ''}..${query['to_date'] ?? ''}`),
    noted: () => noted,
    apiUnits: async (...ranges) => {
      const answers = await Promise.all(ranges.map((range) => control.usageCost('acme', range)));
      return sumUnits(answers.flatMap(({ result }) => result.costs.map((one) => one.totalUnits)));
    },
  };
}

/** Pauses between attempts take no time; deadlines stay. */
function impatient(clock: Clock): Clock['sleep'] {
  return (milliseconds, signal) =>
    milliseconds < 10_000 ? Promise.resolve() : clock.sleep(milliseconds, signal);
}
