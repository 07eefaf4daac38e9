import { type Admin, createAdmin } from './actions/admin.ts';
import { perform } from './actions/perform.ts';
import { lastDelivery, newDelivery, redeliver, send } from './payloads/deliver.ts';
import type { Json, PageAction, PageAnswer, PageState } from './protocol/page-protocol.ts';
import { pageState } from './server/page-state.ts';
import { listen } from './server/server.ts';
import { type Forgery, type RawReply, type RawRequest, SignedHttp } from './server/signed-http.ts';
import { SocketMode } from './server/socket-mode.ts';
import type { DropReason, Faults } from './state/faults.ts';
import { readManifest } from './state/manifest.ts';
import { forgetEphemerals } from './state/messages.ts';
import { readOptions, type WorkspaceOptions } from './state/options.ts';
import type { TrafficRecord } from './state/traffic.ts';
import { findChannel, findUser, World } from './state/world.ts';
import type { Ack, Delivery, EnvelopeKind } from './state/world-types.ts';

/** A running local workspace. Everything is in memory and gone after `close`. */
export type Workspace = {
  /** `http://127.0.0.1:PORT`, where the page is. */
  readonly url: string;
  /** For `clientOptions.slackApiUrl`; ends in `/api/`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly botUserId: string;
  readonly faults: Faults;
  readonly admin: Admin;
  /** Does what a person does on the page; see `perform`. */
  act(action: PageAction): Promise<PageAnswer>;
  /** What the person (id or name) sees. */
  state(person: string): PageState;
  /** The id of a person or channel (`ana`, `#ops`); throws for an unknown one. */
  userId(person: string): string;
  channelId(channel: string): string;
  /** As a reload of the real client: the person's ephemeral messages are gone. */
  reload(person: string): void;
  /** Calls back at every change; returns the function that ends it. */
  onChange(listener: () => void): () => void;
  /** All that crossed the wire, oldest first. */
  traffic(): readonly TrafficRecord[];
  /** Whether the bot can be reached, and over how many sockets. */
  connections(): number;
  /** The last payload (no event, unless asked for), to be edited and delivered again by tests. */
  lastDelivery(kind?: EnvelopeKind): Delivery | null;
  /** Sends any payload in a fresh envelope, signed as ever. */
  deliver(kind: EnvelopeKind, payload: Json): Promise<Ack>;
  /** Sends a payload again, the last one by default: same envelope id, same trigger. */
  redeliver(delivery?: Delivery | null, reason?: string): Promise<Ack>;
  /** HTTP mode: a request with another secret or time stamp, and what the bot answered. */
  deliverForged(kind: EnvelopeKind, payload: Json, forgery: Forgery): Promise<RawReply>;
  /** HTTP mode: a signed request with any body, and what the bot answered. */
  deliverBody(request: RawRequest, forgery?: Forgery): Promise<RawReply>;
  /** Socket Mode: any frame; resolves with the acknowledgement of this envelope, or never. */
  deliverFrame(frame: string | Buffer, envelopeId?: string): Promise<Ack>;
  /** Socket Mode: takes one socket away, or all of them. */
  dropSocket(reason?: DropReason, all?: boolean): void;
  /** HTTP mode: where the bot listens, when it was not known at the start. */
  setBotUrl(url: string | readonly string[]): void;
  reset(): void;
  close(): Promise<void>;
};

/**
 * Starts a local workspace on loopback. Throws when the manifest or a token does not fit, or the
 * port is taken. Design: §11.
 */
export async function startWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const world = new World(readOptions(options), readManifest(options.manifest));
  const { mode } = options;
  const socket = mode === 'socket' ? new SocketMode(world) : null;
  const http = mode === 'socket' ? null : new SignedHttp(world, [mode.http].flat());
  world.transport = socket ?? http;
  const server = await listen({ world, socket, pageDir: options.pageDir }, options.port ?? 0);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  world.baseUrl = options.publicUrl ?? url;
  return {
    url,
    apiUrl: `${url}/api/`,
    ...surfaceOf(world),
    ...deliveryOf(world, socket, http),
    close: () => {
      world.stopTimers();
      socket?.close();
      http?.close();
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function surfaceOf(world: World) {
  const { settings } = world;
  return {
    botToken: settings.botToken,
    appToken: settings.appToken,
    signingSecret: settings.signingSecret,
    botUserId: settings.botUserId,
    faults: world.faults,
    admin: createAdmin(world),
    act: (action: PageAction) => perform(world, action),
    state: (person: string) => pageState(world, findUser(world, person)),
    userId: (person: string) => findUser(world, person).id,
    channelId: (channel: string) => findChannel(world, channel).id,
    reload: (person: string) => forgetEphemerals(world, findUser(world, person).id),
    onChange: (listener: () => void) => world.changes.subscribe(listener),
    traffic: () => world.traffic.all(),
    lastDelivery: (kind?: EnvelopeKind) => lastDelivery(world, kind),
    reset: () => world.reset(),
  };
}

function deliveryOf(world: World, socket: SocketMode | null, http: SignedHttp | null) {
  return {
    connections: () => socket?.size ?? Number(http?.connected() ?? false),
    deliver: (kind: EnvelopeKind, payload: Json) => send(world, newDelivery(world, kind, payload)),
    redeliver: async (delivery = lastDelivery(world), reason = 'timeout') => {
      if (delivery === null) throw new Error('Nothing was delivered yet.');
      return await redeliver(world, delivery, reason);
    },
    deliverForged: async (kind: EnvelopeKind, payload: Json, forgery: Forgery) => {
      if (http === null) throw new Error('Only signed requests can be forged: use HTTP mode.');
      const reply = await http.post(newDelivery(world, kind, payload), forgery);
      const sent = { kind, payload, forgery };
      world.traffic.add({ direction: 'to-bot', what: 'forged', sent, answered: reply });
      return reply;
    },
    deliverBody: async (request: RawRequest, forgery: Forgery = {}) => {
      if (http === null) throw new Error('Only HTTP mode takes bodies.');
      return await http.request(request, forgery);
    },
    deliverFrame: async (frame: string | Buffer, envelopeId = '') => {
      if (socket === null) throw new Error('Only Socket Mode takes frames.');
      return await socket.sendFrame(frame, envelopeId);
    },
    dropSocket: (reason: DropReason = 'refresh_requested', all = false) => {
      if (socket === null) throw new Error('There are sockets in Socket Mode only.');
      socket.drop(reason, all);
    },
    setBotUrl: (url: string | readonly string[]) => {
      if (http === null) throw new Error('The bot has an address in HTTP mode only.');
      http.setUrls([url].flat());
    },
  };
}
