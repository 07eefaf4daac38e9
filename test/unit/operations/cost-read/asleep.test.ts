import { describe, expect, it } from 'vitest';
import type { RawInput } from '../../../../src/core/card/card.ts';
import { daysOf } from '../../../../src/core/ports/costs.ts';
import type { SleepSpan } from '../../../../src/core/ports/sleep.ts';
import { plain } from '../../../../src/core/text/text.ts';
import { bookOf, idOf, serviceRecord } from '../../../support/cost-books.ts';
import { cardOf } from './fixture.ts';

const night = (name: string, from: string, to?: string): SleepSpan => ({
  ...{ service: idOf(name), from: `2026-11-${from}:00.000Z` },
  to: to && `2026-11-${to}:00.000Z`,
});
/** Now is 27 November, 10:00 or a little later. */
const SPANS = [
  night('scratch', '25T19:00', '26T06:30'),
  // Two schedules at once count once.
  night('scratch', '25T20:00', '26T06:30'),
  night('analytics', '26T22:00', '27T02:00'),
  night('elsewhere', '26T00:00', '26T12:00'),
];

async function hoursIn(raw: RawInput, spans = SPANS): Promise<string | undefined> {
  const asked: string[] = [];
  const card = await cardOf(
    raw,
    ({ from, to }) =>
      bookOf(
        from,
        to,
        daysOf({ from, to }).flatMap((day) => [
          serviceRecord('scratch', day, 20),
          serviceRecord('analytics', day, 200),
        ]),
      ),
    {
      sleeps: {
        slept: async (from, to) => {
          asked.push(`${from} ${to.slice(0, 10)}`);
          return spans;
        },
      },
    },
  );
  expect(JSON.stringify(card.table)).not.toMatch(/asleep/iu);
  return (card.lines ?? []).map((line) => plain(line)).find((line) => /asleep/iu.test(line));
}

describe('hours asleep beside the costs of services', () => {
  it('are named by service, the longest first, of the services that are told', async () => {
    expect(await hoursIn({ range: '2026-11-25..2026-11-26', by: 'service' })).toBe(
      'Hours asleep, of Steward’s own ledger and not measured by the API: scratch 11.5 h, analytics 2.0 h.',
    );
    expect(await hoursIn({ range: '2026-11-26..2026-11-26', by: 'service' })).toContain(
      'scratch 6.5 h, analytics 2.0 h',
    );
  });

  it('are those of one service where one is asked for', async () => {
    const raw = { range: '2026-11-25..2026-11-26', by: 'service', service: 'analytics' };
    expect(await hoursIn(raw)).toMatch(/: analytics 2\.0 h\.$/u);
  });

  it('go on until now for what still sleeps, and not into what is to come', async () => {
    const still = [night('scratch', '27T04:00')];
    const line = await hoursIn({ range: '2026-11-27..2026-11-27', by: 'service' }, still);
    expect(line).toMatch(/scratch 6\.\d h\.$/u);
  });

  it('are no part of another table, and no line where nothing slept', async () => {
    for (const by of ['day', 'metric', 'tag']) {
      expect(await hoursIn({ range: '2026-11-25..2026-11-26', by })).toBeUndefined();
    }
    expect(await hoursIn({ range: '2026-11-25..2026-11-26', by: 'service' }, [])).toBeUndefined();
  });
});
