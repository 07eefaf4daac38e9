import { Dispatcher } from 'undici';
import { createControlApi } from '../../src/control-api/create-control-api.ts';
import { answer } from '../../src/sandbox/control-plane/http/api.ts';
import type { Reply } from '../../src/sandbox/control-plane/http/reply.ts';
import { ACME, KEYS } from '../../src/sandbox/control-plane/seed.ts';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { answerProblems, type Exchange, requestProblems } from './cloud-document.ts';
import { silentLogger } from './silent-logger.ts';
import { freshContexts } from './stand-in.ts';

export type Seen = Exchange & { readonly status: number; readonly problems: readonly string[] };

export type CloudSide = {
  readonly api: ReturnType<typeof createControlApi>;
  /** What came since it was asked last, each held against the cloud's description. */
  take(): readonly Seen[];
  close(): Promise<void>;
};

/**
 * The real client in clickhouse mode before the stand-in, without the sockets between them: there are
 * ten thousand requests. Each, and each answer, is held against the interface description. The world
 * is fresh after every thousand.
 */
export function createCloudSide(): CloudSide {
  const fresh = freshContexts('2026-11-27T10:00:00.000Z', { names: 'clickhouse' });
  let context = fresh();
  let count = 0;
  let seen: Seen[] = [];
  const serve = ({ method, path, headers, body }: Dispatcher.DispatchOptions): Reply => {
    count += 1;
    if (count % 1_000 === 0) context = fresh();
    const url = new URL(path, 'http://127.0.0.1');
    const text = typeof body === 'string' ? body : undefined;
    const reply = answer(
      {
        ...{ method, path: url.pathname, query: url.searchParams, ipAddress: '127.0.0.1' },
        headers: Object.fromEntries(Object.entries(headers ?? {})),
        body: text,
      },
      context,
    );
    const exchange = {
      ...{ method, path: url.pathname, query: Object.fromEntries(url.searchParams) },
      body: text === undefined ? undefined : JSON.parse(text),
    };
    const problems = [
      ...requestProblems(exchange),
      ...answerProblems(exchange, reply.status, JSON.parse(reply.body)),
    ];
    seen.push({ ...exchange, status: reply.status, problems });
    return reply;
  };
  const { id: keyId, secret: keySecret } = KEYS.admin;
  const api = createControlApi({
    baseUrl: 'http://127.0.0.1',
    newAgent: () => new WithoutSockets(serve),
    organizations: () => [{ key: 'acme', id: ACME.id, keyId, keySecret, names: 'clickhouse' }],
    // The limiter counts what lies within its time: a clock that stands would keep all of it.
    clock: createSettableClock({ ticking: true }),
    logger: silentLogger,
    limit: { requests: 1_000_000, perMs: 1 },
  });
  return {
    api,
    take: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    close: () => api.close(),
  };
}

/** Hands undici's requests to the function that answers each HTTP request of the stand-in. */
class WithoutSockets extends Dispatcher {
  readonly #serve: (options: Dispatcher.DispatchOptions) => Reply;

  constructor(serve: (options: Dispatcher.DispatchOptions) => Reply) {
    super();
    this.#serve = serve;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    handler.onConnect?.(() => undefined);
    const { status, headers, body } = this.#serve(options);
    const raw = Object.entries(headers)
      .flat()
      .map((word) => Buffer.from(word));
    handler.onHeaders?.(status, raw, () => undefined, '');
    handler.onData?.(Buffer.from(body));
    handler.onComplete?.([]);
    return true;
  }

  override close(): Promise<void>;
  override close(done: () => void): void;
  override close(done?: () => void): Promise<void> | undefined {
    done?.();
    return done === undefined ? Promise.resolve() : undefined;
  }
}
