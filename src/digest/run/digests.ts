import type {
  DigestLedger,
  DigestSubscriptions,
  Digests,
  DigestWriter,
} from '../../core/ports/digests.ts';
import type { Clock } from '../../core/ports/ports.ts';
import type { DigestSettings } from '../../core/settings/settings.ts';
import type { Mutes, Schedules } from './schedules.ts';
import { dueSlots, nextSlot } from './slots.ts';

export type DigestsOptions = {
  readonly schedules: Schedules;
  readonly subscriptions: DigestSubscriptions;
  readonly ledger: DigestLedger;
  readonly writer: DigestWriter;
  readonly clock: Clock;
  readonly mutes: Mutes;
};

/** Longer than the longest month, so that one slot of any period is within it. */
const ONE_PERIOD = { days: 33 };
const WHOLE: Pick<DigestSettings, 'services' | 'every'> = { services: ['*'], every: 'day' };

/** What `/db digest on|off|now|status` may do. Throws AppError `storage`. Design: §9. */
export function createDigests(options: DigestsOptions): Digests {
  const { schedules, subscriptions, ledger, writer, clock } = options;
  return {
    find: (channel) => schedules.find(channel),
    nextAt: (digest) => nextSlot(digest, clock.now())?.at.toISO() ?? '',
    posted: async (scope) => (await ledger.recent(scope, 1))[0],
    dueLast: async (digest, scope) => {
      const now = clock.now();
      const last = dueSlots(digest, now.minus(ONE_PERIOD), now).at(-1);
      return last === undefined ? undefined : await ledger.find({ ...scope, day: last.day });
    },
    preview: async (channel, organization) => {
      const digest = (await schedules.find(channel))?.digest ?? WHOLE;
      const now = clock.now();
      const complete = { at: '00:00', zone: 'UTC', every: digest.every };
      const day = dueSlots(complete, now.minus(ONE_PERIOD), now).at(-1)?.day ?? '';
      const key = { channel, organization, period: digest.every, day };
      const [draft] = await writer.write(organization, [{ key, digest }]);
      const card = draft?.card ?? { tone: 'plain' as const, headline: [] };
      return { ...card, audience: 'requester', shareable: true };
    },
    start: async (channel, { at, zone }, by) => {
      // A time that has passed today is not caught up: it was not yet promised.
      const since = clock.now().toISO();
      await schedules.remember(channel, { at, zone, since });
      await subscriptions.set(channel, true, by);
      const digest = (await schedules.find(channel))?.digest ?? { ...WHOLE, at, zone };
      return { channel, digest, enabled: true, owner: by, since };
    },
    stop: (channel, by) => subscriptions.set(channel, false, by),
    mute: (channel, entityId) => options.mutes.mute(channel, entityId),
  };
}
