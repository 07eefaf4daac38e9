import type { ChannelCard } from '../card/card.ts';
import type { MessageRef, Notification } from './outbox.ts';
import type { Actor, Place } from './ports.ts';
import type { Follow } from './sight.ts';

/** A change on its way, as it is kept. */
export type Following = {
  readonly id: string;
  readonly follow: Follow;
  /** As the channel was told of it; its headline goes on. */
  readonly card: ChannelCard;
  readonly actor: Actor;
  readonly place: Place;
  readonly journal: number;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly progress: FollowProgress;
  /** Where its message stands; absent where nobody knows. */
  readonly message?: MessageRef | undefined;
  /** Something later was asked of the same service or pipe. */
  readonly overtaken: boolean;
};

export type FollowProgress = {
  readonly looks: number;
  /** As last seen, and since when it is so (ISO 8601). */
  readonly state?: string | undefined;
  readonly since?: string | undefined;
  /** When it was last seen at all. */
  readonly seenAt?: string | undefined;
  /** The channel was told that it takes long. */
  readonly slow?: boolean | undefined;
  /** The channel was told that nobody can look. */
  readonly blind?: boolean | undefined;
};

/** Every method throws AppError `storage`. */
export type Follows = {
  /** Those that are due, claimed by this process for a minute. */
  take(limit: number): Promise<readonly Following[]>;
  /** In one transaction with what is told of it. `againInMs` absent: it has ended. */
  save(
    id: string,
    next: {
      readonly progress: FollowProgress;
      readonly againInMs?: number | undefined;
      readonly tell: readonly Notification[];
    },
  ): Promise<void>;
};
