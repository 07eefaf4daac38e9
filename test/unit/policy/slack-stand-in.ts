import type { Accounts, ChannelFacts, UserFacts } from '../../../src/core/ports/accounts.ts';

export function userFacts(userId: string, more: Partial<UserFacts> = {}): UserFacts {
  return {
    userId,
    teamId: 'T0ACME',
    deleted: false,
    isBot: false,
    isStranger: false,
    isRestricted: false,
    isUltraRestricted: false,
    ...more,
  };
}

export function channelFacts(channelId: string, more: Partial<ChannelFacts> = {}): ChannelFacts {
  return {
    channelId,
    isMember: true,
    isShared: false,
    isExtShared: false,
    isPendingExtShared: false,
    ...more,
  };
}

export type SlackStandIn = Accounts & {
  /** What was asked, in order: `user U01ANA`. */
  readonly calls: string[];
  users: Record<string, UserFacts | Promise<UserFacts>>;
  members: Record<string, readonly string[]>;
  channels: Record<string, ChannelFacts>;
  /** Which of them a list of all names; undefined: there is none. */
  listed: readonly string[] | undefined;
  /** By who is in them. */
  lists: Record<string, readonly ChannelFacts[]>;
};

/** Answers from its tables and fails for all else, as Slack does with `user_not_found`. */
export function slackStandIn(): SlackStandIn {
  const calls: string[] = [];
  async function found<T>(table: Record<string, T | Promise<T>>, id: string): Promise<T> {
    const value = table[id];
    if (value === undefined) throw new Error(`${id}_not_found`);
    return await value;
  }
  const slack: SlackStandIn = {
    calls,
    users: {
      U01ANA: userFacts('U01ANA'),
      U02BEN: userFacts('U02BEN'),
      U09EVE: userFacts('U09EVE'),
    },
    members: { S0OPS: ['U02BEN'] },
    channels: { C0OPS: channelFacts('C0OPS') },
    listed: undefined,
    lists: {},
    user(id) {
      calls.push(`user ${id}`);
      return found(slack.users, id);
    },
    usergroupMembers(id) {
      calls.push(`usergroup ${id}`);
      return found(slack.members, id);
    },
    async usergroups() {
      calls.push('all usergroups');
      if (slack.listed === undefined) throw new Error('missing_scope');
      return slack.listed.map((id) => ({ id, users: slack.members[id] ?? [] }));
    },
    channel(id) {
      calls.push(`channel ${id}`);
      return found(slack.channels, id);
    },
    channelsOf(id) {
      calls.push(`channels of ${id ?? 'the bot'}`);
      return found(slack.lists, id ?? 'bot');
    },
  };
  return slack;
}
