import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/cloud/errors.ts';
import type { CostRecord } from '../../../src/core/cloud/records.ts';
import type { CostBook } from '../../../src/core/ports/costs.ts';
import { daysOf } from '../../../src/core/ports/costs.ts';
import { plain } from '../../../src/core/text/text.ts';
import { type SummaryRequest, summarise } from '../../../src/cost/summary/summary.ts';
import { type DigestWords, digestCard, digestState } from '../../../src/digest/write/card.ts';
import { finalCard, type Snapshot } from '../../../src/digest/write/snapshot.ts';
import { renderCard } from '../../../src/slack/render/render.ts';
import { bookOf, idOf, serviceRecord, warehouseRecord } from '../../support/cost-books.ts';
import { expectGolden } from '../../support/golden.ts';

const FROM = '2026-10-01';
const DAY = '2026-11-26';
const WORDS: DigestWords = { currency: undefined, severalOrganizations: false, services: ['*'] };

/** 57 days of two services and a warehouse; the last day is not locked and dearer. */
function records(): readonly CostRecord[] {
  return daysOf({ from: FROM, to: DAY }).flatMap((date, index) => {
    const isLast = date === DAY;
    const open = isLast ? { locked: false } : {};
    return [
      serviceRecord('analytics', date, isLast ? 300.4 : 280 + (index % 7), open),
      serviceRecord('scratch', date, isLast ? 61.2 : 20.3, open),
      warehouseRecord('analytics', date, 51, open),
    ];
  });
}

function locked(all: readonly CostRecord[]): readonly CostRecord[] {
  return all.map((record) => ({ ...record, locked: true }));
}

function summaryOf(book: CostBook, changes: Partial<SummaryRequest> = {}) {
  return summarise({ book, services: [], period: 'day', day: DAY, scope: 'all', ...changes });
}

function golden(name: string, summary: ReturnType<typeof summaryOf>, words = WORDS): void {
  const card = digestCard(summary, words);
  expectGolden(`digest.card/${name}`, renderCard(card, 'native').main);
}

const unavailable = new AppError('unavailable', {
  userMessage: 'The control API did not answer in 20 s.',
});

describe('the card of a summary', () => {
  it('says everything in order while it is provisional', () => {
    const summary = summaryOf(bookOf(FROM, DAY, records()), {
      budgetPerDay: 400,
      restatements: [
        {
          day: '2026-11-25',
          entityId: idOf('analytics'),
          at: '2026-11-27T06:00:00.000Z',
          oldUnits: 284,
          newUnits: 285.2,
        },
      ],
    });
    expect(digestState(summary)).toBe('provisional');
    golden('provisional', summary);
    const text = digestCard(summary, WORDS).lines?.map(plain).join('\n') ?? '';
    const order = ['Month to date', 'Forecast', 'Biggest movers', 'Restated', 'Budget', 'Unusual'];
    const places = order.map((word) => text.indexOf(word));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBe(0);
  });

  it('becomes final, in money where the settings have a rate', () => {
    const summary = summaryOf(bookOf(FROM, DAY, locked(records())), {
      scope: new Set([idOf('analytics')]),
    });
    expect(digestState(summary)).toBe('final');
    golden('final-scoped', summary, { ...WORDS, currency: { name: 'EUR', perUnit: 0.3 } });
  });

  it('names newcomers and what vanished, and says how late it is', () => {
    const before = records().filter(
      ({ date, entityName }) => entityName !== 'scratch' || date < DAY,
    );
    const summary = summaryOf(
      bookOf(FROM, DAY, [...before, serviceRecord('newcomer', DAY, 12.34)]),
    );
    golden('late-new-vanished', summary, {
      ...WORDS,
      lateMs: 2 * 3_600_000,
      severalOrganizations: true,
    });
  });

  it('shows no number where the costs could not be read', () => {
    const book = bookOf(FROM, DAY, records(), {
      states: { [DAY]: 'missing' },
      days: { [DAY]: { failure: unavailable } },
    });
    expect(digestState(summaryOf(book))).toBe('no-data');
    golden('failed', summaryOf(book));
  });

  it.each([
    ['was not over when it was read', 'running' as const],
    ['was never read', 'missing' as const],
  ])('shows no number for a day that %s', (_name, state) => {
    const summary = summaryOf(bookOf(FROM, DAY, records(), { states: { [DAY]: state } }));
    expect(digestState(summary)).toBe('no-data');
    expect(plain(digestCard(summary, WORDS).headline)).toBe(
      'Thu 26 Nov (UTC): n/a, the costs could not be read.',
    );
  });

  it('tells nothing reported from zero', () => {
    const summary = summaryOf(
      bookOf(
        FROM,
        DAY,
        records().filter(({ date }) => date < DAY),
      ),
    );
    expect(digestState(summary)).toBe('no-data');
    golden('nothing-reported', summary);
    const zero = summaryOf(
      bookOf(FROM, DAY, [
        ...records().filter(({ date }) => date < DAY),
        serviceRecord('analytics', DAY, 0),
      ]),
    );
    expect(plain(digestCard(zero, WORDS).headline)).toMatch(/: 0 units, final\./u);
  });

  it('is final too where the scope had nothing on a day that is locked', () => {
    const summary = summaryOf(bookOf(FROM, DAY, locked(records())), {
      scope: new Set([idOf('idle')]),
    });
    expect(digestState(summary)).toBe('final');
    expect(plain(digestCard(summary, WORDS).headline)).toBe(
      'Thu 26 Nov (UTC): nothing reported, final.',
    );
  });

  it.each(['native', 'table', 'text'] as const)(
    'fits a message with 500 services, %s',
    (richness) => {
      const many = daysOf({ from: FROM, to: DAY }).flatMap((date) =>
        Array.from({ length: 500 }, (_, n) =>
          serviceRecord(`service-with-quite-a-long-name-${n}`, date, date === DAY ? n * 2 : n + 1),
        ),
      );
      const summary = summaryOf(bookOf(FROM, DAY, many), { budgetPerDay: 1_000, scope: 'all' });
      const { main } = renderCard(digestCard(summary, WORDS), richness);
      expectGolden(`digest.card/500-services-${richness}`, main);
      expect(JSON.stringify(main).length).toBeLessThan(16_000);
      const { table } = digestCard(summary, WORDS);
      const shown =
        table?.rows.map((row) => (typeof row[1] === 'object' ? row[1].number : 0)) ?? [];
      expect(shown.reduce((sum, units) => sum + units, 0)).toBeCloseTo(summary.units ?? 0, 6);
    },
  );
});

describe('the reply once it is final', () => {
  const analytics = (units: number): Snapshot['entities'] => ({ a: ['analytics', units] });
  const scratch = (units: number): Snapshot['entities'] => ({ s: ['scratch', units] });
  const before: Snapshot = {
    certainty: 'provisional',
    units: 412.6,
    entities: { ...analytics(300), ...scratch(112.6) },
  };

  it.each<[string, Omit<Snapshot, 'certainty'>]>([
    [
      'Final for 26 Nov: +3.1 units (analytics +2.9, scratch +0.20).',
      { units: 415.7, entities: { ...analytics(302.9), ...scratch(112.8) } },
    ],
    ['Final for 26 Nov: unchanged.', { units: 412.6, entities: before.entities }],
    ['Final for 26 Nov: −112.6 units (scratch −112.6).', { units: 300, entities: analytics(300) }],
  ])('%s', (text, after) => {
    const now: Snapshot = { certainty: 'final', ...after };
    expect(plain(finalCard('26 Nov', before, now).headline)).toBe(text);
  });

  it('claims no change where there was no number', () => {
    const none: Snapshot = { certainty: 'provisional', entities: {} };
    const now: Snapshot = { certainty: 'final', units: 415.7, entities: {} };
    expect(plain(finalCard('26 Nov', none, now).headline)).toBe(
      'Final for 26 Nov: 415.7 units; there was no number before.',
    );
  });
});
