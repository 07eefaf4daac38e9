import { AppError } from '../../core/cloud/errors.ts';
import type { Accounts, UserFacts } from '../../core/ports/accounts.ts';
import type { Actor, Clock, Membership, Place } from '../../core/ports/ports.ts';
import type { GroupSettings, Settings } from '../../core/settings/settings.ts';
import type { ActorFacts, PlaceFacts, Standing } from '../decide/facts.ts';

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
  /**
   * The same before an effect: the person and the groups in `anew` (by default all) are asked of
   * Slack now, once, and what it does not say in time is unknown.
   */
  freshActor(
    actor: Actor,
    settings: Settings,
    groups: readonly string[],
    anew?: readonly string[],
  ): Promise<ActorFacts>;
  /** `no` only where every group is known and empty without this person. */
  hasOthers(actor: Actor, settings: Settings, groups: readonly string[]): Promise<Membership>;
  place(place: Place, settings: Settings): Promise<PlaceFacts>;
  freshPlace(place: Place, settings: Settings): Promise<PlaceFacts>;
  /** Whether people of other organizations read a channel; true when Slack cannot say. */
  isShared(channelId: string): Promise<boolean>;
};

export function createIdentity(options: IdentityOptions): Identity {
  const { slack, clock, ownTeam, cacheMs = MAX_CACHE_MS, timeoutMs = 2_000 } = options;
  const lookup: LookupOptions = { clock, cacheMs: Math.min(cacheMs, MAX_CACHE_MS), timeoutMs };
  const users = createLookup((id) => slack.user(id), lookup);
  const usergroups = createLookup(
    async (id): Promise<ReadonlySet<string>> => new Set(await slack.usergroupMembers(id)),
    lookup,
  );
  const channels = createLookup((id) => slack.channel(id), lookup);

  async function factsOf(
    actor: Actor,
    settings: Settings,
    groups: readonly string[],
    anew: readonly string[] | undefined,
  ): Promise<ActorFacts> {
    const own = settings.workspaces.length === 0 ? [ownTeam] : settings.workspaces;
    const known = groups.filter((name) => Object.hasOwn(settings.groups, name));
    const [standing, ...memberships] = await Promise.all([
      users[anew === undefined ? 'get' : 'fresh'](actor.userId).then(
        (user): Standing => standingOf(actor, user, new Set(own)),
        (): Standing => 'unknown',
      ),
      ...known.map((name) =>
        membership(actor.userId, settings.groups[name], (id) =>
          usergroups[anew?.includes(name) === true ? 'fresh' : 'get'](id),
        ),
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
    actor: (actor, settings, groups) => factsOf(actor, settings, groups, undefined),
    freshActor: (actor, settings, groups, anew = groups) => factsOf(actor, settings, groups, anew),
    hasOthers: (actor, settings, groups) =>
      hasOthers(actor.userId, { settings, groups }, usergroups.get),
    isShared: async (channelId) => (await sharing('get', channelId)) !== false,
    place: (place, settings) => placeFacts('get', place, settings),
    freshPlace: (place, settings) => placeFacts('fresh', place, settings),
  };
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

const MAX_ENTRIES = 10_000;

type Lookup<T> = {
  /** Concurrent askers share one request. Throws AppError `identity-unknown`. */
  get(key: string): Promise<T>;
  /** Always a request of its own; what it brings is kept for the others. */
  fresh(key: string): Promise<T>;
};

type LookupOptions = {
  readonly clock: Clock;
  /** How long an answer counts, in ms, from the moment it was asked for. */
  readonly cacheMs: number;
  /** How long an answer may take, in ms. */
  readonly timeoutMs: number;
};

/** A look-up that remembers answers, never failures. */
export function createLookup<T>(
  read: (key: string) => Promise<T>,
  { clock, cacheMs, timeoutMs }: LookupOptions,
): Lookup<T> {
  const entries = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();

  function fresh(key: string): Promise<T> {
    if (entries.size >= MAX_ENTRIES) entries.clear();
    const entry = {
      until: clock.now().toMillis() + cacheMs,
      answer: withTimeout(() => read(key), timeoutMs, clock),
    };
    entries.set(key, entry);
    entry.answer.catch(() => {
      // A later request may have replaced this one meanwhile.
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.answer;
  }
  return {
    fresh,
    get(key) {
      const entry = entries.get(key);
      if (entry !== undefined && clock.now().toMillis() < entry.until) return entry.answer;
      return fresh(key);
    },
  };
}

async function withTimeout<T>(read: () => Promise<T>, timeoutMs: number, clock: Clock): Promise<T> {
  const done = new AbortController();
  const late = clock.sleep(timeoutMs, done.signal).then(() => {
    throw new Error(`Slack did not answer within ${timeoutMs} ms.`);
  });
  try {
    return await Promise.race([read(), late]);
  } catch (cause) {
    throw new AppError('identity-unknown', {
      userMessage: 'Slack could not say who you are; nothing was done.',
      retryable: true,
      cause,
    });
  } finally {
    late.catch(() => undefined);
    done.abort();
  }
}
