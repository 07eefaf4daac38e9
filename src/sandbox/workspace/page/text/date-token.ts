export type When = {
  /** IANA zone of the reader. */
  readonly zone: string;
  /** The workspace's present moment, ISO 8601: "today" is told by it, never by the browser's clock. */
  readonly now: string;
};

type Parts = Readonly<Record<string, string>>;
const LOCALE = 'en-GB';
const DAY_MS = 86_400_000;
/** Beyond it, Intl throws instead of formatting. */
const LATEST_SECONDS = 8_640_000_000_000;

function format(ms: number, zone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: zone }).format(ms);
}

function day(ms: number, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(ms);
}

/** `today`, `yesterday`, `tomorrow` in the reader's zone, or null. */
function relativeDay(ms: number, when: When): string | null {
  const now = Date.parse(when.now);
  const that = day(ms, when.zone);
  if (that === day(now, when.zone)) return 'today';
  if (that === day(now - DAY_MS, when.zone)) return 'yesterday';
  return that === day(now + DAY_MS, when.zone) ? 'tomorrow' : null;
}

function ago(ms: number, when: When): string {
  const minutes = Math.round((ms - Date.parse(when.now)) / 60_000);
  const words = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
  if (Math.abs(minutes) < 60) return words.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 48
    ? words.format(hours, 'hour')
    : words.format(Math.round(hours / 24), 'day');
}

function parts(ms: number, when: When): Parts {
  const { zone } = when;
  const date = format(ms, zone, { day: 'numeric', month: 'long', year: 'numeric' });
  const short = format(ms, zone, { day: 'numeric', month: 'short', year: 'numeric' });
  const long = format(ms, zone, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  });
  const near = relativeDay(ms, when);
  return {
    date,
    date_num: day(ms, zone),
    date_slash: format(ms, zone, { day: '2-digit', month: '2-digit', year: 'numeric' }),
    date_short: short,
    date_long: long,
    date_long_full: long,
    date_pretty: near ?? date,
    date_short_pretty: near ?? short,
    date_long_pretty: near ?? long,
    time: format(ms, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    time_secs: format(ms, zone, { timeStyle: 'medium', hourCycle: 'h23' }),
    ago: ago(ms, when),
  };
}

/**
 * The words of `<!date^seconds^format|fallback>` for one reader. A relative day at the very start is
 * capitalised, as a sentence would be; a format with an unknown part yields null: show the fallback.
 */
export function formatDateToken(seconds: number, pattern: string, when: When): string | null {
  if (!(Math.abs(seconds) < LATEST_SECONDS)) return null;
  const known = parts(seconds * 1000, when);
  let complete = true;
  const filled = pattern.replace(/\{([a-z_]+)\}/g, (found, name: string) => {
    const value = known[name];
    if (value === undefined) complete = false;
    return value ?? found;
  });
  if (!complete) return null;
  return filled.replace(
    /^(today|yesterday|tomorrow)/,
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  );
}

/** `10:07` of a message's `ts` in the reader's zone. */
export function timeOfDay(seconds: number, zone: string): string {
  return format(seconds * 1000, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** The heading over the messages of a day: `Today`, `Yesterday` or the long date. */
export function dayHeading(seconds: number, when: When): string {
  return formatDateToken(seconds, '{date_long_pretty}', when) ?? '';
}

/** The day of a `ts` in the reader's zone, `2026-11-27`: equal for messages under one heading. */
export function dayKey(seconds: number, zone: string): string {
  return day(seconds * 1000, zone);
}
