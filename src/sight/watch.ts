import { DateTime } from 'luxon';
import { actorText, typeText, wordsFor } from '../core/cloud/activity.ts';
import type { ActivityRecord } from '../core/cloud/records.ts';
import { findMatch } from '../core/operation/journal-match.ts';
import type { SeenActivities } from '../core/ports/follow.ts';
import type { JournalReads } from '../core/ports/journal.ts';
import type { Notification } from '../core/ports/outbox.ts';
import type { Clock, DirectoryEntry, DirectoryReads, Logger } from '../core/ports/ports.ts';
import type { Sights, Span } from '../core/ports/sight.ts';
import type { SmallMemory } from '../core/ports/stores.ts';
import type { CurrentSettings } from '../core/settings/settings.ts';
import {
  bold,
  code,
  counted,
  joinText,
  listText,
  say,
  type Text,
  time,
} from '../core/text/text.ts';

export type WatchOptions = {
  readonly sights: Sights;
  readonly settings: CurrentSettings;
  readonly seen: SeenActivities;
  readonly memory: SmallMemory;
  readonly journal: JournalReads;
  readonly directory: Pick<DirectoryReads, 'list'>;
  readonly clock: Clock;
  readonly logger: Logger;
};

/**
 * A record may appear 30 s late, and the cloud's clock may go before or after ours: what was looked at
 * is looked at again for so long, and what comes is looked for so far ahead.
 */
const OVERLAP = { minutes: 15 };
/** Of a longer absence the rest is left to `/db activity`. */
const FARTHEST = { days: 30 };
/** So many are told one by one; more are counted. */
const ONE_BY_ONE = 10;

/** What nobody did, or what changes nothing. */
const NO_DEEDS: ReadonlySet<string> = new Set([
  ...['user_login', 'user_login_failed', 'user_logout'],
  ...['service_idle', 'service_running', 'service_partially_running'],
  ...['service_maintenance_start', 'service_maintenance_end'],
]);

/**
 * Tells in the audit channel what others changed in the cloud: activities that no journal entry
 * explains, each once. What was there before the first look is not told. Design: §14.
 */
export function createWatch(options: WatchOptions): { round(): Promise<void> } {
  const { sights, settings, logger } = options;
  return {
    round: async () => {
      const { channel, watch } = settings.get().audit;
      if (watch !== true || channel === undefined) return;
      for (const organization of sights.organizations()) {
        try {
          await watchOne(organization, channel, options);
        } catch (cause) {
          logger.error({ organization, cause }, 'watching a cloud failed; it is tried again');
        }
      }
    },
  };
}

async function watchOne(
  organization: string,
  channelId: string,
  options: WatchOptions,
): Promise<void> {
  const { sights, memory, seen, clock } = options;
  const key = `watch:${organization}`;
  const now = clock.now();
  const from = await memory.get(key);
  if (typeof from !== 'string') return await firstLook(organization, options);
  const span = spanFrom(from, now);
  const look = await sights.of(organization)?.activities(span, { priority: 'background' });
  if (look?.kind !== 'seen') return;
  const deeds = look.value.flatMap(identified).filter(({ at }) => at >= from);
  // What was looked at before is judged again only beside something new, which it may explain.
  if (await seen.hasNew(organization, deeds)) {
    const others = await unexplained(deeds, options);
    await seen.claim(organization, deeds, (claimed) => {
      const news = others.filter(({ id }) => claimed.has(id));
      return tellingOf(news, { organization, channelId, at: now.toISO() });
    });
  }
  const [, latest = from] = [from, now.minus(OVERLAP).toISO()].toSorted();
  await memory.set(key, latest);
}

/**
 * From now on: what happened before is history, not news. What a cloud shows of the last minutes is
 * known by its id, since its clock may go behind ours.
 */
async function firstLook(
  organization: string,
  { sights, memory, seen, clock }: WatchOptions,
): Promise<void> {
  const now = clock.now();
  const before = now.minus(OVERLAP).toISO();
  const span = spanFrom(before, now);
  const look = await sights.of(organization)?.activities(span, { priority: 'background' });
  if (look?.kind === 'seen') {
    await seen.claim(organization, look.value.flatMap(identified), () => []);
  }
  const from = look?.kind === 'seen' ? before : now.toISO();
  await memory.set(`watch:${organization}`, from);
}

function spanFrom(from: string, now: DateTime<true>): Span {
  const farthest = now.minus(FARTHEST).toISO();
  return { from: from > farthest ? from : farthest, to: now.plus(OVERLAP).toISO() };
}

type Deed = {
  readonly id: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly record: ActivityRecord;
  readonly service?: DirectoryEntry | undefined;
};

function identified(record: ActivityRecord): readonly Deed[] {
  const { id, createdAt = '', type } = record;
  const at = DateTime.fromISO(createdAt, { zone: 'utc' });
  if (id === undefined || !at.isValid || type === undefined || NO_DEEDS.has(type)) return [];
  return [{ id, at: at.toISO(), record }];
}

/** One entry of the journal explains one activity: a second like it was somebody else's. */
async function unexplained(
  deeds: readonly Deed[],
  { directory, journal }: Pick<WatchOptions, 'directory' | 'journal'>,
): Promise<readonly Deed[]> {
  const services = new Map((await directory.list()).map((entry) => [entry.id, entry]));
  const explained = new Set<number>();
  const others: Deed[] = [];
  for (const deed of deeds.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    const service = services.get(deed.record.serviceId ?? '');
    const match = await findMatch(deed.record, service, journal, explained);
    if (match === undefined) others.push({ ...deed, service });
    else explained.add(match.entry.number);
  }
  return others;
}

type Where = { readonly organization: string; readonly channelId: string; readonly at: string };

function tellingOf(news: readonly Deed[], where: Where): readonly Notification[] {
  if (news.length <= ONE_BY_ONE) {
    return news.map((deed) => lineTo(deed.id, deedText(deed, where), where));
  }
  const counts = new Map<string, number>();
  for (const { record } of news) {
    const words = wordsFor(record.type ?? '') ?? record.type ?? 'activity';
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const kinds = [...counts].map(([words, count]) => `${count} × ${words}`);
  const text = say`${bold(counted(news.length, 'change'))} in ${where.organization} did not come through Steward: ${listText(kinds)}. ${code('activity')} lists them.`;
  return [lineTo(news[0]?.id ?? '', text, where)];
}

/** `**service_stop** (service stopped) · **scratch** · by user … · 28 Nov 10:07 · not through Steward`. */
function deedText({ record, service }: Deed, { organization }: Where): Text {
  const { type, createdAt, serviceId } = record;
  const parts: readonly Text[] = [
    typeText(type),
    serviceText(service, serviceId),
    actorText(record),
    createdAt === undefined ? [] : [time(createdAt)],
    say`not through Steward, in ${organization}`,
  ];
  return joinText(
    parts.filter((part) => part.length > 0),
    ' · ',
  );
}

function serviceText(service: DirectoryEntry | undefined, id: string | undefined): Text {
  if (service !== undefined) return [bold(service.name)];
  return id === undefined ? [] : say`service ${code(id)}`;
}

/** Its id follows from the activity's: no replica writes it again. */
function lineTo(activity: string, headline: Text, { organization, channelId, at }: Where) {
  return {
    ...{ id: `watch:${organization}:${activity}`, kind: 'audit', at, journal: 0 },
    card: { audience: 'channel', tone: 'plain', headline },
    actor: { userId: '', teamId: '' },
    place: { channelId },
  } satisfies Notification;
}
