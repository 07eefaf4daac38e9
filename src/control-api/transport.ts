import { type Agent, type Dispatcher, errors, request as send } from 'undici';
import { networkFault } from '../core/text/network-fault.ts';
import type { ListSink } from './answers/listed-json.ts';
import { type BodyBudget, createBodyBudget, readBody, type WireBody } from './body.ts';
import { BODY_MB, LIST_MB } from './routes.ts';

export type WireHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly authorization: string;
  /** JSON text. */
  readonly body?: string | undefined;
  /** Takes the members of a long list of a large answer, which are then not in its value. */
  readonly list?: ListSink | undefined;
};

export type WireReply = {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: WireHeaders;
} & WireBody;

/**
 * `unsent`: no connection was made, so the request cannot have run. `cut`: the connection broke
 * after that. `stopped`: the signal aborted. `oversized`: more than the limit was sent back.
 */
export type WireFailure = {
  readonly kind: 'unsent' | 'cut' | 'stopped' | 'oversized';
  readonly cause: unknown;
};

export type Transport = {
  /** One attempt. Never rejects. */
  send(request: WireRequest, signal: AbortSignal): Promise<WireReply | WireFailure>;
  close(): Promise<void>;
};

const MB = 1024 * 1024;
const BODY_LIMIT_BYTES = BODY_MB * MB;
/** Of an answer that is never whole in memory. */
const LIST_LIMIT_BYTES = LIST_MB * MB;
/** Two of the largest bodies. */
const BUDGET_BYTES = 2 * BODY_LIMIT_BYTES;
const CONNECT_LIMIT_MS = 10_000;

/** Makes an agent; by a proxy where one is set. */
export type NewAgent = (
  options: Agent.Options & { readonly connect: { readonly timeout: number } },
) => Dispatcher;

/**
 * undici with its own agents, its own timeouts off: the deadline of a call is the only one.
 * Changes use a fresh connection each: a kept one that the server is just closing would turn
 * into an unknown outcome for no reason.
 */
export function createTransport(deadlineMs: number, newAgent: NewAgent): Transport {
  const shared = {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: BODY_LIMIT_BYTES,
    // Before the deadline, so that "never sent" is told apart from "no answer".
    connect: { timeout: Math.max(1, Math.min(CONNECT_LIMIT_MS, Math.floor(deadlineMs / 3))) },
  };
  const reads = newAgent(shared);
  const lists = newAgent({ ...shared, maxResponseSize: LIST_LIMIT_BYTES });
  const changes = newAgent({ ...shared, pipelining: 0 });
  const budget = createBodyBudget(BUDGET_BYTES);
  return {
    send: (request, signal) => {
      const kept = request.list === undefined ? reads : lists;
      const dispatcher = request.method === 'GET' ? kept : changes;
      return attempt({ dispatcher, budget }, request, signal);
    },
    close: async () => {
      await Promise.all([reads.close(), lists.close(), changes.close()]);
    },
  };
}

async function attempt(
  { dispatcher, budget }: { readonly dispatcher: Dispatcher; readonly budget: BodyBudget },
  request: WireRequest,
  signal: AbortSignal,
): Promise<WireReply | WireFailure> {
  try {
    const reply = await send(request.url, {
      dispatcher,
      signal,
      method: request.method,
      headers: {
        accept: 'application/json',
        authorization: request.authorization,
        'user-agent': 'steward',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: request.body ?? null,
    });
    const { statusCode: status, headers } = reply;
    const statedBytes = Number(headers['content-length'] ?? 0);
    const mostBytes = BODY_LIMIT_BYTES;
    const list = status < 300 ? request.list : undefined;
    const body = await readBody(reply.body, { statedBytes, mostBytes, budget, signal, list });
    return { kind: 'reply', status, headers, ...body };
  } catch (cause) {
    return { kind: failureKind(cause, signal), cause };
  }
}

const UNSENT_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
  'ERR_INVALID_URL',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]);
const UNSENT_CALLS: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);

function failureKind(cause: unknown, signal: AbortSignal): WireFailure['kind'] {
  if (signal.aborted) return 'stopped';
  if (cause instanceof errors.ResponseExceededMaxSizeError) return 'oversized';
  return neverSent(cause) ? 'unsent' : 'cut';
}

/** Only what certainly failed before the first byte of the request: in doubt it was sent. */
function neverSent(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  // A tunnel is asked for, and the server's certificate judged, before the request is written.
  if (networkFault(cause) !== undefined) return true;
  // Several addresses were tried: each of them has to have failed so.
  if (cause instanceof AggregateError) return cause.errors.every(neverSent);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const call = 'syscall' in cause && typeof cause.syscall === 'string' ? cause.syscall : '';
  return UNSENT_CODES.has(code) || UNSENT_CALLS.has(call);
}
