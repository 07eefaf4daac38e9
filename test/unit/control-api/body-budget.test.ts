import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBodyBudget } from '../../../src/control-api/body.ts';
import { envelope, type Fixture, failureOf, startFixture, until } from './fixture.ts';

const RANGE = { from: '2026-11-01', to: '2026-11-28' };
const MEGABYTE = 1024 * 1024;

describe('large answers at once', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await startFixture();
  });
  afterEach(() => fixture.close());

  /** An answer about costs, padded to its size; `release` lets its last byte go. */
  function padded(bytes: number, headers: Readonly<Record<string, string>> = {}) {
    let release = (): void => undefined;
    const lastByte = new Promise<void>((resolve) => {
      release = resolve;
    });
    const body = JSON.stringify({ ...envelope({ costs: [] }).body, padding: 'x'.repeat(bytes) });
    return { answer: { body, headers, lastByte }, release };
  }

  /** As many calls, one after the other; counts those that have ended. */
  async function asked(count: number) {
    const ended = { count: 0 };
    const before = fixture.server.requests.length;
    const calls: Promise<unknown>[] = [];
    for (let n = 1; n <= count; n += 1) {
      const call = fixture.api.usageCost('acme', RANGE).then(() => {
        ended.count += 1;
      });
      calls.push(call);
      await fixture.received(before + n);
    }
    return { ended, all: Promise.all(calls) };
  }

  it.each([
    ['of a stated length', true],
    ['of no stated length', false],
  ])('are read two at a time, the others wait unread: %s', async (_what, isStated) => {
    const size = 7.5 * MEGABYTE;
    const answers = Array.from({ length: 8 }, () => {
      const answer = padded(size);
      const length = { 'content-length': String(answer.answer.body.length) };
      return isStated ? { ...answer, answer: { ...answer.answer, headers: length } } : answer;
    });
    fixture.server.script(...answers.map(({ answer }) => answer));
    const [first, second, ...others] = answers;
    const held = await asked(2);
    await pause(200);
    const waiting = await asked(6);
    for (const { release } of others) release();
    await pause(400);
    expect([held.ended.count, waiting.ended.count]).toEqual([0, 0]);
    first?.release();
    await until(() => held.ended.count === 1);
    await waiting.all;
    expect(held.ended.count).toBe(1);
    second?.release();
    await held.all;
  });

  it('hold up no small one', async () => {
    const large = [padded(7.5 * MEGABYTE), padded(7.5 * MEGABYTE)];
    fixture.server.script(...large.map(({ answer }) => answer), envelope({ costs: [] }));
    const held = await asked(2);
    await pause(200);
    await (await asked(5)).all;
    expect(held.ended.count).toBe(0);
    for (const { release } of large) release();
    await held.all;
  });

  it('wait within their own deadline, and leave their turn to others', async () => {
    const large = Array.from({ length: 3 }, () => padded(7.5 * MEGABYTE));
    fixture.server.script(...large.map(({ answer }) => answer), { status: 400 });
    const held = await asked(2);
    await pause(200);
    const signal = AbortSignal.timeout(1_500);
    const late = failureOf(fixture.api.usageCost('acme', RANGE, { signal }));
    await fixture.received(3);
    expect(await late).toMatchObject({ code: 'unavailable', changed: 'no' });
    for (const { release } of large) release();
    await held.all;
    expect(held.ended.count).toBe(2);
  });
});

describe('the budget', () => {
  it('is never exceeded, forgets nobody, and serves in order', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.infiniteStream(fc.boolean()), async (wanted, givesUp) => {
        const budget = createBodyBudget(10);
        const served: number[] = [];
        let used = 0;
        let most = 0;
        const work = wanted.map(async (bytes, index) => {
          const giving = new AbortController();
          const isGivingUp = givesUp.next().value;
          const turn = budget.take(bytes, giving.signal);
          if (isGivingUp) giving.abort(new Error('gave up'));
          const free = await turn.catch(() => undefined);
          if (free === undefined) return;
          served.push(index);
          used += Math.min(bytes, 10);
          most = Math.max(most, used);
          await pause(0);
          used -= Math.min(bytes, 10);
          free();
        });
        await Promise.all(work);
        expect(most).toBeLessThanOrEqual(10);
        expect(served).toEqual(served.toSorted((a, b) => a - b));
        expect(used).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  it('is not taken by who has given up already', async () => {
    const budget = createBodyBudget(10);
    await expect(budget.take(10, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    (await budget.take(10, new AbortController().signal))();
  });
});
