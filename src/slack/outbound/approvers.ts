import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Card, RequesterCard } from '../../core/card/card.ts';
import { settledText } from '../../core/pipeline/press.ts';
import type { DeliveryEnd, MessageRef, Notification, Progress } from '../../core/ports/outbox.ts';
import type { Pending } from '../../core/ports/pending.ts';
import type { Actor } from '../../core/ports/ports.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { channel, joinText, link, say, type Text, user, usergroup } from '../../core/text/text.ts';
import { climbDown } from './delivery/ladder.ts';
import type { PostingDeps, SlackDeps } from './deps.ts';

export type CallDeps = PostingDeps &
  Pick<SlackDeps, 'pending' | 'outbox' | 'policy'> &
  Readonly<{ ports: Pick<SlackDeps['ports'], 'settings' | 'permalink'> }>;

/** Mentioned by name at most: for more there are user groups. */
const MENTIONED = 5;
/** So many people get a message of their own; all are mentioned in the channel. */
const CALLED = 10;
/** Looked at in order to find them, so that a large group costs few questions. */
const CONSIDERED = 20;
/** Of 1,000 people each; a larger private channel counts as one that nobody can look into. */
const PAGES = 5;

/** Those whom a request waits for, without who asked: groups by handle, a few people by name. */
export function mentionsOf({ approvers, actor }: Pending, settings: Settings): readonly Text[] {
  const { users, usergroups } = namedIn(approvers, settings);
  const people = users.filter((id) => id !== actor.userId);
  const more = people.length - MENTIONED;
  const mentions = [...usergroups.map(usergroup), ...people.slice(0, MENTIONED).map(user)];
  if (mentions.length === 0) return [];
  return [say`${joinText(mentions, ' ')}${more > 0 ? ` and ${more} more` : ''}`];
}

function namedIn(approvers: readonly string[], { groups }: Settings) {
  const known = approvers.flatMap((name) =>
    Object.hasOwn(groups, name) ? (groups[name] ?? []) : [],
  );
  const single = approvers.filter((name) => /^[UW][A-Z0-9]{2,}$/u.test(name));
  return {
    users: [...new Set([...single, ...known.flatMap(({ users }) => users)])],
    usergroups: [...new Set(known.flatMap(({ usergroups }) => usergroups))],
  };
}

/**
 * Who may approve and see the channel, at most ten; never who asked. Whoever Slack says nothing of is
 * left out: the mention in the channel stands. Throws nothing.
 */
export async function approversOf(id: string, deps: CallDeps): Promise<readonly Actor[]> {
  try {
    const pending = await deps.pending.get(id);
    if (pending?.channelId === undefined) return [];
    const { actor } = pending;
    const { users, usergroups } = namedIn(pending.approvers, deps.ports.settings.get());
    const [readers, ...members] = await Promise.all([
      readersOf(pending.channelId, deps),
      ...usergroups.map((group) => membersOf(group, deps)),
    ]);
    const candidates = [...new Set([...users, ...members.flat()])]
      .filter((userId) => userId !== actor.userId && readers(userId))
      .slice(0, CONSIDERED)
      .map((userId): Actor => ({ userId, teamId: actor.teamId }));
    const standing = await Promise.all(
      candidates.map((one) => deps.policy.isOneOf(one, [one.userId])),
    );
    return candidates.filter((_one, index) => standing[index] === 'yes').slice(0, CALLED);
  } catch (cause) {
    deps.logger.info({ cause }, 'who may approve could not be looked up');
    return [];
  }
}

const members = z.looseObject({ users: z.array(z.string()) });
const place = z.looseObject({ channel: z.looseObject({ is_private: z.boolean().nullish() }) });
const page = z.looseObject({
  members: z.array(z.string()),
  response_metadata: z.looseObject({ next_cursor: z.string().nullish() }).nullish(),
});

async function membersOf(group: string, { web, logger }: CallDeps): Promise<readonly string[]> {
  try {
    return members.parse(await web.usergroupUsers(group)).users;
  } catch (cause) {
    logger.info({ group, cause }, 'Slack did not name the members of a user group');
    return [];
  }
}

/** A public channel is open to every full member; of any other those who are in it may know. */
async function readersOf(
  channelId: string,
  { web }: CallDeps,
): Promise<(userId: string) => boolean> {
  const { channel: facts } = place.parse(await web.conversationsInfo(channelId));
  if (facts.is_private === false) return () => true;
  const inside = new Set<string>();
  let cursor: string | undefined;
  for (let count = 0; count < PAGES && cursor !== ''; count += 1) {
    const answer = page.parse(await web.conversationMembers(channelId, cursor));
    for (const userId of answer.members) inside.add(userId);
    cursor = answer.response_metadata?.next_cursor ?? '';
  }
  return (userId) => inside.has(userId);
}

/** A message of their own for each, with the way to the request; answered is it there. */
export function callsTo(
  approvers: readonly Actor[],
  { request, message }: { readonly request: Notification; readonly message: MessageRef },
  deps: CallDeps,
): readonly Notification[] {
  const { pending, journal, card } = request;
  const href = deps.ports.permalink(message);
  const way = href === undefined ? [] : [say`${link(href, 'Open the request')}`];
  const told: RequesterCard = {
    audience: 'requester',
    tone: 'plain',
    headline: card.headline,
    lines: [say`In ${channel(message.channelId)}. You may approve or deny it there.`, ...way],
  };
  return approvers.map((actor) => ({
    ...{ id: randomUUID(), kind: 'approver', at: deps.clock.now().toISO(), card: told, actor },
    ...{ place: 'home', journal, about: pending },
  }));
}

/** What a call says instead, once nobody has to act. */
export function overHeadline(how: Text): Text {
  return say`No longer waiting: ${how}`;
}

/** What a request says once it is over; undefined while somebody can still answer it. */
export async function overText(id: string | undefined, deps: CallDeps): Promise<Text | undefined> {
  const pending = id === undefined ? undefined : await deps.pending.get(id).catch(() => undefined);
  return pending && settledText(pending, deps.clock.now().toISO());
}

/** It was answered while its call was on the way: the call says so. Throws nothing. */
export async function endCall(
  { about, actor, place: home }: Notification,
  message: MessageRef,
  deps: CallDeps,
): Promise<void> {
  const over = await overText(about, deps);
  if (over === undefined) return;
  const headline = overHeadline(over);
  const card: Card = { audience: 'requester', tone: 'plain', headline };
  await climbDown({ card, to: { actor, place: home }, steps: ['update'], message }, deps);
}

/** Every call of a request says how it ended; the same again changes nothing. Throws nothing. */
export async function endCalls(
  { pending = '', card, actor, place: home }: Notification,
  progress: Progress,
  deps: CallDeps,
): Promise<DeliveryEnd> {
  const by = 'update';
  try {
    if ((await overText(pending, deps)) === undefined) return { state: 'told', by };
    const calls = await deps.outbox.calls(pending);
    const ends = await Promise.all(
      calls.map((message) =>
        climbDown({ card, to: { actor, place: home }, steps: [by], message }, deps, {
          ...progress,
          step: 0,
        }),
      ),
    );
    return ends.find(({ state }) => state === 'later') ?? { state: 'told', by };
  } catch (cause) {
    deps.logger.error({ cause }, 'the calls of a request could not be looked up');
    const attempts = progress.attempts + 1;
    return { state: 'later', progress: { ...progress, attempts }, inMs: 5_000 };
  }
}
