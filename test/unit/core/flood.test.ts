import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFlood, slide } from '../../../src/core/pipeline/flood.ts';

const ANA = { userId: 'U01ANA', teamId: 'T0ACME' };
const BEN = { userId: 'U02BEN', teamId: 'T0ACME' };
const limits = { perPersonPerMinute: 2, perChannelPerMinute: 3 };

describe('slide', () => {
  it('lets in as many as fit, then says when the next one does', () => {
    const first = slide([], 0, 2);
    const second = slide(first.window, 10_000, 2);
    expect(slide(second.window, 20_000, 2)).toEqual({ window: [0, 10_000], waitMs: 40_000 });
    expect(slide(second.window, 60_000, 2)).toEqual({ window: [10_000, 60_000], waitMs: 0 });
  });

  it('counts by a lowered limit at once', () => {
    expect(slide([1, 2, 3], 10, 1)).toMatchObject({ waitMs: 60_003 - 10 });
  });

  it('never lets more than the limit into any minute, and is open again after the wait', () => {
    const moments = fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 80 });
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 6 }), (times, limit) => {
        let window: readonly number[] = [];
        const admitted: number[] = [];
        for (const now of times.sort((a, b) => a - b)) {
          const next = slide(window, now, limit);
          if (next.waitMs === 0) admitted.push(now);
          else expect(slide(next.window, now + next.waitMs, limit).waitMs).toBe(0);
          window = next.window;
        }
        for (const start of admitted) {
          const within = admitted.filter((at) => at >= start && at < start + 60_000);
          expect(within.length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });
});

describe('createFlood', () => {
  it('judges the person first, then the channel, and counts nothing that it refuses', () => {
    const flood = createFlood();
    const ask = (actor: typeof ANA, now: number, channelId?: string) =>
      flood.admit({ actor, now, limits, ...(channelId === undefined ? {} : { channelId }) });
    expect([ask(ANA, 0, 'C1'), ask(ANA, 1, 'C1')]).toEqual([undefined, undefined]);
    expect(ask(ANA, 2, 'C1')).toEqual({ by: 'person', limit: 2, waitMs: 59_998 });
    expect(ask(BEN, 3, 'C1')).toBeUndefined();
    expect(ask(BEN, 4, 'C1')).toEqual({ by: 'channel', limit: 3, waitMs: 59_996 });
    expect(ask(BEN, 5, 'C2')).toBeUndefined();
    expect(ask(ANA, 60_000, 'C1')).toBeUndefined();
  });

  it('forgets people who were quiet, and only those', () => {
    const flood = createFlood();
    const one = { perPersonPerMinute: 1, perChannelPerMinute: 1 };
    for (let person = 0; person < 3_000; person += 1) {
      const actor = { userId: `U${person}`, teamId: 'T' };
      expect(flood.admit({ actor, now: person * 100, limits: one })).toBeUndefined();
    }
    const recent = { userId: 'U2999', teamId: 'T' };
    expect(flood.admit({ actor: recent, now: 300_000, limits: one })?.by).toBe('person');
  });

  it('forgets nobody of this minute, however many there are', async () => {
    const flood = createFlood();
    const one = { perPersonPerMinute: 1, perChannelPerMinute: 1 };
    const people = Array.from({ length: 2_100 }, (_, index) => ({
      userId: `U${index}`,
      teamId: 'T',
    }));
    let opened = 0;
    const open = async () => {
      opened += 1;
      return { number: opened, reference: 'k3f9' };
    };
    for (const actor of people) {
      expect(flood.admit({ actor, now: 1_000, limits: one })).toBeUndefined();
      await flood.row(actor, 1_000, open);
    }
    for (const actor of people) {
      expect(flood.admit({ actor, now: 60_999, limits: one })?.by).toBe('person');
      await flood.row(actor, 60_999, open);
    }
    expect(opened).toBe(people.length);
    for (const actor of people) {
      expect(flood.admit({ actor, now: 61_000, limits: one })).toBeUndefined();
      await flood.row(actor, 61_000, open);
    }
    expect(opened).toBe(2 * people.length);
  });

  it('tells people of two teams apart, and lets a press through a busy channel', () => {
    const flood = createFlood();
    for (const teamId of ['T1', 'T2', 'T3']) {
      const actor = { userId: 'U1', teamId };
      expect(flood.admit({ actor, now: 0, limits, channelId: 'C1' })).toBeUndefined();
    }
    const actor = { userId: 'U1', teamId: 'T4' };
    expect(flood.admit({ actor, now: 0, limits, channelId: 'C1' })?.by).toBe('channel');
    expect(flood.admit({ actor, now: 0, limits })).toBeUndefined();
  });

  it('opens a row for each person of each team, and another when the minute is just over', async () => {
    const flood = createFlood();
    let opened = 0;
    const open = async () => {
      opened += 1;
      return { number: opened, reference: 'k3f9' };
    };
    const rowOf = async (actor: typeof ANA, now: number) =>
      (await flood.row(actor, now, open)).number;
    const namesake = { ...ANA, teamId: 'T0SISTER' };
    expect([await rowOf(ANA, 0), await rowOf(namesake, 0), await rowOf(BEN, 0)]).toEqual([1, 2, 3]);
    expect([await rowOf(ANA, 59_999), await rowOf(ANA, 60_000)]).toEqual([1, 4]);
  });

  it('opens one row a minute, even for many at once, and another after a failure', async () => {
    const flood = createFlood();
    let opened = 0;
    const open = async () => {
      opened += 1;
      return { number: opened, reference: 'k3f9' };
    };
    const rows = await Promise.all([0, 1, 2].map((now) => flood.row(ANA, now, open)));
    expect(rows.map(({ number }) => number)).toEqual([1, 1, 1]);
    expect((await flood.row(BEN, 3, open)).number).toBe(2);
    expect((await flood.row(ANA, 60_001, open)).number).toBe(3);
    const broken = async (): Promise<never> => {
      throw new Error('no disk');
    };
    await expect(flood.row(BEN, 70_000, broken)).rejects.toThrow('no disk');
    expect((await flood.row(BEN, 70_001, open)).number).toBe(4);
  });
});
