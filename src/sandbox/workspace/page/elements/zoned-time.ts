const MINUTE = 60;

/** How far a zone is ahead of UTC at a moment, in seconds. */
function offsetAt(seconds: number, zone: string): number {
  return (
    Math.round(Date.parse(`${localText(seconds, zone)}:00Z`) / 1000) -
    Math.floor(seconds / MINUTE) * MINUTE
  );
}

/** Unix seconds as the text of `<input type=datetime-local>` in a zone: `2026-11-27T10:07`. */
export function localText(seconds: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(seconds * 1000);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '00';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`;
}

/**
 * Unix seconds of a wall time in a zone; null for no time. A wall time that the clock skips is taken
 * an hour later; one that it shows twice is the earlier.
 */
export function secondsOfLocal(text: string, zone: string): number | null {
  // Date.parse alone would take `:00Z`, and so an empty field, for the year 2000.
  if (!/^\d{4,}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const asUtc = Date.parse(`${text}:00Z`) / 1000;
  if (!Number.isFinite(asUtc)) return null;
  const before = asUtc - offsetAt(asUtc - 86_400, zone);
  const after = asUtc - offsetAt(asUtc + 86_400, zone);
  const fits = [before, after].filter((candidate) => localText(candidate, zone) === text);
  return fits.length > 0 ? Math.min(...fits) : before;
}
