/** Where a person stands: kept in the URL's hash, so that a place can be linked to. */
export type Place = {
  readonly as: string | null;
  /** A channel id, or `home` for the bot's Home tab. */
  readonly in: string | null;
  /** The `ts` of an open thread. */
  readonly thread: string | null;
};

/** The Home tab's place among the channels. */
export const HOME = 'home';

/** Reads `#as=U01ANA&in=C0OPS&thread=…`; unknown keys are ignored. */
export function readPlace(hash: string): Place {
  const keys = new URLSearchParams(hash.replace(/^#/, ''));
  return {
    as: keys.get('as') || null,
    in: keys.get('in') || null,
    thread: keys.get('thread') || null,
  };
}

/** The hash of a place; what is null is left out. */
export function writePlace(place: Place): string {
  const keys = new URLSearchParams();
  if (place.as) keys.set('as', place.as);
  if (place.in) keys.set('in', place.in);
  if (place.thread) keys.set('thread', place.thread);
  return `#${keys.toString()}`;
}
