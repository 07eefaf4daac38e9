import type { DateTime } from 'luxon';
import { z } from 'zod';
import type { Context } from '../../core/operation/operation.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { momentWords, readUntil } from '../../core/operation/when.ts';
import type { Target } from '../../core/ports/decision.ts';
import { channelOf } from '../../core/ports/ports.ts';
import { type ScheduleSettings, servicesOfSchedule } from '../../core/settings/settings.ts';
import { bold, channel, code, say, type Text, time, user } from '../../core/text/text.ts';
import { didYouMean } from '../../core/text/typed-text.ts';

const scheduleField = z
  .string()
  .trim()
  .min(1, 'The name of a schedule, as in steward.yaml.')
  .max(40)
  .meta({ field: { label: 'Schedule', placeholder: 'dev-nights' } });

const UNTIL = 'Until when, as in mon, tomorrow 07:30 or 2026-12-01; empty: until it is resumed.';

type Known = { readonly schedule: ScheduleSettings; readonly targets: readonly Target[] };

/** A schedule is paused where it gives notice, by whoever may do so for each of its services. */
function scheduleHere(
  name: string,
  { sleeps, settings }: Pick<ReadPorts, 'sleeps' | 'settings'>,
  { place }: Pick<Context, 'place'>,
): Known | Problem {
  const schedule = sleeps.schedule(name);
  const here = channelOf(place);
  const own = settings.get().schedules.filter(({ channelId }) => channelId === here);
  if (schedule === undefined || schedule.channelId !== here) {
    const hint = didYouMean(
      name,
      own.map((one) => one.name),
    );
    return {
      field: 'schedule',
      problem: say`No schedule ${bold(name)} belongs to this channel${hint}.`,
    };
  }
  const targets = servicesOfSchedule(settings.get(), schedule).map(
    (service): Target => ({ kind: 'service', ...service }),
  );
  return { schedule, targets };
}

type PausePlan = Known & { readonly until: DateTime<true> | undefined; readonly zone: string };

/** `/db schedule pause dev-nights until mon`: nothing is stopped meanwhile; what sleeps still wakes. */
export const schedulePause = defineOperation({
  id: 'schedule.pause',
  summary: 'Pause a schedule for a while',
  title: 'Pause a schedule',
  risk: 'change',
  confirm: 'press',
  slash: {
    words: ['schedule', 'pause'],
    positional: ['schedule', 'until'],
    examples: ['schedule pause dev-nights until mon'],
  },
  input: z.strictObject({
    schedule: scheduleField,
    until: z
      .string()
      .trim()
      .max(60)
      .optional()
      .meta({ field: { label: 'Until', placeholder: 'mon', hint: UNTIL } }),
  }),
  refused: (raw) => say`${named(raw['schedule'])} was not paused`,
  plan: async (typed, ports, context): Promise<PausePlan | Problem> => {
    const known = scheduleHere(typed.schedule, ports, context);
    if ('problem' in known) return known;
    const zone = await ports.sleeps.zoneOf(context.actor);
    const words = typed.until ?? '';
    if (words === '') return { ...known, until: undefined, zone };
    const now = ports.clock.now();
    const until = readUntil(words, { now, zone });
    if (until === undefined || until <= now) {
      const was = until === undefined ? '' : ` (${momentWords(until, zone)}, ${zone})`;
      const problem = say`${bold(words)}${was} is no moment that is to come. ${UNTIL}`;
      return { field: 'until', problem, asksAgain: true };
    }
    return { ...known, until, zone };
  },
  targets: ({ targets }) => targets,
  binds: ({ schedule, until }) => ({ name: schedule.name, until: until?.toISO() ?? '' }),
  preview: ({ schedule, until, zone }) => ({
    question: say`Pause ${bold(schedule.name)}${untilText(until, zone)}?`,
    ask: say`pause ${bold(schedule.name)}${untilText(until, zone)}`,
    lines: [say`Nothing is stopped by it meanwhile. What sleeps now still starts as planned.`],
    button: 'Pause',
    danger: false,
  }),
  running: ({ schedule }) => say`Pausing ${bold(schedule.name)} …`,
  asked: ({ schedule }) => say`${bold(schedule.name)} is paused.`,
  unknown: ({ schedule }) => ({
    state: say`${bold(schedule.name)} may have been paused`,
    check: say`${code('schedule')} says so.`,
  }),
  execute: async ({ schedule, until }: PausePlan, { sleeps }, { actor }) => {
    await sleeps.pause(schedule.name, { by: actor.userId, until: until?.toISO() });
    return { result: { until } };
  },
  present: ({ until }, { schedule }, { actor }) => ({
    audience: 'channel',
    tone: 'good',
    headline: say`${user(actor.userId)} paused ${bold(schedule.name)} in ${channel(schedule.channelId)}${until === undefined ? say` until it is resumed` : say` until ${time(until.toISO())}`}.`,
    lines: [say`${code(`schedule resume ${schedule.name}`)} ends it.`],
  }),
});

/** `/db schedule resume dev-nights`. */
export const scheduleResume = defineOperation({
  id: 'schedule.resume',
  summary: 'Resume a paused schedule',
  title: 'Resume a schedule',
  risk: 'change',
  confirm: 'none',
  slash: {
    words: ['schedule', 'resume'],
    positional: ['schedule'],
    examples: ['schedule resume dev-nights'],
  },
  input: z.strictObject({ schedule: scheduleField }),
  refused: (raw) => say`${named(raw['schedule'])} was not resumed`,
  plan: async (typed, ports, context) => scheduleHere(typed.schedule, ports, context),
  targets: ({ targets }) => targets,
  binds: ({ schedule }) => ({ name: schedule.name }),
  preview: ({ schedule }) => ({
    question: say`Resume ${bold(schedule.name)}?`,
    ask: say`resume ${bold(schedule.name)}`,
    lines: [say`It stops and starts again as ${code('steward.yaml')} says.`],
    button: 'Resume',
    danger: false,
  }),
  running: ({ schedule }) => say`Resuming ${bold(schedule.name)} …`,
  asked: ({ schedule }) => say`${bold(schedule.name)} is resumed.`,
  unknown: ({ schedule }) => ({
    state: say`${bold(schedule.name)} may have been resumed`,
    check: say`${code('schedule')} says so.`,
  }),
  execute: async ({ schedule }: Known, { sleeps }) => ({
    result: { was: await sleeps.resume(schedule.name) },
  }),
  present: ({ was }, { schedule }, { actor }) =>
    was
      ? {
          audience: 'channel',
          tone: 'good',
          headline: say`${user(actor.userId)} resumed ${bold(schedule.name)}.`,
        }
      : {
          audience: 'requester',
          tone: 'plain',
          headline: say`${bold(schedule.name)} was not paused.`,
        },
});

function named(value: unknown): Text {
  return typeof value === 'string' && value !== ''
    ? say`The schedule ${bold(value.slice(0, 40))}`
    : say`The schedule`;
}

function untilText(until: DateTime<true> | undefined, zone: string): Text {
  if (until === undefined) return say` until it is resumed`;
  return say` until ${momentWords(until, zone)} (${zone})`;
}
