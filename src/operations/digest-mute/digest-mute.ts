import { z } from 'zod';
import { digestChannel } from '../../core/operation/digest-words.ts';
import { serviceField } from '../../core/operation/fields.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { isProblem, resolveService, typedName } from '../../core/operation/resolve.ts';
import { bold, channel, say, time, user } from '../../core/text/text.ts';

const input = z.strictObject({
  service: serviceField,
  /** The button knows a pipe or a warehouse by its id, which no directory lists. */
  entity: z
    .string()
    .regex(/^[\w-]{1,100}$/u)
    .optional()
    .meta({ field: { label: 'Id', slashOnly: true } }),
});

type Plan = { readonly channelId: string; readonly entityId: string; readonly name: string };

/** `/db digest mute scratch`: a week without alerts in the cost summary. */
export const digestMute = defineOperation({
  id: 'digest.mute',
  summary: 'Mute cost alerts for a service',
  title: 'Mute for a week',
  risk: 'change',
  confirm: 'none',
  slash: { words: ['digest', 'mute'], positional: ['service'], examples: ['digest mute scratch'] },
  input,
  refused: (raw) => say`${typedName(raw, 'service', 'The service')} was not muted`,
  plan: (typed, ports, context) => plan(typed, ports, context),
  targets: () => [],
  binds: ({ channelId, entityId }) => ({ channelId, entityId }),
  preview: ({ name }) => ({
    question: say`Mute ${bold(name)} for a week?`,
    ask: say`mute ${bold(name)} in the cost summary for a week`,
    lines: [say`Its costs stay in every number; only the line about what is unusual goes.`],
    button: 'Mute for a week',
    danger: false,
  }),
  running: ({ name }) => say`Muting ${bold(name)} …`,
  asked: ({ name }) => say`Muted ${bold(name)}.`,
  unknown: ({ name }) => ({
    state: say`${bold(name)} may have been muted`,
    check: say`The next summary shows it.`,
  }),
  execute: async ({ channelId, entityId }: Plan, { digests }) => ({
    result: await digests.mute(channelId, entityId),
  }),
  present: (until, { channelId, name }, { actor }) => ({
    audience: 'channel',
    tone: 'good',
    headline: say`${user(actor.userId)} muted cost alerts for ${bold(name)} in the cost summary of ${channel(channelId)} until ${time(until, 'date')}.`,
  }),
});

async function plan(
  { service, entity }: z.output<typeof input>,
  ports: ReadPorts,
  context: Context,
): Promise<Plan | Problem> {
  const channelId = digestChannel(context.place);
  if (typeof channelId !== 'string') return channelId;
  if (entity !== undefined) return { channelId, entityId: entity.toLowerCase(), name: service };
  const about = { raw: { service }, field: 'service' };
  const entry = await resolveService(service, about, ports, context);
  return isProblem(entry) ? entry : { channelId, entityId: entry.id, name: entry.name };
}
