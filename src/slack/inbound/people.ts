import { z } from 'zod';
import { AppError } from '../../core/cloud/errors.ts';
import type { Accounts, ChannelFacts, UserFacts } from '../../core/ports/accounts.ts';
import type { Membership } from '../../core/ports/ports.ts';
import { slackErrorOf } from '../web/slack-failure.ts';
import type { SlackWeb } from '../web/web.ts';

const flag = z.boolean().nullish();
const userAnswer = z.looseObject({
  user: z.looseObject({
    id: z.string(),
    team_id: z.string().nullish(),
    deleted: flag,
    is_bot: flag,
    is_stranger: flag,
    is_restricted: flag,
    is_ultra_restricted: flag,
    tz: z.string().nullish(),
    enterprise_user: z
      .looseObject({
        id: z.string().nullish(),
        enterprise_id: z.string().nullish(),
        teams: z.array(z.string()).nullish(),
      })
      .nullish(),
  }),
});
const channelShape = z.looseObject({
  id: z.string(),
  is_member: flag,
  is_shared: flag,
  is_ext_shared: flag,
  is_pending_ext_shared: flag,
});
const channelAnswer = z.looseObject({ channel: channelShape });
const channelsAnswer = z.looseObject({
  channels: z.array(channelShape),
  response_metadata: z.looseObject({ next_cursor: z.string().nullish() }).nullish(),
});
const groupAnswer = z.looseObject({ users: z.array(z.string()) });
const groupsAnswer = z.looseObject({
  usergroups: z.array(
    z.looseObject({
      id: z.string(),
      users: z.array(z.string()).nullish(),
      user_count: z.coerce.number().nullish(),
    }),
  ),
});

/** Somebody's channels have at most this many pages of a thousand; the rest count as unknown. */
const PAGES = 10;

/** As Slack describes them now. Rejects with AppError `slack`. Facts: People and places. */
export function createSlackPeople(web: SlackWeb): Accounts {
  return {
    user: async (userId) => toUser(read(userAnswer, await web.usersInfo(userId))),
    usergroupMembers: async (id) => read(groupAnswer, await web.usergroupUsers(id)).users,
    usergroups: async () =>
      read(groupsAnswer, await web.usergroupsList()).usergroups.flatMap(
        ({ id, users, user_count: count }) =>
          users === undefined || users === null || users.length !== (count ?? users.length)
            ? []
            : [{ id, users }],
      ),
    channel: async (id) => toChannel(read(channelAnswer, await web.conversationsInfo(id)).channel),
    channelsOf: async (userId) => {
      const found: ChannelFacts[] = [];
      let cursor: string | undefined;
      for (let count = 0; count < PAGES && cursor !== ''; count += 1) {
        const answer = read(channelsAnswer, await web.conversationsOf(userId, cursor));
        found.push(...answer.channels.map(toChannel));
        cursor = answer.response_metadata?.next_cursor ?? '';
      }
      return found;
    },
  };
}

/** Whether the bot is in a channel: a private one that it is not in does not exist for it. */
export async function botIn(web: SlackWeb, channelId: string): Promise<Membership> {
  try {
    return (await createSlackPeople(web).channel(channelId)).isMember ? 'yes' : 'no';
  } catch (thrown) {
    return slackErrorOf(thrown) === 'channel_not_found' ? 'no' : 'unknown';
  }
}

function toUser({ user }: z.output<typeof userAnswer>): UserFacts {
  return {
    userId: user.id,
    teamId: user.team_id ?? '',
    enterpriseId: user.enterprise_user?.enterprise_id ?? undefined,
    gridUserId: user.enterprise_user?.id ?? undefined,
    teams: user.enterprise_user?.teams ?? undefined,
    deleted: user.deleted === true,
    isBot: user.is_bot === true,
    isStranger: user.is_stranger === true,
    isRestricted: user.is_restricted === true,
    isUltraRestricted: user.is_ultra_restricted === true,
    zone: user.tz ?? undefined,
  };
}

function toChannel(channel: z.output<typeof channelShape>): ChannelFacts {
  return {
    channelId: channel.id,
    isMember: channel.is_member === true,
    isShared: channel.is_shared === true,
    isExtShared: channel.is_ext_shared === true,
    isPendingExtShared: channel.is_pending_ext_shared === true,
  };
}

function read<S extends z.ZodType>(shape: S, answer: unknown): z.output<S> {
  const parsed = shape.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new AppError('slack', { userMessage: 'Slack answered in a way that was not understood.' });
}
