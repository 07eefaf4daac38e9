import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { ErrorCode } from '@slack/web-api';
import { parseJson } from '../../core/text/json.ts';
import type { Message } from '../render/blocks.ts';

/** `replace`: in place of the pressed message, which a command does not have. */
export type UrlAnswer = {
  readonly message: Message;
  readonly to: 'requester' | 'channel';
  readonly replace: boolean;
};

const TIMEOUT_MS = 3_000;

/**
 * An answer by the response URL of a payload; `fetch` where connections are not made directly.
 * Throws what `failureOf` reads.
 */
export async function answerByUrl(
  url: string,
  { message, to, replace }: UrlAnswer,
  fetch: typeof globalThis.fetch | undefined,
): Promise<void> {
  const body = {
    text: message.text,
    blocks: message.blocks,
    response_type: to === 'channel' ? 'in_channel' : 'ephemeral',
    replace_original: replace,
  };
  const { status, retryAfter, text } = await (fetch === undefined
    ? postJson(url, body, TIMEOUT_MS)
    : fetchJson(url, body, fetch));
  if (status === 429) throw new UrlRefused({ retryAfter: Number(retryAfter) || 1 });
  const error = refusalIn(text);
  if (error !== undefined) throw new UrlRefused({ data: { error } });
  // Half an answer, or a page of a proxy, says nothing.
  const ok = status >= 200 && status < 300;
  if (!ok || !isTaken(text)) throw new UrlRefused({ statusCode: ok ? 500 : status });
}

/** In the shape of the errors of Slack's own client, so that they are read alike. */
class UrlRefused extends Error {
  override readonly name = 'UrlRefused';
  readonly code: string | undefined;

  constructor(facts: {
    readonly retryAfter?: number;
    readonly statusCode?: number;
    readonly data?: { readonly error: string };
  }) {
    super('A response URL refused a message.');
    Object.assign(this, facts);
    this.code = facts.retryAfter === undefined ? undefined : ErrorCode.RateLimitedError;
  }
}

function isTaken(text: string): boolean {
  return /^(?:ok)?$/u.test(text.trim()) || parseJson(text) !== undefined;
}

/** A response URL answers `ok` or JSON, and a refusal may come with status 200. */
function refusalIn(text: string): string | undefined {
  const [, error] = /"ok"\s*:\s*false[\s\S]*?"error"\s*:\s*"([^"]+)"/u.exec(text) ?? [];
  return error ?? (/^\w*invalid\w*$/u.test(text.trim()) ? text.trim() : undefined);
}

export type JsonAnswer = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
};

/** An idle connection that the other side may be closing is not used again. */
const KEPT = { keepAlive: true, maxFreeSockets: 16, timeout: 4_000 };
const PLAIN = { send: httpRequest, agent: new HttpAgent(KEPT) };
const SECURE = { send: httpsRequest, agent: new HttpsAgent(KEPT) };

/**
 * Posts JSON and reads the whole answer within so many ms. Node's own request: `fetch` takes several
 * times its work, and every answer to a person goes this way. Follows no redirect. Rejects with what
 * the socket said.
 */
async function postJson(url: string, body: unknown, withinMs: number): Promise<JsonAnswer> {
  const data = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': data.byteLength };
  const { send, agent } = url.startsWith('https:') ? SECURE : PLAIN;
  return await new Promise((resolve, reject) => {
    const sent = send(url, { method: 'POST', agent, headers });
    const late = setTimeout(() => sent.destroy(new Error('No answer in time.')), withinMs);
    sent.on('error', reject);
    sent.on('response', (answer) => {
      answerOf(answer).then(resolve, reject);
    });
    sent.on('close', () => clearTimeout(late));
    sent.end(data);
  });
}

/** The same where a proxy is on the way, which Node's own request does not know. */
async function fetchJson(
  url: string,
  body: unknown,
  fetch: typeof globalThis.fetch,
): Promise<JsonAnswer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const retryAfter = answer.headers.get('retry-after') ?? undefined;
  return { status: answer.status, retryAfter, text: await answer.text() };
}

async function answerOf(answer: IncomingMessage): Promise<JsonAnswer> {
  const text = await readText(answer);
  return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'], text };
}
