import type { DateTime } from 'luxon';
import { authenticateBearer } from '../http/auth.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import { jsonReply, type Reply, textReply } from '../http/reply.ts';
import type { BearerToken } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { isHexId } from '../validation/scalars.ts';

const REQUESTS_A_MINUTE = 100;

type Context = {
  readonly world: World;
  readonly now: DateTime;
  readonly tokens: readonly BearerToken[];
  readonly limiter: RateLimiter;
  readonly authorization: string | undefined;
};

/**
 * The reply to a dashboard deletion, as specified or as the self-hosted server gives it: there an
 * unknown id is a success as well, and some errors are plain text. Spec: Endpoints 9.
 * Facts: Dashboards.
 */
export function deleteDashboard(id: string, context: Context): Reply {
  const { world, now } = context;
  const selfHosted = world.settings.dashboards === 'self-hosted';
  const token = authenticateBearer(context.authorization, context.tokens);
  if (token === undefined) return unauthorized(selfHosted);
  const rule = { limit: REQUESTS_A_MINUTE, windowMs: 60_000 };
  const rate = context.limiter.take(`bearer ${token.token}`, now, rule);
  const headers = {
    'ratelimit-limit': String(rate.limit),
    'ratelimit-remaining': String(rate.remaining),
    'ratelimit-reset': String(Math.ceil(rate.resetSeconds)),
  };
  if (!rate.allowed) {
    const words = 'Too many requests, please try again later.';
    return selfHosted
      ? textReply(429, words, headers)
      : jsonReply(429, { message: words }, headers);
  }
  if (selfHosted && !isHexId(id)) {
    return jsonReply(400, { message: 'id must be 24 hexadecimal digits' }, headers);
  }
  const existed = world.dashboards.delete(id.toLowerCase());
  if (existed || selfHosted) return jsonReply(200, {}, headers);
  return jsonReply(404, { message: 'Dashboard not found' }, headers);
}

/** The specification states the text; that its status is 401 was chosen. */
function unauthorized(selfHosted: boolean): Reply {
  if (selfHosted) return textReply(401, 'Unauthorized');
  const message = 'Unauthorized access. API key is missing or invalid.';
  return jsonReply(401, { message });
}
