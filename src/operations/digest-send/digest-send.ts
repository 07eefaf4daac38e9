import { z } from 'zod';
import { digestChannel } from '../../core/operation/digest-words.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import {
  type OrganizationRef,
  organizationField,
  organizationTarget,
  resolveOrganization,
} from '../../core/operation/resolve.ts';
import { say } from '../../core/text/text.ts';

const input = z.strictObject({
  organization: organizationField,
});

type Plan = {
  readonly channelId: string;
  readonly organization: OrganizationRef;
};

/**
 * `/db digest now`: the summary of this channel as it would be posted, for the asker alone. It is
 * no post of the schedule: nothing is claimed, nothing becomes final.
 */
export const digestSend = defineOperation({
  id: 'digest.send',
  summary: 'Show the cost summary of this channel now',
  title: 'Cost summary now',
  risk: 'read',
  slash: { words: ['digest', 'now'], positional: ['organization'], examples: ['digest now'] },
  input,
  refused: () => say`The cost summary was not shown`,
  plan: (typed, ports, context) => plan(typed.organization, ports, context),
  // It says what the whole organization costs, also where its scope is smaller.
  targets: ({ organization }) => [organizationTarget(organization)],
  execute: async ({ channelId, organization }: Plan, { digests }) => ({
    result: await digests.preview(channelId, organization.key),
  }),
  present: (card) => card,
});

async function plan(
  typed: string | undefined,
  ports: ReadPorts,
  { place }: Context,
): Promise<Plan | Problem> {
  const channelId = digestChannel(place);
  if (typeof channelId !== 'string') return channelId;
  const organization = resolveOrganization(typed, ports);
  return 'problem' in organization ? organization : { channelId, organization };
}
