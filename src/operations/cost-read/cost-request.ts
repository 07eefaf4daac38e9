import { type RangeFault, type RangeSpec, readRange } from '../../cost/book/range.ts';

export const GROUPINGS = ['service', 'day', 'metric', 'tag'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const LAST_SEVEN_DAYS: RangeSpec = { kind: 'days', count: 7 };

/** What was typed for a range: `7d`, and what people write beside it: `scratch 7d by day`. */
export type CostRequest = {
  readonly spec: RangeSpec;
  /** The words of the range alone. */
  readonly text: string;
  readonly service?: string | undefined;
  readonly by?: Grouping | undefined;
};

const BY = new RegExp(`(?:^|\\s)(?:by|per)\\s+(${GROUPINGS.join('|')})s?$`, 'iu');

/** Never throws. What is neither a range nor a table's order is left as a service. */
export function readCostRequest(text: string): CostRequest | RangeFault {
  const by = GROUPINGS.find((each) => each === BY.exec(text)?.[1]?.toLowerCase());
  const rest = by === undefined ? text : text.replace(BY, '');
  const words = rest.split(/\s+/u).filter((word) => word !== '');
  if (words.length === 0) return { spec: LAST_SEVEN_DAYS, text: '7d', by };
  const whole = readRange(words.join(' '));
  if (!('fault' in whole)) return { spec: whole, text: words.join(' '), by };
  const { left, ...range } = longestRange(words) ?? {
    ...{ spec: LAST_SEVEN_DAYS, text: '7d' },
    left: words,
  };
  return left.some(isOfATime) ? whole : { ...range, by, service: left.join(' ') };
}

/** The longest range at either end of the words, and the words that are not of it. */
function longestRange(words: readonly string[]) {
  for (let count = words.length - 1; count > 0; count -= 1) {
    for (const from of [0, words.length - count]) {
      const text = words.slice(from, from + count).join(' ');
      const spec = readRange(text);
      const left = [...words.slice(0, from), ...words.slice(from + count)];
      if (!('fault' in spec)) return { spec, text, left };
    }
  }
  return undefined;
}

/** Of a time that was meant and is not understood: never taken for the name of a service. */
function isOfATime(word: string): boolean {
  return /^(?:\d{4}-\d.*|\d+(?:d|days?|w|weeks?|m|months?)?|days?|weeks?|months?|years?|last|this|since|from|to|today)$/iu.test(
    word,
  );
}
