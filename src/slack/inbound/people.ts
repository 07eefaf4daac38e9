import { z } from 'zod';
import { AppError } from '../../core/cloud/errors.ts';
import type { Accounts, ChannelFacts, UserFacts } from '../../core/ports/accounts.ts';
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
    enterprise_user: z
      .looseObject({
        id: z.string().nullish(),
        enterprise_id: z.string().nullish(),
        teams: z.array(z.string()).nullish(),
      })
      .nullish(),
  }),
});
const channelAnswer = z.looseObject({
  channel: z.looseObject({
    id: z.string(),
    is_shared: flag,
    is_ext_shared: flag,
    is_pending_ext_shared: flag,
  }),
});
const groupAnswer = z.looseObject({ users: z.array(z.string()) });

/** As Slack describes them now. Rejects with AppError `slack`. Facts: People and places. */
export function createSlackPeople(web: SlackWeb): Accounts {
  return {
    user: async (userId) => toUser(read(userAnswer, await web.usersInfo(userId))),
    usergroupMembers: async (id) => read(groupAnswer, await web.usergroupUsers(id)).users,
    channel: async (id) => toChannel(read(channelAnswer, await web.conversationsInfo(id))),
  };
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
  };
}

function toChannel({ channel }: z.output<typeof channelAnswer>): ChannelFacts {
  return {
    channelId: channel.id,
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
