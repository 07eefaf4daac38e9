/** The costs part of the bench, alone in its process. Arguments: address, database, entities. */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../src/app/clock.ts';
import { createControlApi } from '../../src/control-api/create-control-api.ts';
import type { CostRange } from '../../src/core/cloud/records.ts';
import { createCostReader } from '../../src/cost/read/reader.ts';
import { createDigestWriter } from '../../src/digest/write/writer.ts';
import { createCostStore } from '../../src/storage/costs/cost-store.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { createDirectory } from '../../src/storage/directory.ts';
import { idOf } from '../support/cost-books.ts';
import { createTestClock } from '../support/settable-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { settingsOf } from '../unit/policy/policy-fixtures.ts';
import { type CostResult, DAY } from './costs-result.ts';

const CHANNELS = 100;
const REST_MS = 500;

const [url = '', databaseUrl = '', entities = '0'] = process.argv.slice(2);
const settings = settingsOf([], {
  organizations: [
    { key: 'acme', id: idOf('acme'), keyId: 'key', keySecret: 'secret', names: 'neutral' },
  ],
});
const db = await openDatabase(databaseUrl, { logger: silentLogger });
// The answer is read as a morning's; the wait for it is real.
const clock = { ...systemClock, now: createTestClock('2026-11-27T09:00:00.000Z').now };
const store = createCostStore(db);
const directory = createDirectory(db, clock, { get: () => settings });
const api = createControlApi({
  baseUrl: url,
  organizations: () => settings.organizations,
  clock,
  logger: silentLogger,
});
let calls = 0;
const usageCost: typeof api.usageCost = (organization, range: CostRange, call) => {
  calls += 1;
  return api.usageCost(organization, range, call);
};
const writer = createDigestWriter({
  costs: createCostReader({ control: { usageCost }, store, clock, directory }),
  restatements: store.restatements,
  directory,
  settings: { get: () => settings },
  isMuted: async () => false,
  slept: async () => [],
  stopped: async () => [],
});

await wait(REST_MS);
// The peak from here on: the start of the process does not count.
writeFileSync('/proc/self/clear_refs', '5');
const restMb = memoryMb('VmRSS');
const cpu = process.cpuUsage();
const since = performance.now();
const drafts = await writer.write('acme', requests());
const wallSeconds = (performance.now() - since) / 1_000;
const { user, system } = process.cpuUsage(cpu);
const units = drafts.reduce((sum, draft) => sum + unitsIn(draft?.snapshot), 0);
const result: CostResult = {
  cpuSeconds: (user + system) / 1_000_000,
  wallSeconds,
  peakMb: memoryMb('VmHWM') - restMb,
  calls,
  units,
};
const expected = Array.from({ length: Number(entities) }, (_, n) => (n % 97) + 0.25);
const fault = units === expected.reduce((sum, one) => sum + one, 0) ? {} : { fault: 'wrong units' };
process.stdout.write(`${JSON.stringify({ ...result, ...fault })}\n`);
await api.close();
await db.close();

function requests() {
  const names = Array.from({ length: Number(entities) }, (_, n) => `service-${n}`);
  return Array.from({ length: CHANNELS }, (_, channel) => ({
    key: { channel: `C0${channel}`, organization: 'acme', period: 'day', day: DAY } as const,
    digest: {
      services: names.filter((_name, n) => n % CHANNELS === channel).map(idOf),
      budgetPerDay: 400,
      anomalyFloor: undefined,
    },
  }));
}

function unitsIn(snapshot: unknown): number {
  return (snapshot as { readonly numbers: { readonly units?: number } }).numbers.units ?? 0;
}

function memoryMb(what: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`^${what}:\\s+(\\d+) kB`, 'mu').exec(
    readFileSync('/proc/self/status', 'utf8'),
  );
  return Number(found?.[1]) / 1_024;
}
