import { IANAZone } from 'luxon';
import { z } from 'zod';
import type { ChannelCard } from '../../core/card/card.ts';
import { digestChannel, scheduleText, scopeText } from '../../core/operation/digest-words.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { type OrganizationRef, organizationTarget } from '../../core/operation/resolve.ts';
import type { ScheduledDigest } from '../../core/ports/digests.ts';
import { bold, channel, code, say, type Text, time, user } from '../../core/text/text.ts';

const input = z.strictObject({
  at: z
    .string()
    .trim()
    .regex(/^(?:[01]?\d|2[0-3]):[0-5]\d$/u, 'A time of day such as 09:00.')
    .transform((text) => text.padStart(5, '0'))
    .optional()
    .meta({
      field: { label: 'At', placeholder: '09:00', only: /^\d/u, hint: 'As before, or 09:00.' },
    }),
  zone: z
    .string()
    .trim()
    .refine((name) => IANAZone.isValidZone(name), 'A time zone such as Europe/Berlin.')
    .optional()
    .meta({
      field: { label: 'Time zone', placeholder: 'Europe/Berlin', hint: 'As before, or UTC.' },
    }),
});

type Plan = {
  readonly channelId: string;
  readonly at: string;
  readonly zone: string;
  readonly services: readonly string[];
  readonly organizations: readonly OrganizationRef[];
};

/**
 * `/db digest on 09:00 Europe/Berlin`: whoever turns it on shows the costs of organizations to a
 * channel, so the policy judges it on each of them. Design: §9.
 */
export const digestStart = defineOperation({
  id: 'digest.start',
  summary: 'Turn on the cost summary of this channel',
  title: 'Cost summary on',
  risk: 'change',
  confirm: 'none',
  slash: {
    words: ['digest', 'on'],
    positional: ['at', 'zone'],
    examples: ['digest on', 'digest on 09:00 Europe/Berlin'],
  },
  input,
  refused: () => say`The cost summary was not started`,
  plan: (typed, ports, context) => plan(typed, ports, context),
  targets: ({ organizations }) => organizations.map(organizationTarget),
  binds: ({ channelId, at, zone }) => ({ channelId, at, zone }),
  preview: ({ at, zone, services }) => ({
    question: say`Turn on the cost summary at ${at} ${zone}?`,
    ask: say`turn on the cost summary of this channel at ${bold(`${at} ${zone}`)}`,
    lines: [say`It shows the costs of ${scopeText({ services })} here.`],
    button: 'Turn on',
    danger: false,
  }),
  running: () => say`Turning on the cost summary …`,
  asked: () => say`The cost summary is on.`,
  unknown: () => ({
    state: say`The cost summary may have been started`,
    check: say`${code('digest status')} says so.`,
  }),
  execute: async ({ channelId, at, zone }, ports, context) => {
    const scheduled = await ports.digests.start(channelId, { at, zone }, context.actor.userId);
    return { result: { scheduled, nextAt: ports.digests.nextAt(scheduled.digest) } };
  },
  present: ({ scheduled, nextAt }, _plan, context) => present(scheduled, nextAt, context),
});

async function plan(
  typed: z.output<typeof input>,
  { digests, settings, status }: ReadPorts,
  { place }: Context,
): Promise<Plan | Problem> {
  const channelId = digestChannel(place);
  if (typeof channelId !== 'string') return channelId;
  if ((await status.botIn(channelId)) === 'no') {
    return { field: 'channel', problem: NOT_HERE };
  }
  const known = await digests.find(channelId);
  return {
    channelId,
    at: typed.at ?? known?.digest.at ?? '09:00',
    zone: typed.zone ?? known?.digest.zone ?? 'UTC',
    services: known?.digest.services ?? ['*'],
    organizations: settings.get().organizations.map(({ key, id }) => ({ key, id })),
  };
}

const NOT_HERE = say`Steward is not in this channel, so it could not post here. Type ${code('/invite @Steward')} first.`;

function present({ digest, channel: id }: ScheduledDigest, next: string, by: Context): ChannelCard {
  const first: Text = next === '' ? [] : say` The next one comes ${time(next)}.`;
  return {
    audience: 'channel',
    tone: 'good',
    headline: say`${user(by.actor.userId)} turned on the cost summary of ${channel(id)}: ${scheduleText(digest)}.${first}`,
    lines: [say`It covers ${scopeText(digest)}, and the last UTC day that is over by then.`],
  };
}
