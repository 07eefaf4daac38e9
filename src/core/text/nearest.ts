import { closest, distance } from 'fastest-levenshtein';

/** The nearest of several names, close enough to be a slip of the keyboard; else undefined. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word === '' || names.length === 0) return undefined;
  const lower = word.toLowerCase();
  const swapped = names.find((name) => isSwap(lower, name.toLowerCase()));
  if (swapped !== undefined) return swapped;
  const found = closest(
    lower,
    names.map((name) => name.toLowerCase()),
  );
  const limit = Math.max(1, Math.floor(Math.min(lower.length, found.length) / 3));
  return distance(lower, found) <= limit
    ? names.find((name) => name.toLowerCase() === found)
    : undefined;
}

/** `; did you mean x?` for a near miss, else nothing. */
export function didYouMean(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Two neighbouring letters in the wrong order: the commonest slip, and two edits to Levenshtein. */
function isSwap(typed: string, meant: string): boolean {
  if (typed.length !== meant.length) return false;
  const at = [...typed].findIndex((letter, index) => letter !== meant[index]);
  const second = at + 2;
  return (
    at >= 0 &&
    typed[at] === meant[at + 1] &&
    typed[at + 1] === meant[at] &&
    typed.slice(second) === meant.slice(second)
  );
}
