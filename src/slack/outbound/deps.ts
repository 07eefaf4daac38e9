import type { Status } from '../../core/operation/ports.ts';
import type { Registry } from '../../core/operation/registry.ts';
import type { PipelineDeps } from '../../core/pipeline/request.ts';
import type { Actor, Clock, Logger, OneTimeSecrets, Place } from '../../core/ports/ports.ts';
import type { CurrentSettings } from '../../core/settings/settings.ts';
import type { Message } from './blocks.ts';
import type { Richness } from './tables.ts';
import type { SlackWeb } from './web.ts';

/** Modal state that outlives a payload; ids are opaque and bound to their owner. */
export type FormStore = {
  save(form: {
    readonly owner: string;
    readonly value: unknown;
    readonly ttlMs: number;
  }): Promise<string>;
  load(id: string, owner: string): Promise<unknown>;
  update(id: string, owner: string, value: unknown): Promise<boolean>;
  delete(id: string, owner: string): Promise<void>;
};

/** True for the first claim of a key, false for every repeat within the hour. */
export type Deliveries = { claim(key: string): Promise<boolean> };

/** What this workspace's blocks may be, remembered over restarts. */
export type RichnessMemory = {
  get(): Promise<Richness>;
  lower(from: Richness): Promise<Richness>;
};

/** Whether the audit channel takes messages, as it was last seen; shared with `status`. */
export type AuditHealth = {
  failure(): ReturnType<Status['audit']>;
  note(failure: ReturnType<Status['audit']>): void;
};

export type SlackDeps = {
  readonly pipeline: PipelineDeps;
  readonly registry: Registry;
  readonly settings: CurrentSettings;
  readonly forms: FormStore;
  readonly deliveries: Deliveries;
  readonly secrets: OneTimeSecrets;
  readonly richness: RichnessMemory;
  readonly web: SlackWeb;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Replaces configured secrets in what is about to leave: the last line of defence. */
  readonly scrub: (text: string) => string;
  /** Whether the audit channel took the last line. */
  readonly auditHealth: AuditHealth;
  /** Counts running work, so that a stop can wait for it. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
};

/** Where an answer to a payload may go. */
export type ReplyTo = {
  readonly actor: Actor;
  readonly place: Place;
  /** By what a repeat of the payload is known; absent where there is no payload. */
  readonly delivery?: string | undefined;
  /** Fresh for three seconds, for one view. */
  readonly triggerId?: string | undefined;
  /** The payload's response_url. */
  readonly respond?: Respond | undefined;
  /** The pressed message. An ephemeral one has no `ts` that could be updated. */
  readonly pressed?:
    | {
        readonly ephemeral: boolean;
        readonly channelId: string;
        readonly ts?: string | undefined;
      }
    | undefined;
  /** The journal number of the request that is answered. */
  readonly journal?: number | undefined;
};

export type Respond = (answer: {
  readonly message: Message;
  readonly to: 'requester' | 'channel';
  readonly replace: boolean;
}) => Promise<void>;
