import type { Accounts, UserFacts } from '../../core/ports/accounts.ts';
import {
  type Actor,
  type Clock,
  type Membership,
  type Place,
  scheduleOf,
} from '../../core/ports/ports.ts';
import type { GroupSettings, Settings } from '../../core/settings/settings.ts';
import type { ActorFacts, PlaceFacts, Standing } from '../decide/facts.ts';
import {
  createLookup,
  createUsergroups,
  createWhereabouts,
  type LookupOptions,
} from './lookups.ts';

type IdentityOptions = {
  readonly slack: Accounts;
  readonly clock: Clock;
  /** The bot's own workspace: the only one that counts while `slack.workspaces` is empty. */
  readonly ownTeam: string;
  /** At most and by default 5 minutes. */
  readonly cacheMs?: number | undefined;
  /** Default 2 s: Slack wants its acknowledgement within 3. */
  readonly timeoutMs?: number | undefined;
};

const MAX_CACHE_MS = 300_000;

/** Facts about people and places for the rules. Nothing here throws: what fails is `unknown`. */
export type Identity = {
  /** `groups`: those to look into; others count as not joined. */
  actor(actor: Actor, settings: Settings, groups: readonly string[]): Promise<ActorFacts>;
  /** The same before an effect: all is asked of Slack now, and what it does not say is unknown. */
  freshActor(actor: Actor, settings: Settings, groups: readonly string[]): Promise<ActorFacts>;
  /** `no` only where every group is known and empty without this person. */
  hasOthers(actor: Actor, settings: Settings, groups: readonly string[]): Promise<Membership>;
  place(place: Place, settings: Settings): Promise<PlaceFacts>;
  freshPlace(place: Place, settings: Settings): Promise<PlaceFacts>;
  /** Whether people of other organizations read a channel; true when Slack cannot say. */
  isShared(channelId: string): Promise<boolean>;
  /** Whether somebody is in a channel, by one list of all their channels, a minute old at most. */
  isIn(userId: string, channelId: string): Promise<Membership>;
};

export function createIdentity(options: IdentityOptions): Identity {
  const { slack, clock, ownTeam, cacheMs = MAX_CACHE_MS, timeoutMs = 2_000 } = options;
  const lookup: LookupOptions = { clock, cacheMs: Math.min(cacheMs, MAX_CACHE_MS), timeoutMs };
  const users = createLookup((id) => slack.user(id), lookup);
  const usergroups = createUsergroups(slack, lookup);
  const channels = createLookup((id) => slack.channel(id), lookup);
  const isIn = createWhereabouts(slack, channels, lookup);
  async function factsOf(
    actor: Actor,
    settings: Settings,
    groups: readonly string[],
    how: 'get' | 'fresh',
  ): Promise<ActorFacts> {
    if (scheduleOf(actor) !== undefined) return scheduleFacts(actor);
    const own = settings.workspaces.length === 0 ? [ownTeam] : settings.workspaces;
    const known = groups.filter((name) => Object.hasOwn(settings.groups, name));
    const [standing, ...memberships] = await Promise.all([
      users[how](actor.userId).then(
        (user): Standing => standingOf(actor, user, new Set(own)),
        (): Standing => 'unknown',
      ),
      ...known.map((name) =>
        membership(actor.userId, settings.groups[name], (id) => usergroups[how](id)),
      ),
    ]);
    const having = (wanted: Membership) =>
      new Set(known.filter((_name, index) => memberships[index] === wanted));
    return {
      userId: actor.userId,
      standing,
      groups: having('yes'),
      unknownGroups: having('unknown'),
    };
  }
  async function sharing(how: 'get' | 'fresh', channelId: string): Promise<boolean | 'unknown'> {
    try {
      const facts = await channels[how](channelId);
      if (facts.channelId !== channelId) return 'unknown';
      return facts.isShared || facts.isExtShared || facts.isPendingExtShared;
    } catch {
      return 'unknown';
    }
  }
  async function placeFacts(
    how: 'get' | 'fresh',
    place: Place,
    settings: Settings,
  ): Promise<PlaceFacts> {
    if (place === 'home') return { kind: 'home' };
    const { channelId } = place;
    if (channelId.startsWith('D')) return { kind: 'direct' };
    // No rule speaks of it, so nothing can be allowed: Slack need not be asked.
    const configured = settings.channels.some(({ id }) => id === channelId);
    const shared = configured ? await sharing(how, channelId) : false;
    return { kind: 'channel', channelId, shared };
  }
  return {
    actor: (actor, settings, groups) => factsOf(actor, settings, groups, 'get'),
    freshActor: (actor, settings, groups) => factsOf(actor, settings, groups, 'fresh'),
    hasOthers: (actor, settings, groups) =>
      hasOthers(actor.userId, { settings, groups }, usergroups.get),
    isShared: async (channelId) => (await sharing('get', channelId)) !== false,
    isIn,
    place: (place, settings) => placeFacts('get', place, settings),
    freshPlace: (place, settings) => placeFacts('fresh', place, settings),
  };
}

/** Slack knows nothing of it, and is not asked. */
export function scheduleFacts({ userId }: Actor): ActorFacts {
  return { userId, standing: 'schedule', groups: new Set(), unknownGroups: new Set() };
}

async function hasOthers(
  userId: string,
  { settings, groups }: { readonly settings: Settings; readonly groups: readonly string[] },
  membersOf: (usergroupId: string) => Promise<ReadonlySet<string>>,
): Promise<Membership> {
  const isOther = (id: string): boolean => id !== userId;
  const known = groups.flatMap((name) => settings.groups[name] ?? []);
  const people = groups.filter((name) => !Object.hasOwn(settings.groups, name));
  if (people.some(isOther) || known.some(({ users }) => users.some(isOther))) return 'yes';
  const answers = await Promise.all(
    known
      .flatMap(({ usergroups }) => usergroups)
      .map((id) =>
        membersOf(id).then(
          (members): Membership => ([...members].some(isOther) ? 'yes' : 'no'),
          (): Membership => 'unknown',
        ),
      ),
  );
  return answers.includes('yes') ? 'yes' : (answers.find((one) => one === 'unknown') ?? 'no');
}

async function membership(
  userId: string,
  group: GroupSettings | undefined,
  members: (usergroupId: string) => Promise<ReadonlySet<string>>,
): Promise<Membership> {
  if (group === undefined) return 'no';
  if (group.users.includes(userId)) return 'yes';
  const answers = await Promise.all(
    group.usergroups.map((id) =>
      members(id).then(
        (found): Membership => (found.has(userId) ? 'yes' : 'no'),
        (): Membership => 'unknown',
      ),
    ),
  );
  if (answers.includes('yes')) return 'yes';
  return answers.includes('unknown') ? 'unknown' : 'no';
}

/**
 * Who somebody is to the configured workspaces (or Grid organizations). The teams that the payload
 * names and the team that Slack names for the account must all be among them: any alone can be that
 * of a guest workspace. On Grid a member of one of ours may be at home in a sister workspace, where
 * Slack says that the account is in both. Design: §5.
 */
export function standingOf(
  actor: Actor,
  user: UserFacts,
  workspaces: ReadonlySet<string>,
): Standing {
  if (actor.userId !== user.userId && actor.userId !== user.gridUserId) return 'unknown';
  if (user.deleted) return 'deleted';
  if (user.isBot) return 'bot';
  const grid = user.enterpriseId !== undefined && workspaces.has(user.enterpriseId);
  const { teams: own = [] } = user;
  const homes = own.some((team) => workspaces.has(team)) ? [...own, user.enterpriseId] : [];
  const isOurs = (team: string) => workspaces.has(team) || homes.includes(team);
  const via = actor.via === undefined || workspaces.has(actor.via);
  const ours = grid || (via && [actor.teamId, user.teamId].every(isOurs));
  if (!ours || user.isStranger) return 'external';
  return user.isRestricted || user.isUltraRestricted ? 'guest' : 'member';
}
