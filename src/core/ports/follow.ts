import type { ChannelCard } from '../card/card.ts';
import type { MessageRef, Notification } from './outbox.ts';
import type { Actor, Directory, Place } from './ports.ts';
import type { Follow } from './sight.ts';

/** A change on its way, as it is kept. */
export type Following = {
  readonly id: string;
  /** Of the look that it was taken for. */
  readonly claim: string;
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
  /**
   * In one transaction with what is told of it. `againInMs` absent: it has ended. Where the look took
   * longer than the claim, and another process took it meanwhile, nothing is kept or told.
   */
  save(
    of: Pick<Following, 'id' | 'claim'>,
    next: {
      readonly progress: FollowProgress;
      readonly againInMs?: number | undefined;
      readonly tell: readonly Notification[];
    },
  ): Promise<void>;
};

/** A service as its cloud lists it. */
export type ListedService = {
  readonly id: string;
  readonly name?: string | undefined;
  readonly state?: string | undefined;
  /** `team:data` */
  readonly tags: readonly string[];
};

/** The directory as it is stored; who looks at the clouds for it stands in `sight`. Throws AppError `storage`. */
export type ListedDirectory = Pick<Directory, 'list' | 'note'> & {
  /** The whole list of an organization's cloud: what is not in it stands no longer there. */
  keepList(organization: string, services: readonly ListedService[]): Promise<void>;
  /** One that the cloud showed by itself: it counts as listed until the next list. */
  keepOne(organization: string, service: ListedService): Promise<void>;
  /** ISO 8601; undefined where its cloud never listed its services. */
  listedAt(organization: string): Promise<string | undefined>;
};

/** One activity of a cloud, and when it happened (ISO 8601 in UTC). */
export type SeenActivity = { readonly id: string; readonly at: string };

/** Which activities were looked at, over restarts and replicas. Throws AppError `storage`. */
export type SeenActivities = {
  /** Whether any of them was taken by nobody yet: else none has to be judged. */
  hasNew(organization: string, activities: readonly SeenActivity[]): Promise<boolean>;
  /** Takes those that nobody took, and tells of them in the same transaction. */
  claim(
    organization: string,
    activities: readonly SeenActivity[],
    tell: (claimed: ReadonlySet<string>) => readonly Notification[],
  ): Promise<void>;
};
