import { describe, expect, it } from 'vitest';
import {
  dayHeading,
  dayKey,
  formatDateToken,
  timeOfDay,
} from '../../../../../src/sandbox/workspace/page/text/date-token.ts';

const berlin = { zone: 'Europe/Berlin', now: '2026-11-27T09:07:00Z' };
const seconds = Date.parse('2026-11-27T09:02:03Z') / 1000;
const DAY = 86_400;

describe('formatDateToken', () => {
  it.each([
    ['{date}', '27 November 2026'],
    ['{date_num}', '2026-11-27'],
    ['{date_slash}', '27/11/2026'],
    ['{date_short}', '27 Nov 2026'],
    ['{date_pretty}', 'Today'],
    ['{date_short_pretty} at {time}', 'Today at 10:02'],
    ['due {date_pretty}', 'due today'],
    ['{time_secs}', '10:02:03'],
    ['{ago}', '5 minutes ago'],
    ['no part', 'no part'],
  ])('%s', (format, words) => {
    expect(formatDateToken(seconds, format, berlin)).toBe(words);
  });

  it.each([
    ['yesterday', -DAY, 'Yesterday'],
    ['tomorrow', DAY, 'Tomorrow'],
    ['a week ago', -7 * DAY, '20 November 2026'],
  ])('%s is relative to the now of the workspace', (_name, shift, words) => {
    expect(formatDateToken(seconds + shift, '{date_pretty}', berlin)).toBe(words);
  });

  it('names the weekday', () => {
    expect(formatDateToken(seconds, '{date_long}', berlin)).toMatch(/^Friday,? 27 November 2026$/);
  });

  it('takes the zone of the reader', () => {
    const auckland = { ...berlin, zone: 'Pacific/Auckland' };
    expect(formatDateToken(seconds, '{date_num} {time}', auckland)).toBe('2026-11-27 22:02');
  });

  it.each([
    ['an unknown part', seconds, '{dat}'],
    ['no number', Number.NaN, '{date}'],
    ['a moment beyond the calendar', 1e15, '{date}'],
  ])('%s leaves it to the fallback', (_name, at, format) => {
    expect(formatDateToken(at, format, berlin)).toBeNull();
  });

  it.each([
    [-3600 * 5, '5 hours ago'],
    [3600 * 3, 'in 3 hours'],
    [-3600 * 24 * 4, '4 days ago'],
  ])('ago: %d s', (shift, words) => {
    expect(formatDateToken(Date.parse(berlin.now) / 1000 + shift, '{ago}', berlin)).toBe(words);
  });
});

describe('days of the message list', () => {
  it('tells a day by the zone: 23:30 UTC is the next day in Berlin', () => {
    const late = Date.parse('2026-11-26T23:30:00Z') / 1000;
    expect([dayKey(late, 'UTC'), dayKey(late, 'Europe/Berlin')]).toEqual([
      '2026-11-26',
      '2026-11-27',
    ]);
    expect(dayHeading(late, berlin)).toBe('Today');
    expect(timeOfDay(late, 'Europe/Berlin')).toBe('00:30');
  });
});
