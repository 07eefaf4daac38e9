import type { SocketModeReceiver } from '@slack/bolt';
import { z } from 'zod';
import type { Logger } from '../../core/ports/ports.ts';

type Client = SocketModeReceiver['client'];
type OnFrame = (data: unknown, isBinary: boolean) => unknown;

const CONTROL = new Set(['hello', 'disconnect']);
const ENVELOPES = new Set(['slash_commands', 'interactive', 'events_api']);

const envelope = z.looseObject({ type: z.string(), envelope_id: z.string().min(1) });
const payload = z.looseObject({});
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
    const { fits, envelopeId } = judge(isBinary ? undefined : parsed(data), client);
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
  const control = z.looseObject({ type: z.string() }).safeParse(frame);
  if (control.success && CONTROL.has(control.data.type)) return { fits: true };
  const read = envelope.safeParse(frame);
  if (!read.success) return { fits: false, envelopeId: idOf(frame) };
  const { type, envelope_id: envelopeId, payload: body } = read.data;
  const fits =
    ENVELOPES.has(type) && (type === 'events_api' ? isEvent(body, client) : isObject(body));
  return { fits, envelopeId };
}

function idOf(frame: unknown): string | undefined {
  return z.looseObject({ envelope_id: z.string().min(1) }).safeParse(frame).data?.envelope_id;
}

function isObject(body: unknown): boolean {
  return payload.safeParse(body).success;
}

function isEvent(body: unknown, client: Client): boolean {
  const read = event.safeParse(body);
  return read.success && client.listenerCount(read.data.event.type) === 0;
}

function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
