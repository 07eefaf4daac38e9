import { describe, expect, it } from 'vitest';
import { createMutes } from '../../../src/digest/run/schedules.ts';
import { createTestClock } from '../../support/settable-clock.ts';

describe('mutes', () => {
  it('last seven days, for one channel and one entity', async () => {
    const kept = new Map<string, unknown>();
    const clock = createTestClock('2026-11-27T10:00:00.000Z');
    const mutes = createMutes(
      { get: async (key) => kept.get(key), set: async (key, value) => void kept.set(key, value) },
      clock,
    );
    expect(await mutes.mute('C0FINANCE', 'e1')).toBe('2026-12-04T10:00:00.000Z');
    expect(await mutes.isMuted('C0FINANCE', 'e1')).toBe(true);
    expect(await mutes.isMuted('C0OPS', 'e1')).toBe(false);
    expect(await mutes.isMuted('C0FINANCE', 'e2')).toBe(false);
    await clock.advance(7 * 86_400_000);
    expect(await mutes.isMuted('C0FINANCE', 'e1')).toBe(false);
  });
});
