import { type ApiContext, answer } from '../../src/sandbox/control-plane/http/api.ts';
import { RateLimiter } from '../../src/sandbox/control-plane/http/rate-limiter.ts';
import { BEARER, KEYS } from '../../src/sandbox/control-plane/seed.ts';
import {
  changeSettings,
  DEFAULT_SETTINGS,
  type SettingsChange,
} from '../../src/sandbox/control-plane/settings.ts';
import { createSeed } from '../../src/sandbox/control-plane/state/seed-data.ts';
import { World } from '../../src/sandbox/control-plane/state/world.ts';
import { createTestClock } from './settable-clock.ts';

export type PlainRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
};

export const AUTHORIZATION = `Basic ${Buffer.from(`${KEYS.admin.id}:${KEYS.admin.secret}`).toString('base64')}`;

/**
 * The stand-in of the control API without its sockets: the same function that answers each HTTP
 * request, for thousands of them. It forgets what was made after every thousand.
 */
export function createStandIn(now: string): (request: PlainRequest) => number {
  const fresh = freshContexts(now, {});
  let context = fresh();
  let count = 0;
  return ({ method, path, body }) => {
    count += 1;
    if (count % 1_000 === 0) context = fresh();
    const url = new URL(path, 'http://stand-in');
    const reply = answer(
      {
        method,
        path: url.pathname,
        query: url.searchParams,
        headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
        ipAddress: '127.0.0.1',
      },
      context,
    );
    return reply.status;
  };
}

/** A world without a past each time, at one moment, with all keys and without a limit. */
export function freshContexts(now: string, change: SettingsChange): () => ApiContext {
  const clock = createTestClock(now);
  const rateLimit = { limit: 1_000_000 };
  const settings = changeSettings(DEFAULT_SETTINGS, { ...change, rateLimit });
  return () => ({
    world: new World(createSeed(clock.now()), settings),
    clock,
    keys: Object.values(KEYS),
    tokens: [BEARER],
    limiter: new RateLimiter(),
  });
}
