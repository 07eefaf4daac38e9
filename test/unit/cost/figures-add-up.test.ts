import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell, ChannelCard, RequesterCard } from '../../../src/core/card/card.ts';
import type { CostRecord } from '../../../src/core/cloud/records.ts';
import { type CostDayState, daysOf, shiftDay } from '../../../src/core/ports/costs.ts';
import { plain } from '../../../src/core/text/text.ts';
import { servicesOf } from '../../../src/cost/book/scope.ts';
import { summarise } from '../../../src/cost/summary/summary.ts';
import { digestCard } from '../../../src/digest/write/card.ts';
import { bookOf, idOf, serviceRecord, warehouseRecord } from '../../support/cost-books.ts';
import { cardOf, ENTRIES } from '../operations/cost-read/fixture.ts';

const DAY = '2026-11-26';
const FIRST = shiftDay(DAY, -61);
const DAYS = daysOf({ from: FIRST, to: DAY });
/** `lost` is a service that only its pipe names; `stray` is a pipe of nobody. */
const KINDS = ['analytics', 'scratch', 'clickstream', 'orders', 'lost-pipe', 'stray', 'storage'];
const METRICS = ['computeUnits', 'storageUnits', 'backupUnits', 'teleportUnits'];

type Shown = ChannelCard | RequesterCard;
type World = {
  readonly records: readonly CostRecord[];
  readonly states: Readonly<Record<string, CostDayState>>;
};

/** An amount or nothing for each kind on each day; the last days matter most and vary most. */
const worlds: fc.Arbitrary<World> = fc
  .record({
    usual: fc.array(amount(), { minLength: KINDS.length, maxLength: KINDS.length }),
    last: fc.array(fc.array(amount(), { minLength: KINDS.length, maxLength: KINDS.length }), {
      minLength: 3,
      maxLength: 3,
    }),
    openDays: fc.nat(4),
    gap: fc.option(fc.tuple(fc.nat(8), fc.constantFrom<CostDayState>('missing', 'empty'))),
  })
  .map(({ usual, last, openDays, gap }) => ({
    records: DAYS.flatMap((day, index) => {
      const amounts = last[DAYS.length - 1 - index] ?? usual;
      const locked = index < DAYS.length - openDays;
      return KINDS.flatMap((kind, at) => recordOf(kind, day, amounts[at], locked));
    }),
    states: gap === null ? {} : { [shiftDay(DAY, -1 - gap[0])]: gap[1] },
  }));

function amount(): fc.Arbitrary<number | undefined> {
  const cents = fc.integer({ min: 0, max: 60_000 }).map((value) => value / 100);
  return fc.option(fc.oneof(cents, fc.constantFrom(0, 0.001, 0.05)), { nil: undefined, freq: 4 });
}

function recordOf(kind: string, day: string, units: number | undefined, locked: boolean) {
  if (units === undefined) return [];
  const metric = METRICS[Math.round(units * 100) % METRICS.length] ?? 'computeUnits';
  const common = { locked, metrics: { [metric]: units * 0.75, computeUnits: units * 0.25 } };
  const pipe = (service: string | undefined) =>
    serviceRecord(kind, day, units, {
      ...common,
      entityType: 'pipe',
      serviceId: service === undefined ? undefined : idOf(service),
    });
  switch (kind) {
    case 'clickstream':
    case 'orders':
      return [pipe('analytics')];
    case 'lost-pipe':
      return [pipe('lost')];
    case 'stray':
      return [pipe(undefined)];
    case 'storage':
      return [warehouseRecord('analytics', day, units, common)];
    default:
      return [serviceRecord(kind, day, units, common)];
  }
}

function summaryCard(world: World, services: readonly string[], period: 'day' | 'week'): Shown {
  const summary = summarise({
    book: bookOf(FIRST, DAY, world.records, { states: world.states }),
    scope: servicesOf(services, ENTRIES, 'acme'),
    services: ENTRIES,
    period,
    day: period === 'day' ? DAY : shiftDay(DAY, -6),
  });
  return digestCard(summary, { currency: undefined, severalOrganizations: false, services });
}

const costCard = (world: World, raw: Parameters<typeof cardOf>[0]): Promise<Shown> =>
  cardOf(raw, ({ from, to }) => bookOf(from, to, world.records, { states: world.states }));

/** The costs that the summary's own button opens. */
function opened(world: World, card: Shown): Promise<Shown> {
  const action = card.actions?.find(({ label }) => label === 'By service');
  if (action?.do.kind !== 'run') throw new TypeError('The summary has no button.');
  return costCard(world, action.do.input);
}

const cellText = (cell: Cell | undefined) => (typeof cell === 'object' ? cell.text : (cell ?? ''));
const rowsOf = ({ table }: Shown) => (table?.rows ?? []).map((row) => row.map(cellText));
const columnOf = ({ table }: Shown, name: string) => table?.header.indexOf(name) ?? -1;
const wordsOf = (card: Shown) => [card.headline, ...(card.lines ?? [])].map((text) => plain(text));
const lineOf = (card: Shown, start: string) => wordsOf(card).find((line) => line.startsWith(start));
/** The first amount in units of the headline, as printed. */
const totalOf = (card: Shown) => /([\d.,<]+) units?/u.exec(wordsOf(card)[0] ?? '')?.[1];

function read(text: string): number {
  if (/^[<>–±]/u.test(text)) return 0;
  return Number(text.replace('−', '-').replaceAll(/[+,]/gu, ''));
}

/** Each printed row is rounded by half of its last digit. */
function expectSum(card: Shown): void {
  const rows = rowsOf(card);
  const total = totalOf(card);
  if (rows.length === 0 || total === undefined) return;
  const amounts = rows
    .map((row) => row[columnOf(card, 'Units')] ?? '')
    .filter((one) => one !== 'n/a');
  const sum = amounts.map(read).reduce((all, one) => all + one, 0);
  expect(Math.abs(sum - read(total))).toBeLessThanOrEqual(0.0501 * (rows.length + 1));
}

type Named = { readonly name: string; readonly amount: string };

function namedIn(card: Shown, title: string): readonly Named[] {
  const line = lineOf(card, `${title}: `);
  if (line === undefined) return [];
  return line
    .slice(title.length + 2)
    .split(' · ')
    .filter((part) => !part.startsWith('and '))
    .map((part) => /^(?<name>\S+(?: warehouse)?) (?<amount>\S+)/u.exec(part)?.groups)
    .map((found) => ({ name: found?.['name'] ?? '', amount: found?.['amount'] ?? '' }));
}

/** What a line names has a row of its own in the table of `by`, with the same figure. */
function expectNamed(card: Shown, table: Shown): void {
  const row = ({ name }: Named) =>
    rowsOf(table).find(([label = '']) => label === name || label.startsWith(`${name} (`)) ?? [];
  const [units, change] = [columnOf(table, 'Units'), columnOf(table, 'Change')];
  for (const mover of namedIn(card, 'Biggest movers')) {
    expect(row(mover)[change]).toBe(mover.amount);
  }
  for (const fresh of namedIn(card, 'New')) {
    expect([row(fresh)[units], row(fresh)[change]]).toEqual([fresh.amount, 'new']);
  }
  for (const gone of namedIn(card, 'No longer reported')) {
    expect(row(gone)[units]).toBe('–');
    expect(Math.abs(read(row(gone)[change] ?? ''))).toBe(read(gone.amount));
  }
}

function expectBars(card: Shown, total = totalOf(card)): void {
  const bars = card.chart?.series[0]?.values;
  if (bars === undefined || total === undefined) return;
  const sum = bars.reduce((all, one) => all + one, 0);
  expect(Math.abs(sum - read(total))).toBeLessThanOrEqual(0.0501);
}

const SCOPES = [['*'], ['tag:prod'], ['analytics', 'scratch'], [idOf('lost'), 'scratch']];
const RUNS = { numRuns: 25, seed: 13 };

describe('every figure that is shown equals one made from what is shown', () => {
  it('in a summary and in the costs that its button opens', async () => {
    await fc.assert(
      fc.asyncProperty(
        worlds,
        fc.constantFrom(...SCOPES),
        fc.constantFrom('day' as const, 'week' as const),
        async (world, services, period) => {
          const card = summaryCard(world, services, period);
          expectSum(card);
          expectNamed(card, card);
          expectBars(card);
          if (card.table === undefined) return;
          const costs = await opened(world, card);
          expect(totalOf(costs)).toBe(totalOf(card));
          expect(costs.table).toEqual(card.table);
          for (const title of ['Biggest movers', 'New', 'No longer reported']) {
            expect(namedIn(costs, title)).toEqual(namedIn(card, title));
          }
        },
      ),
      RUNS,
    );
  });

  it('in the month so far, its forecast and its average', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const lines = wordsOf(summaryCard(world, ['*'], 'day'));
        const found = lines.map((line) =>
          /month: (\S+) units.*\((\S+) a day on average of (\d+) days?, times (\d+)\)/u.exec(line),
        );
        const [, units = '', average = '', days = '', times = ''] =
          found.find((one) => one !== null) ?? [];
        if (units === '') return;
        const to = lines.find((line) => line.startsWith('Month to date: ')) ?? '';
        const sum = read(/: (\S+) unit/u.exec(to)?.[1] ?? '');
        expect(Math.abs(read(average) * Number(days) - sum)).toBeLessThanOrEqual(0.051 * 32);
        expect(Math.abs(read(average) * Number(times) - read(units))).toBeLessThanOrEqual(
          0.051 * 32,
        );
      }),
      RUNS,
    );
  });

  it('in the costs by day, service, metric and tag, which say the same total and movers', async () => {
    await fc.assert(
      fc.asyncProperty(
        worlds,
        fc.constantFrom('yesterday', '3d', '7d', 'mtd'),
        async (world, range) => {
          const by = (one: string) => costCard(world, { range, by: one });
          const [service, ...others] = await Promise.all(
            ['service', 'day', 'metric', 'tag'].map(by),
          );
          if (service === undefined) throw new TypeError('no card');
          for (const card of [service, ...others]) {
            expectSum(card);
            expectNamed(card, service);
            expect(wordsOf(card)).toEqual(wordsOf(service));
          }
          expectBars(service);
        },
      ),
      RUNS,
    );
  });
});
