import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import {
  localText,
  secondsOfLocal,
} from '../../../../../src/sandbox/workspace/page/elements/zoned-time.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Auckland',
  'America/St_Johns',
];

describe('the datetime picker in the persona zone', () => {
  it.each(ZONES)('%s: goes to seconds and back, as luxon does', (zone) => {
    for (const text of ['2026-01-15T00:00', '2026-06-30T23:59', '2026-11-27T10:07']) {
      const seconds = DateTime.fromISO(text, { zone }).toSeconds();
      expect(secondsOfLocal(text, zone)).toBe(seconds);
      expect(localText(seconds, zone)).toBe(text);
    }
  });

  it('takes a skipped hour an hour later (29 March 2026, Berlin)', () => {
    const seconds = secondsOfLocal('2026-03-29T02:30', 'Europe/Berlin');
    expect(localText(seconds ?? 0, 'Europe/Berlin')).toBe('2026-03-29T03:30');
  });

  it('takes the earlier of a doubled hour (25 October 2026, Berlin)', () => {
    expect(secondsOfLocal('2026-10-25T02:30', 'Europe/Berlin')).toBe(
      Date.parse('2026-10-25T00:30:00Z') / 1000,
    );
  });

  it.each(['', 'tomorrow', '2026-13-40T99:99'])('takes %j as no time', (text) => {
    expect(secondsOfLocal(text, 'UTC')).toBeNull();
  });
});
