import type { TrafficEntry } from '../protocol/page-protocol.ts';
import type { Changes } from './changes.ts';
import type { WorkspaceClock } from './options.ts';

/** A line of the traffic log with everything that crossed the wire. */
export type TrafficRecord = TrafficEntry & { readonly sent: unknown; readonly answered: unknown };

type NewRecord = {
  readonly direction: TrafficEntry['direction'];
  readonly what: string;
  readonly sent: unknown;
  readonly answered?: unknown;
  readonly problem?: string | undefined;
  readonly startedAt?: number;
};

const kept = 5_000;
const detailLength = 4_000;

/** The log of all that went to the bot and came from it. */
export class Traffic {
  private records: TrafficRecord[] = [];
  private readonly clock: WorkspaceClock;
  private readonly changes: Changes;

  constructor(clock: WorkspaceClock, changes: Changes) {
    this.clock = clock;
    this.changes = changes;
  }

  /** Milliseconds of the workspace's clock, to be handed back as `startedAt`. */
  start(): number {
    return this.clock.now().toMillis();
  }

  add(entry: NewRecord): void {
    const now = this.clock.now();
    const answered = entry.answered ?? null;
    const shown = answered === null ? entry.sent : { sent: entry.sent, answered };
    this.records.push({
      at: now.toISO(),
      direction: entry.direction,
      what: entry.what,
      detail: (JSON.stringify(shown) ?? '').slice(0, detailLength),
      problem: entry.problem ?? null,
      milliseconds: entry.startedAt === undefined ? null : now.toMillis() - entry.startedAt,
      sent: entry.sent,
      answered,
    });
    if (this.records.length > kept) this.records = this.records.slice(-kept);
    this.changes.bump();
  }

  /** A problem that belongs to no single call. */
  warn(what: string, problem: string): void {
    this.add({ direction: 'from-bot', what, sent: {}, problem });
  }

  /** Oldest first. */
  all(): readonly TrafficRecord[] {
    return this.records;
  }

  clear(): void {
    this.records = [];
  }
}
