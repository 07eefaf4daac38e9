import { systemClock } from '../../src/app/clock.ts';
import type { JournalFilter } from '../../src/core/ports/journal.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import type { AuditJournal } from '../../src/storage/journal/journal.ts';
import { journalOf } from '../support/journal-of.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type Bot, type Bots, freshSqlite } from './bots.ts';
import { type Line, median } from './figures.ts';
import { fillJournal, openedAt, personOf, serviceOf } from './journal-fill.ts';

const FINDS = 5;
const STARTS = 3;

/** `find`, `verify` and the start over a journal of so many events. */
export async function measureJournal(bots: Bots, events: number): Promise<readonly Line[]> {
  const part = `journal, ${events.toLocaleString('en')} events`;
  const { url, remove } = await freshSqlite();
  try {
    await (await bots.steward(url)).stop();
    fillJournal(url.replace('sqlite:', ''), events);
    const lines = [...(await readIt(part, url, events)), await startIt(part, bots, url)];
    return lines;
  } finally {
    await remove();
  }
}

async function readIt(part: string, url: string, events: number): Promise<readonly Line[]> {
  const db = await openDatabase(url, { logger: silentLogger });
  const journal = journalOf(db, systemClock, 'bench');
  const lines: Line[] = [];
  for (const [name, filter] of Object.entries(filters(events))) {
    const value = await timeOfFind(journal, filter);
    lines.push({ part, what: `find by ${name}`, value, unit: 'ms', wanted: { atMost: 100 } });
  }
  const since = performance.now();
  const verification = await journal.verify();
  const value = (performance.now() - since) / 1_000;
  if (!verification.ok) throw new Error(`The journal is broken: ${verification.problem}`);
  await db.close();
  return [...lines, { part, what: 'verify', value, unit: 's' }];
}

function filters(events: number): Readonly<Record<string, JournalFilter>> {
  const middle = Math.floor(events / 4.5);
  const window = { since: openedAt(middle, events), until: openedAt(middle + 500, events) };
  return {
    service: { services: [serviceOf(3)] },
    person: { people: [personOf(7)] },
    action: { operations: ['service.stop'] },
    'kind of action': { operations: ['service.*'] },
    'time window': window,
    'person and action': { people: [personOf(3)], operations: ['service.stop'] },
    'time window, 1,000 entries': { ...window, limit: 1_000 },
  };
}

/** The median of a few, the first of which finds nothing in any cache of ours. */
async function timeOfFind(journal: AuditJournal, filter: JournalFilter): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < FINDS; at += 1) {
    const since = performance.now();
    const found = await journal.find(filter);
    times.push(performance.now() - since);
    if (found.length === 0) throw new Error(`Nothing was found by ${JSON.stringify(filter)}.`);
  }
  return median(times);
}

async function startIt(part: string, bots: Bots, url: string): Promise<Line> {
  const bare: number[] = [];
  const full: number[] = [];
  for (let at = 0; at < STARTS; at += 1) {
    bare.push(await startOf(() => bots.echo()));
    full.push(await startOf(() => bots.steward(url)));
  }
  const value = median(full);
  const ratio = value / median(bare);
  return { part, what: 'start to ready', value, unit: 'ms', ratio, wanted: { atMost: 1.6 } };
}

async function startOf(start: () => Promise<Bot>): Promise<number> {
  const bot = await start();
  await bot.stop();
  return bot.replicas[0]?.readyMs ?? Number.NaN;
}
