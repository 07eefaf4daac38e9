import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/cloud/errors.ts';
import {
  createLifetimes,
  isoIn,
  isoNow,
  millisecondsBetween,
  readStored,
  storedIso,
  storedObject,
  storedTexts,
} from '../../../src/storage/values.ts';
import { createRunningClock, createTestClock } from '../../support/settable-clock.ts';

describe('a moment as it is stored', () => {
  it.each([
    ['2026-11-27T10:00:00.000Z', '2026-11-27T10:00:00.000Z'],
    ['2026-11-27T10:00:00Z', '2026-11-27T10:00:00.000Z'],
    ['2026-11-27T11:00:00.5+01:00', '2026-11-27T10:00:00.500Z'],
    // Without an offset it is UTC, wherever Steward runs.
    ['2026-11-27T10:00', '2026-11-27T10:00:00.000Z'],
    ['2026-11-27', '2026-11-27T00:00:00.000Z'],
    ['2026-02-30T10:00:00.000Z', '2026-02-30T10:00:00.000Z'],
    ['yesterday', 'yesterday'],
    ['', ''],
  ])('%j is %j', (text, stored) => {
    expect(storedIso(text)).toBe(stored);
  });

  it('is now, or so long from now', () => {
    const clock = createTestClock('2026-11-27T10:00:00.250Z');
    expect(isoNow(clock)).toBe('2026-11-27T10:00:00.250Z');
    expect(isoIn(clock, 750)).toBe('2026-11-27T10:00:01.000Z');
    expect(isoIn(clock, -250)).toBe('2026-11-27T10:00:00.000Z');
    expect(millisecondsBetween('2026-11-27T10:00:00.000Z', isoNow(clock))).toBe(250);
  });
});

describe('a stored text', () => {
  it('comes back as it was put in', () => {
    expect(readStored(storedObject, '{"a":[1,null],"b":{"c":"d"}}')).toEqual({
      ...{ a: [1, null], b: { c: 'd' } },
    });
    expect(readStored(storedTexts, '["a",""]')).toEqual(['a', '']);
  });

  it.each(['', '{', 'null', '["a",7]', '{}'])('is damaged where it is %j', (text) => {
    try {
      readStored(storedTexts, text);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({
        code: 'storage',
        userMessage: "One of Steward's own records is damaged and cannot be read.",
      });
      return;
    }
    throw new Error('It was expected to refuse.');
  });
});

describe('lifetimes', () => {
  it('end by the time that passes, whatever the clock on the wall says', () => {
    const clock = createRunningClock();
    const lives = createLifetimes({ ...clock, monotonic: () => Math.round(clock.monotonic()) });
    lives.begin('a', 60_000);
    lives.begin('forgotten', 60_000);
    lives.forget('forgotten');
    clock.turn(3_600_000);
    expect(lives.isOver('a')).toBe(false);
    clock.pass(60_000);
    expect(lives.isOver('a')).toBe(true);
    expect(lives.isOver('forgotten')).toBe(false);
    expect(lives.isOver('of another process')).toBe(false);
  });

  it('are over at their very end', () => {
    const clock = createTestClock('2026-11-27T10:00:00.000Z');
    const from = clock.monotonic();
    const lives = createLifetimes({ ...clock, monotonic: () => from });
    lives.begin('now', 0);
    lives.begin('later', 1);
    expect([lives.isOver('now'), lives.isOver('later')]).toEqual([true, false]);
  });
});
