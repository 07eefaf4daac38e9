import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { ProxyUnreachable } from '../core/text/network-fault.ts';

export type ProxyOptions = {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  readonly none: string;
};

/** How connections to the outside are made: the one place that knows of a proxy. */
export type Network = {
  /** An agent of its own; with a proxy, `connect.timeout` (ms) counts for reaching the proxy. */
  agent(options: Agent.Options & { readonly connect: { readonly timeout: number } }): Dispatcher;
  /** For Slack's libraries; absent: theirs, which connect directly. */
  readonly slack?: { readonly fetch: typeof fetch; readonly dispatcher: Dispatcher } | undefined;
  close(): Promise<void>;
};

const CONNECT_WITHIN_MS = 10_000;

/** Connections by proxy where one is set. Docs: operating.md, Behind a proxy. */
export function createNetwork(proxy: ProxyOptions | undefined): Network {
  if (proxy === undefined) {
    return { agent: (options) => new Agent(options), close: async () => undefined };
  }
  // Empty, and not absent: undici would look into the environment by itself.
  const ways = { httpProxy: proxy.http ?? '', httpsProxy: proxy.https ?? '', noProxy: proxy.none };
  const dispatcher = new EnvHttpProxyAgent({ ...ways, clientFactory: toProxy(CONNECT_WITHIN_MS) });
  // Node's own types of undici are of another version than the package's.
  const by: object = { dispatcher };
  return {
    agent: (options) => {
      const clientFactory = toProxy(options.connect.timeout);
      return new EnvHttpProxyAgent({ ...options, ...ways, clientFactory });
    },
    slack: { dispatcher, fetch: (input, init) => fetch(input, { ...init, ...by }) },
    // Sockets of Slack that do not end by themselves must not hold up the end of the process.
    close: () => dispatcher.destroy(),
  };
}

/** Connections to the proxy itself: what goes wrong on them is told apart from the far side. */
function toProxy(timeout: number): (origin: URL) => Dispatcher {
  const connector = buildConnector({ timeout });
  const connect: buildConnector.connector = (options, done) => {
    connector(options, (error, socket) => {
      if (error === null) done(null, socket);
      else done(new ProxyUnreachable(error), null);
    });
  };
  return (origin) => new Pool(origin.origin, { connect });
}
