import { z } from 'zod';
import type { RequesterCard } from '../../core/card/card.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import type { Target } from '../../core/ports/decision.ts';
import { channelOf } from '../../core/ports/ports.ts';
import type { Night, SleepingService, Snoozed, SnoozeEnd } from '../../core/ports/sleep.ts';
import { mayDelay, snoozedNight } from '../../core/ports/snooze.ts';
import type { SnoozeSettings } from '../../core/settings/settings.ts';
import { bold, code, say, type Text, time, whoText } from '../../core/text/text.ts';

const input = z.strictObject({
  schedule: z
    .string()
    .trim()
    .min(1, 'The name of a schedule.')
    .max(40)
    .meta({ field: { label: 'Schedule', placeholder: 'dev-nights' } }),
  choice: z.enum(['skip', 'hour', 'keep'], { error: 'skip, hour or keep.' }).meta({
    field: {
      label: 'What',
      choices: [
        { value: 'skip', label: 'Not tonight' },
        { value: 'hour', label: 'In 1 hour' },
        { value: 'keep', label: 'Only keep …' },
      ],
    },
  }),
  keep: z
    .string()
    .max(2_000)
    .optional()
    .meta({
      field: {
        label: 'Stay awake',
        widget: 'lines',
        when: { field: 'choice', is: ['keep'] },
        hint: 'Names of services that stay awake tonight, one a line; the others sleep.',
      },
    }),
  night: z
    .string()
    .max(30)
    .optional()
    .meta({ field: { label: 'Night', slashOnly: true } }),
});

type Plan = {
  readonly night: Night;
  readonly said: Snoozed;
  readonly kept: readonly SleepingService[];
};

/**
 * The buttons of a notice: *Not tonight*, *In 1 hour*, *Only keep …*. For those whom `snooze.by` names
 * and the policy allows, in the schedule's channel, until the first service is stopped. Design: §15.
 */
export const scheduleSnooze = defineOperation({
  id: 'schedule.snooze',
  summary: 'Put off tonight’s stop of a schedule',
  title: 'Put off a stop',
  risk: 'change',
  confirm: 'none',
  redraws: true,
  slash: {
    words: ['schedule', 'snooze'],
    positional: ['schedule', 'choice', 'keep'],
    examples: ['schedule snooze dev-nights hour'],
  },
  input,
  refused: () => say`The stop was not delayed`,
  plan,
  targets: ({ night }) => night.plan.services.map(targetOf),
  binds: ({ night, said }) => [night.schedule, night.at, said.choice, said.keep],
  preview: ({ night, said }) => ({
    question: say`${bold(night.schedule)}: ${WORDS[said.choice]}?`,
    ask: say`say ${WORDS[said.choice]} to ${bold(night.schedule)}`,
    lines: [say`It would stop ${time(night.plan.stopAt)}.`],
    button: 'Say so',
    danger: false,
  }),
  running: ({ night }) => say`Putting off ${bold(night.schedule)} …`,
  asked: ({ night }) => say`Put off ${bold(night.schedule)}.`,
  unknown: ({ night }) => ({
    state: say`${bold(night.schedule)} may have been put off`,
    check: say`${code('schedule')} says so.`,
  }),
  execute: async ({ night, said }: Plan, { sleeps }) => {
    const { plan: next, state } = snoozedNight(night, said);
    return { result: { end: await sleeps.snooze(night, next, state), stopAt: next.stopAt } };
  },
  present: ({ end, stopAt }, made) => present(end, stopAt, made),
});

const WORDS = { skip: 'not tonight', hour: 'in 1 hour', keep: 'only keep some awake' } as const;

async function plan(
  { schedule: name, night: at, choice, keep }: z.output<typeof input>,
  ports: ReadPorts,
  { actor, place }: Context,
): Promise<Plan | Problem> {
  const { sleeps, policy, clock } = ports;
  const schedule = sleeps.schedule(name);
  const night =
    at === undefined ? await sleeps.nextOpen(name) : await sleeps.night({ schedule: name, at });
  if (schedule === undefined || night === undefined || night.plan.channel !== channelOf(place)) {
    return denied(say`No stop of ${bold(name)} is announced in this channel.`);
  }
  const { snooze } = schedule;
  if (snooze === undefined)
    return denied(say`Nobody may put off ${bold(name)}: its ${code('snooze')} is not set.`);
  const member = await policy.isOneOf(actor, snooze.by);
  if (member === 'unknown') {
    return denied(
      say`Slack did not say whether you are in ${whoText(snooze.by)}; nothing was done.`,
    );
  }
  if (member === 'no') return denied(say`Only ${whoText(snooze.by)} can put off ${bold(name)}.`);
  const over = overText(night, choice, snooze);
  if (over !== undefined) return { field: 'choice', problem: over, because: 'already' };
  const kept = choice === 'keep' ? servicesNamed(keep ?? '', night) : [];
  if ('problem' in kept) return kept;
  const said = {
    choice,
    by: actor.userId,
    at: clock.now().toISO(),
    keep: kept.map(({ id }) => id),
  };
  return { night, said, kept };
}

function denied(problem: Text): Problem {
  return { field: 'schedule', problem, because: 'denied' };
}

/** Why nothing can be said to it any more. */
function overText(
  night: Night,
  choice: Snoozed['choice'],
  snooze: SnoozeSettings,
): Text | undefined {
  const name = bold(night.schedule);
  if (night.begunAt !== undefined) {
    return say`${name} has begun at ${time(night.begunAt, 'time')}; ${code('start')} wakes a service.`;
  }
  if (night.state !== 'open')
    return say`It is settled already: ${name} stops nothing in this night.`;
  if (choice !== 'hour' || mayDelay(night, snooze)) return undefined;
  return say`${name} cannot be put off any further; say ${code('skip')}, or keep some awake.`;
}

function servicesNamed(text: string, night: Night): readonly SleepingService[] | Problem {
  const names = text
    .split(/[\n,]+/u)
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const { services } = night.plan;
  const known = services.filter(({ name }) => names.some((one) => isSame(one, name)));
  const strange = names.find((one) => !services.some(({ name }) => isSame(one, name)));
  if (strange === undefined && known.length > 0) return known;
  const list = services.map(({ name }) => name).join(', ');
  return {
    field: 'keep',
    problem:
      strange === undefined
        ? say`Name what stays awake: ${list}.`
        : say`${bold(strange)} does not stop tonight. There is: ${list}.`,
  };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function targetOf({ id, name, organization }: SleepingService): Target {
  return { kind: 'service', id, name, organization, tags: [] };
}

/** In the message of the night everybody reads it. */
function present(end: SnoozeEnd, stopAt: string, { night, said, kept }: Plan): RequesterCard {
  const name = bold(night.schedule);
  const card = (tone: 'good' | 'warning', headline: Text): RequesterCard => ({
    audience: 'requester',
    tone,
    headline,
  });
  if (end === 'begun')
    return card('warning', say`${name} had begun a moment before; nothing was put off.`);
  if (end === 'changed') {
    return card(
      'warning',
      say`Somebody else said something to ${name} a moment before; look at its message.`,
    );
  }
  switch (said.choice) {
    case 'skip':
      return card('good', say`${name} stops nothing tonight. Its message says so.`);
    case 'hour':
      return card('good', say`${name} stops ${time(stopAt)}. Its message says so.`);
    case 'keep':
      return card(
        'good',
        say`${kept.map(({ name: one }) => one).join(', ')} stays awake tonight. The message of ${name} says so.`,
      );
  }
}
