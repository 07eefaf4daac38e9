import { DateTime } from 'luxon';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { daysOf, shiftDay } from '../../../src/core/ports/costs.ts';
import { lengthOf, readRange, resolveRange } from '../../../src/cost/book/range.ts';
import { rangeText } from '../../../src/cost/book/words.ts';

/** A file of its own: `npm run mutation` runs tests in threads, whose zone cannot be changed. */
describe('a range', () => {
  it.each(['America/New_York', 'Pacific/Chatham', 'America/Havana'])(
    'is of UTC days on a machine in %s',
    (zone) => {
      vi.stubEnv('TZ', zone);
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(new Date(2026, 10, 27).getTimezoneOffset()).not.toBe(0);
      // Before dawn and after dusk it is another day there.
      for (const hour of ['02', '21']) {
        const now = DateTime.fromISO(`2026-11-27T${hour}:00:00Z`);
        expect(yesterday(now)).toMatchObject({ range: { from: '2026-11-26' } });
      }
      // The clocks of Havana skip midnight on 8 March.
      const march = { from: '2026-03-01', to: '2026-03-31' };
      expect(daysOf(march)).toHaveLength(31);
      expect([daysOf(march)[0], daysOf(march).at(-1)]).toEqual([march.from, march.to]);
      expect(lengthOf(march)).toBe(31);
      expect(shiftDay('2026-03-07', 1)).toBe('2026-03-08');
      expect(rangeText(march)).toContain('31');
    },
  );
});

function yesterday(now: DateTime) {
  const spec = readRange('yesterday');
  return 'fault' in spec ? spec : resolveRange(spec, now);
}
