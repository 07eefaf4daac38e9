import { DateTime } from 'luxon';
import type { Json } from '../json.ts';
import { badField, Refusal } from '../refusal.ts';
import { type Call, requireAdmin } from '../resources/call.ts';
import { isReadable } from './record.ts';

/** Spec: Endpoints 7 */
export function readActivity(call: Call): Json {
  const { world, params, organizationId, now } = call;
  requireAdmin(call);
  const activity = world.activities.get((params['activityId'] ?? '').toLowerCase());
  const isVisible = activity?.organizationId === organizationId && isReadable(activity, world, now);
  if (activity === undefined || !isVisible) {
    throw new Refusal('NOT_FOUND', 'no activity with this id');
  }
  return activity;
}

/** Those of a time, both moments included, the newest first. Spec: ClickHouse spellings */
export function listActivities(call: Call): readonly Json[] {
  const { world, organizationId, now } = call;
  requireAdmin(call);
  const from = momentOf(call, 'from_date');
  const to = momentOf(call, 'to_date');
  if (from !== undefined && to !== undefined && from > to) {
    throw badField('to_date', 'must not be before from_date');
  }
  return [...world.activities.values()]
    .filter((activity) => activity.organizationId === organizationId)
    .filter((activity) => isReadable(activity, world, now))
    .map((activity) => ({ activity, at: DateTime.fromISO(activity.createdAt).toMillis() }))
    .filter(({ at }) => at >= (from ?? Number.NEGATIVE_INFINITY))
    .filter(({ at }) => at <= (to ?? Number.POSITIVE_INFINITY))
    .toSorted((one, other) => other.at - one.at)
    .map(({ activity }) => activity);
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Epoch milliseconds of a date-time with its zone; a bare date is none. */
function momentOf({ query }: Call, name: string): number | undefined {
  const text = query.get(name);
  if (text === undefined) return undefined;
  const moment = DateTime.fromISO(text);
  if (DATE_TIME.test(text) && moment.isValid) return moment.toMillis();
  throw badField(name, 'must be a date-time such as 2026-11-27T10:00:00Z');
}
