import type { Json } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import { requireScope } from './access.ts';
import { ApiError, invalidArguments } from './api-error.ts';
import { parseBody, readArguments } from './arguments.ts';
import type { Method } from './method.ts';
import { methodTable } from './methods/table.ts';

export type ApiRequest = {
  readonly method: string;
  /** The `Authorization` header, or an empty text. */
  readonly authorization: string;
  readonly contentType: string;
  readonly body: string;
};

export type ApiReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
};

/**
 * One Web API call. Business errors are HTTP 200 with `ok: false`; only a planned fault has another
 * status. Everything is logged, and what a careful bot would not send is logged as a problem.
 */
export async function dispatch(world: World, request: ApiRequest): Promise<ApiReply> {
  const startedAt = world.traffic.start();
  const delay = world.faults.delayOf(request.method);
  if (delay > 0) await world.settings.clock.sleep(delay, world.signal).catch(() => undefined);
  const { reply, sent } = answer(world, request);
  const { ok, error } = reply.body;
  world.traffic.add({
    direction: 'from-bot',
    what: request.method,
    sent,
    answered: reply.body,
    problem: ok === true ? undefined : String(error),
    startedAt,
  });
  return reply;
}

function answer(world: World, request: ApiRequest): { reply: ApiReply; sent: Json } {
  let sent: Json = {};
  try {
    const planned = plannedFailure(world, request.method);
    if (planned !== undefined) return { reply: planned, sent };
    const values = parseBody(request.contentType, request.body);
    const { token, ...shown } = values;
    sent = shown;
    const method = methodTable[request.method];
    if (method === undefined) throw new ApiError('unknown_method', { req_method: request.method });
    checkToken(world, method, { header: request.authorization, body: token });
    requireScope(world, method.scopes ?? []);
    const args = readArguments(values, method.args);
    const body = method.run({ world, args, method: request.method });
    return {
      reply: { status: 200, headers: scopeHeaders(world), body: { ok: true, ...body } },
      sent,
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const body = { ok: false, error: error.code, ...error.extra };
    return { reply: { status: 200, headers: scopeHeaders(world), body }, sent };
  }
}

function plannedFailure(world: World, method: string): ApiReply | undefined {
  const failure = world.faults.takeFailure(method);
  if (failure === undefined) return undefined;
  if (typeof failure === 'string') throw new ApiError(failure);
  const { status, retryAfter } = failure;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const error = status === 429 ? 'ratelimited' : 'internal_error';
  return { status, headers, body: { ok: false, error } };
}

/** A token comes in the header; `auth.test` repeats it in the body. Only configured fakes are known. */
function checkToken(
  world: World,
  method: Method,
  given: { readonly header: string; readonly body: unknown },
): void {
  const { botToken, appToken } = world.settings;
  const fromHeader = given.header.replace(/^Bearer /i, '');
  const token = fromHeader === '' ? given.body : fromHeader;
  if (token === undefined || token === '') throw new ApiError('not_authed');
  if (given.body !== undefined && given.body !== token) {
    throw invalidArguments('two different tokens were sent');
  }
  if (token !== botToken && token !== appToken) throw new ApiError('invalid_auth');
  const wanted = method.appToken === true ? appToken : botToken;
  if (token !== wanted) throw new ApiError('not_allowed_token_type');
}

function scopeHeaders(world: World): Readonly<Record<string, string>> {
  return { 'x-oauth-scopes': world.manifest.scopes.join(',') };
}
