import type { ActivityRecord } from '../../core/cloud/records.ts';
import { fieldsOf, pick, text } from '../lenient.ts';

/** Spec: Organization activity. */
export function readActivity(value: unknown): ActivityRecord | undefined {
  const source = fieldsOf(value);
  if (source === undefined) return undefined;
  return pick<ActivityRecord>(source, {
    id: text,
    createdAt: text,
    type: text,
    actorType: text,
    actorId: text,
    actorDetails: text,
    actorIpAddress: text,
    organizationId: text,
    serviceId: text,
    userAgent: text,
  });
}
