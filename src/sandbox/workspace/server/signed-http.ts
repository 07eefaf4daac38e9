import { createHmac } from 'node:crypto';
import type { Json } from '../protocol/page-protocol.ts';
import type { World } from '../state/world.ts';
import type { Ack, Delivery, EnvelopeKind, Transport } from '../state/world-types.ts';
import { readAckBody } from './acknowledgement.ts';

/** What a signed request can be made to look like, for attacks. Seconds since the epoch. */
export type Forgery = { readonly secret?: string; readonly timestamp?: number | string };

/** A body that no payload would have, byte by byte. */
export type RawRequest = { readonly contentType: string; readonly body: string };

/** What the bot answered, unread. */
export type RawReply = { readonly status: number; readonly body: string };

/** Delivery as signed requests; several replicas take turns. */
export class SignedHttp implements Transport {
  private urls: readonly string[];
  private turn = 0;
  private readonly world: World;

  constructor(world: World, urls: readonly string[]) {
    this.world = world;
    this.urls = urls;
  }

  /** Where the bot listens, once it is known; a bare origin means `/slack/events` there. */
  setUrls(urls: readonly string[]): void {
    this.urls = urls;
    this.world.changes.bump();
  }

  connected(): boolean {
    return this.urls.some((url) => url !== '');
  }

  async send(delivery: Delivery): Promise<Ack> {
    try {
      const { status, body } = await this.post(delivery, {});
      if (status !== 200) return { ok: false, error: `http_status_${status}` };
      return { ok: true, body: readAckBody(body) };
    } catch {
      return { ok: false, error: 'dispatch_failed' };
    }
  }

  /** One request, signed with the app's secret and the present time unless told otherwise. */
  async post(delivery: Delivery, forgery: Forgery): Promise<RawReply> {
    const { attempt, reason } = delivery.retry;
    const retry = { 'x-slack-retry-num': String(attempt), 'x-slack-retry-reason': reason };
    const request = encode(delivery.kind, delivery.payload);
    return await this.request(request, forgery, attempt > 0 ? retry : {});
  }

  /** As `post`, with whatever body. */
  async request(
    { contentType, body }: RawRequest,
    forgery: Forgery,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RawReply> {
    const url = this.urls[this.turn % this.urls.length] ?? '';
    this.turn += 1;
    const timestamp = String(forgery.timestamp ?? Math.floor(this.world.now() / 1_000));
    const secret = forgery.secret ?? this.world.settings.signingSecret;
    const response = await fetch(eventsUrl(url), {
      method: 'POST',
      headers: {
        'content-type': contentType,
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': sign(secret, timestamp, body),
        ...headers,
      },
      body,
      signal: this.world.signal,
    });
    return { status: response.status, body: await response.text() };
  }

  close(): void {
    this.urls = [];
  }
}

function sign(secret: string, timestamp: string, body: string): string {
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return `v0=${digest}`;
}

function eventsUrl(base: string): string {
  const url = new URL(base);
  return url.pathname === '/' ? new URL('/slack/events', url).href : url.href;
}

function encode(kind: EnvelopeKind, payload: Json): RawRequest {
  const form = 'application/x-www-form-urlencoded';
  switch (kind) {
    case 'slash_commands':
      return { contentType: form, body: new URLSearchParams(fieldsOf(payload)).toString() };
    case 'interactive': {
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      return { contentType: form, body };
    }
    case 'events_api':
      return { contentType: 'application/json', body: JSON.stringify(payload) };
  }
}

/** A form knows text only: a list is a field that comes several times, null one that does not. */
function fieldsOf(payload: Json): [string, string][] {
  return Object.entries(payload).flatMap(([key, value]) =>
    [value]
      .flat()
      .filter((item) => item !== null && item !== undefined)
      .map((item): [string, string] => [key, String(item)]),
  );
}
