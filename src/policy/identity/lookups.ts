import { AppError } from '../../core/cloud/errors.ts';
import type { Accounts, ChannelFacts } from '../../core/ports/accounts.ts';
import type { Clock, Membership } from '../../core/ports/ports.ts';

const MAX_ENTRIES = 10_000;

export type Lookup<T> = {
  /** Concurrent askers share one request. Throws AppError `identity-unknown`. */
  get(key: string): Promise<T>;
  /** Always a request of its own; what it brings is kept for the others. */
  fresh(key: string): Promise<T>;
  /** Whether an answer is remembered, or on its way. */
  has(key: string): boolean;
  /** What another answer told of it just now. */
  keep(key: string, answer: T): void;
};

export type LookupOptions = {
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

  function entered(key: string, answer: Promise<T>) {
    if (entries.size >= MAX_ENTRIES) entries.clear();
    const entry = { until: clock.now().toMillis() + cacheMs, answer };
    entries.set(key, entry);
    return entry;
  }
  function fresh(key: string): Promise<T> {
    const entry = entered(
      key,
      withTimeout(() => read(key), timeoutMs, clock),
    );
    entry.answer.catch(() => {
      // A later request may have replaced this one meanwhile.
      if (entries.get(key) === entry) entries.delete(key);
    });
    return entry.answer;
  }
  const known = (key: string) => {
    const entry = entries.get(key);
    return entry !== undefined && clock.now().toMillis() < entry.until ? entry : undefined;
  };
  return {
    fresh,
    has: (key) => known(key) !== undefined,
    keep: (key, answer) => void entered(key, Promise.resolve(answer)),
    get: (key) => known(key)?.answer ?? fresh(key),
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

/** So many are asked for by themselves; whoever needs more gets all in one answer. */
const FEW = 3;
const ALL = '';

type Members = Pick<Lookup<ReadonlySet<string>>, 'get' | 'fresh'>;

/**
 * Who is in which user group, by its id. Slack takes about twenty of these questions a minute: what is
 * remembered comes from one list of all groups where many are needed. Facts: People and places.
 */
export function createUsergroups(
  slack: Pick<Accounts, 'usergroups' | 'usergroupMembers'>,
  options: LookupOptions,
): Members {
  const { clock, cacheMs } = options;
  const single = createLookup(
    async (id): Promise<ReadonlySet<string>> => new Set(await slack.usergroupMembers(id)),
    options,
  );
  const list = createLookup(async () => {
    for (const { id, users } of await slack.usergroups()) single.keep(id, new Set(users));
  }, options);
  let needed = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  return {
    fresh: single.fresh,
    get: async (id) => {
      const now = clock.now().toMillis();
      if (!single.has(id)) needed += 1;
      // A list that failed is not asked for again with every group.
      if (needed > FEW && !single.has(id) && now >= notBefore) {
        await list.get(ALL).catch(() => {
          notBefore = now + cacheMs;
        });
      }
      return await single.get(id);
    },
  };
}

/** Whoever just joined a channel looks for it. */
const LISTS_MS = 60_000;
/** In place of a person's id: the bot's own channels. */
const BOT = '';

/**
 * Whether somebody is in a channel, by one list of all their channels instead of a question for each;
 * what it says of who reads a channel is kept as well. Facts: People and places.
 */
export function createWhereabouts(
  slack: Pick<Accounts, 'channelsOf'>,
  channels: Pick<Lookup<ChannelFacts>, 'keep'>,
  options: LookupOptions,
): (userId: string, channelId: string) => Promise<Membership> {
  const lists = createLookup(
    async (userId): Promise<ReadonlySet<string> | undefined> => {
      try {
        const found = await slack.channelsOf(userId === BOT ? undefined : userId);
        for (const facts of found) channels.keep(facts.channelId, facts);
        return new Set(found.map(({ channelId }) => channelId));
      } catch {
        // A list that failed is not asked for again with each channel.
        return undefined;
      }
    },
    { ...options, cacheMs: Math.min(options.cacheMs, LISTS_MS) },
  );
  const listed = (whose: string) => lists.get(whose).catch(() => undefined);
  return async (userId, channelId) => {
    const theirs = await listed(userId);
    if (theirs === undefined) return 'unknown';
    if (theirs.has(channelId)) return 'yes';
    // Of a channel that Slack does not show to the bot, a person's list says nothing.
    return (await listed(BOT))?.has(channelId) === true ? 'no' : 'unknown';
  };
}
