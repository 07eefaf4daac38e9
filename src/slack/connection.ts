import { App, HTTPReceiver, SocketModeReceiver, type SocketModeReceiverOptions } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import { AppError } from '../core/cloud/errors.ts';
import type { Clock, Logger } from '../core/ports/ports.ts';
import { networkFault } from '../core/text/network-fault.ts';
import { EVENTS_PATH, guardHttp, guardSocket } from './inbound/intake/transport-guards.ts';
import { defined } from './render/blocks.ts';
import { clientLogger } from './web/client-logger.ts';
import { failureOf, REVOKED } from './web/slack-failure.ts';
import type { BotIdentity, SlackWeb } from './web/web.ts';

export type ConnectionOptions = {
  readonly botToken: string;
  readonly identity: BotIdentity;
  readonly mode:
    | { readonly mode: 'socket'; readonly appToken: string }
    | { readonly mode: 'http'; readonly signingSecret: string; readonly port: number };
  readonly apiUrl: string | undefined;
  /** Absent: connections are made directly. */
  readonly network?:
    | {
        readonly fetch: NonNullable<WebClientOptions['fetch']>;
        readonly dispatcher: NonNullable<SocketModeReceiverOptions['dispatcher']>;
      }
    | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
};

export type Connection = {
  readonly app: App;
  /** Resolves when Slack can reach the bot. Throws AppError `slack`. */
  start(): Promise<void>;
  /** Takes no new payloads; running listeners go on. */
  stop(): Promise<void>;
  /** Open sockets; in HTTP mode 1 while it listens. */
  connections(): number;
};

/** Slack's own socket never says that it will not open. */
const START_WITHIN_MS = 30_000;

/**
 * The Bolt app over Socket Mode or signed HTTP. Two sockets, so that one serves while Slack recycles
 * the other. Facts: Transports.
 */
export function createConnection(options: ConnectionOptions): Connection {
  return options.mode.mode === 'socket'
    ? socketConnection(options, options.mode.appToken)
    : httpConnection(options, options.mode);
}

function socketConnection(options: ConnectionOptions, appToken: string): Connection {
  const receivers = [newSocketReceiver(options, appToken), newSocketReceiver(options, appToken)];
  const [first, second] = receivers;
  if (first === undefined || second === undefined) throw new TypeError('unreachable');
  const app = newApp(options, first);
  second.init(app);
  const open = new Set<SocketModeReceiver>();
  for (const receiver of receivers) {
    receiver.client.on('connected', () => open.add(receiver));
    receiver.client.on('reconnecting', () => open.delete(receiver));
    receiver.client.on('disconnected', () => open.delete(receiver));
  }
  return {
    app,
    start: async () => {
      await app.init();
      await within(START_WITHIN_MS, Promise.all([app.start(), second.start()]), options.clock);
    },
    stop: async () => {
      await Promise.all(receivers.map((receiver) => receiver.client.disconnect()));
    },
    connections: () => open.size,
  };
}

function newSocketReceiver(options: ConnectionOptions, appToken: string): SocketModeReceiver {
  const receiver = new SocketModeReceiver(
    defined<SocketModeReceiverOptions>({
      appToken,
      logger: clientLogger(options.logger, 'bolt'),
      dispatcher: options.network?.dispatcher,
      installerOptions: {
        clientOptions: defined<WebClientOptions>({
          slackApiUrl: options.apiUrl,
          fetch: options.network?.fetch,
        }),
      },
    }),
  );
  guardSocket(receiver.client, options.logger);
  return receiver;
}

function httpConnection(
  options: ConnectionOptions,
  mode: { readonly signingSecret: string; readonly port: number },
): Connection {
  const receiver = new HTTPReceiver({
    signingSecret: mode.signingSecret,
    port: mode.port,
    endpoints: EVENTS_PATH,
    logger: clientLogger(options.logger, 'bolt'),
  });
  const { clock, logger } = options;
  guardHttp(receiver, { signingSecret: mode.signingSecret, clock, logger });
  const app = newApp(options, receiver);
  let listening = 0;
  return {
    app,
    start: async () => {
      await app.init();
      await app.start(mode.port);
      listening = 1;
    },
    stop: async () => {
      listening = 0;
      await app.stop();
    },
    connections: () => listening,
  };
}

function newApp(options: ConnectionOptions, receiver: SocketModeReceiver | HTTPReceiver): App {
  const { botToken, identity } = options;
  return new App({
    // Bolt would ask for it with a call of its own, twice, and would not ask again after a failure.
    authorize: async () => ({ botToken, ...identity }),
    receiver,
    deferInitialization: true,
    logger: clientLogger(options.logger, 'bolt'),
    clientOptions: defined<WebClientOptions>({
      retryConfig: { retries: 0 },
      timeout: 10_000,
      slackApiUrl: options.apiUrl,
      fetch: options.network?.fetch,
    }),
  });
}

/** A start is not given up for one call that Slack did not take. */
const STARTING_PAUSES_MS = [500, 1_000, 2_000, 4_000];
const LONGEST_PAUSE_MS = 10_000;

/** Who the bot is. Throws AppError `slack`: at once where Slack refuses, else after some seconds. */
export async function identify(
  web: Pick<SlackWeb, 'authTest'>,
  clock: Clock,
): Promise<BotIdentity> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await web.authTest();
    } catch (cause) {
      const { kind, error, retryInMs } = failureOf(cause);
      const pause = STARTING_PAUSES_MS[tried];
      const isFinal = kind === 'refused' || REVOKED.has(error) || networkFault(cause)?.lasts;
      if (isFinal || pause === undefined) throw cause;
      await clock.sleep(Math.min(Math.max(pause, retryInMs), LONGEST_PAUSE_MS));
    }
  }
}

async function within<T>(milliseconds: number, work: Promise<T>, clock: Clock): Promise<T> {
  const stop = new AbortController();
  const tooLate = clock.sleep(milliseconds, stop.signal).then(() => {
    throw new AppError('slack', {
      userMessage: `Slack did not open a connection within ${milliseconds / 1_000} s. Check that the network, or the proxy, lets wss-primary.slack.com through.`,
    });
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    stop.abort();
    tooLate.catch(() => undefined);
  }
}
