import { describe, expect, it } from 'vitest';
import { readRateHints } from '../../../src/control-api/answers/reply.ts';
import {
  createLimiter,
  type Priority,
  slotAt,
  startDeadline,
} from '../../../src/control-api/connections.ts';
import { createTestClock } from '../../support/settable-clock.ts';
import {
  envelope,
  failureOf,
  KEY_SECRET,
  ORGANIZATION_ID,
  startFixture,
  until,
} from './fixture.ts';

const LIMIT = { requests: 3, perMs: 1_000 };

function startLimiter() {
  const clock = createTestClock('2026-11-27T10:00:00Z');
  const start = clock.now().toMillis();
  const limiter = createLimiter(clock, LIMIT);
  const went: string[] = [];
  const ask = (name: string, priority: Priority = 'person', deadlineMs = 30_000) => {
    const deadline = startDeadline(clock, deadlineMs);
    return limiter.slot(priority, deadline).then((free) => {
      deadline.stop();
      went.push(`${name} ${free ? clock.now().toMillis() - start : 'not'}`);
    });
  };
  return { clock, limiter, went, ask };
}

describe('the limiter', () => {
  it('lets a full window through at once and the rest as the window slides', async () => {
    const { clock, went, ask } = startLimiter();
    await ask('a');
    await clock.advance(400);
    await Promise.all([ask('b'), ask('c')]);
    const rest = Promise.all([ask('d'), ask('e'), ask('f')]);
    await clock.advance(5_000);
    await rest;
    expect(went).toEqual(['a 0', 'b 400', 'c 400', 'd 1000', 'e 1400', 'f 1400']);
  });

  it('never lets more than the limit through in any window', async () => {
    const { clock, went, ask } = startLimiter();
    const all = Promise.all(Array.from({ length: 20 }, () => ask('x')));
    await clock.advance(10_000);
    await all;
    const times = went.map((line) => Number(line.split(' ')[1]));
    expect(times).toHaveLength(20);
    for (const [index, at] of times.entries()) {
      expect(at - (times[index - LIMIT.requests] ?? -1_000)).toBeGreaterThanOrEqual(LIMIT.perMs);
    }
  });

  it('lets the background go only where half of the window is free and nobody waits', async () => {
    const { clock, went, ask } = startLimiter();
    await ask('b1', 'background');
    await ask('b2', 'background');
    await ask('b3', 'background');
    expect(went).toEqual(['b1 0', 'b2 0', 'b3 not']);
    await clock.advance(1_000);
    await Promise.all([ask('p1'), ask('p2'), ask('p3')]);
    const waiting = ask('p4');
    await ask('b4', 'background');
    await clock.advance(1_000);
    await waiting;
    expect(went.slice(3)).toEqual(['p1 1000', 'p2 1000', 'p3 1000', 'b4 not', 'p4 2000']);
  });

  it('never lets people wait for the background: 40 requests go when they would go without it', async () => {
    const goes = async (background: boolean): Promise<readonly string[]> => {
      const { clock, went, ask } = startLimiter();
      const people = Array.from({ length: 40 }, (_, n) => ask(`p${n}`, 'person', 60_000));
      for (let n = 0; n < 140; n += 1) {
        if (background) await ask('b', 'background');
        await clock.advance(100);
      }
      await Promise.all(people);
      return went.filter((line) => line.startsWith('p'));
    };
    expect(await goes(true)).toEqual(await goes(false));
  });

  it('lets people go before schedules that asked earlier', async () => {
    const { clock, went, ask } = startLimiter();
    await Promise.all([ask('a'), ask('b'), ask('c')]);
    const rest = [ask('s1', 'schedule'), ask('s2', 'schedule')];
    await clock.advance(500);
    rest.push(ask('p1'), ask('p2'));
    await clock.advance(2_000);
    await Promise.all(rest);
    expect(went.slice(3)).toEqual(['p1 1000', 'p2 1000', 's1 1000', 's2 2000']);
  });

  it('refuses at once when the wait would outlast the deadline', async () => {
    const { went, ask } = startLimiter();
    await Promise.all([ask('a'), ask('b'), ask('c')]);
    await ask('late', 'person', 1_000);
    expect(went).toEqual(['a 0', 'b 0', 'c 0', 'late not']);
  });

  it('reckons the wait of a person with the people that asked before', async () => {
    const { clock, went, ask } = startLimiter();
    await Promise.all([ask('a'), ask('b'), ask('c')]);
    const waiting = ['p1', 'p2', 'p3'].map((name) => ask(name));
    await ask('p4', 'person', 1_500);
    expect(went.slice(3)).toEqual(['p4 not']);
    await clock.advance(1_000);
    await Promise.all(waiting);
    expect(went.slice(4)).toEqual(['p1 1000', 'p2 1000', 'p3 1000']);
  });

  it('reckons the wait of a person without the schedules that asked before', async () => {
    const { clock, went, ask } = startLimiter();
    await Promise.all([ask('a'), ask('b'), ask('c')]);
    const schedules = Array.from({ length: 6 }, () => ask('s', 'schedule'));
    const person = ask('p', 'person', 1_500);
    const late = ask('s late', 'schedule', 1_500);
    await clock.advance(5_000);
    await Promise.all([...schedules, person, late]);
    expect(went.slice(3).filter((line) => line !== 's 2000')).toEqual([
      's late not',
      'p 1000',
      's 1000',
      's 1000',
      's 3000',
    ]);
  });

  it('gives up at the deadline when others went first', async () => {
    const { clock, went, ask } = startLimiter();
    await Promise.all([ask('a'), ask('b'), ask('c')]);
    const waiting = ask('s', 'schedule', 1_500);
    const people = [ask('p1'), ask('p2'), ask('p3')];
    await clock.advance(1_500);
    await Promise.all([waiting, ...people]);
    expect(went.slice(3)).toEqual(['p1 1000', 'p2 1000', 'p3 1000', 's not']);
  });

  it('holds everything back for as long as the API asks, but not for ever', async () => {
    const { clock, limiter, went, ask } = startLimiter();
    limiter.hold(2_000);
    limiter.hold(1_000);
    const waiting = ask('a');
    await clock.advance(2_000);
    await waiting;
    limiter.hold(1e12);
    await ask('b');
    await clock.advance(300_000);
    await ask('c');
    expect(went).toEqual(['a 2000', 'b not', 'c 302000']);
  });

  it('lets the background go again once nothing is held', async () => {
    const { clock, limiter, went, ask } = startLimiter();
    limiter.hold(500);
    await ask('held', 'background');
    await clock.advance(499);
    await ask('still held', 'background');
    await clock.advance(1);
    await ask('free', 'background');
    expect(went).toEqual(['held not', 'still held not', 'free 500']);
  });

  it('has one timer at most, and none where nobody waits', async () => {
    const { clock, limiter, ask } = startLimiter();
    await Promise.all([ask('a'), ask('b'), ask('c')]);
    limiter.hold(2_000);
    expect(clock.sleepers()).toEqual([]);
    const never = new AbortController().signal;
    const deadline = { signal: never, remaining: () => 60_000, stop: () => undefined };
    const waiting = [1, 2, 3].map(() => limiter.slot('person', deadline));
    limiter.hold(3_000);
    expect(clock.sleepers()).toEqual([2_000]);
    await clock.advance(3_000);
    expect(await Promise.all(waiting)).toEqual([true, true, true]);
    expect(clock.sleepers()).toEqual([]);
    const late = limiter.slot('schedule', deadline);
    limiter.close();
    expect(await late).toBe(false);
    expect(await limiter.slot('person', deadline)).toBe(false);
  });

  it('sends the waiting away when it is closed', async () => {
    const { limiter, went, ask } = startLimiter();
    await Promise.all([ask('a'), ask('b'), ask('c')]);
    const waiting = ask('d');
    limiter.close();
    await waiting;
    await ask('e');
    expect(went.slice(3)).toEqual(['d not', 'e not']);
  });
});

describe('the window', () => {
  it.each([
    [[], 0, 0, 100],
    [[90], 0, 0, 100],
    [[10, 20, 90], 0, 0, 1_010],
    [[10, 20, 90], 0, 2, 1_090],
    [[10, 20, 90], 0, 3, 2_010],
    [[], 700, 0, 700],
    [[], 700, 3, 1_700],
    [[-900, -900, -900], 0, 0, 100],
  ])('with %j taken, held until %i and %i ahead: %i', (taken, heldUntil, ahead, at) => {
    expect(slotAt({ taken, heldUntil }, LIMIT, 100, ahead)).toBe(at);
  });
});

describe('rate headers', () => {
  const now = createTestClock('2026-11-27T10:00:00Z').now();
  it.each<[number, Record<string, string>, object]>([
    [200, {}, {}],
    [200, { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '5' }, {}],
    [
      200,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0.25' },
      { retryInMs: 250, holdMs: 250 },
    ],
    [429, {}, {}],
    [429, { 'x-ratelimit-reset': '1.5' }, { retryInMs: 1_500, holdMs: 1_500 }],
    [
      429,
      { 'x-ratelimit-reset': String(now.toSeconds() + 9) },
      { retryInMs: 9_000, holdMs: 9_000 },
    ],
    [429, { 'retry-after': 'soon', 'x-ratelimit-reset': '-1' }, {}],
    [429, { 'retry-after': 'Fri, 27 Nov 2026 09:59:00 GMT' }, { retryInMs: 0, holdMs: 0 }],
    [503, { 'retry-after': '2' }, { retryInMs: 2_000 }],
    [503, { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '9' }, {}],
    [200, { 'retry-after': '2' }, {}],
  ])('%i with %j', (status, headers, hints) => {
    expect(readRateHints(status, headers, now)).toEqual(hints);
  });
});

describe('the client', () => {
  it('sends ten requests in ten seconds with one key, retries included', async () => {
    const fixture = await startFixture();
    fixture.server.script({ status: 503 }, envelope({ id: 'a1' }));
    const calls = Array.from({ length: 10 }, () => fixture.api.activity('acme', 'a1'));
    await until(() => fixture.lines.length === 10);
    await fixture.clock.advance(9_999);
    expect(fixture.server.requests).toHaveLength(10);
    await fixture.clock.advance(1);
    await Promise.all(calls);
    expect(fixture.server.requests).toHaveLength(11);
    await fixture.close();
  });

  it('says that nothing was created when no slot comes in time', async () => {
    const fixture = await startFixture({ limit: { requests: 1, perMs: 60_000 } });
    fixture.server.script(envelope({ id: 'a1' }));
    await fixture.api.activity('acme', 'a1');
    const failure = await failureOf(fixture.api.createInvitation('acme', 'ana@example.com'));
    expect(failure).toMatchObject({ code: 'rate-limited', changed: 'no', retryable: true });
    expect(failure.userMessage).toMatch(/^Nobody was invited: /);
    expect(fixture.server.requests).toHaveLength(1);
    await fixture.close();
  });

  it('stops before the API has to refuse: the budget is used up', async () => {
    const fixture = await startFixture();
    fixture.server.script(
      {
        ...envelope({ id: 'a1' }),
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3.5' },
      },
      envelope({ id: 'a2' }),
    );
    await fixture.api.activity('acme', 'a1');
    const waiting = fixture.api.activity('acme', 'a2');
    await fixture.clock.advance(3_499);
    expect(fixture.server.requests).toHaveLength(1);
    await fixture.clock.advance(1);
    await waiting;
    await fixture.close();
  });

  it('counts for a key whatever the organization, and sends the waiting away when closed', async () => {
    const server = await startFixture();
    const organization = { id: ORGANIZATION_ID, keySecret: KEY_SECRET, names: 'neutral' } as const;
    const fixture = await startFixture({
      baseUrl: server.server.url,
      limit: { requests: 1, perMs: 20_000 },
      organizations: () => [
        { ...organization, key: 'acme', keyId: 'one' },
        { ...organization, key: 'emea', keyId: 'one' },
        { ...organization, key: 'globex', keyId: 'two' },
      ],
    });
    server.server.script(envelope({ id: 'a1' }));
    await fixture.api.activity('acme', 'a1');
    await fixture.api.activity('globex', 'a1');
    const waiting = failureOf(fixture.api.activity('emea', 'a1'));
    await fixture.clock.advance(19_999);
    expect(server.server.requests).toHaveLength(2);
    void fixture.api.close();
    expect(await waiting).toMatchObject({ code: 'rate-limited', changed: 'no' });
    await fixture.clock.advance(1);
    expect(server.server.requests).toHaveLength(2);
    await fixture.close();
    await server.close();
  });

  it('takes who asks without a word for a person, whom schedules let pass', async () => {
    const fixture = await startFixture({ limit: { requests: 1, perMs: 1_000 } });
    fixture.server.script(envelope({ id: 'a1' }));
    await fixture.api.activity('acme', 'first');
    const schedule = fixture.api.activity('acme', 'schedule', { priority: 'schedule' });
    const person = fixture.api.activity('acme', 'person');
    await fixture.clock.advance(1_000);
    await person;
    await fixture.clock.advance(1_000);
    await schedule;
    const ids = fixture.server.requests.map(({ path }) => path.split('/').at(-1));
    expect(ids).toEqual(['first', 'person', 'schedule']);
    await fixture.close();
  });

  it('counts each key for itself', async () => {
    const fixture = await startFixture({ limit: { requests: 1, perMs: 60_000 } });
    fixture.server.script({ body: { status: 200, result: { id: 'a1' } } });
    await fixture.api.activity('acme', 'a1');
    await fixture.api.deleteDashboard('65f1c0');
    expect(fixture.server.requests).toHaveLength(2);
    await fixture.close();
  });

  it('refuses calls after it was closed', async () => {
    const fixture = await startFixture();
    await fixture.close();
    await fixture.api.close();
    const failure = await failureOf(fixture.api.createInvitation('acme', 'ana@example.com'));
    expect(failure).toMatchObject({ code: 'unavailable', changed: 'no' });
    expect(fixture.server.requests).toHaveLength(0);
  });
});
