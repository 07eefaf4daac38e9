import { describe, expect, it } from 'vitest';
import { createMutes } from '../../../src/digest/run/schedules.ts';
import { createTestClock } from '../../support/settable-clock.ts';

describe('mutes', () => {
  it('last seven days, for one channel and one entity', async () => {
    const kept = new Map<string, unknown>();
    const clock = createTestClock('2026-11-27T10:00:00.000Z');
    const mutes = createMutes(
      {
        get: async (key) => kept.get(key),
        set: async (key, value) => void kept.set(key, value),
        list: async (prefix) => new Map([...kept].filter(([key]) => key.startsWith(prefix))),
      },
      clock,
    );
    expect(await mutes.mute('C0FINANCE', { entityId: 'e1', name: 'scratch' })).toBe(
      '2026-12-04T10:00:00.000Z',
    );
    expect(await mutes.isMuted('C0FINANCE', 'e1')).toBe(true);
    expect(await mutes.isMuted('C0OPS', 'e1')).toBe(false);
    expect(await mutes.isMuted('C0FINANCE', 'e2')).toBe(false);
    kept.set('digest.mute:C0FINANCE:e3', '2026-11-28T10:00:00.000Z');
    kept.set('digest.mute:C0FINANCE:e4', '2026-11-27T09:00:00.000Z');
    expect(await mutes.list('C0FINANCE')).toEqual([
      { entityId: 'e3', name: 'e3', until: '2026-11-28T10:00:00.000Z' },
      { entityId: 'e1', name: 'scratch', until: '2026-12-04T10:00:00.000Z' },
    ]);
    expect(await mutes.list('C0OPS')).toEqual([]);
    expect(await mutes.unmute('C0FINANCE', 'e3')).toBe(true);
    expect(await mutes.unmute('C0FINANCE', 'e3')).toBe(false);
    expect(await mutes.isMuted('C0FINANCE', 'e3')).toBe(false);
    await clock.advance(7 * 86_400_000);
    expect(await mutes.list('C0FINANCE')).toEqual([]);
    expect(await mutes.isMuted('C0FINANCE', 'e1')).toBe(false);
  });
});
