import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { SocketModeReceiver } from '@slack/bolt';
import { type HTTPReceiver, isValidSlackRequest } from '@slack/bolt';
import { z } from 'zod';
import type { Clock, Logger } from '../../../core/ports/ports.ts';
import { parseJson } from '../../../core/text/json.ts';

export const EVENTS_PATH = '/slack/events';

/** As Bolt's own limit; Slack sends far less. */
const MAX_BYTES = 4 * 1_024 * 1_024;
/** A recorded request is of no use after this; nor is one that was signed for later. */
const MAX_SKEW_S = 300;
const FORM = 'application/x-www-form-urlencoded';
const TYPES = new Set([FORM, 'application/json']);

const anObject = z.looseObject({});

export type FrontOptions = {
  readonly signingSecret: string;
  readonly clock: Clock;
  readonly logger: Logger;
};

/**
 * In front of Bolt's receiver, which reads a body without a look at its shape and takes a time stamp
 * of any year to come. Here: who signed it and when, both bounds; then what it is. Bolt checks the
 * signature once more. Facts: Transports.
 */
export function guardHttp(receiver: HTTPReceiver, options: FrontOptions): void {
  const bolt = receiver.requestListener;
  receiver.requestListener = (request, response) => {
    receive(request, response, { ...options, bolt }).catch((cause: unknown) => {
      options.logger.warn({ cause }, 'a request could not be read');
      if (!response.headersSent) end(response, 500);
    });
  };
}

type Front = FrontOptions & { readonly bolt: RequestListener };

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  front: Front,
): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  if (request.method !== 'POST' || path !== EVENTS_PATH) return end(response, 404);
  const body = await read(request);
  if (body === undefined) return refuse(response, 413, 'it is larger than 4 MB', front);
  const type = mediaType(request);
  // Slack's probe of the connection: unsigned, and answered without a look at the rest.
  if (type === FORM && parse(body.toString())['ssl_check'] === '1') return end(response, 200);
  if (!isSigned(request, body, front)) {
    return refuse(response, 401, 'it is not signed by Slack, or not now', front);
  }
  if (!TYPES.has(type)) return refuse(response, 415, 'its type is neither a form nor JSON', front);
  if (!isPayload(type, body)) return refuse(response, 400, 'its body holds no payload', front);
  // Bolt compares the header as a whole, and takes a body that was read already.
  request.headers['content-type'] = type;
  front.bolt(Object.assign(request, { rawBody: body }), response);
}

/** Undefined where it is too large: the rest is let go by, so that the answer can be read. */
function read(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

function mediaType({ headers }: IncomingMessage): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase();
}

function isSigned(request: IncomingMessage, body: Buffer, front: Front): boolean {
  const signature = request.headers['x-slack-signature'];
  const timestamp = request.headers['x-slack-request-timestamp'];
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return false;
  // Bolt reads it as any number that JavaScript knows: 1e9, 0x7f, Infinity.
  if (!/^\d{1,12}$/u.test(timestamp)) return false;
  const now = front.clock.now().toMillis();
  if (Math.abs(Number(timestamp) - now / 1_000) > MAX_SKEW_S) return false;
  return isValidSlackRequest({
    signingSecret: front.signingSecret,
    body: body.toString(),
    headers: {
      'x-slack-signature': signature,
      'x-slack-request-timestamp': Number(timestamp),
    },
    nowMilliseconds: now,
  });
}

/** As Bolt will read it: JSON, JSON in the field `payload`, or the fields themselves. */
function isPayload(type: string, body: Buffer): boolean {
  const text = body.toString();
  if (type !== FORM) return holdsObject(text);
  const { payload, ...fields } = parse(text);
  if (payload === undefined) return Object.keys(fields).length > 0;
  return typeof payload === 'string' && holdsObject(payload);
}

function holdsObject(text: string): boolean {
  return anObject.safeParse(parseJson(text)).success;
}

/** Nothing that the request held is logged: whoever reaches the port can send one. */
function refuse(
  response: ServerResponse,
  status: number,
  because: string,
  { logger }: Front,
): void {
  logger.warn({ event: 'unfit-request', status }, `a request was refused: ${because}`);
  end(response, status);
}

function end(response: ServerResponse, status: number): void {
  // What was not read of a body would be taken for the next request.
  if (status === 413) response.setHeader('connection', 'close');
  response.writeHead(status);
  response.end();
}

type Client = SocketModeReceiver['client'];
type OnFrame = (data: unknown, isBinary: boolean) => unknown;

const CONTROL = new Set(['hello', 'disconnect']);
const ENVELOPES = new Set(['slash_commands', 'interactive', 'events_api']);

const control = z.looseObject({ type: z.string() });
const envelope = z.looseObject({ type: z.string(), envelope_id: z.string().min(1) });
const identified = z.looseObject({ envelope_id: z.string().min(1) });
const event = z.looseObject({ event: z.looseObject({ type: z.string() }) });

/**
 * In front of the Socket Mode client, which reads a frame without a look at its shape: what it would
 * stumble over is logged and acknowledged here. It emits an event by the event's own name, so one
 * that is called as a signal of the client (`close`) is stopped too. Facts: Transports.
 */
export function guardSocket(client: Client, logger: Logger): void {
  const readers = client.listeners('ws_message') as OnFrame[];
  // Another version of the client may read in another way; then its own checks have to do.
  if (readers.length === 0) {
    logger.warn({}, 'frames of Slack are not checked beforehand');
    return;
  }
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: boolean) => {
    const { fits, envelopeId } = judge(isBinary ? undefined : parseJson(String(data)), client);
    const done = fits ? readers.map((read) => read(data, isBinary)) : [drop(envelopeId)];
    Promise.all(done).catch((cause: unknown) => {
      logger.error({ cause }, 'a frame could not be worked on');
    });
  });

  async function drop(envelopeId: string | undefined): Promise<void> {
    logger.warn({ event: 'unfit-frame' }, 'Slack sent a frame that holds no payload of this app');
    if (envelopeId === undefined) return;
    // Its only way to acknowledge; the types keep it to itself.
    const sender = client as unknown as { send(id: string): Promise<void> };
    await sender.send(envelopeId);
  }
}

type Judgement = { readonly fits: boolean; readonly envelopeId?: string | undefined };

function judge(frame: unknown, client: Client): Judgement {
  const kind = control.safeParse(frame);
  if (kind.success && CONTROL.has(kind.data.type)) return { fits: true };
  const read = envelope.safeParse(frame);
  if (!read.success) return { fits: false, envelopeId: idOf(frame) };
  const { type, envelope_id: envelopeId, payload: body } = read.data;
  const fits =
    ENVELOPES.has(type) &&
    (type === 'events_api' ? isEvent(body, client) : anObject.safeParse(body).success);
  return { fits, envelopeId };
}

function idOf(frame: unknown): string | undefined {
  return identified.safeParse(frame).data?.envelope_id;
}

function isEvent(body: unknown, client: Client): boolean {
  const read = event.safeParse(body);
  return read.success && client.listenerCount(read.data.event.type) === 0;
}
