import type { DateTime } from 'luxon';
import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import { serviceField } from '../../core/operation/fields.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Preview, Problem } from '../../core/operation/outcome.ts';
import type { Ports, ReadPorts } from '../../core/operation/ports.ts';
import {
  isProblem,
  resolveService,
  serviceTarget,
  standing,
  typedName,
} from '../../core/operation/resolve.ts';
import { momentWords, readWhen, WHEN_WORDS, type When } from '../../core/operation/when.ts';
import { channelOf, type DirectoryEntry } from '../../core/ports/ports.ts';
import type { Night } from '../../core/ports/sleep.ts';
import { bold, code, say, type Text, time, user } from '../../core/text/text.ts';

const input = z.strictObject({
  service: serviceField,
  when: z
    .string()
    .trim()
    .min(1, WHEN_WORDS)
    .max(100)
    .meta({
      field: { label: 'When', placeholder: 'tonight 20:00 until tomorrow 07:30', hint: WHEN_WORDS },
    }),
});

type Times = {
  readonly from: DateTime<true>;
  readonly until: DateTime<true> | undefined;
  readonly zone: string;
  /** What a confirmation is bound to: `now` and `for 3h` stay what they are while the time goes on. */
  readonly bound: readonly string[];
};

type Plan = {
  readonly channelId: string;
  readonly entry: DirectoryEntry;
  /** Undefined: what was set is called off. */
  readonly times: Times | undefined;
  readonly set: readonly Night[];
};

const HORIZON = { days: 14 };

/**
 * `/db sleep scratch tonight 20:00 until tomorrow 07:30`, once. It stops and starts as its asker, judged
 * when it is set and again when it runs; `/db sleep scratch off` calls it off. Design: §15.
 */
export const serviceSleep = defineOperation({
  id: 'service.sleep',
  summary: 'Put a service to sleep for a while',
  title: 'Put a service to sleep',
  risk: 'change',
  confirm: 'press',
  slash: {
    words: ['sleep'],
    positional: ['service', 'when'],
    examples: ['sleep scratch until tomorrow 07:30', 'sleep scratch for 3h'],
  },
  input,
  refused: (raw) => say`The sleep of ${typedName(raw, 'service', 'a service')} was not set`,
  plan,
  targets: ({ entry }) => [serviceTarget(entry)],
  needs: ({ times }) => {
    if (times === undefined) return [];
    return times.until === undefined ? ['service.stop'] : ['service.stop', 'service.start'];
  },
  binds: ({ entry, times, channelId }) => ({ id: entry.id, channelId, times: times?.bound ?? [] }),
  preview,
  running: ({ entry }) => say`Setting the sleep of ${bold(entry.name)} …`,
  asked: ({ entry }) => say`The sleep of ${bold(entry.name)} is set.`,
  unknown: ({ entry }) => ({
    state: say`The sleep of ${bold(entry.name)} may have been set`,
    check: say`${code('schedule')} says so.`,
  }),
  execute,
  present,
});

async function plan(
  { service, when }: z.output<typeof input>,
  ports: ReadPorts,
  context: Context,
): Promise<Plan | Problem> {
  const channelId = channelOf(context.place);
  if (channelId === undefined) {
    return { field: 'service', problem: say`A sleep is told in a channel: ask for it there.` };
  }
  const entry = await resolveService(
    service,
    { raw: { service, when }, field: 'service' },
    ports,
    context,
  );
  if (isProblem(entry)) return entry;
  const set = (await ports.sleeps.setFor(entry.id)).filter((one) => one.plan.channel === channelId);
  if (/^(?:off|cancel)$/iu.test(when)) {
    const nothing = say`No sleep is set for ${bold(entry.name)} here. ${code(`start ${entry.name}`)} wakes it.`;
    if (set.length === 0) return { field: 'when', problem: nothing, because: 'already' };
    return { channelId, entry, times: undefined, set };
  }
  const zone = await ports.sleeps.zoneOf(context.actor);
  const now = ports.clock.now();
  const read = readWhen(when, { now, zone });
  if (read === undefined) return askAgain(say`${bold(when)} is no time. ${WHEN_WORDS}`);
  const times = timesOf(read, now, zone);
  return 'problem' in times ? times : { channelId, entry, times, set };
}

function timesOf({ from, until }: When, now: DateTime<true>, zone: string): Times | Problem {
  const begin = from === 'now' ? now : from;
  const end = until !== undefined && 'forMs' in until ? begin.plus(until.forMs) : until;
  if (begin < now) return askAgain(say`${momentWords(begin, zone)} (${zone}) is over.`);
  if (end !== undefined && end <= begin) {
    return askAgain(
      say`It would end ${momentWords(end, zone)} (${zone}), before it begins, ${momentWords(begin, zone)}.`,
    );
  }
  if ((end ?? begin) > now.plus(HORIZON)) {
    const last = momentWords(end ?? begin, zone);
    return askAgain(say`It can be set for 14 days at most, and that is ${last} (${zone}).`);
  }
  const bound = [
    from === 'now' ? 'now' : from.toISO(),
    until === undefined ? '' : 'forMs' in until ? `for ${until.forMs}` : until.toISO(),
  ];
  return { from: begin, until: end, zone, bound };
}

/** In the form, which keeps what was typed. */
function askAgain(problem: Text): Problem {
  return { field: 'when', problem, asksAgain: true };
}

function spanText({ from, until, zone }: Times): Text {
  const end = until === undefined ? '' : ` until ${momentWords(until, zone)}`;
  return say`from ${momentWords(from, zone)}${end} (${zone})`;
}

function preview({ entry, times }: Plan): Preview {
  const name = bold(entry.name);
  if (times === undefined) {
    return {
      question: say`Call off the sleep of ${name}?`,
      ask: say`call off the sleep of ${name}`,
      lines: [say`Nothing is stopped; what runs goes on.`],
      button: 'Call it off',
      danger: false,
    };
  }
  const end = times.until === undefined ? say` Nobody starts it again by itself.` : [];
  return {
    question: say`Put ${name} to sleep ${spanText(times)}?`,
    ask: say`put ${name} to sleep ${spanText(times)}`,
    lines: [say`${standing(entry)}. Queries fail while it sleeps.${end}`],
    button: `Put ${entry.name} to sleep`.slice(0, 75),
    danger: true,
  };
}

type Result = { readonly done: boolean };

async function execute(
  { entry, times, set, channelId }: Plan,
  { sleeps }: Ports,
  { actor }: Context,
): Promise<{ readonly result: Result }> {
  if (times === undefined) {
    const ended = await Promise.all(set.map((night) => sleeps.cancel(night)));
    return { result: { done: ended.some(Boolean) } };
  }
  const { id, name, organization } = entry;
  await sleeps.set({
    channel: channelId,
    service: { id, name, organization },
    owner: actor,
    stopAt: times.from.toISO(),
    startAt: times.until?.toISO(),
  });
  return { result: { done: true } };
}

function present({ done }: Result, { entry, times }: Plan, { actor }: Context): Card {
  const name = bold(entry.name);
  if (times === undefined) {
    const headline = done
      ? say`${user(actor.userId)} called off the sleep of ${name}.`
      : say`The sleep of ${name} has begun; ${code(`start ${entry.name}`)} wakes it.`;
    return { audience: 'channel', tone: done ? 'good' : 'warning', headline };
  }
  const end = times.until === undefined ? [] : say` until ${time(times.until.toISO())}`;
  return {
    audience: 'channel',
    tone: 'good',
    headline: say`${user(actor.userId)} set a sleep: ${name} stops ${time(times.from.toISO())}${end}.`,
    lines: [
      say`${code(`sleep ${entry.name} off`)} calls it off; ${code(`start ${entry.name}`)} wakes it.`,
    ],
  };
}
