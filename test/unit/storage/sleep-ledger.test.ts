import { expect, it } from 'vitest';
import type { NightPlan, RunKey } from '../../../src/core/ports/sleep.ts';
import { say } from '../../../src/core/text/text.ts';
import { startInstance } from '../../../src/storage/instances.ts';
import { createSleepLedger } from '../../../src/storage/sleep/sleep-ledger.ts';
import { overDatabases } from '../../support/databases.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const START = '2026-11-26T18:30:00.000Z';
const KEY = { schedule: 'dev-nights', at: '2026-11-26T19:00:00.000Z' };
const SERVICE = { id: 's1', name: 'scratch', organization: 'acme' };
const PLAN: NightPlan = {
  channel: 'C0OPS',
  services: [SERVICE],
  stopAt: KEY.at,
  startAt: '2026-11-27T06:30:00.000Z',
  endsAt: '2026-11-27T06:30:00.000Z',
  startEndsAt: '2026-11-27T19:00:00.000Z',
  since: START,
  snoozed: [],
};
const STOP: RunKey = { ...KEY, act: 'stop', service: SERVICE.id };
const START_RUN: RunKey = { ...STOP, act: 'start' };

overDatabases('SleepLedger', (databases) => {
  /** Two replicas, each over a connection of its own. */
  async function ledgers() {
    const test = await databases.fresh();
    const clock = createTestClock(START);
    const open = async () => {
      const db = await test.open();
      const instance = await startInstance(db, clock);
      return { instance, ledger: createSleepLedger(db, { clock, instance: instance.id }) };
    };
    const one = await open();
    const other = await open();
    return {
      clock,
      one: one.ledger,
      other: other.ledger,
      instances: [one.instance, other.instance],
    };
  }

  async function noted() {
    const both = await ledgers();
    await both.one.note(KEY, PLAN, 'open');
    const night = await both.other.find(KEY);
    if (night === undefined) throw new Error('The night was not noted.');
    return { ...both, night };
  }

  it('notes a night once, whoever comes first, and gives it back as it was', async () => {
    const { one, other } = await ledgers();
    const notes = Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? one : other).note(KEY, PLAN, 'open'),
    );
    expect((await Promise.all(notes)).filter(Boolean)).toHaveLength(1);
    expect(await other.find(KEY)).toMatchObject({
      ...{ ...KEY, state: 'open', version: 1, plan: PLAN, begunAt: undefined },
      message: { state: 'none' },
    });
    expect(await one.open()).toHaveLength(1);
  });

  it('lets exactly one of 20 claim a service, over two connections', async () => {
    const { one, other, night } = await noted();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other).claim(night, STOP)),
    );
    expect(claims.filter((end) => end === 'claimed')).toHaveLength(1);
    expect(claims.filter((end) => end === 'taken')).toHaveLength(19);
    expect((await one.find(KEY))?.begunAt).toBe(START);
  });

  it('gives a night to a press at the last second or to the stop, never to both', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { one, other } = await ledgers();
      await one.note(KEY, PLAN, 'open');
      const night = await one.find(KEY);
      if (night === undefined) throw new Error('The night was not noted.');
      const [changed, claimed] = await Promise.all([
        one.change(
          night,
          { state: round % 2 ? 'open' : 'cancelled', plan: PLAN },
          { notBegun: true },
        ),
        other.claim(night, STOP),
      ]);
      expect([changed, claimed === 'claimed'].filter(Boolean), `round ${round}`).toHaveLength(1);
      expect(await one.runs(KEY)).toHaveLength(changed ? 0 : 1);
    }
  });

  it('takes one of two words said at once, and none once it has begun', async () => {
    const { one, other, night } = await noted();
    const words = await Promise.all([
      one.change(night, { plan: PLAN, state: 'open' }, { notBegun: true }),
      other.change(night, { plan: PLAN, state: 'cancelled' }, { notBegun: true }),
    ]);
    expect(words.filter(Boolean)).toHaveLength(1);
    const again = await noted();
    expect(await again.one.begin(again.night)).toBe(true);
    expect(await again.other.change(again.night, { state: 'cancelled' }, { notBegun: true })).toBe(
      false,
    );
    expect(await again.other.change(again.night, { state: 'over' })).toBe(true);
    expect(await again.one.open()).toEqual([]);
  });

  it('waits before it may be claimed again, and counts how often it was', async () => {
    const { one, other, night, clock } = await noted();
    await one.claim(night, STOP);
    const nextAt = '2026-11-26T18:31:00.000Z';
    await one.settle(STOP, { state: 'waiting', reason: say`no answer`, nextAt });
    expect(await other.claim(night, STOP)).toBe('taken');
    await clock.advance(60_000);
    expect(await other.claim(night, STOP)).toBe('claimed');
    expect(await one.runs(KEY)).toMatchObject([{ ...STOP, state: 'claimed', attempts: 2 }]);
  });

  it('keeps what is settled for good, whoever comes later', async () => {
    const { one, other, night } = await noted();
    await one.claim(night, STOP);
    await one.settle(STOP, { state: 'unknown', reason: say`a restart came between`, journal: 7 });
    await other.settle(STOP, { state: 'waiting', reason: [] });
    expect(await other.claim(night, STOP)).toBe('taken');
    expect(await one.runs(KEY)).toMatchObject([{ state: 'unknown', journal: 7 }]);
  });

  it('leaves the claim of another process, unless that is the one that is meant', async () => {
    const { one, other, night } = await noted();
    await one.claim(night, STOP);
    await other.settle(STOP, { state: 'waiting', reason: say`it is running` });
    const [claim] = await other.runs(KEY);
    expect(claim).toMatchObject({ state: 'claimed' });
    expect([await one.isOurs(STOP), await other.isOurs(STOP)]).toEqual([true, false]);
    expect(await other.claim(night, STOP)).toBe('taken');
    await other.settle({ ...STOP, claimedBy: 'another' }, { state: 'waiting', reason: [] });
    expect((await other.runs(KEY))[0]?.state).toBe('claimed');
    await other.settle({ ...STOP, claimedBy: claim?.claimedBy }, { state: 'waiting', reason: [] });
    expect(await one.isOurs(STOP)).toBe(false);
    expect(await other.claim(night, STOP)).toBe('claimed');
    await one.settle(STOP, { state: 'done', reason: [] });
    expect(await other.isOurs(STOP)).toBe(true);
  });

  it('lets one caller post the message', async () => {
    const { one, other } = await noted();
    const claims = await Promise.all([one, other, one, other].map((all) => all.claimMessage(KEY)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    await one.message(KEY, { state: 'posted', ts: '1.000100', shown: 'abc' });
    expect((await other.find(KEY))?.message).toMatchObject({ state: 'posted', ts: '1.000100' });
  });

  it('finds what a process that is gone had claimed, and not what a living one has', async () => {
    const { one, other, night, instances } = await noted();
    await one.claim(night, STOP);
    await one.claimMessage(KEY);
    expect(await other.abandoned()).toEqual({ runs: [], messages: [] });
    await instances[0]?.stop();
    const left = await other.abandoned();
    expect(left.runs).toMatchObject([STOP]);
    expect(left.messages).toMatchObject([KEY]);
  });

  it('knows the last night before another, and how long a service slept', async () => {
    const { one, night, clock } = await noted();
    expect(await one.lastBefore('dev-nights', '2026-11-27T19:00:00.000Z')).toBe(KEY.at);
    expect(await one.lastBefore('dev-nights', KEY.at)).toBeUndefined();
    await one.claim(night, STOP);
    await one.settle(STOP, { state: 'done', reason: [], journal: 1 });
    const asleep = await one.slept('2026-11-26T00:00:00.000Z', '2026-11-28T00:00:00.000Z');
    expect(asleep).toEqual([{ service: 's1', from: START }]);
    await clock.advance(3_600_000);
    await one.claim(night, START_RUN);
    await one.settle(START_RUN, { state: 'done', reason: [], journal: 2 });
    expect(await one.slept('2026-11-26T00:00:00.000Z', '2026-11-28T00:00:00.000Z')).toEqual([
      { service: 's1', from: START, to: '2026-11-26T19:30:00.000Z' },
    ]);
  });

  it('counts a night of many weeks, as over days that are excepted, on each of its days', async () => {
    const { one, night } = await noted();
    await one.claim(night, STOP);
    await one.settle(STOP, { state: 'done', reason: [], journal: 1 });
    const late = await one.slept('2027-01-08T00:00:00.000Z', '2027-01-09T00:00:00.000Z');
    expect(late).toEqual([{ service: 's1', from: START }]);
  });

  it('remembers its message as it was shown, and when it was begun', async () => {
    const { one, other, clock } = await noted();
    expect((await one.find(KEY))?.message).toEqual({ state: 'none' });
    await clock.advance(1_000);
    await one.claimMessage(KEY);
    const at = '2026-11-26T18:30:01.000Z';
    expect((await other.find(KEY))?.message).toEqual({ state: 'claimed', at });
    await one.message(KEY, { state: 'posted', ts: '1.000100', shown: 'abc' });
    expect((await other.find(KEY))?.message).toEqual({
      ...{ state: 'posted', at, ts: '1.000100', shown: 'abc' },
    });
    await one.message(KEY, { state: 'unknown' });
    expect((await other.find(KEY))?.message).toEqual({ state: 'unknown', at });
  });

  it('is changed again only by who saw the last change', async () => {
    const { one, other, night } = await noted();
    const plan = { ...PLAN, because: 'a release' };
    expect(await one.change(night, { state: 'open', plan })).toBe(true);
    expect(await other.change(night, { state: 'cancelled' })).toBe(false);
    expect(await other.claim(night, STOP)).toBe('changed');
    const seen = await other.find(KEY);
    expect(seen).toMatchObject({ version: 2, plan, state: 'open' });
    // Without a plan the old one stays.
    expect(seen && (await other.change(seen, { state: 'over' }))).toBe(true);
    expect(await one.find(KEY)).toMatchObject({ version: 3, plan, state: 'over' });
  });

  it('says until when a run waits, and nothing where it does not', async () => {
    const { one, night } = await noted();
    await one.claim(night, STOP);
    const nextAt = '2026-11-26T19:45:00+01:00';
    await one.settle(STOP, { state: 'waiting', reason: say`no answer`, nextAt });
    expect(await one.runs(KEY)).toMatchObject([
      { nextAt: '2026-11-26T18:45:00.000Z', reason: say`no answer`, movedAt: START, attempts: 1 },
    ]);
    await one.settle(STOP, { state: 'waiting', reason: [] });
    expect((await one.runs(KEY))[0]?.nextAt).toBeUndefined();
    // What waits for no moment may be claimed at once.
    expect(await one.claim(night, STOP)).toBe('claimed');
    await one.settle(START_RUN, { state: 'left', reason: [] });
    const attempts = (await one.runs(KEY)).map((run) => [run.act, run.attempts] as const);
    expect(new Map<string, number>(attempts)).toEqual(
      new Map([
        ['stop', 2],
        ['start', 0],
      ]),
    );
  });

  it('knows which service of which night slept, and until when', async () => {
    const { one, clock } = await ledgers();
    const at = '2026-11-26T20:00:00.000Z';
    const nights = [KEY, { schedule: 'other', at: KEY.at }, { schedule: KEY.schedule, at }];
    for (const key of nights) await one.note(key, PLAN, 'open');
    const end = async (run: RunKey, state: 'done' | 'failed' | 'left' | 'waiting') =>
      await one.settle(run, { state, reason: [] });
    for (const key of nights) await end({ ...key, act: 'stop', service: 's1' }, 'done');
    for (const service of ['s2', 's3', 's5']) await end({ ...STOP, service }, 'done');
    await end({ ...STOP, service: 's4' }, 'failed');
    await clock.advance(60_000);
    await end({ ...START_RUN, service: 's2' }, 'left');
    await end({ ...START_RUN, service: 's3' }, 'waiting');
    await end({ ...START_RUN, service: 's5' }, 'failed');
    for (const key of nights.slice(0, 2)) {
      await clock.advance(60_000);
      await end({ ...key, act: 'start', service: 's1' }, 'done');
    }
    const spans = await one.slept('2026-11-26T00:00:00.000Z', '2026-11-28T00:00:00.000Z');
    const byService = (service: string) => spans.filter((span) => span.service === service);
    expect(
      byService('s1')
        .map(({ to }) => to ?? 'still')
        .toSorted(),
    ).toEqual([...['2026-11-26T18:32:00.000Z', '2026-11-26T18:33:00.000Z', 'still']]);
    expect(spans).toHaveLength(5);
    expect(byService('s2')).toEqual([]);
    expect(byService('s3')).toEqual([{ service: 's3', from: START }]);
    expect(byService('s4')).toEqual([]);
    expect(byService('s5')).toEqual([
      { service: 's5', from: START, to: '2026-11-26T18:31:00.000Z' },
    ]);
  });

  it('looks for a sleep as far back as a night is long, to the millisecond', async () => {
    const { one, night } = await noted();
    await one.claim(night, STOP);
    await one.settle(STOP, { state: 'done', reason: [] });
    const slept = async (from: string, to: string) => (await one.slept(from, to)).length;
    expect(await slept('2027-01-11T18:30:00.000Z', '2027-01-12T00:00:00.000Z')).toBe(1);
    expect(await slept('2027-01-11T18:30:00.001Z', '2027-01-12T00:00:00.000Z')).toBe(0);
    // A day is one of UTC.
    expect(await slept('2027-01-11', '2027-01-12')).toBe(1);
    expect(await slept('2027-01-12', '2027-01-13')).toBe(0);
    expect(await slept('2026-11-26T00:00:00.000Z', '2026-11-26T18:29:59.999Z')).toBe(0);
    expect(await slept('2026-11-26T00:00:00.000Z', START)).toBe(1);
  });
});
