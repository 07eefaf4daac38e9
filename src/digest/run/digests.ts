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
/** A summary that is missing is told for so long. */
const TOLD_FOR_DAYS = 14;
const WHOLE: Pick<DigestSettings, 'services' | 'every'> = { services: ['*'], every: 'day' };

/** What `/db digest on|off|now|status` may do. Throws AppError `storage`. Design: §9. */
export function createDigests(options: DigestsOptions): Digests {
  const { schedules, subscriptions, ledger, writer, clock } = options;
  return {
    find: (channel) => schedules.find(channel),
    nextAt: (digest) => nextSlot(digest, clock.now())?.at.toISO() ?? '',
    posted: async (scope) => {
      const [entry] = await ledger.recent(scope, 1);
      if (entry === undefined) return undefined;
      const { snapshot } = entry;
      const withoutData = writer.isWithoutData(snapshot);
      return { ...entry, lateMs: writer.lateOf(snapshot), withoutData };
    },
    missed: (scope) => {
      const back = scope.period === 'month' ? ONE_PERIOD.days * 2 : TOLD_FOR_DAYS;
      return ledger.missed(scope, clock.now().minus({ days: back }).toFormat('yyyy-MM-dd'));
    },
    muted: (channel) => options.mutes.list(channel),
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
    mute: (channel, entity) => options.mutes.mute(channel, entity),
    unmute: (channel, entityId) => options.mutes.unmute(channel, entityId),
  };
}
