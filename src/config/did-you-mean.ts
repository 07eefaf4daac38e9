import { closest, distance } from 'fastest-levenshtein';

/** `; did you mean x?` for a near miss, else nothing. At most a third of the letters may differ. */
export function didYouMean(typed: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const nearest = closest(typed.toLowerCase(), [...known]);
  const limit = Math.max(1, Math.floor(nearest.length / 3));
  return distance(typed.toLowerCase(), nearest.toLowerCase()) <= limit
    ? `; did you mean ${nearest}?`
    : '';
}
