import { randomUUID } from 'node:crypto';
import { DateTime } from 'luxon';
import type { ServiceRecord } from '../core/cloud/service.ts';
import type { Following, Follows } from '../core/ports/follow.ts';
import type { Notification } from '../core/ports/outbox.ts';
import type { CallOptions, Clock, Directory, Logger } from '../core/ports/ports.ts';
import type { Look, Sight, Sights } from '../core/ports/sight.ts';
import type { CurrentSettings } from '../core/settings/settings.ts';
import { nextOf, type Shown, type Told } from './follow-steps.ts';

export type FollowerOptions = {
  readonly follows: Follows;
  readonly sights: Sights;
  readonly directory: Pick<Directory, 'note'>;
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly logger: Logger;
};

const PAUSES_S = [3, 5, 5, 10, 10, 15, 20, 30, 45] as const;
const LONGEST_PAUSE_S = 60;
/** Until where the message stands is known. */
const UNTOLD_MS = 500;
const AT_ONCE = 100;
/** From so many on one list says more than single looks. */
const LISTED_FROM = 2;
const BEHIND: CallOptions = { priority: 'background' };

/**
 * Follows what changes set going until the cloud shows how it ended, with growing pauses and in the
 * background of people's requests: of many services of one organization one list is read. What is
 * seen is kept and told in one transaction, so that a restart repeats nothing. Design: §14.
 */
export function createFollower(options: FollowerOptions) {
  const { follows, sights, clock, logger } = options;

  async function round(): Promise<void> {
    const now = clock.now();
    const due = await follows.take(AT_ONCE);
    const told: Following[] = [];
    for (const following of due) {
      if (isToldYet(following, now)) told.push(following);
      else await again(following, UNTOLD_MS, options);
    }
    const organizations = new Set(told.map(({ follow }) => follow.organization));
    await Promise.all(
      [...organizations].map((organization) => {
        const some = told.filter(({ follow }) => follow.organization === organization);
        return lookAt(some, sights.of(organization), options).catch((cause) =>
          logger.error({ organization, cause }, 'following changes failed; it is tried again'),
        );
      }),
    );
  }

  return { round };
}

async function lookAt(
  some: readonly Following[],
  sight: Sight | undefined,
  options: FollowerOptions,
): Promise<void> {
  const services = some.filter(({ follow }) => follow.pipeId === undefined);
  let listed: Promise<Look<readonly ServiceRecord[]>> | undefined;
  for (const following of some) {
    const look = await lookAtOne(following, sight, {
      isListFirst: services.length >= LISTED_FROM,
      list: (seeing) => {
        listed ??= seeing.services(BEHIND);
        return listed;
      },
    });
    await goOn(following, look, options);
  }
}

type Listing = {
  readonly isListFirst: boolean;
  /** Read once in a round, where it is needed at all. */
  list(sight: Sight): Promise<Look<readonly ServiceRecord[]>>;
};

async function lookAtOne(
  { follow }: Following,
  sight: Sight | undefined,
  listing: Listing,
): Promise<Look<Shown>> {
  const { serviceId, pipeId } = follow;
  if (sight === undefined) return { kind: 'unseen', because: 'its cloud has no such reads' };
  if (pipeId === undefined) return await lookAtService(serviceId, sight, listing);
  const look = await sight.pipe({ serviceId, pipeId }, BEHIND);
  if (look.kind === 'seen') return { kind: 'seen', value: { state: look.value.state } };
  const found = await among(look, pipeId, () => sight.pipes(serviceId, BEHIND));
  return found.kind === 'seen' ? { kind: 'seen', value: { state: found.value.state } } : found;
}

async function lookAtService(
  id: string,
  sight: Sight,
  { isListFirst, list }: Listing,
): Promise<Look<Shown>> {
  const first = isListFirst ? await list(sight) : undefined;
  if (first?.kind === 'unseen' && first.isRefused !== true) return first;
  // A list lags behind a creation: what is not in it is looked at by itself.
  const listed = first?.kind === 'seen' ? withId(first.value, id) : undefined;
  if (listed !== undefined) return shownOf(listed);
  const look = await sight.service(id, BEHIND);
  if (look.kind === 'seen') return shownOf(look.value);
  const found = await among(look, id, () => list(sight));
  return found.kind === 'seen' ? shownOf(found.value) : found;
}

/**
 * A 404 says that the thing is gone, or that the cloud has no such read, as a 403 does: its list tells
 * which. What no list confirms is not called missing.
 */
async function among<T extends { readonly id?: string | undefined }>(
  look: Exclude<Look<T>, { readonly kind: 'seen' }>,
  id: string,
  list: () => Promise<Look<readonly T[]>>,
): Promise<Look<T>> {
  if (look.kind === 'unseen' && look.isRefused !== true) return look;
  const all = await list();
  if (all.kind !== 'seen') return look.kind === 'missing' ? all : look;
  const value = withId(all.value, id);
  return value === undefined ? look : { kind: 'seen', value };
}

function withId<T extends { readonly id?: string | undefined }>(
  all: readonly T[],
  id: string,
): T | undefined {
  return all.find((one) => one.id?.toLowerCase() === id.toLowerCase());
}

function shownOf(record: ServiceRecord): Look<Shown> {
  return { kind: 'seen', value: { state: record.state, record } };
}

/** As if nobody had looked. */
async function again(
  following: Following,
  againInMs: number,
  { follows }: FollowerOptions,
): Promise<void> {
  const { progress } = following;
  await follows.save(following, { progress, againInMs, tell: [] });
}

async function goOn(
  following: Following,
  look: Look<Shown>,
  options: FollowerOptions,
): Promise<void> {
  const { follows, directory, clock, settings } = options;
  const { organization, serviceId: id, pipeId } = following.follow;
  if (look.kind === 'unseen' && look.isBusy === true) {
    return await again(following, pauseAfter(1), options);
  }
  if (look.kind === 'seen' && look.value.state !== undefined && pipeId === undefined) {
    const { state } = look.value;
    await directory.note({ id, organization, state, source: 'command' });
  }
  const next = nextOf(following, look, { now: clock.now(), command: settings.get().command });
  await follows.save(following, {
    progress: next.progress,
    againInMs: next.ends ? undefined : pauseAfter(next.progress.looks),
    tell: next.tell.map((one) => notificationOf(one, following, clock)),
  });
}

/** The message that tells of the change is on its way to Slack; where it hangs, nobody waits for it. */
function isToldYet({ message, place, askedAt }: Following, now: DateTime): boolean {
  if (message !== undefined || place === 'home') return true;
  return now.diff(DateTime.fromISO(askedAt, { zone: 'utc' })).toMillis() >= 60_000;
}

/** Milliseconds: 3 s at first, a minute in the end. */
function pauseAfter(looks: number): number {
  return (PAUSES_S[looks - 1] ?? LONGEST_PAUSE_S) * 1_000;
}

/** What is for who asked alone goes to them directly; all else stands where it was asked. */
function notificationOf({ kind, card }: Told, following: Following, clock: Clock): Notification {
  const { id, actor, place, journal, message } = following;
  const isForOne = card.audience === 'requester';
  return {
    ...{ id: randomUUID(), kind, card, actor, place, journal },
    at: clock.now().toISO(),
    // One after the other: an end is never overwritten by what was on its way before.
    pending: isForOne ? undefined : `follow:${id}`,
    message: isForOne ? undefined : message,
    inThread: kind === 'follow-word' ? true : undefined,
  };
}
