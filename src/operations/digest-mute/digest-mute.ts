import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import { digestChannel } from '../../core/operation/digest-words.ts';
import { serviceField } from '../../core/operation/fields.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { isProblem, resolveService, typedName } from '../../core/operation/resolve.ts';
import { bold, channel, code, say, time, user } from '../../core/text/text.ts';

const input = z.strictObject({
  service: serviceField,
  /** The button knows a pipe or a warehouse by its id, which no directory lists. */
  entity: z
    .string()
    .regex(/^[\w-]{1,100}$/u)
    .optional()
    .meta({ field: { label: 'Id', slashOnly: true } }),
  off: z
    .boolean()
    .optional()
    .meta({ field: { label: 'Off', widget: 'tick', placeholder: 'Hear of it again' } }),
});

type Plan = {
  readonly channelId: string;
  readonly entityId: string;
  readonly name: string;
  /** Alerts come again. */
  readonly off: boolean;
};

/** `/db digest mute scratch`: a week without alerts in the cost summary; `--off` undoes it. */
export const digestMute = defineOperation({
  id: 'digest.mute',
  summary: 'Mute cost alerts for a service',
  title: 'Mute for a week',
  risk: 'change',
  confirm: 'none',
  slash: {
    words: ['digest', 'mute'],
    positional: ['service'],
    examples: ['digest mute scratch', 'digest mute scratch --off'],
  },
  input,
  refused: (raw) =>
    say`${typedName(raw, 'service', 'The service')} was not ${raw['off'] === true ? 'un' : ''}muted`,
  plan: (typed, ports, context) => plan(typed, ports, context),
  targets: () => [],
  binds: ({ channelId, entityId, off }) => ({ channelId, entityId, off }),
  preview: ({ name, off }) => ({
    question: off ? say`Hear of ${bold(name)} again?` : say`Mute ${bold(name)} for a week?`,
    ask: off
      ? say`hear of ${bold(name)} in the cost summary again`
      : say`mute ${bold(name)} in the cost summary for a week`,
    lines: [say`Its costs stay in every number; only the line about what is unusual goes.`],
    button: off ? 'Unmute' : 'Mute for a week',
    danger: false,
  }),
  running: ({ name, off }) => say`${off ? 'Unmuting' : 'Muting'} ${bold(name)} …`,
  asked: ({ name, off }) => say`${off ? 'Unmuted' : 'Muted'} ${bold(name)}.`,
  unknown: ({ name, off }) => ({
    state: say`${bold(name)} may have been ${off ? 'unmuted' : 'muted'}`,
    check: say`${code('digest status')} shows it.`,
  }),
  execute: async ({ channelId, entityId, name, off }: Plan, { digests }) => ({
    result: off
      ? { was: await digests.unmute(channelId, entityId) }
      : { until: await digests.mute(channelId, { entityId, name }) },
  }),
  present,
});

type Result = { readonly until: string } | { readonly was: boolean };

function present(result: Result, { channelId, name }: Plan, { actor }: Context): Card {
  const what = say`cost alerts for ${bold(name)} in the cost summary of ${channel(channelId)}`;
  if ('was' in result && !result.was) {
    const headline = say`${bold(name)} is not muted in the cost summary of ${channel(channelId)}.`;
    return { audience: 'requester', tone: 'plain', headline };
  }
  const done =
    'until' in result
      ? say`muted ${what} until ${time(result.until, 'date')}. ${code('digest status')} lists it and undoes it.`
      : say`turned on again the ${what}.`;
  return { audience: 'channel', tone: 'good', headline: say`${user(actor.userId)} ${done}` };
}

async function plan(
  { service, entity, off = false }: z.output<typeof input>,
  ports: ReadPorts,
  context: Context,
): Promise<Plan | Problem> {
  const channelId = digestChannel(context.place);
  if (typeof channelId !== 'string') return channelId;
  if (entity !== undefined) {
    return { channelId, entityId: entity.toLowerCase(), name: service, off };
  }
  const about = { raw: { service }, field: 'service' };
  const entry = await resolveService(service, about, ports, context);
  return isProblem(entry) ? entry : { channelId, entityId: entry.id, name: entry.name, off };
}
