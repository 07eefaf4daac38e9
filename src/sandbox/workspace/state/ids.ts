import type { WorkspaceClock } from './options.ts';

/** Deterministic ids: the same steps after the same seed give the same ids. */
export class Ids {
  private readonly counters = new Map<string, number>();
  private lastMicros = 0;
  private readonly clock: WorkspaceClock;

  constructor(clock: WorkspaceClock) {
    this.clock = clock;
  }

  /** `V0000000001`, `Ev0000000002` …: a prefix and a counter of its own. */
  next(prefix: string): string {
    const count = (this.counters.get(prefix) ?? 0) + 1;
    this.counters.set(prefix, count);
    return `${prefix}${String(count).padStart(10, '0')}`;
  }

  /** A message time stamp, `seconds.micros`; never twice the same, always increasing. */
  ts(): string {
    const micros = Math.max(this.clock.now().toMillis() * 1_000, this.lastMicros + 1);
    this.lastMicros = micros;
    const seconds = Math.floor(micros / 1_000_000);
    return `${seconds}.${String(micros % 1_000_000).padStart(6, '0')}`;
  }

  /** A trigger id in the real service's three-part shape. */
  trigger(): string {
    return `${this.next('')}.7001.${'0'.repeat(24)}fake`;
  }

  reset(): void {
    this.counters.clear();
    this.lastMicros = 0;
  }
}
