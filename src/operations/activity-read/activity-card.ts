import { type Card, fact } from '../../core/card/card.ts';
import type { ActivityRecord } from '../../core/cloud/records.ts';
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
import { wordsFor } from './activity-words.ts';
import type { Match } from './journal-match.ts';

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
    typeOf(type),
    createdAt === undefined ? [] : [time(createdAt)],
    actorOf(record),
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

function typeOf(type: string | undefined): Text {
  if (type === undefined) return [bold('Activity')];
  const words = wordsFor(type);
  return words === undefined ? [bold(type)] : say`${bold(type)} (${words})`;
}

function actorOf({ actorType, actorId, actorDetails, actorIpAddress }: ActivityRecord): Text {
  const from = actorIpAddress === undefined ? [] : say` from ${actorIpAddress}`;
  const name = actorDetails ?? actorId;
  if (actorType === undefined && name === undefined) {
    return actorIpAddress === undefined ? [] : say`from ${actorIpAddress}`;
  }
  const kind = actorType === 'api' ? 'api key' : actorType;
  const words = [kind, name].filter((part) => part !== undefined);
  if (name === undefined || kind === undefined) return say`by ${words.join(' ')}${from}`;
  return say`by ${kind} ${code(name)}${from}`;
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
