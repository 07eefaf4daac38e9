import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { isObject, parseJson, textOf } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';
import type { DropReason } from '../state/faults.ts';
import type { World } from '../state/world.ts';
import type { Ack, Delivery, Transport } from '../state/world-types.ts';
import { readAckBody } from './acknowledgement.ts';

const mostSockets = 10;
const largestFrame = 1_000_000;
/** How long a client may take to say goodbye, in ms. */
const closingTime = 300;

/** The server's side of Socket Mode. Facts: Transports. */
export class SocketMode implements Transport {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: largestFrame });
  /** Sockets that take payloads, the next one first. */
  private open: WebSocket[] = [];
  /** By envelope id; a payload sent twice waits for two acknowledgements under one id. */
  private readonly waiting = new Map<string, ((ack: Ack) => void)[]>();
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  /** Takes over a connection whose ticket `apps.connections.open` has given out. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '/', this.world.baseUrl).searchParams.get('ticket') ?? '';
    if (!this.world.tickets.delete(ticket)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n');
      return;
    }
    this.server.handleUpgrade(request, socket, head, (link) => this.welcome(link));
  }

  connected(): boolean {
    return this.open.length > 0;
  }

  /** How many sockets take payloads. */
  get size(): number {
    return this.open.length;
  }

  send(delivery: Delivery): Promise<Ack> {
    return this.sendFrame(JSON.stringify(envelopeOf(delivery)), delivery.envelopeId);
  }

  /** Any frame; resolves with the acknowledgement of this envelope, or never. */
  sendFrame(frame: string | Buffer, envelopeId: string): Promise<Ack> {
    const link = this.open.shift();
    if (link === undefined) return Promise.resolve({ ok: false, error: 'dispatch_failed' });
    this.open.push(link);
    return new Promise((resolve) => {
      const others = this.waiting.get(envelopeId) ?? [];
      this.waiting.set(envelopeId, [...others, resolve]);
      link.send(frame);
    });
  }

  /** Takes one socket away, or all; a later payload goes to another one. */
  drop(reason: DropReason, all: boolean): void {
    for (const link of all ? [...this.open] : this.open.slice(0, 1)) {
      this.forget(link);
      if (reason === 'cut') link.terminate();
      else this.dismiss(link, reason);
    }
  }

  close(): void {
    for (const link of this.server.clients) {
      link.close(1001);
      setTimeout(() => link.terminate(), closingTime).unref();
    }
    this.server.close();
    this.open = [];
  }

  private welcome(link: WebSocket): void {
    link.on('error', () => undefined);
    if (this.open.length >= mostSockets) {
      this.dismiss(link, 'too_many_websockets');
      return;
    }
    this.open.push(link);
    link.on('message', (data) => this.receive(String(data)));
    link.on('close', () => this.forget(link));
    link.send(
      JSON.stringify({
        type: 'hello',
        num_connections: this.open.length,
        debug_info: debugInfo(),
        connection_info: { app_id: this.world.settings.appId },
      }),
    );
    this.world.changes.bump();
  }

  private receive(text: string): void {
    const answer = parseJson(text);
    const envelopeId = isObject(answer) ? textOf(answer['envelope_id']) : undefined;
    if (!isObject(answer) || envelopeId === undefined) {
      this.world.traffic.warn('socket', `not an acknowledgement: ${text.slice(0, 200)}`);
      return;
    }
    const [resolve, ...others] = this.waiting.get(envelopeId) ?? [];
    if (resolve === undefined) {
      this.world.traffic.warn('socket', `acknowledged twice or never sent: ${envelopeId}`);
      return;
    }
    this.waiting.set(envelopeId, others);
    resolve({ ok: true, body: readAckBody(answer['payload']) });
  }

  private dismiss(link: WebSocket, reason: string): void {
    link.send(JSON.stringify({ type: 'disconnect', reason, debug_info: debugInfo() }));
    link.close();
  }

  private forget(link: WebSocket): void {
    this.open = this.open.filter((other) => other !== link);
    this.world.changes.bump();
  }
}

function debugInfo(): Json {
  return { host: 'local-workspace', build_number: 1, approximate_connection_time: 3_600 };
}

function envelopeOf(delivery: Delivery): Json {
  const { kind, envelopeId, payload, retry } = delivery;
  const base = { envelope_id: envelopeId, type: kind, payload };
  if (kind !== 'events_api') return { ...base, accepts_response_payload: true };
  const { attempt, reason } = retry;
  return {
    ...base,
    accepts_response_payload: false,
    retry_attempt: attempt,
    retry_reason: reason,
  };
}
