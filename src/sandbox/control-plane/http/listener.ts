import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ControlPlaneParts } from '../plane.ts';
import { isoOf } from '../services/states.ts';
import { type ApiContext, type ApiRequest, answer } from './api.ts';
import { readBody, tryJson } from './read-body.ts';
import { sendReply, textReply } from './reply.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import { answerSandbox } from './sandbox-api.ts';
import { strike } from './strike.ts';

/** What the server calls for each request: read, log, let a fault strike or answer. */
export function createListener(
  plane: ControlPlaneParts,
  context: () => ApiContext,
  log: RequestLog,
): (request: IncomingMessage, response: ServerResponse) => void {
  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(message);
    if (request.path.startsWith('/sandbox/')) {
      sendReply(response, answerSandbox(request, plane));
      return;
    }
    const entry = log.add(toLogEntry(request, plane));
    const fault = plane.faults.take(request.method, request.path);
    if (fault === undefined) {
      const reply = answer(request, context());
      entry.status = reply.status;
      sendReply(response, reply);
      return;
    }
    entry.fault = fault.kind;
    entry.status = await strike(fault, () => answer(request, context()), response);
  };
  return (message, response) => {
    serve(message, response).catch((error: unknown) => {
      // A client that leaves in the middle needs no answer; everything else is a bug of the stand-in.
      if (response.destroyed || response.headersSent) return;
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
      sendReply(response, textReply(500, `The sandbox failed: ${words}`));
    });
  };
}

async function readRequest(message: IncomingMessage): Promise<ApiRequest> {
  const url = new URL(message.url ?? '/', 'http://127.0.0.1');
  const headers = Object.entries(message.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')] as const,
  );
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    body: await readBody(message),
    ipAddress: message.socket.remoteAddress ?? '',
  };
}

function toLogEntry(request: ApiRequest, plane: ControlPlaneParts): Omit<LoggedRequest, 'number'> {
  return {
    at: isoOf(plane.clock.now()),
    method: request.method,
    path: request.path,
    query: Object.fromEntries(request.query),
    headers: request.headers,
    body: readableBody(request.body),
  };
}

/** The body as a reader would compare it. */
function readableBody(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  const parsed = tryJson(text);
  return parsed === undefined ? text : parsed.value;
}
