import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bench, describe } from 'vitest';
import type { CostRange, CostRecord, UsageCost } from '../../src/core/cloud/records.ts';
import { daysOf, shiftDay } from '../../src/core/ports/costs.ts';
import { indexCosts, unitsWithin } from '../../src/cost/book/index-of-costs.ts';
import { entitiesIn } from '../../src/cost/book/scope.ts';
import { sumUnits } from '../../src/cost/book/units.ts';
import { createCostReader } from '../../src/cost/read/reader.ts';
import { summarise } from '../../src/cost/summary/summary.ts';
import { createCostStore } from '../../src/storage/costs/cost-store.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { idOf, serviceRecord } from '../support/cost-books.ts';
import { createTestClock } from '../support/settable-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';

const ENTITIES = 2_000;
const SCOPES = 100;
const DAY = '2026-11-26';
const RANGE = { from: shiftDay(DAY, -30), to: DAY };
const NAMES = Array.from({ length: ENTITIES }, (_, n) => `service-${n}`);

function answer(range: CostRange): UsageCost {
  const costs = daysOf(range).flatMap((day): readonly CostRecord[] =>
    NAMES.map((name, n) =>
      serviceRecord(name, day, (n % 97) + day.charCodeAt(9) / 100, { locked: day < '2026-11-25' }),
    ),
  );
  return { costs, skipped: 0, grandTotalUnits: sumUnits(costs.map((one) => one.totalUnits)) };
}

/** One pass prints where its time goes; `vitest bench` adds the whole. */
describe('31 days of 2,000 entities for 100 scopes (budget: 10 s, 200 MB of heap)', () => {
  bench('read, stored and summarised with one set of reads', pass, {
    iterations: 1,
    time: 0,
    warmupIterations: 0,
    warmupTime: 0,
  });
});

async function pass(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-bench-'));
  const db = await openDatabase(`sqlite:${join(folder, 'bench.db')}`, { logger: silentLogger });
  let calls = 0;
  const result = answer(RANGE);
  const reader = createCostReader({
    control: {
      usageCost: async () => {
        calls += 1;
        return { result };
      },
    },
    store: createCostStore(db),
    clock: createTestClock('2026-11-27T09:00:00.000Z'),
    directory: { noteAll: async () => {} },
  });
  const before = process.memoryUsage();
  const ask = () => reader.read('acme', RANGE, { priority: 'schedule' });
  await timed('read and store', ask);
  const book = await timed('read again from the store', ask);
  const scopes = Array.from(
    { length: SCOPES },
    (_, scope) => new Set(NAMES.filter((_name, n) => n % SCOPES === scope).map(idOf)),
  );
  const summaries = await timed(`summarise for ${SCOPES} scopes`, async () =>
    scopes.map((scope) => summarise({ book, period: 'day', day: DAY, scope, budgetPerDay: 400 })),
  );
  const after = process.memoryUsage();
  report(`heap +${megabytes(after.heapUsed - before.heapUsed)}, resident ${megabytes(after.rss)}`);
  const total = unitsWithin(entitiesIn(indexCosts(book), 'all'), { from: DAY, to: DAY });
  const sum = sumUnits(summaries.map(({ units }) => units ?? 0));
  if (calls !== 1 || sum !== total) throw new Error(`${calls} calls; ${sum} is not ${total}`);
  await db.close();
  rmSync(folder, { recursive: true, force: true });
}

async function timed<T>(what: string, run: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await run();
  report(`${what}: ${(performance.now() - start).toFixed(0)} ms`);
  return result;
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MB`;
}
