/** Chance that can be repeated: the same seed gives the same sequence. */
export type Chance = {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(all: readonly T[]): T;
};

/** `SEED=n` repeats a run; else it is drawn, and printed with the table. */
export function seedOfRun(): number {
  const given = Number(process.env['SEED'] ?? 'NaN');
  return Number.isInteger(given) ? given : Math.floor(Math.random() * 1_000_000);
}

/** mulberry32 */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (all) => all[Math.floor(next() * all.length)] as (typeof all)[number],
  };
}
