import { randomUUID } from 'node:crypto';
import { DateTime, IANAZone } from 'luxon';
import type { Actor } from '../core/ports/ports.ts';
import type { ComingNight, Night, NightPlan, Pause, Sleeps } from '../core/ports/sleep.ts';
import { type ScheduleSettings, servicesOfSchedule } from '../core/settings/settings.ts';
import { keptIn } from './act.ts';
import { iso, type SleepDeps, scheduleNamed } from './parts.ts';
import { createPauses, isWithinPause } from './pauses.ts';
import { plannedNights } from './plan.ts';

type SleepsDeps = Pick<SleepDeps, 'settings' | 'clock' | 'ledger' | 'memory'> & {
  readonly zoneOf: (actor: Actor) => Promise<string | undefined>;
};

/** A set sleep without an end that could not begin is told after so long. */
const SET_WINDOW = { hours: 12 };
/** A start of a set sleep is tried for so long. */
const WAKE_WINDOW = { hours: 12 };

/** What `/db schedule` and `/db sleep` may do. Throws AppError `storage`. Design: §15. */
export function createSleeps(deps: SleepsDeps): Sleeps {
  const { ledger, settings, clock } = deps;
  const pauses = createPauses(deps.memory);
  const open = () => ledger.open();
  return {
    coming: (channel, days) => coming(deps, channel, days),
    schedule: (name) => scheduleNamed(settings, name),
    night: (key) => ledger.find(key),
    nextOpen: async (name) => {
      const own = (await open()).filter(
        ({ schedule, state }) => schedule === name && state === 'open',
      );
      return own.find(({ begunAt }) => begunAt === undefined) ?? own.at(-1);
    },
    setFor: async (serviceId) =>
      (await open()).filter(
        ({ state, plan, begunAt }) =>
          plan.owner !== undefined &&
          state === 'open' &&
          begunAt === undefined &&
          plan.services.some(({ id }) => id === serviceId),
      ),
    slept: (from, to) => ledger.slept(from, to),
    zoneOf: async (actor) => {
      const zone = (await deps.zoneOf(actor)) ?? '';
      // Slack may know one that this Node does not.
      return IANAZone.isValidZone(zone) ? zone : 'UTC';
    },
    pause: (name, pause) => pauses.set(name, pause),
    resume: async (name) => {
      const was = isWithinPause(await pauses.get(name), iso(clock.now()));
      if (was) await pauses.set(name, undefined);
      return was;
    },
    snooze: async (night, plan, state) => {
      if (await ledger.change(night, { plan, state }, { notBegun: true })) return 'done';
      return (await ledger.find(night))?.begunAt === undefined ? 'changed' : 'begun';
    },
    set: async ({ channel, service, owner, stopAt, startAt }) => {
      const plan: NightPlan = {
        ...{ channel, services: [service], owner, stopAt, startAt, snoozed: [] },
        endsAt: startAt ?? after(stopAt, SET_WINDOW),
        startEndsAt: startAt && after(startAt, WAKE_WINDOW),
        since: iso(clock.now()),
      };
      await ledger.note({ schedule: `once:${randomUUID()}`, at: stopAt }, plan, 'open');
    },
    cancel: (night) => ledger.change(night, { state: 'over' }, { notBegun: true }),
  };
}

function after(at: string, duration: { readonly hours: number }): string {
  return DateTime.fromISO(at, { zone: 'utc' }).plus(duration).toISO() ?? at;
}

async function coming(
  deps: SleepsDeps,
  channel: string,
  days: number,
): Promise<readonly ComingNight[]> {
  const { settings, ledger } = deps;
  const now = deps.clock.now();
  const planned = await Promise.all(
    settings
      .get()
      .schedules.filter(({ channelId }) => channelId === channel)
      .map((schedule) => comingOf(deps, schedule, now.plus({ days }))),
  );
  const set = (await ledger.open()).flatMap((night) =>
    night.plan.owner === undefined || night.plan.channel !== channel || night.state !== 'open'
      ? []
      : [toComing(night, 'UTC')],
  );
  return [...planned.flat(), ...set].toSorted((a, b) => (a.stopAt < b.stopAt ? -1 : 1));
}

async function comingOf(
  { clock, ledger, memory, settings }: SleepsDeps,
  schedule: ScheduleSettings,
  to: DateTime,
): Promise<readonly ComingNight[]> {
  const { name, zone } = schedule;
  const now = iso(clock.now());
  const pause = await createPauses(memory).get(name);
  const services = servicesOfSchedule(settings.get(), schedule).map((one) => one.name);
  const nights = plannedNights(schedule, clock.now().minus({ days: 4 }), to);
  const found = await Promise.all(
    nights.map(async ({ stopAt, startAt }): Promise<ComingNight> => {
      const at = iso(stopAt);
      const noted = await ledger.find({ schedule: name, at });
      if (noted !== undefined) return toComing(noted, zone);
      const start = startAt && iso(startAt);
      const off = isWithinPause(pause, at) ? pauseWords(pause) : undefined;
      return { schedule: name, at, stopAt: at, startAt: start, services, zone, off };
    }),
  );
  return found.filter(({ stopAt, startAt }) => (startAt ?? stopAt) > now);
}

function toComing(night: Night, zone: string): ComingNight {
  const { schedule, at, state, plan } = night;
  const kept = keptIn(night);
  const isOff = state === 'cancelled' || state === 'skipped';
  return {
    ...{ schedule, at, zone, stopAt: plan.stopAt, startAt: plan.startAt },
    services: plan.services.filter(({ id }) => !kept.has(id)).map(({ name }) => name),
    owner: plan.owner?.userId,
    off: isOff ? (plan.because ?? 'not tonight') : undefined,
  };
}

function pauseWords({ until }: Pause): string {
  return until === undefined ? 'paused' : 'paused until then';
}
