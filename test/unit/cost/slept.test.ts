import { describe, expect, it } from 'vitest';
import { daysOf } from '../../../src/core/ports/costs.ts';
import type { SleepSpan } from '../../../src/core/ports/sleep.ts';
import { plain } from '../../../src/core/text/text.ts';
import { summaryRange } from '../../../src/cost/summary/periods.ts';
import { summarise } from '../../../src/cost/summary/summary.ts';
import { sleptLines } from '../../../src/digest/write/lines.ts';
import { bookOf, idOf, serviceRecord } from '../../support/cost-books.ts';

/** A Thursday. */
const DAY = '2026-11-26';
const RANGE = summaryRange('day', DAY);
const service = idOf('scratch');

function linesWith(spans: readonly SleepSpan[], usual = 30): readonly string[] {
  const records = daysOf(RANGE).map((day) =>
    serviceRecord('scratch', day, day === DAY ? 12 : usual),
  );
  const book = bookOf(RANGE.from, RANGE.to, records);
  return sleptLines(
    summarise({ book, period: 'day', services: [], day: DAY, scope: 'all', slept: spans }),
  ).map((line) => plain(line));
}

const NIGHT: SleepSpan = {
  service,
  from: '2026-11-25T19:00:00.000Z',
  to: '2026-11-26T06:30:00.000Z',
};

describe('what slept on a day', () => {
  it('is told in hours of that day alone, with what comparable days cost', () => {
    expect(linesWith([NIGHT])).toEqual([
      'Slept: scratch 6.5 h; about 18.0 units less than on comparable days awake (an estimate).',
    ]);
    const evening = { service, from: '2026-11-26T19:00:00.000Z' };
    expect(linesWith([NIGHT, evening])[0]).toContain('scratch 11.5 h');
  });

  it('is no line where nothing slept', () => {
    expect(linesWith([])).toEqual([]);
    expect(
      linesWith([{ ...NIGHT, from: '2026-11-24T19:00:00Z', to: '2026-11-25T06:00:00Z' }]),
    ).toEqual([]);
  });

  it('claims no saving where the service slept on all comparable days, or cost no less', () => {
    const always = { service, from: '2026-10-01T00:00:00.000Z', to: '2026-11-26T06:30:00.000Z' };
    expect(linesWith([always])).toEqual(['Slept: scratch 6.5 h.']);
    expect(linesWith([NIGHT], 10)).toEqual(['Slept: scratch 6.5 h.']);
  });

  it('says of how many services the saving is, where one has no days to compare with', () => {
    const young = { ...NIGHT, service: idOf('young') };
    const records = daysOf(RANGE).map((day) =>
      serviceRecord('scratch', day, day === DAY ? 12 : 30),
    );
    const book = bookOf(RANGE.from, RANGE.to, [...records, serviceRecord('young', DAY, 5)]);
    const asked = { book, period: 'day', services: [], day: DAY, scope: 'all' } as const;
    const lines = sleptLines(summarise({ ...asked, slept: [NIGHT, young] })).map((line) =>
      plain(line),
    );
    expect(lines).toEqual([
      'Slept: scratch 6.5 h, young 6.5 h; about 18.0 units less of 1 service than on comparable days awake (an estimate).',
    ]);
  });

  it('counts days that are provisional as they are now, and none that was read before it ended', () => {
    const records = daysOf(RANGE).map((day) =>
      serviceRecord('scratch', day, day === DAY ? 12 : 30, { locked: day < '2026-11-25' }),
    );
    const asked = { period: 'day', services: [], day: DAY, scope: 'all', slept: [NIGHT] } as const;
    const linesOf = (states = {}) =>
      sleptLines(
        summarise({ ...asked, book: bookOf(RANGE.from, RANGE.to, records, { states }) }),
      ).map((line) => plain(line));
    expect(linesOf()[0]).toContain('about 18.0 units less than');
    expect(linesOf({ [DAY]: 'running' })).toEqual(['Slept: scratch 6.5 h.']);
  });
});
