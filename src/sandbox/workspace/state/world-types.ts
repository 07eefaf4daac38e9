import type { Json, StateValues } from '../protocol/page-protocol.ts';
import type { PersonaSeed } from './options.ts';

/** `dm` is the id of the person's direct messages with the bot. */
export type User = PersonaSeed & { readonly teamId: string; readonly dm: string };

export type Channel = {
  readonly id: string;
  readonly name: string;
  kind: 'public' | 'private' | 'dm';
  /** User ids, the bot's among them. */
  readonly members: Set<string>;
  archived: boolean;
  sharedWith: string | null;
  pendingShare: boolean;
};

export type Message = {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | null;
  readonly userId: string;
  readonly fromBot: boolean;
  /** The one who sees it, for an ephemeral message. */
  readonly ephemeralFor: string | null;
  text: string;
  blocks: readonly Json[];
  files: readonly string[];
  metadata: Json | null;
  edited: boolean;
  readonly reactions: Map<string, Set<string>>;
  /** What each person has chosen in it. */
  readonly typed: Map<string, StateValues>;
};

export type View = {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly userId: string;
  readonly rootId: string;
  readonly previousId: string | null;
  /** What the bot sent, with generated ids filled in. */
  body: Json;
  hash: string;
  typed: StateValues;
  errors: Readonly<Record<string, string>>;
  busy: boolean;
};

/** The right to open one modal soon. Facts: Modals. */
export type Trigger = {
  readonly userId: string;
  readonly expiresAt: number;
  /** The modal it came from, for `views.push`. */
  readonly viewId: string | null;
  used: boolean;
};

/** What one response URL may still do. Facts: Messages. */
export type ResponseUrl = {
  readonly id: string;
  readonly channel: string;
  readonly userId: string;
  /** The `ts` of the message it belongs to; a command has none. */
  readonly original: string | null;
  readonly threadTs: string | null;
  readonly expiresAt: number;
  uses: number;
};

/** A file between the first step of its upload and its use in a message. */
export type StoredFile = {
  readonly id: string;
  readonly ticket: string;
  readonly name: string;
  readonly length: number;
  title: string;
  bytes: Buffer | null;
  complete: boolean;
  channels: readonly string[];
  /** Milliseconds of the workspace's clock from which it can be shown. */
  readyAt: number;
};

export type UserGroup = {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  users: readonly string[];
};

/** What the bot made of a delivery. */
export type Ack =
  | { readonly ok: true; readonly body: Json }
  | { readonly ok: false; readonly error: string };

export type EnvelopeKind = 'slash_commands' | 'interactive' | 'events_api';

/** A payload in its envelope, as it is sent and sent again. */
export type Delivery = {
  readonly kind: EnvelopeKind;
  readonly envelopeId: string;
  readonly payload: Json;
  /** Kept through a redelivery, as the real service does. */
  readonly retry: { readonly attempt: number; readonly reason: string };
};

/** How payloads reach the bot: over a socket, or as signed requests. */
export type Transport = {
  /** Resolves with the answer, or with a failure after 3 s of the workspace's clock. */
  send(delivery: Delivery): Promise<Ack>;
  connected(): boolean;
  close(): void;
};
