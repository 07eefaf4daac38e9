import type { Clock } from '../core/ports/ports.ts';

/** A clock may differ from another replica's by this much; more means that it was set back. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** When things end that live for a while, by a clock that nobody can set back. */
export type Lifetimes = {
  begin(id: string, lastsMs: number): void;
  /** False for what another process began: only the wall clock bounds it. */
  isOver(id: string): boolean;
  forget(id: string): void;
};

export function createLifetimes(clock: Clock): Lifetimes {
  const ends = new Map<string, number>();
  return {
    begin: (id, lastsMs) => void ends.set(id, clock.monotonic() + lastsMs),
    isOver: (id) => (ends.get(id) ?? Number.POSITIVE_INFINITY) <= clock.monotonic(),
    forget: (id) => void ends.delete(id),
  };
}
