import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../faults.ts';
import { gatewayTimeoutReply, jsonReply, type Reply, sendReply, textReply } from './reply.ts';

/** More than any client should be willing to read. */
const OVERSIZED_BYTES = 9 * 1024 * 1024;

/**
 * Lets a fault strike: carries out the request if the fault says so, waits, and spoils the reply.
 * Resolves to the status that was sent, 0 when the connection was cut.
 */
export async function strike(
  fault: Fault,
  perform: () => Reply,
  response: ServerResponse,
): Promise<number> {
  // Carried out before the wait: a client that gives up meanwhile has changed something all the same.
  const reply = fault.perform ? perform() : undefined;
  if (fault.delayMs > 0) await delay(fault.delayMs, undefined, { ref: false });
  if (response.destroyed) return 0;
  const spoilt = spoil(fault, reply);
  if (spoilt === undefined) {
    response.destroy();
    return 0;
  }
  const retryAfter =
    fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  sendReply(response, { ...spoilt, headers: { ...spoilt.headers, ...retryAfter } });
  return spoilt.status;
}

function spoil(fault: Fault, reply: Reply | undefined): Reply | undefined {
  switch (fault.kind) {
    case 'cut':
    case 'cut-after':
      return undefined;
    case 'status':
      return jsonReply(fault.status, {
        status: fault.status,
        error: `SANDBOX_FAULT: this ${fault.status} was switched on`,
      });
    case 'html504':
      return gatewayTimeoutReply();
    case 'plain':
      return textReply(fault.status, 'upstream connect error or disconnect before headers');
    case 'empty':
      return { status: reply?.status ?? 200, headers: reply?.headers ?? {}, body: '' };
    case 'malformed':
      return malformed(reply ?? jsonReply(200, { status: 200 }));
    case 'oversized':
      return jsonReply(200, { status: 200, result: { padding: 'x'.repeat(OVERSIZED_BYTES) } });
    case 'result':
      return withResult(reply ?? jsonReply(200, { status: 200 }), fault.result);
    case 'slow':
      return reply ?? jsonReply(200, { status: 200, result: {} });
  }
}

/** A success in its envelope, with another result; a refusal stays one. */
function withResult(reply: Reply, result: unknown): Reply {
  if (reply.status !== 200) return reply;
  const envelope: object = JSON.parse(reply.body);
  return { ...reply, body: JSON.stringify({ ...envelope, result }) };
}

/** Ends in the middle, yet is sent as a whole: the connection is sound, the JSON is not. */
function malformed(reply: Reply): Reply {
  return { ...reply, body: reply.body.slice(0, Math.max(1, Math.floor(reply.body.length / 2))) };
}
