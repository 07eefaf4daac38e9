import { DateTime } from 'luxon';
import { z } from 'zod';
import { code, listText, say, type Text } from '../text/text.ts';
import { filledText, filledTexts, flag, type ValueOf } from './schema.ts';

/**
 * What the control API says and takes beside services and pipes, in the specification's own words.
 * Records are lenient: every field may be missing, enum values stay text. Requests are exact: an
 * absent key is a key that is not sent. Spec: Endpoints. Facts: Drift.
 */

/** Spec: Endpoints 3. */
export const invitationRequest = z.strictObject({ email: z.email({ error: 'an e-mail address' }) });

/** ClickHouse Cloud takes roles too: the old word, or ids of its own. Spec: ClickHouse spellings. */
export const clickhouseInvitationRequest = invitationRequest.extend({
  role: z.enum(['admin', 'developer'], { error: 'one of admin, developer' }).optional(),
  assignedRoleIds: filledTexts.optional(),
});
/** What the invited person may do, where the cloud takes it. */
export type InvitedAs = Pick<
  ValueOf<typeof clickhouseInvitationRequest>,
  'role' | 'assignedRoleIds'
>;

/** A role of an organization of ClickHouse Cloud. */
export const roleRecord = z
  .object({ id: filledText, name: filledText, type: filledText })
  .partial();
export type RoleRecord = ValueOf<typeof roleRecord>;

/** Spec: Invitation. */
export const invitationRecord = z
  .object({
    id: filledText,
    email: filledText,
    role: filledText,
    /** Names of assigned roles, where the organization has custom roles. */
    assignedRoles: filledTexts,
    createdAt: filledText,
    expireAt: filledText,
  })
  .partial();
export type InvitationRecord = ValueOf<typeof invitationRecord>;

/** Of ClickHouse Cloud's own reads, what is used of them. Spec: Sight. */
export const organizationRecord = z.object({ id: filledText, name: filledText }).partial();
export type OrganizationRecord = ValueOf<typeof organizationRecord>;

export const backupRecord = z
  .object({ id: filledText, status: filledText, startedAt: filledText, finishedAt: filledText })
  .partial();
export type BackupRecord = ValueOf<typeof backupRecord>;

export const dashboardRecord = z.object({ id: filledText, name: filledText }).partial();
export type DashboardRecord = ValueOf<typeof dashboardRecord>;

/** Spec: Service query endpoint settings. */
export const queryEndpointRecord = z
  .object({
    id: filledText,
    allowedOrigins: filledText,
    openApiKeys: filledTexts,
    roles: filledTexts,
  })
  .partial();
export type QueryEndpointRecord = ValueOf<typeof queryEndpointRecord>;

/** Spec: Organization activity. */
export const activityRecord = z
  .object({
    id: filledText,
    createdAt: filledText,
    type: filledText,
    actorType: filledText,
    actorId: filledText,
    actorDetails: filledText,
    actorIpAddress: filledText,
    organizationId: filledText,
    serviceId: filledText,
    userAgent: filledText,
  })
  .partial();
export type ActivityRecord = ValueOf<typeof activityRecord>;

const LONGEST_SPAN_DAYS = 30;

export const utcDay = z.iso.date({ error: 'a day as in 2026-11-20' });

/** Both ends inclusive, YYYY-MM-DD in UTC, at most 31 days. Spec: Endpoints 8; Limits. */
export const costRange = z
  .strictObject({ from: utcDay, to: utcDay })
  .refine((range) => range.to >= range.from, { path: ['to'], error: 'no earlier than from' })
  .refine((range) => daysBetween(range.from, range.to) <= LONGEST_SPAN_DAYS, {
    path: ['to'],
    error: `at most ${LONGEST_SPAN_DAYS} days after from`,
  });
export type CostRange = Readonly<z.output<typeof costRange>>;

/** Spec: Usage cost. */
export const costRecord = z.object({
  /** YYYY-MM-DD, a UTC day. */
  date: utcDay,
  entityId: filledText,
  entityName: filledText.optional(),
  entityType: filledText.optional(),
  dataWarehouseId: filledText.optional(),
  serviceId: filledText.optional(),
  /** Only what the API calls locked is final. */
  locked: flag,
  /** Cost units. */
  totalUnits: z.number(),
  /** Cost units by metric, unknown metrics included under their own names. */
  metrics: z.record(z.string(), z.number()),
});
export type CostRecord = ValueOf<typeof costRecord>;

export type UsageCost = Readonly<{
  costs: readonly CostRecord[];
  /** As the API reported it; absent where it did not. */
  grandTotalUnits?: number | undefined;
  /** Records that could not be read: counted, never guessed. */
  skipped: number;
}>;

function daysBetween(from: string, to: string): number {
  const options = { zone: 'utc' };
  return DateTime.fromISO(to, options).diff(DateTime.fromISO(from, options), 'days').days;
}

/**
 * ` as admin`, or nothing where no role is reported. Where roles are assigned, `role` is frozen and
 * may be wrong: then it is not shown. Spec: Invitation. Facts: Roles.
 */
export function asRole({ role, assignedRoles = [] }: InvitationRecord): Text {
  if (assignedRoles.length > 0) return say` as ${listText(assignedRoles.map(code))}`;
  return role === undefined ? [] : say` as ${code(role)}`;
}
