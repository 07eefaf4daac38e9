import { describe, expect, it } from 'vitest';
import type { RawInput } from '../../../../src/core/card/card.ts';
import { AppError } from '../../../../src/core/cloud/errors.ts';
import type { CostRange, CostRecord } from '../../../../src/core/cloud/records.ts';
import { daysOf } from '../../../../src/core/ports/costs.ts';
import { sumUnits } from '../../../../src/cost/book/units.ts';
import { costRead } from '../../../../src/operations/cost-read/cost-read.ts';
import { renderCard } from '../../../../src/slack/render/render.ts';
import { bookOf, idOf, serviceRecord, warehouseRecord } from '../../../support/cost-books.ts';
import { expectGolden } from '../../../support/golden.ts';
import { formOf, rendered, wordsOf } from '../../../support/run-operation.ts';
import { cardOf, entry } from './fixture.ts';

const HOSTILE = '<!channel> *bold* `tick` =HYPERLINK(1) 💥';

/** Two services and a warehouse; yesterday and the day before are not locked. */
function small({ from, to }: CostRange): readonly CostRecord[] {
  return daysOf({ from, to }).flatMap((day) => {
    const locked = { locked: day < '2026-11-25' };
    return [
      serviceRecord('analytics', day, 200, {
        ...locked,
        metrics: { computeUnits: 190, teleportUnits: 10 },
      }),
      warehouseRecord('analytics', day, 20.5, locked),
      serviceRecord('scratch', day, day === '2026-11-26' ? 57.1 : 25, locked),
    ];
  });
}

const smallBook = (range: CostRange) => bookOf(range.from, range.to, small(range));

const many = ({ from, to }: CostRange) =>
  bookOf(
    from,
    to,
    daysOf({ from, to }).flatMap((day) =>
      Array.from({ length: 500 }, (_, n) =>
        serviceRecord(n === 7 ? HOSTILE : `service number ${n}`, day, n + 0.25),
      ),
    ),
  );

describe('the card of cost.read', () => {
  it.each([
    ['small', {}],
    ['small-by-day', { by: 'day' }],
    ['small-by-metric', { by: 'metric' }],
    ['small-by-tag', { by: 'tag' }],
    ['one-day', { range: 'yesterday' }],
    ['one-service', { range: '7d', service: 'scratch' }],
  ] as const)('%s', async (name, raw) => {
    expectGolden(`cost.read/${name}`, rendered(await cardOf(raw, smallBook)));
  });

  it('stays readable with 500 services and hostile names, and adds up', async () => {
    const card = await cardOf({ range: 'yesterday' }, many);
    expectGolden('cost.read/many', rendered(card));
    expect(card.table?.rows).toHaveLength(30);
    const sum = sumUnits((card.table?.rows ?? []).map((row) => numberIn(row[1])));
    expect(sum).toBe(sumUnits(Array.from({ length: 500 }, (_, n) => n + 0.25)));
    for (const richness of ['table', 'text'] as const) {
      expectGolden(`cost.read/many-${richness}`, renderCard(card, richness).main);
    }
  });

  it('names failed, empty and running days, differing totals and skipped records', async () => {
    const failure = new AppError('unavailable', { userMessage: 'The control API did not answer.' });
    const card = await cardOf({ range: '2026-11-21..2026-11-27', by: 'day' }, (range) =>
      bookOf(
        range.from,
        range.to,
        small(range).filter(({ date }) => date !== '2026-11-23'),
        {
          states: { '2026-11-22': 'missing', '2026-11-27': 'running' },
          days: { '2026-11-22': { failure }, '2026-11-26': { failure } },
          book: {
            skipped: 2,
            differences: [
              {
                range: { from: '2026-11-14', to: '2026-11-27' },
                reportedUnits: 3_000,
                recordUnits: 2_950.5,
              },
            ],
          },
        },
      ),
    );
    expectGolden('cost.read/gaps', rendered(card));
    expect(card.tone).toBe('warning');
    expect(card.chart?.categories).toEqual([
      '21 Nov',
      '24 Nov',
      '25 Nov *',
      '26 Nov *',
      '27 Nov *',
    ]);
    expect(card.table?.rows.map((row) => row[1])).toContainEqual('n/a');
  });

  it('of a service says nothing about the organization', async () => {
    const card = await cardOf({ service: 'scratch' }, (range) =>
      bookOf(range.from, range.to, small(range), {
        book: { skipped: 2, differences: [{ range, reportedUnits: 9_999, recordUnits: 1 }] },
      }),
    );
    const words = JSON.stringify(card);
    expect(words).not.toContain('9,999');
    expect(words).not.toContain('analytics');
  });

  it.each([
    ['zero', [serviceRecord('analytics', '2026-11-26', 0)], '0 units, final'],
    ['nothing', [], 'nothing reported, which is not zero'],
  ])('%s', async (name, records, words) => {
    const book = (range: CostRange) => bookOf(range.from, range.to, records);
    const card = await cardOf({ range: 'yesterday' }, book);
    expect(wordsOf(card)[0]).toContain(words);
    expectGolden(`cost.read/${name}`, rendered(card));
  });

  it('of a service without a record says so', async () => {
    const card = await cardOf({ range: 'yesterday', service: 'idle' }, smallBook, {
      entries: [entry('idle', ['dev'])],
    });
    expect(wordsOf(card)[0]).toContain('nothing reported, which is not zero');
    expect(card.table).toBeUndefined();
  });

  it('shows money by the rate of the settings alone', async () => {
    const card = await cardOf({ range: 'yesterday' }, smallBook, {
      settings: { currency: { name: 'EUR', perUnit: 0.5 } },
    });
    expect(wordsOf(card)[0]).toBe('Thu 26 Nov 2026 (UTC): 277.6 units (138.80 EUR), provisional.');
  });

  it('draws weeks where there are more than 20 days', async () => {
    const card = await cardOf({ range: '58d' }, smallBook);
    expect(card.chart?.categories).toEqual([
      '28 Sep (5 d)',
      '5 Oct',
      '12 Oct',
      '19 Oct',
      '26 Oct',
      '2 Nov',
      '9 Nov',
      '16 Nov',
      '23 Nov (4 d) *',
    ]);
    const total = sumUnits(card.chart?.series[0]?.values ?? []);
    expect(total).toBe(sumUnits([57 * 245.5, 277.6]));
  });

  it('asks in a form', () => {
    expectGolden('cost.read/form', formOf(costRead, { range: 'mtd', by: 'day' }));
  });
});

describe('the file of cost.read', () => {
  async function linesOf(raw: RawInput, records: readonly CostRecord[]) {
    const card = await cardOf({ range: '2026-11-26', csv: true, ...raw }, (range) =>
      bookOf(range.from, range.to, records),
    );
    return { name: card.file?.name, lines: card.file?.content.trimEnd().split('\n') ?? [] };
  }

  it('has one row for each record, exact numbers, and every metric as a column', async () => {
    const { name, lines } = await linesOf({}, [
      serviceRecord('analytics', '2026-11-26', 1.23456789, {
        metrics: { computeUnits: 1.2, teleportUnits: 0.03456789 },
      }),
      warehouseRecord('analytics', '2026-11-26', -5, { locked: false }),
      serviceRecord('analytics', '2026-11-25', 99),
    ]);
    expect(name).toBe('costs-acme-2026-11-26-2026-11-26.csv');
    const [a, w] = [idOf('analytics'), idOf('w-analytics')];
    expect(lines).toEqual([
      'date,organization,entityId,entityName,entityType,serviceId,dataWarehouseId,locked,totalUnits,computeUnits,storageUnits,teleportUnits',
      `2026-11-26,acme,${a},analytics,service,${a},${w},true,1.23456789,1.2,,0.03456789`,
      `2026-11-26,acme,${w},analytics warehouse,datawarehouse,,${w},false,-5,,-5,`,
    ]);
  });

  it('is said to be where it is', async () => {
    const card = await cardOf({ range: 'yesterday', csv: true }, smallBook);
    expect(wordsOf(card).join(' ')).toContain('in your direct messages from Steward');
    const without = await cardOf({ range: 'yesterday' }, smallBook);
    expect(wordsOf(without).join(' ')).not.toContain('direct messages');
  });

  it('of a service holds that service', async () => {
    const records = ['analytics', 'scratch'].map((name) => serviceRecord(name, '2026-11-26', 1));
    expect((await linesOf({ service: 'scratch' }, records)).lines).toHaveLength(2);
  });

  it.each([
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['+1', `'+1`],
    ['@name', `'@name`],
    [' =1+1', `' =1+1`],
    ['\u200b=1+1', `'\u200b=1+1`],
    ['＝1+1', `'＝1+1`],
    ['a,b', '"a,b"'],
  ])('keeps the name %s from being a formula', async (entityName, written) => {
    const { lines } = await linesOf({}, [
      serviceRecord('analytics', '2026-11-26', 1, { entityName }),
    ]);
    expect(lines[1]).toContain(`,${written},service`);
  });

  it('keeps the name of a metric from being a formula', async () => {
    const metrics = { '=HYPERLINK(1)': 1 };
    const { lines } = await linesOf({}, [serviceRecord('analytics', '2026-11-26', 1, { metrics })]);
    expect(lines[0]).toContain(",'=HYPERLINK(1)");
  });

  it('is absent unless asked for', async () => {
    expect((await linesOf({ csv: false }, [])).name).toBeUndefined();
  });
});

function numberIn(cell: unknown): number {
  return typeof cell === 'object' && cell !== null && 'number' in cell ? Number(cell.number) : 0;
}
