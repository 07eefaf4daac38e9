import { z } from 'zod';
import type {
  DigestSubscription,
  DigestSubscriptions,
  Muted,
  ScheduledDigest,
} from '../../core/ports/digests.ts';
import type { Clock } from '../../core/ports/ports.ts';
import type { SmallMemory } from '../../core/ports/stores.ts';
import type { CurrentSettings, DigestSettings } from '../../core/settings/settings.ts';

/** What `digest on` was typed with; from `since` on. */
const typed = z.object({ at: z.string(), zone: z.string(), since: z.string() });
export type TypedSchedule = z.output<typeof typed>;

export type Schedules = {
  list(): Promise<readonly ScheduledDigest[]>;
  find(channel: string): Promise<ScheduledDigest | undefined>;
  /** Remembers what was typed for a channel. */
  remember(channel: string, schedule: TypedSchedule): Promise<void>;
};

export type ScheduleSources = {
  readonly settings: CurrentSettings;
  readonly subscriptions: DigestSubscriptions;
  readonly memory: SmallMemory;
};

/** Every channel with a summary: `steward.yaml`, and over it what was decided in Slack. */
export function createSchedules(sources: ScheduleSources): Schedules {
  const { settings, subscriptions, memory } = sources;
  const inFile = () => {
    const { channels } = settings.get();
    return new Map(channels.map(({ id, digest }) => [id, digest]));
  };
  const made = async (subscription: DigestSubscription) =>
    scheduled(
      subscription,
      inFile().get(subscription.channel),
      await typedFor(memory, subscription),
    );
  return {
    list: async () => {
      const known = new Map((await subscriptions.list()).map((one) => [one.channel, one]));
      for (const [channel, digest] of inFile()) {
        if (digest !== undefined && !known.has(channel))
          known.set(channel, { channel, failures: 0 });
      }
      const all = await Promise.all([...known.values()].map(made));
      return all.filter((one) => one !== undefined);
    },
    find: async (channel) => await made(await subscriptions.get(channel)),
    remember: (channel, schedule) => memory.set(keyOf(channel), schedule),
  };
}

async function typedFor(
  memory: SmallMemory,
  { channel, enabled }: DigestSubscription,
): Promise<TypedSchedule | undefined> {
  if (enabled === undefined) return undefined;
  const read = typed.safeParse(await memory.get(keyOf(channel)));
  return read.success ? read.data : undefined;
}

/** Undefined for a channel that has no summary and never had one. */
function scheduled(
  subscription: DigestSubscription,
  inFile: DigestSettings | undefined,
  typedSchedule: TypedSchedule | undefined,
): ScheduledDigest | undefined {
  const { channel, enabled, paused, changedBy } = subscription;
  if (inFile === undefined && typedSchedule === undefined) return undefined;
  const base = inFile ?? { at: '09:00', zone: 'UTC', services: ['*'], every: 'day' };
  const timing =
    typedSchedule === undefined ? {} : { at: typedSchedule.at, zone: typedSchedule.zone };
  return {
    channel,
    digest: { ...base, ...timing },
    enabled: enabled ?? true,
    paused,
    owner: enabled === true ? changedBy : undefined,
    since: typedSchedule?.since,
  };
}

function keyOf(channel: string): string {
  return `digest.schedule:${channel}`;
}

/** What a channel does not want to hear of for a while. */
export type Mutes = {
  /** Until the returned moment, ISO 8601. */
  mute(channel: string, entity: Omit<Muted, 'until'>): Promise<string>;
  /** False where it was not muted. */
  unmute(channel: string, entityId: string): Promise<boolean>;
  isMuted(channel: string, entityId: string): Promise<boolean>;
  /** What ends first at first. */
  list(channel: string): Promise<readonly Muted[]>;
};

const MUTED_FOR = { days: 7 };
/** Earlier versions kept the moment alone. */
const kept = z.union([
  z.object({ until: z.string(), name: z.string() }),
  z.string().transform((until) => ({ until, name: undefined })),
]);

export function createMutes(memory: SmallMemory, clock: Clock): Mutes {
  const running = (value: unknown) => {
    const read = kept.safeParse(value);
    return read.success && read.data.until > clock.now().toISO() ? read.data : undefined;
  };
  const isMuted = async (channel: string, entityId: string) =>
    running(await memory.get(muteKey(channel, entityId))) !== undefined;
  return {
    isMuted,
    mute: async (channel, { entityId, name }) => {
      const until = clock.now().plus(MUTED_FOR).toISO();
      await memory.set(muteKey(channel, entityId), { until, name });
      return until;
    },
    unmute: async (channel, entityId) => {
      const was = await isMuted(channel, entityId);
      if (was) await memory.set(muteKey(channel, entityId), null);
      return was;
    },
    list: async (channel) => {
      const prefix = muteKey(channel, '');
      const muted = [...(await memory.list(prefix))].flatMap(([key, value]) => {
        const one = running(value);
        const entityId = key.slice(prefix.length);
        return one === undefined
          ? []
          : [{ entityId, name: one.name ?? entityId, until: one.until }];
      });
      return muted.toSorted((one, other) => (one.until < other.until ? -1 : 1));
    },
  };
}

function muteKey(channel: string, entityId: string): string {
  return `digest.mute:${channel}:${entityId}`;
}
