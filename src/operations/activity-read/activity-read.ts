import { z } from 'zod';
import { activityIdsTyped, severalIds } from '../../core/cloud/activity-ids.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Ports } from '../../core/operation/ports.ts';
import {
  isProblem,
  type OrganizationRef,
  organizationField,
  organizationTarget,
  resolveOrganization,
  visibleServices,
} from '../../core/operation/resolve.ts';
import type { Reply } from '../../core/ports/ports.ts';
import { say } from '../../core/text/text.ts';
import { type Activity, activityCard } from './activity-card.ts';
import { findMatch } from './journal-match.ts';

const FITS = 'An activity id: 24 hex digits, as in 65f1c0a2b3c4d5e6f7080901.';

const input = z.strictObject({
  id: z
    .string()
    .max(40_000, 'At most 40000 characters.')
    .transform((text, context) => {
      const [id, ...others] = activityIdsTyped(text);
      if (id !== undefined && others.length === 0) return id;
      const message = id === undefined ? FITS : severalIds([id, ...others]);
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .meta({
      field: { label: 'Activity id', hint: 'Or text that has one in it, as a link does.' },
    }),
  organization: organizationField,
});

type Plan = { readonly id: string; readonly organization: OrganizationRef };

/**
 * `/db activity <id>` and the message shortcut, which passes the id that it found.
 * Spec: Endpoints 7; Organization activity.
 */
export const activityRead = defineOperation({
  id: 'activity.read',
  summary: 'Look into an activity record',
  title: 'Activity',
  risk: 'read',
  slash: {
    words: ['activity'],
    positional: ['id'],
    examples: ['activity 65f1c0a2b3c4d5e6f7080901'],
  },
  input,
  refused: () => say`The activity was not read`,
  plan: async ({ id, organization: typed }, ports) => {
    const organization = resolveOrganization(typed, ports, { id });
    return isProblem(organization) ? organization : { id, organization };
  },
  targets: ({ id, organization }) => [
    { ...organizationTarget(organization), kind: 'activity', id, name: id },
  ],
  execute,
  present: (activity, { id }) => activityCard(activity, id),
});

async function execute(
  { id, organization }: Plan,
  ports: Ports,
  context: Context,
): Promise<Reply<Activity>> {
  const { result: record, requestId } = await ports.control.activity(organization.key, id);
  const service = (await ports.directory.list()).find((entry) => entry.id === record.serviceId);
  const match = await findMatch(record, service, ports.journal);
  const seen = (await visibleServices(ports, context)).find(({ id: one }) => one === service?.id);
  return { result: { record, service: seen, match }, requestId };
}
