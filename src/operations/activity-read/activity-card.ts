import { type Card, fact } from '../../core/card/card.ts';
import { actorText, typeText } from '../../core/cloud/activity.ts';
import type { ActivityRecord } from '../../core/cloud/records.ts';
import type { Match } from '../../core/operation/journal-match.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import {
  approvedText,
  bold,
  code,
  joinText,
  say,
  type Text,
  time,
  user,
} from '../../core/text/text.ts';

export type Activity = {
  readonly record: ActivityRecord;
  /** Where the directory knows the record's service. */
  readonly service?: DirectoryEntry | undefined;
  readonly match?: Match | undefined;
};

/**
 * `service_stop · 27 Nov 10:07 · by api key Steward from 203.0.113.7 · analytics`, then what the
 * journal says of it. What the record leaves out is left out here.
 */
export function activityCard(activity: Activity, id: string): Card {
  const { record } = activity;
  const { type, createdAt } = record;
  const parts: readonly Text[] = [
    typeText(type),
    createdAt === undefined ? [] : [time(createdAt)],
    actorText(record),
    serviceOf(activity),
  ];
  return {
    audience: 'requester',
    shareable: true,
    tone: 'plain',
    headline: joinText(
      parts.filter((part) => part.length > 0),
      ' · ',
    ),
    lines: [matchOf(activity)],
    details: [
      { label: 'Activity id', value: [code(record.id ?? id)] },
      ...fact('Actor', record.actorDetails),
      ...fact('Actor type', record.actorType),
      ...fact('Actor id', record.actorId, code),
      ...fact('IP address', record.actorIpAddress, code),
      ...fact('User agent', record.userAgent?.slice(0, 300)),
      ...fact('Service id', record.serviceId, code),
      ...fact('Organization id', record.organizationId, code),
    ],
  };
}

function serviceOf({ record, service }: Activity): Text {
  if (service !== undefined) return [bold(service.name)];
  return record.serviceId === undefined ? [] : say`service ${code(record.serviceId)}`;
}

function matchOf({ match, record }: Activity): Text {
  if (record.createdAt === undefined) {
    return say`It has no time, so it cannot be looked up in the journal.`;
  }
  if (match === undefined) {
    return say`No matching journal entry: it was done outside Steward.`;
  }
  const { entry, by } = match;
  return say`Matches journal ${entry.number}: ${user(entry.actor.userId)}${approvedText(entry.approvedBy)} (by ${by}).`;
}
