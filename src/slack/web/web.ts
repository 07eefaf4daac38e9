import {
  type Block,
  type KnownBlock,
  type View,
  type ViewsUpdateArguments,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { defined, type Message } from '../render/blocks.ts';
import { clientLogger } from './client-logger.ts';
import { type Call, type LookUps, lookUps } from './look-ups.ts';
import { patiently, type WebOptions } from './patiently.ts';
import { answerByUrl, type UrlAnswer } from './response-url.ts';

/** Who the bot is, as its token says. */
export type BotIdentity = {
  readonly teamId: string;
  readonly botUserId: string;
  readonly botId: string;
  /** Installed for all workspaces of an Enterprise Grid organization at once. */
  readonly isOrgWide: boolean;
  /** The workspace's own address, with a slash at its end. */
  readonly url?: string | undefined;
};

/** The way to a message, as *Copy link* gives it: no call for each. */
export function permalinkOf({ url }: BotIdentity, { channelId, ts }: Posted): string | undefined {
  if (url === undefined || !/^https?:\/\//u.test(url)) return undefined;
  return new URL(`archives/${channelId}/p${ts.replace('.', '')}`, url).href;
}

/** The calls that Steward makes, with written promise types; nothing else touches a WebClient. */
export type SlackWeb = LookUps & {
  authTest(): Promise<BotIdentity>;
  /** `channelId` may be a user's id: the answer then names the direct message. */
  post(channelId: string, message: Message, options?: PostOptions): Promise<Posted>;
  postEphemeral(
    channelId: string,
    userId: string,
    message: Message,
    options?: Pick<PostOptions, 'threadTs'>,
  ): Promise<void>;
  update(channelId: string, ts: string, message: Message): Promise<void>;
  openView(triggerId: string, view: View): Promise<OpenedView>;
  /** Without a hash whatever stands there is replaced. */
  updateView(viewId: string, hash: string | undefined, view: View): Promise<void>;
  publishHome(userId: string, view: View): Promise<void>;
  upload(channelId: string, file: UploadFile): Promise<void>;
  /** By the response URL of a command or a pressed message. */
  respond(url: string, answer: UrlAnswer): Promise<void>;
};

export type OpenedView = { readonly viewId: string; readonly hash: string };
export type Posted = { readonly channelId: string; readonly ts: string };

export type PostOptions = {
  readonly threadTs?: string | undefined;
  readonly metadata?: Metadata | undefined;
};

/** What a message of ours carries for machines: ids only, as anybody can read it. */
export type Metadata = {
  readonly event_type: string;
  readonly event_payload: Record<string, string>;
};

export type UploadFile = {
  readonly name: string;
  readonly title: string;
  readonly content: string;
  readonly threadTs?: string | undefined;
};

/** Errors that say the bot cannot post in a channel until somebody changes it. */
export const CHANNEL_PROBLEMS: ReadonlySet<string> = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
]);

const TIMEOUT_MS = 4_000;

/**
 * No call is repeated after a timeout: a repeated post would stand there twice. Only a 429, which
 * certainly did nothing, is waited for, and for two seconds at most. Throws AppError `slack`, which
 * `failureOf` reads. Facts: Web API.
 */
export function createSlackWeb(options: WebOptions): SlackWeb {
  const client = newClient(options);
  const call: Call = (method, send, channelId) => patiently(method, send, options, channelId);
  return {
    authTest: async () => {
      const { team_id, user_id, bot_id, is_enterprise_install, url } = await call('auth.test', () =>
        client.auth.test(),
      );
      return {
        teamId: team_id ?? '',
        botUserId: user_id ?? '',
        botId: bot_id ?? '',
        isOrgWide: is_enterprise_install === true,
        url,
      };
    },
    post: async (channel, message, more = {}) => {
      const answer = await call(
        'chat.postMessage',
        () =>
          client.chat.postMessage({
            channel,
            ...body(message),
            unfurl_links: false,
            unfurl_media: false,
            ...defined<Extras>({ thread_ts: more.threadTs, metadata: more.metadata }),
          }),
        channel,
      );
      options.watch?.slackTime(answer.ts ?? '');
      return { channelId: answer.channel ?? channel, ts: answer.ts ?? '' };
    },
    postEphemeral: async (channel, user, message, { threadTs } = {}) => {
      const thread = defined<Extras>({ thread_ts: threadTs });
      await call(
        'chat.postEphemeral',
        () => client.chat.postEphemeral({ channel, user, ...body(message), ...thread }),
        channel,
      );
    },
    update: async (channel, ts, message) => {
      await call(
        'chat.update',
        () => client.chat.update({ channel, ts, ...body(message) }),
        channel,
      );
    },
    ...views(client, call),
    ...lookUps(client, call, options.watch),
    respond: (url, answer) =>
      patiently('a response URL', () => answerByUrl(url, answer, options.fetch), options),
    upload: async (channel_id, { name, title, content, threadTs }) => {
      const base = { channel_id, filename: name, title, content };
      await call(
        'files.uploadV2',
        () =>
          client.filesUploadV2(threadTs === undefined ? base : { ...base, thread_ts: threadTs }),
        channel_id,
      );
    },
  };
}

function newClient(options: WebOptions): WebClient {
  return new WebClient(
    options.token,
    defined<WebClientOptions>({
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: TIMEOUT_MS,
      logger: clientLogger(options.logger, 'web-api'),
      slackApiUrl: options.apiUrl,
      fetch: options.fetch,
    }),
  );
}

type Extras = {
  readonly thread_ts?: string;
  readonly metadata?: Metadata;
};

function views(
  client: WebClient,
  call: Call,
): Pick<SlackWeb, 'openView' | 'updateView' | 'publishHome'> {
  return {
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
    publishHome: async (user_id, view) => {
      await call('views.publish', () => client.views.publish({ user_id, view }));
    },
  };
}

function body(message: Message): { text: string; blocks: (KnownBlock | Block)[] } {
  // The published union lacks the newest blocks.
  return { text: message.text, blocks: [...message.blocks] as (KnownBlock | Block)[] };
}
