import { describe, expect, it } from 'vitest';
import { plain } from '../../../src/core/text/text.ts';
import { changeOf, type Mover } from '../../../src/cost/book/change.ts';
import { type CostGroup, groupsOf, partNames, together } from '../../../src/cost/book/groups.ts';
import {
  type CostEntity,
  type CostIndex,
  indexCosts,
  isReported,
  stateWithin,
  unitsOfAll,
  unitsWithin,
} from '../../../src/cost/book/index-of-costs.ts';
import { foldedRows, rowsOf, rowTable } from '../../../src/cost/book/rows.ts';
import { entitiesIn } from '../../../src/cost/book/scope.ts';
import {
  againstText,
  amountText,
  dayText,
  differenceText,
  metricText,
  movementLines,
  rangeText,
  shareCell,
  signedCell,
  unitsCell,
} from '../../../src/cost/book/words.ts';

const on = (from: string, to = from) => ({ from, to });

function entity(id: string, units: Readonly<Record<string, number>>, more = {}): CostEntity {
  return {
    id,
    name: `name-${id}`,
    units: new Map(Object.entries(units)),
    open: new Set(),
    ...more,
  };
}

function group(name: string, units: Readonly<Record<string, number>>, parts: string[] = []) {
  const own = [entity(name, units), ...parts.map((part) => entity(part, units, { name: part }))];
  const made: CostGroup = { ...together(own.slice(0, 1)), id: name, name, parts: own };
  return made;
}

describe('an amount in words', () => {
  it.each([
    [on('2026-11-26'), 'Thu 26 Nov 2026'],
    [on('2026-11-20', '2026-11-26'), '20 – 26 Nov 2026'],
    [on('2026-10-28', '2026-11-03'), '28 Oct – 3 Nov 2026'],
    [on('2025-12-20', '2026-01-02'), '20 Dec 2025 – 2 Jan 2026'],
    [on('2025-11-20', '2026-11-26'), '20 Nov 2025 – 26 Nov 2026'],
  ])('the range %j is %s', (range, words) => {
    expect(rangeText(range)).toBe(words);
  });

  it('a day has its year on request', () => {
    expect([dayText('2026-11-06'), dayText('2026-11-06', 'long')]).toEqual([
      'Fri 6 Nov',
      'Fri 6 Nov 2026',
    ]);
  });

  it.each([
    [on('2026-11-26'), on('2026-11-25'), 'the day before, Wed 25 Nov 2026'],
    [
      on('2026-11-20', '2026-11-26'),
      on('2026-11-13', '2026-11-19'),
      'the 7 days before, 13 – 19 Nov 2026',
    ],
    [
      on('2026-11-01', '2026-11-30'),
      on('2026-10-01', '2026-10-31'),
      'the month before, 1 – 31 Oct 2026',
    ],
    [
      on('2026-11-01', '2026-11-29'),
      on('2026-10-01', '2026-10-31'),
      'the 31 days before, 1 – 31 Oct 2026',
    ],
    [
      on('2026-12-05', '2026-12-29'),
      on('2026-11-01', '2026-11-30'),
      'all of last month, 1 – 30 Nov 2026',
    ],
    [on('2026-11-02'), on('2026-10-01'), 'the 1st of last month, Thu 1 Oct 2026'],
    [
      on('2026-11-01', '2026-11-26'),
      on('2026-10-01', '2026-10-26'),
      'the first 26 days of last month, 1 – 26 Oct 2026',
    ],
  ])('%j is compared with %j as with %s', (range, before, words) => {
    expect(againstText(range, before)).toBe(words);
  });

  it.each([
    [1, undefined, '1.0 unit'],
    [1.04, undefined, '1.0 unit'],
    [0, undefined, '0 units'],
    [412.6, { name: 'EUR', perUnit: 0.3 }, '412.6 units (123.78 EUR)'],
    [5000, { name: 'EUR', perUnit: 1 }, '5,000.0 units (5,000.00 EUR)'],
    [1, { name: 'USD', perUnit: 0.125 }, '1.0 unit (0.13 USD)'],
  ])('%s at %j is %s', (units, currency, words) => {
    expect(amountText(units, currency)).toBe(words);
  });

  it('a share is of something', () => {
    expect(shareCell(1, 3)).toEqual({ number: 33.3, text: '33.3 %' });
    expect(shareCell(3, 3)).toEqual({ number: 100, text: '100.0 %' });
    expect([shareCell(1, 0), shareCell(1, -1)]).toEqual(['–', '–']);
  });

  it('a number in a table sorts by what it is', () => {
    expect(unitsCell(1234.5)).toEqual({ number: 1234.5, text: '1,234.5' });
    expect(signedCell(-2)).toEqual({ number: -2, text: '−2.0' });
  });

  it('a metric that nobody knows has its own key', () => {
    expect(['storageUnits', 'gpuUnits', 'toString'].map(metricText)).toEqual([
      'Storage',
      'gpuUnits',
      'toString',
    ]);
  });

  it('two totals of the API that disagree are both told', () => {
    const difference = { range: on('2026-11-26'), reportedUnits: 3, recordUnits: 2.5 };
    expect(plain(differenceText(difference as never))).toBe(
      'The API’s total for Thu 26 Nov 2026 is 3.0 units, its records add up to 2.5.',
    );
  });
});

describe('what moved', () => {
  const mover = (name: string, more: Partial<Mover> = {}): Mover => ({
    ...{ id: name, name, nowUnits: 2, beforeUnits: 1, deltaUnits: 1 },
    ...{ newParts: [], goneParts: [], ...more },
  });
  const lines = (movement: Partial<Parameters<typeof movementLines>[0]>) =>
    movementLines({ movers: [], appeared: [], vanished: [], ...movement }, 'then').map(plain);

  it('is nothing where nothing moved', () => {
    expect(lines({})).toEqual([]);
  });

  it('is the three biggest, with the pipes that came and went', () => {
    const movers = [
      mover('a', { deltaUnits: -2, newParts: ['p1'], goneParts: ['q1', 'q2', 'q3'] }),
      mover('n'.repeat(61), { goneParts: ['1', '2', '3', '4', 'l'.repeat(50)] }),
      mover('c', { newParts: ['l'.repeat(50)] }),
      mover('d'),
    ];
    expect(lines({ movers })).toEqual([
      `Biggest movers: a −2.0 (new p1, without q1, q2, q3) · ${'n'.repeat(60)} +1.0 (without 1, 2, 3 and 2 more) · c +1.0 (new ${'l'.repeat(40)})`,
    ]);
  });

  it('names five newcomers and five that are gone, and counts the others', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => mover(name));
    expect(lines({ appeared: many.slice(0, 5), vanished: many })).toEqual([
      'New: a 2.0 · b 2.0 · c 2.0 · d 2.0 · e 2.0',
      'No longer reported: a 1.0 then · b 1.0 then · c 1.0 then · d 1.0 then · e 1.0 then · and 2 more',
    ]);
  });

  it('is exact', () => {
    expect(changeOf(0.3, 0.1)).toEqual({
      ...{ kind: 'change', nowUnits: 0.3, beforeUnits: 0.1, deltaUnits: 0.2 },
    });
  });
});

describe('rows of costs', () => {
  const day = on('2026-11-26');
  const before = on('2026-11-25');

  it('are the dearest first, equal ones by label, and what is gone last', () => {
    const groups = [
      group('gone', { '2026-11-25': 9 }),
      group('b', { '2026-11-26': 2 }),
      group('a', { '2026-11-26': 2, '2026-11-25': 1 }),
      group('also-gone', { '2026-11-25': 1 }),
      group('never', { '2026-11-20': 1 }),
      group('dear', { '2026-11-26': 3 }),
    ];
    expect(rowsOf(groups, day, before)).toEqual([
      { name: 'dear', label: 'dear', units: 3, before: undefined },
      { name: 'a', label: 'a', units: 2, before: 1 },
      { name: 'b', label: 'b', units: 2, before: undefined },
      { name: 'also-gone', label: 'also-gone', units: undefined, before: 1 },
      { name: 'gone', label: 'gone', units: undefined, before: 9 },
    ]);
    expect(rowsOf(groups, day, undefined).map(({ name }) => name)).toEqual(['dear', 'a', 'b']);
  });

  it('name three pipes under their service, each cut, and count the others', () => {
    const units = { '2026-11-26': 1 };
    const parts = ['p4', 'p3', 'p2', `p1${'x'.repeat(40)}`];
    const label = (name: string, own: string[]) =>
      rowsOf([group(name, units, own)], day, undefined)[0]?.label;
    expect(label('s', parts)).toBe(`s (with p1${'x'.repeat(28)}, p2, p3 and 1 more)`);
    expect(label('s', ['p1', 'p2', 'p3'])).toBe('s (with p1, p2, p3)');
    expect(label('s'.repeat(70), [])).toBe('s'.repeat(60));
  });

  it('name the pipes of the day before where nothing is left', () => {
    const gone = group('s', { '2026-11-25': 1 }, ['p1']);
    expect(rowsOf([gone], day, before)[0]?.label).toBe('s (with p1)');
  });

  it('fold into one where there are too many, so that nothing is lost', () => {
    const rows = [5, 4, undefined, 0.1, 0.2].map((units, index) => ({
      ...{ label: `l${index}`, name: `n${index}`, units, before: units && units + 1 },
    }));
    expect(foldedRows(rows, 5, 'services')).toBe(rows);
    expect(foldedRows(rows, 3, 'services')).toEqual([
      ...rows.slice(0, 2),
      { label: '3 other services', name: '3 other services', units: 0.3, before: 2.3 },
    ]);
    const nothing = rows.map((row) => ({ ...row, units: undefined, before: undefined }));
    expect(foldedRows(nothing, 2, 'days').at(-1)).toMatchObject({
      ...{ label: '4 other days', units: undefined, before: undefined },
    });
  });

  it('are a table with what they changed by, where it is compared', () => {
    const rows = [
      { label: 'a', name: 'a', units: 3, before: 1 },
      { label: 'new', name: 'new', units: 1, before: undefined },
      { label: 'gone', name: 'gone', units: undefined, before: 2 },
      { label: 'odd', name: 'odd', units: undefined, before: undefined },
    ];
    const words = { one: 'Service', many: 'services' };
    expect(rowTable(rows, 4, { ...words, compared: true })).toEqual({
      caption: 'Units by service',
      header: ['Service', 'Units', 'Change', 'Share'],
      rows: [
        [
          'a',
          { number: 3, text: '3.0' },
          { number: 2, text: '+2.0' },
          { number: 75, text: '75.0 %' },
        ],
        [
          'new',
          { number: 1, text: '1.0' },
          { number: 1, text: 'new' },
          { number: 25, text: '25.0 %' },
        ],
        ['gone', { number: 0, text: '–' }, { number: -2, text: '−2.0' }, { number: 0, text: '–' }],
        ['odd', { number: 0, text: '–' }, { number: 0, text: 'new' }, { number: 0, text: '–' }],
      ],
    });
    expect(rowTable(rows, 4, { ...words, compared: false })).toMatchObject({
      header: ['Service', 'Units', 'Share'],
      rows: [
        ['a', { number: 3 }, { number: 75 }],
        expect.anything(),
        expect.anything(),
        expect.anything(),
      ],
    });
    const many = Array.from({ length: 31 }, (_, index) => ({ ...rows[0], name: `${index}` }));
    expect(rowTable(many as never, 4, { ...words, compared: false }).rows).toHaveLength(30);
  });
});

describe('a book of costs by entity', () => {
  const record = (day: string, entityId: string, more: object = {}) => ({
    ...{ date: day, entityId, totalUnits: 1, locked: true, metrics: {}, ...more },
  });
  const book = (days: Readonly<Record<string, readonly object[]>>) =>
    ({
      days: Object.entries(days).map(([day, records]) => ({ day, state: 'final', records })),
    }) as never;

  it('has each under its last name, with its amounts by day, and its open days', () => {
    const index = indexCosts(
      book({
        '2026-11-25': [record('2026-11-25', 'b', { entityName: 'old', locked: false })],
        '2026-11-26': [
          record('2026-11-26', 'b', { entityName: 'new', totalUnits: 0, entityType: 'service' }),
          record('2026-11-26', 'a', { dataWarehouseId: 'w' }),
        ],
      }),
    );
    expect(index.entities).toEqual([
      {
        ...{ id: 'a', name: 'a', type: undefined, serviceId: undefined, warehouseId: 'w' },
        ...{ units: new Map([['2026-11-26', 1]]), open: new Set() },
      },
      {
        ...{ id: 'b', name: 'new', type: 'service', serviceId: 'b', warehouseId: undefined },
        units: new Map([
          ['2026-11-25', 1],
          ['2026-11-26', 0],
        ]),
        open: new Set(['2026-11-25']),
      },
    ]);
    expect(index.shared.map(({ id }) => id)).toEqual(['a']);
    expect(indexCosts(index.book)).toBe(index);
  });

  it('knows which services share a warehouse, and whose pipes are whose', () => {
    const of = (entityId: string, serviceId: string, dataWarehouseId?: string) =>
      record('2026-11-26', entityId, { serviceId, dataWarehouseId });
    const index = indexCosts(
      book({
        '2026-11-26': [
          ...[of('s1', 's1', 'w'), of('p1', 's1', 'w'), of('s2', 's2', 'w'), of('s3', 's3')],
          record('2026-11-26', 'w'),
          record('2026-11-26', 'x', { dataWarehouseId: 'w' }),
          record('2026-11-26', 'nobody', {}),
        ],
      }),
    );
    expect([...index.warehouses]).toEqual([['w', new Set(['s1', 's2'])]]);
    expect(index.byService.get('s1')?.map(({ id }) => id)).toEqual(['p1', 's1']);
    expect(index.byService.get('w')).toBeUndefined();
    const within = (...ids: string[]) => entitiesIn(index, new Set(ids)).map(({ id }) => id);
    expect(within('s1')).toEqual(['p1', 's1']);
    expect(within('s2', 's1', 's9')).toEqual(['p1', 's1', 's2', 'w', 'x']);
    expect(within()).toEqual([]);
    expect(entitiesIn(index, 'all')).toBe(index.entities);
  });

  it('adds up a range, whose days without a record are not zero', () => {
    const days = { '2026-11-24': 1, '2026-11-25': 0, '2026-11-27': 4 };
    const both = [entity('a', days), entity('b', { '2026-11-27': 0.1 })];
    expect(unitsWithin(both, on('2026-11-24', '2026-11-27'))).toBe(5.1);
    expect(unitsWithin(both, on('2026-11-25', '2026-11-26'))).toBe(0);
    expect(unitsWithin(both, on('2026-11-27'))).toBe(4.1);
    expect(isReported(both, on('2026-11-25'))).toBe(true);
    expect(isReported(both, on('2026-11-26'))).toBe(false);
    expect(isReported(both, on('2026-11-26', '2026-11-27'))).toBe(true);
    expect(isReported(both, on('2026-11-22', '2026-11-23'))).toBe(false);
    expect(isReported(both, on('2026-11-28', '2026-11-29'))).toBe(false);
    expect(isReported([], on('2026-11-24'))).toBe(false);
    const index = { entities: both } as unknown as CostIndex;
    expect(unitsOfAll(index, on('2026-11-24', '2026-11-25'))).toBe(1);
    expect(unitsOfAll(index, on('2026-11-24', '2026-11-24'))).toBe(1);
    expect(unitsOfAll(index, on('2026-11-28'))).toBeUndefined();
    expect(unitsOfAll(index, on('2026-11-24', '2026-11-25'))).toBe(1);
  });

  it.each([
    ['final', 'final', [entity('a', { '2026-11-26': 1 }, { open: new Set(['2026-11-26']) })]],
    ['missing', 'missing', [entity('a', { '2026-11-26': 1 })]],
    ['provisional', 'provisional', []],
    ['provisional', 'provisional', [entity('a', { '2026-11-25': 1 })]],
    [
      'provisional',
      'provisional',
      [
        entity('a', { '2026-11-26': 1 }),
        entity('b', { '2026-11-26': 1 }, { open: new Set(['2026-11-26']) }),
      ],
    ],
    ['provisional', 'final', [entity('a', { '2026-11-26': 1 }), entity('b', {})]],
  ] as const)('a %s day is %s for those of scope', (ofDay, seen, entities) => {
    expect(stateWithin(entities, { day: '2026-11-26', state: ofDay } as never)).toBe(seen);
  });

  it('counts a service with its pipes as one, by its name in the directory', () => {
    const day = '2026-11-26';
    const parts = [
      entity('p1', { [day]: 0.1 }, { serviceId: 's1', open: new Set([day]) }),
      entity('s1', { [day]: 0.2, '2026-11-25': 1 }, { serviceId: 's1', warehouseId: 'w1' }),
      entity('w1', { [day]: 5 }),
      entity('p2', { [day]: 1 }, { serviceId: 's2' }),
      entity('s3', { [day]: 1 }, { serviceId: 's3', name: 'reported' }),
    ];
    const index = { byService: new Map([['s3', [parts[4]]]]) } as unknown as CostIndex;
    const groups = groupsOf(index, parts, [{ id: 's1', name: 'analytics' } as never]);
    expect(groups.map(({ id, name }) => [id, name])).toEqual([
      ['s1', 'analytics'],
      ['w1', 'name-w1'],
      ['s2', 's2'],
      ['s3', 'reported'],
    ]);
    expect(groups[0]).toMatchObject({
      ...{ serviceId: 's1', warehouseId: undefined, open: new Set([day]) },
      units: new Map([
        [day, 0.3],
        ['2026-11-25', 1],
      ]),
      parts: parts.slice(0, 2),
    });
    expect(groups[1]?.units).toBe(parts[2]?.units);
    expect(groups[0] && partNames(groups[0], on(day))).toEqual(['name-p1']);
    expect(groups[0] && partNames(groups[0], on('2026-11-25'))).toEqual([]);
    expect(together([])).toEqual({
      ...{ serviceId: undefined, warehouseId: undefined, units: new Map(), open: new Set() },
    });
  });
});
