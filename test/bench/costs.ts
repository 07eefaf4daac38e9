import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { daysOf, shiftDay } from '../../src/core/ports/costs.ts';
import { serviceRecord } from '../support/cost-books.ts';
import { freshSqlite } from './bots.ts';
import { bundle } from './bundle.ts';
import { type CostResult, DAY } from './costs-result.ts';
import type { Line } from './figures.ts';

const DAYS = 31;

/**
 * A month of costs from the API to the words of 100 channels, in a process of its own: neither the
 * making of the answer nor this program counts.
 */
export async function measureCosts(
  entities: number,
  profile: string | undefined,
): Promise<readonly Line[]> {
  const part = `costs, ${DAYS} days of ${entities.toLocaleString('en')} entities`;
  const program = await bundle('costs-child', 'bundled');
  const costs = costsOf(entities);
  const { server, url } = await serve(costs);
  const { url: database, remove } = await freshSqlite();
  try {
    const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
    const args = [...profiling, program, url, database, String(entities)];
    const result = await run(args);
    const { cpuSeconds, wallSeconds, peakMb } = result;
    const sent = costs.reduce((bytes, { json }) => bytes + json.length, 0) / 1_048_576;
    return [
      { part, what: 'what the API answers', value: sent, unit: 'MB' },
      { part, what: 'processor', value: cpuSeconds, unit: 's', wanted: { atMost: 1 } },
      { part, what: 'from question to words', value: wallSeconds, unit: 's' },
      { part, what: 'memory above rest', value: peakMb, unit: 'MB', wanted: { atMost: 60 } },
    ];
  } catch (thrown) {
    return [{ part, notRun: thrown instanceof Error ? thrown.message : String(thrown) }];
  } finally {
    server.closeAllConnections();
    server.close();
    await remove();
  }
}

type Day = { readonly day: string; readonly json: string };

/** Days of records as the API writes them; the last two are not locked. */
function costsOf(entities: number): readonly Day[] {
  return daysOf({ from: shiftDay(DAY, 1 - DAYS), to: DAY }).map((day) => {
    const records = Array.from({ length: entities }, (_, n) => {
      const units = (n % 97) + 0.25;
      return serviceRecord(`service-${n}`, day, units, {
        locked: day < '2026-11-25',
        metrics: { computeUnits: units - 0.25, storageUnits: 0.25 },
      });
    });
    return { day, json: JSON.stringify(records).slice(1, -1) };
  });
}

async function serve(costs: readonly Day[]): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://bench').searchParams;
    const from = asked.get('from_date') ?? '';
    const to = asked.get('to_date') ?? '';
    const parts = costs.filter(({ day }) => day >= from && day <= to).map(({ json }) => json);
    const total = parts.length === 0 ? '"grandTotalUnits":0,' : '';
    const body = `{"result":{${total}"costs":[${parts.join(',')}]},"requestId":"r-1","status":200}`;
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` };
}

async function run(args: readonly string[]): Promise<CostResult> {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await text(child.stdout);
  const last = said.trim().split('\n').at(-1) ?? '';
  const result = JSON.parse(last) as CostResult | { readonly fault: string };
  if ('fault' in result) throw new Error(result.fault);
  return result;
}
