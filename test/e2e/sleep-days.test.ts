import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownActions, type Steward, startSteward } from '../../src/app/app.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';
import { createSentCommands } from '../support/sent-commands.ts';
import {
  ALL,
  DAY,
  HOUR,
  type ModelNight,
  nightsOf,
  type Plan,
  predict,
  WORK,
  withPlans,
} from '../support/sleep-model.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** Clocks change in New York on 8 March, in Berlin on 29 March, in Sydney on 5 April. */
const FIRST = Date.parse('2026-03-02T00:00:00Z');
/** `npm run test:long`: 60. */
const DAYS = Number(process.env['SLEEP_DAYS'] ?? 8);
const SEASON = { first: FIRST, days: DAYS };

/** 02:30 is skipped or repeated on the days on which clocks change. */
const PLANS: readonly Plan[] = [
  {
    name: 'berlin',
    service: 'scratch',
    stop: '02:30',
    start: '07:30',
    zone: 'Europe/Berlin',
    days: ALL,
    except: [],
  },
  {
    name: 'york',
    service: 'analytics',
    stop: '02:30',
    start: '08:00',
    zone: 'America/New_York',
    days: ALL,
    except: ['2026-03-04', '2026-03-20'],
  },
  {
    name: 'sydney',
    service: 'staging',
    stop: '02:30',
    start: '07:30',
    zone: 'Australia/Sydney',
    days: ALL,
    except: [],
  },
  {
    name: 'evenings',
    service: 'archive',
    stop: '20:00',
    start: '07:30',
    zone: 'Europe/Berlin',
    days: WORK,
    except: ['2026-03-10', '2026-04-03'],
    snooze: '{ by: [operators, leads], most: 3h, times: 1 }',
  },
];

const clock = createSettableClock({ start: new Date(FIRST).toISOString() });
let world: StewardWorld;
let second: Steward;
const logs = createRecordingLogger();

beforeAll(async () => {
  world = await startWorld({ clock, settings: (rules) => withPlans(rules, PLANS) });
  second = await startSteward({
    configuration: loadConfiguration({ env: world.env, knownActions }),
    clock,
    env: world.env,
    logger: logs.logger,
  });
});
afterAll(async () => {
  await second.stop();
  await world.close();
});

/* What happens, by day and time of day (UTC), before the look. */

const sent = createSentCommands(() => world);

async function reloaded(change: (rules: string) => string): Promise<void> {
  const count = () =>
    [...world.logs, ...logs.lines].filter((line) =>
      JSON.stringify(line).includes('settings-reloaded'),
    ).length;
  const before = count();
  await world.rewriteRules(change);
  await expect.poll(count, { timeout: 10_000 }).toBe(before + 2);
}

describe('weeks of nights', () => {
  it('stop and start what an independent model predicts, each once', async () => {
    const nights = PLANS.flatMap((plan) => nightsOf(plan, SEASON));
    const outside = {
      outage: false,
      silenced: new Set<string>(),
      person: new Map<string, number>(),
    };
    const ana = world.as('ana').in('#ops');
    const ben = world.as('ben').in('#ops');
    const evening = (at: number) => {
      const night = nights.find(
        ({ plan, stopAt }) => plan.name === 'evenings' && stopAt > at && stopAt <= at + HOUR,
      );
      if (night === undefined) throw new Error('No evening follows.');
      return night;
    };
    const happenings = new Map<string, (at: number) => Promise<void> | void>([
      // Two people at the last second: one of them wins, and it is one hour.
      [
        '1 19:00',
        async (at) => {
          clock.set(new Date(at - 1_000).toISOString());
          const night = evening(at - 1_000);
          await Promise.all([ana.click('In 1 hour'), ben.click('In 1 hour')]);
          const answers = await Promise.all([ana.expectEphemeral(/./u), ben.expectEphemeral(/./u)]);
          const words = answers.map(({ text }) => text).join('\n');
          expect(words).toMatch(/Its message says so/u);
          expect(words).toMatch(/Already pressed by|said something|no stop|cannot be put off/iu);
          night.stopAt += HOUR;
        },
      ],
      [
        '2 19:00',
        async (at) => {
          clock.set(new Date(at - 1_000).toISOString());
          evening(at - 1_000).phase = 'over';
          await ben.click('Not tonight');
          await ben.expectEphemeral(/stops nothing tonight/u);
        },
      ],
      [
        '3 19:00',
        () => {
          world.plane.faults.add({ kind: 'status', status: 503 });
          outside.outage = true;
        },
      ],
      [
        '3 21:30',
        () => {
          world.plane.faults.clear();
          outside.outage = false;
        },
      ],
      ['4 06:30', () => world.restart()],
      [
        '5 05:30',
        async (at) => {
          clock.set(new Date(at).toISOString());
          await ana.command('/db start scratch');
          await expect.poll(() => sent().length, { timeout: 5_000 }).toBe(1);
          outside.person.set('scratch', at);
        },
      ],
      [
        '6 03:00',
        async () => {
          await reloaded((rules) => rules.replace("who: ['schedule:berlin', ", 'who: ['));
          outside.silenced.add('berlin');
        },
      ],
      [
        '6 12:00',
        async () => {
          await reloaded((rules) =>
            rules.replace("who: ['schedule:york'", "who: ['schedule:berlin', 'schedule:york'"),
          );
          outside.silenced.delete('berlin');
        },
      ],
    ]);
    let count = 0;
    for (let day = 0; day < DAYS; day += 1) {
      for (const time of looksOf(day, nights)) {
        const at = FIRST + day * DAY + minutesOf(time) * 60_000;
        // The clock stands still meanwhile: timers look too, and what they find must not be due yet.
        await happenings.get(`${day} ${time}`)?.(at);
        clock.set(new Date(at).toISOString());
        const expected = predict(nights, at, outside);
        await Promise.all([world.steward.housekeep(), second.housekeep()]);
        await Promise.all([world.steward.sleep(), second.sleep()]);
        expect([...sent()].sort(), `day ${day} at ${time}`).toEqual([...expected].sort());
        count += expected.length;
      }
    }
    expect(count).toBeGreaterThan(DAYS * 5);
    const errors = [...world.logs, ...logs.lines].filter(({ level }) => level === 'error');
    expect(errors).toEqual([]);
  }, 300_000);
});

/** What else is looked at, for what happens on that day. */
const MORE: Readonly<Record<number, readonly string[]>> = {
  3: ['19:30', '20:00', '21:30'],
  5: ['05:30'],
  6: ['03:00', '12:00'],
};

/**
 * Times of day (UTC) at which both replicas look: each stop and start, and the notices of evenings. Nobody runs through an
 * evening on the fifth day, and for 15 minutes past the stop on the eighth.
 */
function looksOf(day: number, nights: readonly ModelNight[]): readonly string[] {
  const from = FIRST + day * DAY;
  const due = nights
    .flatMap(({ plan, noticeAt, stopAt, startAt }) => [
      ...(plan.name === 'evenings' ? [noticeAt, stopAt + HOUR] : []),
      ...[stopAt, startAt],
    ])
    .filter((at) => at >= from && at < from + DAY)
    .map((at) => new Date(at).toISOString().slice(11, 16));
  const all = [...new Set([...due, ...(MORE[day] ?? [])])].sort();
  if (day === 4) return all.filter((time) => time < '17:00' || time > '21:00');
  if (day !== 7) return all;
  return [...all.filter((time) => time !== '18:30' && time !== '19:00'), '19:15'].sort();
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
