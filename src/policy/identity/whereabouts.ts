import type { Accounts, ChannelFacts } from '../../core/ports/accounts.ts';
import type { Membership } from '../../core/ports/ports.ts';
import { createLookup, type Lookup, type LookupOptions } from './lookup.ts';

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
