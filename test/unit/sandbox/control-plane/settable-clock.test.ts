import { describe, expect, it } from 'vitest';
import {
  createSettableClock,
  FROZEN_START,
} from '../../../../src/sandbox/control-plane/settable-clock.ts';

describe('a frozen clock', () => {
  it('stands until it is moved', () => {
    const clock = createSettableClock();
    expect(clock.now().toISO()).toBe(FROZEN_START);
    expect(clock.now().zoneName).toBe('UTC');
    expect(clock.advance('PT1M30S').toISO()).toBe('2026-11-27T10:01:30.000Z');
    expect(clock.advance(500).toISO()).toBe('2026-11-27T10:01:30.500Z');
    expect(clock.set('2026-03-29T01:00:00+01:00').toISO()).toBe('2026-03-29T00:00:00.000Z');
    expect(createSettableClock({ start: '2026-01-01' }).now().toISO()).toBe(
      '2026-01-01T00:00:00.000Z',
    );
  });

  it('refuses what is no duration and no moment', () => {
    const clock = createSettableClock();
    expect(() => clock.advance('soon')).toThrow('"soon" is not an ISO 8601 duration.');
    expect(() => clock.set('later')).toThrow('"later" is not an ISO 8601 moment.');
    expect(() => createSettableClock({ start: 'x' })).toThrow(RangeError);
  });

  it('wakes sleepers when it is moved past their time', async () => {
    const clock = createSettableClock();
    const woken: string[] = [];
    const short = clock.sleep(1000).then(() => woken.push('short'));
    const long = clock.sleep(5000).then(() => woken.push('long'));
    clock.advance(999);
    await Promise.resolve();
    expect(woken).toEqual([]);
    clock.advance(1);
    await short;
    expect(woken).toEqual(['short']);
    clock.advance('PT4S');
    await long;
    await clock.sleep(0);
  });

  it('lets a sleep be aborted', async () => {
    const clock = createSettableClock();
    const controller = new AbortController();
    const asleep = clock.sleep(1000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(asleep).rejects.toThrow('enough');
    await expect(clock.sleep(1000, controller.signal)).rejects.toThrow('enough');
    await expect(clock.sleep(1, AbortSignal.abort('text'))).rejects.toThrow(
      'The wait was aborted.',
    );
  });
});

describe('a ticking clock', () => {
  it('runs with the machine and can be moved ahead', async () => {
    const clock = createSettableClock({ ticking: true, start: FROZEN_START });
    await clock.sleep(5);
    const since = clock.now().toMillis() - Date.parse(FROZEN_START);
    expect(since).toBeGreaterThanOrEqual(4);
    expect(since).toBeLessThan(5000);
    const asleep = clock.sleep(3_600_000);
    clock.advance('PT1H');
    await asleep;
    const real = createSettableClock({ ticking: true }).now().toMillis();
    expect(Math.abs(real - Date.now())).toBeLessThan(2000);
  });
});
