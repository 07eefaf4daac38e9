import { Agent, errors, request as send } from 'undici';
import { parseJson } from '../core/text/json.ts';

export type WireHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export type WireRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly authorization: string;
  /** JSON text. */
  readonly body?: string | undefined;
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

const BODY_LIMIT_BYTES = 8 * 1024 * 1024;
/** Two of the largest bodies. */
const BUDGET_BYTES = 2 * BODY_LIMIT_BYTES;
const CONNECT_LIMIT_MS = 10_000;

/**
 * undici with its own agents, its own timeouts off: the deadline of a call is the only one.
 * Changes use a fresh connection each: a kept one that the server is just closing would turn
 * into an unknown outcome for no reason.
 */
export function createTransport(deadlineMs: number): Transport {
  const shared = {
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: BODY_LIMIT_BYTES,
    // Before the deadline, so that "never sent" is told apart from "no answer".
    connect: { timeout: Math.max(1, Math.min(CONNECT_LIMIT_MS, Math.floor(deadlineMs / 3))) },
  };
  const reads = new Agent(shared);
  const changes = new Agent({ ...shared, pipelining: 0 });
  const budget = createBodyBudget(BUDGET_BYTES);
  return {
    send: (request, signal) => {
      const dispatcher = request.method === 'GET' ? reads : changes;
      return attempt({ dispatcher, budget }, request, signal);
    },
    close: async () => {
      await Promise.all([reads.close(), changes.close()]);
    },
  };
}

async function attempt(
  { dispatcher, budget }: { readonly dispatcher: Agent; readonly budget: BodyBudget },
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
    const body = await readBody(reply.body, { statedBytes, budget, signal });
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
  // The server's certificate is judged before the request is written.
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
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
  // Several addresses were tried: each of them has to have failed so.
  if (cause instanceof AggregateError) return cause.errors.every(neverSent);
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const call = 'syscall' in cause && typeof cause.syscall === 'string' ? cause.syscall : '';
  return UNSENT_CODES.has(code) || UNSENT_CALLS.has(call);
}

/** What a body holds; of a large one that is JSON, the value alone. */
type WireBody = { readonly json: unknown; readonly text: string };

/** Bodies up to here are read at once, however many: no read of a single record is larger. */
const SMALL_BYTES = 256 * 1024;

type Source = AsyncIterable<Uint8Array> & { on(event: 'error', listener: () => void): unknown };

type Reading = {
  /** As the header states it; 0 where it does not. */
  readonly statedBytes: number;
  readonly budget: BodyBudget;
  readonly signal: AbortSignal;
};

/**
 * Reads a body to its end, decodes it as it comes and parses it once, so that bytes, text and value
 * are not kept side by side. A large one waits for its share of the budget, its sender held up
 * meanwhile. Rejects when the signal aborts, the connection breaks, or the limit is passed.
 */
async function readBody(source: Source, reading: Reading): Promise<WireBody> {
  // While nobody reads it, a body that breaks has no other listener.
  source.on('error', () => undefined);
  const decoder = new TextDecoder();
  const { statedBytes, budget, signal } = reading;
  let share: Share | undefined;
  let size = 0;
  let text = '';
  try {
    if (statedBytes > SMALL_BYTES) share = await budget.take(statedBytes, signal);
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > SMALL_BYTES) share ??= await budget.take(BODY_LIMIT_BYTES, signal);
      text += decoder.decode(chunk, { stream: true });
    }
    text += decoder.decode();
    const json = parseJson(text);
    return { json, text: json === undefined || size <= SMALL_BYTES ? text : '' };
  } finally {
    share?.();
  }
}

/** A share of the budget, to be given back once. */
type Share = () => void;

/** How many bytes of large bodies are in memory at once; the others wait unread. */
type BodyBudget = {
  /** Resolves in turn, when so many bytes are free. Rejects when the signal aborts first. */
  take(bytes: number, signal: AbortSignal): Promise<Share>;
};

type Waiting = { readonly bytes: number; readonly grant: () => void };

/**
 * A body that is not read holds its sender up, not this process. First come, first served: a large
 * one is not overtaken by smaller ones for ever. Design: §8.
 */
export function createBodyBudget(totalBytes: number): BodyBudget {
  const waiting = new Set<Waiting>();
  let free = totalBytes;

  function serve(): void {
    for (const next of waiting) {
      if (next.bytes > free) return;
      waiting.delete(next);
      free -= next.bytes;
      next.grant();
    }
  }

  return {
    take: (wanted, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const bytes = Math.min(wanted, totalBytes);
        const giveUp = (): void => {
          waiting.delete(next);
          reject(signal.reason);
          serve();
        };
        const next: Waiting = {
          bytes,
          grant: () => {
            signal.removeEventListener('abort', giveUp);
            resolve(() => {
              free += bytes;
              serve();
            });
          },
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.add(next);
        serve();
      }),
  };
}
