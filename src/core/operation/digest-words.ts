import type { Place } from '../ports/ports.ts';
import type { DigestSettings } from '../settings/settings.ts';
import { say } from '../text/text.ts';
import type { Problem } from './outcome.ts';

/** The channel that a summary belongs to; App Home and global shortcuts have none. */
export function digestChannel(place: Place): string | Problem {
  if (place !== 'home') return place.channelId;
  return { field: 'channel', problem: say`A cost summary belongs to a channel: ask there.` };
}

/** `every day at 09:00 Europe/Berlin`. */
export function scheduleText({ every, at, zone }: DigestSettings): string {
  const when = { day: 'every day', week: 'every week', month: 'every month' }[every];
  return `${when} at ${at} ${zone}`;
}

/** `all services`, `tag:prod, analytics`. */
export function scopeText({ services }: Pick<DigestSettings, 'services'>): string {
  return services.includes('*') ? 'all services' : services.join(', ');
}

/** Below this nobody would call it late. */
const LATE_MS = 30 * 60_000;

/** `2 h`, `45 min`; undefined for what is not worth a word. */
export function lateText(lateMs: number): string | undefined {
  if (lateMs < LATE_MS) return undefined;
  const minutes = Math.round(lateMs / 60_000);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
