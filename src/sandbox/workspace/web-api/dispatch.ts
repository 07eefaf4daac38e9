import type { Json } from '../protocol/page-protocol.ts';
import type { Failure } from '../state/faults.ts';
import type { World } from '../state/world.ts';
import { requireScope } from './access.ts';
import { ApiError, invalidArguments } from './api-error.ts';
import { parseBody, readArguments } from './arguments.ts';
import type { Method } from './method.ts';
import { methodTable } from './methods/table.ts';
import { type Instead, insteadOf, nameOf, takePlanned } from './planned-failure.ts';

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
  /** A planned failure: this goes out in place of the rest. */
  readonly instead?: Instead | undefined;
};

/**
 * One Web API call. Business errors are HTTP 200 with `ok: false`; only a planned fault has another
 * status. Everything is logged, and what a careful bot would not send is logged as a problem.
 */
export async function dispatch(world: World, request: ApiRequest): Promise<ApiReply> {
  const startedAt = world.traffic.start();
  const delay = world.faults.delayOf(request.method);
  if (delay > 0) await world.settings.clock.sleep(delay, world.signal).catch(() => undefined);
  const { reply, sent, problem } = answer(world, request);
  const { ok, error } = reply.body;
  world.traffic.add({
    direction: 'from-bot',
    what: request.method,
    sent,
    answered: reply.body,
    problem: problem ?? (ok === true ? undefined : String(error)),
    startedAt,
  });
  return reply;
}

type Answered = {
  readonly reply: ApiReply;
  readonly sent: Json;
  readonly problem?: string | undefined;
};

function answer(world: World, request: ApiRequest): Answered {
  let sent: Json = {};
  try {
    const values = parseBody(request.contentType, request.body);
    const { token, ...shown } = values;
    sent = shown;
    const planned = takePlanned(world, request.method, shown);
    if (planned === undefined) return { reply: work(world, request, values), sent };
    const { failure, undone } = planned;
    const reply = undone ? nothingDone(failure.failure) : triedWork(world, request, values);
    const name = nameOf(failure.failure);
    return {
      reply: { ...reply, instead: insteadOf(failure) },
      sent,
      problem: undone ? name : `${name}, after the work`,
    };
  } catch (error) {
    return { reply: refusalOf(world, error), sent };
  }
}

/** What is thrown otherwise is a fault of the workspace itself. */
function refusalOf(world: World, error: unknown): ApiReply {
  if (!(error instanceof ApiError)) throw error;
  const body = { ok: false, error: error.code, ...error.extra };
  return { status: 200, headers: scopeHeaders(world), body };
}

function nothingDone(failure: Failure): ApiReply {
  return { status: 200, headers: {}, body: { ok: false, error: nameOf(failure) } };
}

/** Its own refusal is lost like any other answer. */
function triedWork(world: World, request: ApiRequest, values: Json): ApiReply {
  try {
    return work(world, request, values);
  } catch (error) {
    return refusalOf(world, error);
  }
}

/** Throws an ApiError. */
function work(world: World, request: ApiRequest, values: Json): ApiReply {
  const method = methodTable[request.method];
  if (method === undefined) throw new ApiError('unknown_method', { req_method: request.method });
  checkToken(world, method, { header: request.authorization, body: values['token'] });
  requireScope(world, method.scopes ?? []);
  const args = readArguments(values, method.args);
  const body = method.run({ world, args, method: request.method });
  return { status: 200, headers: scopeHeaders(world), body: { ok: true, ...body } };
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
