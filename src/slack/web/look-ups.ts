import type {
  ConversationsMembersArguments,
  UsersConversationsArguments,
  WebClient,
} from '@slack/web-api';
import { defined } from '../render/blocks.ts';
import type { SlackWatch } from './slack-watch.ts';

/** A call by its name, as `patiently` makes it. */
export type Call = <T>(method: string, send: () => Promise<T>, channelId?: string) => Promise<T>;

/** What is asked about people, places and what stands in them. */
export type LookUps = {
  usersInfo(userId: string): Promise<unknown>;
  usergroupUsers(usergroupId: string): Promise<unknown>;
  /** All groups that are in use, with their users. */
  usergroupsList(): Promise<unknown>;
  conversationsInfo(channelId: string): Promise<unknown>;
  conversationMembers(channelId: string, cursor: string | undefined): Promise<unknown>;
  /** The public and private channels of a person, or of the bot. */
  conversationsOf(userId: string | undefined, cursor: string | undefined): Promise<unknown>;
  /** Messages with their metadata from a moment (seconds) on; needs a history scope. */
  history(channelId: string, oldest: string): Promise<unknown>;
};

/** People, places and what stands in them; answers are read where they are used. */
export function lookUps(client: WebClient, call: Call, watch: SlackWatch | undefined): LookUps {
  return {
    usersInfo: (user) => call('users.info', () => client.users.info({ user })),
    usergroupUsers: (usergroup) =>
      call('usergroups.users.list', () => client.usergroups.users.list({ usergroup })),
    usergroupsList: () =>
      call('usergroups.list', () =>
        client.usergroups.list({ include_users: true, include_count: true }),
      ),
    conversationMembers: (channel, cursor) =>
      call('conversations.members', () =>
        client.conversations.members(
          defined<ConversationsMembersArguments>({ channel, limit: 1_000, cursor }),
        ),
      ),
    conversationsOf: (user, cursor) =>
      call('users.conversations', () =>
        client.users.conversations(
          defined<UsersConversationsArguments>({
            ...{ types: 'public_channel,private_channel', limit: 999 },
            user,
            cursor,
          }),
        ),
      ),
    conversationsInfo: (channel) =>
      call('conversations.info', async () => {
        const answer = await client.conversations.info({ channel });
        watch?.described(channel, {
          isMember: answer.channel?.is_member === true,
          isArchived: answer.channel?.is_archived === true,
        });
        return answer;
      }),
    history: (channel, oldest) =>
      call('conversations.history', () =>
        client.conversations.history({
          channel,
          oldest,
          inclusive: true,
          include_all_metadata: true,
          limit: 200,
        }),
      ),
  };
}
