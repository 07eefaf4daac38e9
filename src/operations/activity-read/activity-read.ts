import { z } from 'zod';
import { activityIdsIn, activityIdsTyped, severalIds } from '../../core/cloud/activity-ids.ts';
import type { ActivityRecord } from '../../core/cloud/records.ts';
import { whole } from '../../core/operation/fields.ts';
import { findMatch } from '../../core/operation/journal-match.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { Ports } from '../../core/operation/ports.ts';
import {
  isProblem,
  type OrganizationRef,
  organizationField,
  organizationTarget,
  resolveOrganization,
  visibleAmong,
  visibleServices,
} from '../../core/operation/resolve.ts';
import type { DirectoryEntry, Reply } from '../../core/ports/ports.ts';
import type { Sight } from '../../core/ports/sight.ts';
import { say } from '../../core/text/text.ts';
import { type Activity, activityCard } from './activity-card.ts';
import { type ListAsked, type Listed, listAsked, listCard } from './activity-list.ts';

const FITS = 'An activity id: 24 hex digits, as in 65f1c0a2b3c4d5e6f7080901.';

const input = z.strictObject({
  id: z
    .string()
    .max(40_000, 'At most 40000 characters.')
    .optional()
    .meta({
      field: {
        label: 'Activity id',
        hint: 'Or text that has one in it, as a link does.',
      },
    }),
  organization: organizationField,
  page: whole({ min: 1, max: 10_000 }, 'A whole number from 1.')
    .optional()
    .meta({ field: { label: 'Page', slashOnly: true, hint: 'Of a list that is long.' } }),
});

type Plan = One | Several;
type One = {
  readonly id: string;
  readonly organization: OrganizationRef;
  readonly asked?: undefined;
};
type Several = {
  readonly id?: undefined;
  readonly organization: OrganizationRef;
  readonly asked: ListAsked;
  readonly sight: Sight;
};

/**
 * `/db activity <id>` and the message shortcut, which passes the id that it found; without an id the
 * last ones, where the cloud lists them. Spec: Endpoints 7; Organization activity; Sight.
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
  plan: async ({ id = '', organization: typed, page = 1 }, ports): Promise<Plan | Problem> => {
    const organization = resolveOrganization(typed, ports, { id });
    if (isProblem(organization)) return organization;
    const sight = ports.sights.of(organization.key);
    // What has the form of no id is one all the same where nothing else can be meant.
    const ids = sight === undefined ? activityIdsTyped(id) : activityIdsIn(id);
    const [first, ...others] = ids;
    if (first !== undefined && others.length === 0) return { id: first, organization };
    if (first !== undefined) return { field: 'id', problem: [severalIds(ids)], asksAgain: true };
    if (sight === undefined) return { field: 'id', problem: [FITS], asksAgain: true };
    return { asked: listAsked(id, page, ports.clock.now()), sight, organization };
  },
  targets: (plan) => {
    const target = organizationTarget(plan.organization);
    if (plan.asked !== undefined) return [target];
    return [{ ...target, kind: 'activity', id: plan.id, name: plan.id }];
  },
  execute: async (plan, ports, context) =>
    plan.asked === undefined
      ? await execute(plan, ports, context)
      : await list(plan, ports, context),
  present: (shown, plan) =>
    'asked' in shown ? listCard(shown) : activityCard(shown, plan.id ?? ''),
});

async function list(
  { asked, sight, organization }: Several,
  ports: Ports,
  context: Context,
): Promise<{ readonly result: Activity | Listed }> {
  const look = await sight.activities(asked.span);
  const known = await ports.directory.list();
  const gone = look.kind === 'seen' ? unknownIn(look.value, known, organization) : [];
  const seen = await visibleAmong([...known, ...gone], ports, context);
  const services = new Map(seen.map((entry) => [entry.id, entry]));
  return { result: { asked, organization, look, services } };
}

/** What is in the cloud no more, or not yet: for those whose rules are about every service. */
function unknownIn(
  activities: readonly ActivityRecord[],
  known: readonly DirectoryEntry[],
  { key: organization }: OrganizationRef,
): readonly DirectoryEntry[] {
  const ids = new Set(activities.flatMap(({ serviceId }) => serviceId ?? []));
  for (const { id } of known) ids.delete(id);
  return [...ids].map((id) => ({ id, name: id, organization, tags: [], source: 'cloud' }));
}

async function execute(
  { id, organization }: One,
  ports: Ports,
  context: Context,
): Promise<Reply<Activity | Listed>> {
  const { result: record, requestId } = await ports.control.activity(organization.key, id);
  const service = (await ports.directory.list()).find((entry) => entry.id === record.serviceId);
  const match = await findMatch(record, service, ports.journal);
  const seen = (await visibleServices(ports, context)).find(({ id: one }) => one === service?.id);
  return { result: { record, service: seen, match }, requestId };
}
