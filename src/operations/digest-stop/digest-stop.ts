import { z } from 'zod';
import { digestChannel } from '../../core/operation/digest-words.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import { type OrganizationRef, organizationTarget } from '../../core/operation/resolve.ts';
import { channel, code, say, user } from '../../core/text/text.ts';

const input = z.strictObject({});

type Plan = {
  readonly channelId: string;
  readonly wasOn: boolean;
  readonly organizations: readonly OrganizationRef[];
};

/** `/db digest off`: what was posted stays, and still becomes final. */
export const digestStop = defineOperation({
  id: 'digest.stop',
  summary: 'Turn off the cost summary of this channel',
  title: 'Cost summary off',
  risk: 'change',
  confirm: 'none',
  slash: { words: ['digest', 'off'], positional: [], examples: ['digest off'] },
  input,
  refused: () => say`The cost summary was not stopped`,
  plan: async (_typed, { digests, settings }, { place }): Promise<Plan | Problem> => {
    const channelId = digestChannel(place);
    if (typeof channelId !== 'string') return channelId;
    const known = await digests.find(channelId);
    const organizations = settings.get().organizations.map(({ key, id }) => ({ key, id }));
    return { channelId, organizations, wasOn: known?.enabled === true };
  },
  targets: ({ organizations }) => organizations.map(organizationTarget),
  preview: () => ({
    question: say`Turn off the cost summary of this channel?`,
    ask: say`turn off the cost summary of this channel`,
    lines: [say`What was posted stays and still becomes final.`],
    button: 'Turn off',
    danger: false,
  }),
  running: () => say`Turning off the cost summary …`,
  asked: () => say`The cost summary is off.`,
  unknown: () => ({
    state: say`The cost summary may have been stopped`,
    check: say`${code('digest status')} says so.`,
  }),
  binds: ({ channelId }) => ({ channelId }),
  execute: async ({ channelId }: Plan, ports, { actor }) => {
    await ports.digests.stop(channelId, actor.userId);
    return { result: channelId };
  },
  present: (channelId, { wasOn }, { actor }) =>
    wasOn
      ? {
          audience: 'channel',
          tone: 'good',
          headline: say`${user(actor.userId)} turned off the cost summary of ${channel(channelId)}. ${code('digest on')} turns it on again.`,
        }
      : {
          audience: 'requester',
          tone: 'plain',
          headline: say`No cost summary is turned on in this channel. ${code('digest status')} shows what is known.`,
        },
});
