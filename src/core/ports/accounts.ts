/** What Slack says of an account (`users.info`); an absent flag has to be given as false. */
export type UserFacts = Readonly<{
  userId: string;
  /** Absent in the answer: nobody's, ''. */
  teamId: string;
  /** On Enterprise Grid. */
  enterpriseId?: string | undefined;
  /** There, the account's id in all workspaces, which may differ from the one in this one. */
  gridUserId?: string | undefined;
  /** There, all workspaces that the account is a member of. */
  teams?: readonly string[] | undefined;
  deleted: boolean;
  isBot: boolean;
  /** Of another workspace, seen only through a shared channel. */
  isStranger: boolean;
  /** Guests of several channels, and of one. */
  isRestricted: boolean;
  isUltraRestricted: boolean;
  /** The IANA time zone of their profile. */
  zone?: string | undefined;
}>;

/** What Slack says of a channel (`conversations.info`, `users.conversations`). */
export type ChannelFacts = Readonly<{
  channelId: string;
  /** Whether the bot is in it. */
  isMember: boolean;
  isShared: boolean;
  isExtShared: boolean;
  isPendingExtShared: boolean;
}>;

/** The people and places of Slack, as `slack/` reads them for `policy/`. Every failure rejects. */
export type Accounts = {
  user(userId: string): Promise<UserFacts>;
  /** User ids. */
  usergroupMembers(usergroupId: string): Promise<readonly string[]>;
  /** All that are in use, with the user ids of each; one whose members are not all told is left out. */
  usergroups(): Promise<readonly { readonly id: string; readonly users: readonly string[] }[]>;
  channel(channelId: string): Promise<ChannelFacts>;
  /** Of a person, those that the bot may see; without one, those that the bot is in. */
  channelsOf(userId: string | undefined): Promise<readonly ChannelFacts[]>;
};
