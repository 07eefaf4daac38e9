import {
  type Block,
  type ConversationsMembersArguments,
  ErrorCode,
  type KnownBlock,
  type View,
  type ViewsUpdateArguments,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { AppError } from '../../core/cloud/errors.ts';
import type { Clock, Logger } from '../../core/ports/ports.ts';
import { defined, type Message } from './blocks.ts';

/** The calls that Steward makes, with written promise types; nothing else touches a WebClient. */
export type SlackWeb = {
  authTest(): Promise<{ readonly teamId: string; readonly botUserId: string }>;
  /** `channelId` may be a user's id: the answer then names the direct message. */
  post(channelId: string, message: Message, options?: PostOptions): Promise<Posted>;
  postEphemeral(channelId: string, userId: string, message: Message): Promise<void>;
  update(channelId: string, ts: string, message: Message): Promise<void>;
  openView(triggerId: string, view: View): Promise<OpenedView>;
  /** Without a hash whatever stands there is replaced. */
  updateView(viewId: string, hash: string | undefined, view: View): Promise<void>;
  publishHome(userId: string, view: View): Promise<void>;
  upload(channelId: string, file: UploadFile): Promise<void>;
  usersInfo(userId: string): Promise<unknown>;
  usergroupUsers(usergroupId: string): Promise<unknown>;
  conversationsInfo(channelId: string): Promise<unknown>;
  conversationMembers(channelId: string, cursor: string | undefined): Promise<unknown>;
  /** Messages with their metadata from a moment (seconds) on; needs a history scope. */
  history(channelId: string, oldest: string): Promise<unknown>;
};

export type OpenedView = { readonly viewId: string; readonly hash: string };
export type Posted = { readonly channelId: string; readonly ts: string };

export type PostOptions = {
  readonly threadTs?: string | undefined;
  readonly metadata?: {
    readonly event_type: string;
    readonly event_payload: Record<string, string>;
  };
};

export type UploadFile = {
  readonly name: string;
  readonly title: string;
  readonly content: string;
  readonly threadTs?: string | undefined;
};

/** The `error` of a Slack answer (`not_in_channel`), else undefined. */
export function slackErrorOf(thrown: unknown): string | undefined {
  const cause = thrown instanceof AppError ? thrown.cause : thrown;
  if (typeof cause !== 'object' || cause === null || !('data' in cause)) return undefined;
  const { data } = cause;
  if (typeof data !== 'object' || data === null || !('error' in data)) return undefined;
  return typeof data.error === 'string' ? data.error : undefined;
}

/** Errors that say the bot cannot post in a channel until somebody changes it. */
export const CHANNEL_PROBLEMS: ReadonlySet<string> = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
]);

/**
 * No call is repeated after a timeout: a repeated post would stand there twice. Only a 429, which
 * certainly did nothing, is waited for, at most three times. Throws AppError `slack`.
 * Facts: Web API.
 */
export function createSlackWeb(options: {
  readonly token: string;
  readonly apiUrl: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}): SlackWeb {
  const client = new WebClient(
    options.token,
    defined<WebClientOptions>({
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: 10_000,
      slackApiUrl: options.apiUrl,
    }),
  );
  const call: Call = (method, send) => patiently(method, send, options);
  return {
    authTest: async () => {
      const { team_id, user_id } = await call('auth.test', () => client.auth.test());
      return { teamId: team_id ?? '', botUserId: user_id ?? '' };
    },
    post: async (channel, message, more = {}) => {
      const answer = await call('chat.postMessage', () =>
        client.chat.postMessage({
          channel,
          ...body(message),
          unfurl_links: false,
          unfurl_media: false,
          ...defined<Extras>({ thread_ts: more.threadTs, metadata: more.metadata }),
        }),
      );
      return { channelId: answer.channel ?? channel, ts: answer.ts ?? '' };
    },
    postEphemeral: async (channel, user, message) => {
      await call('chat.postEphemeral', () =>
        client.chat.postEphemeral({ channel, user, ...body(message) }),
      );
    },
    update: async (channel, ts, message) => {
      await call('chat.update', () => client.chat.update({ channel, ts, ...body(message) }));
    },
    openView: async (trigger_id, view) => {
      const { view: opened } = await call('views.open', () =>
        client.views.open({ trigger_id, view }),
      );
      return { viewId: opened?.id ?? '', hash: opened?.hash ?? '' };
    },
    updateView: async (view_id, hash, view) => {
      await call('views.update', () =>
        client.views.update(defined<ViewsUpdateArguments>({ view_id, view, hash })),
      );
    },
    ...lookUps(client, call),
    publishHome: async (user_id, view) => {
      await call('views.publish', () => client.views.publish({ user_id, view }));
    },
    upload: async (channel_id, { name, title, content, threadTs }) => {
      const base = { channel_id, filename: name, title, content };
      await call('files.uploadV2', () =>
        client.filesUploadV2(threadTs === undefined ? base : { ...base, thread_ts: threadTs }),
      );
    },
  };
}

type Extras = {
  readonly thread_ts?: string;
  readonly metadata?: NonNullable<PostOptions['metadata']>;
};
type Call = <T>(method: string, send: () => Promise<T>) => Promise<T>;

/** People, places and what stands in them; answers are read where they are used. */
function lookUps(
  client: WebClient,
  call: Call,
): Pick<
  SlackWeb,
  'usersInfo' | 'usergroupUsers' | 'conversationMembers' | 'conversationsInfo' | 'history'
> {
  return {
    usersInfo: (user) => call('users.info', () => client.users.info({ user })),
    usergroupUsers: (usergroup) =>
      call('usergroups.users.list', () => client.usergroups.users.list({ usergroup })),
    conversationMembers: (channel, cursor) =>
      call('conversations.members', () =>
        client.conversations.members(
          defined<ConversationsMembersArguments>({ channel, limit: 1_000, cursor }),
        ),
      ),
    conversationsInfo: (channel) =>
      call('conversations.info', () => client.conversations.info({ channel })),
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

function body(message: Message): { text: string; blocks: (KnownBlock | Block)[] } {
  // The published union lacks the newest blocks.
  return { text: message.text, blocks: [...message.blocks] as (KnownBlock | Block)[] };
}

async function patiently<T>(
  method: string,
  send: () => Promise<T>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (cause) {
      const wait = rateLimitSeconds(cause);
      if (wait === undefined || attempt > 3) throw translated(method, cause, logger);
      logger.warn({ method, seconds: wait }, 'Slack asked to slow down');
      await clock.sleep(wait * 1_000);
    }
  }
}

function rateLimitSeconds(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  if (thrown.code !== ErrorCode.RateLimitedError || !('retryAfter' in thrown)) return undefined;
  return typeof thrown.retryAfter === 'number' ? thrown.retryAfter : undefined;
}

function translated(method: string, cause: unknown, logger: Logger): AppError {
  const error = slackErrorOf(cause) ?? 'no answer';
  logger.info({ method, error, details: messagesOf(cause) }, 'Slack refused a call');
  return new AppError('slack', { userMessage: `Slack answered ${method} with ${error}.`, cause });
}

function messagesOf(thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null || !('data' in thrown)) return undefined;
  const { data } = thrown;
  if (typeof data !== 'object' || data === null || !('response_metadata' in data)) return undefined;
  return data.response_metadata;
}
