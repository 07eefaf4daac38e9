/** What a method answers instead of doing its work: an error code, or a status such as 429. */
export type Failure = string | { readonly status: number; readonly retryAfter?: number };

/** How a socket is taken away: announced in one of the real ways, or cut without a word. */
export type DropReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'cut';

/** Misbehaviour on demand. Everything here is off in a fresh or reset workspace. */
export class Faults {
  private failures = new Map<string, Failure[]>();
  private delays = new Map<string, number>();
  private heldAcks = 0;
  /** New files cannot be shown for so many ms. */
  fileNotReadyFor = 0;
  usersInfoDown = false;
  /** User groups need a paid plan: `plan_upgrade_required`. */
  planUpgradeRequired = false;
  /** Whether the native chart and table blocks are accepted. */
  nativeData = true;

  /** The next `times` calls of the method fail so. `*` stands for any method. */
  failNext(method: string, failure: Failure, times = 1): void {
    const list = this.failures.get(method) ?? [];
    this.failures.set(method, [...list, ...Array.from({ length: times }, () => failure)]);
  }

  /** Every call of the method waits so long, in ms of the workspace's clock; 0 ends it. */
  delay(method: string, milliseconds: number): void {
    this.delays.set(method, milliseconds);
  }

  /** The next `times` acknowledgements, events aside, are lost on their way: the person sees a failure. */
  holdAck(times = 1): void {
    this.heldAcks += times;
  }

  /** New files stay unusable for so many ms, as while the real service processes them. */
  fileNotReady(milliseconds: number): void {
    this.fileNotReadyFor = milliseconds;
  }

  /** Takes one planned failure of the method, if any. */
  takeFailure(method: string): Failure | undefined {
    return this.failures.get(method)?.shift() ?? this.failures.get('*')?.shift();
  }

  delayOf(method: string): number {
    return this.delays.get(method) ?? 0;
  }

  takeHeldAck(): boolean {
    if (this.heldAcks === 0) return false;
    this.heldAcks -= 1;
    return true;
  }

  reset(nativeData: boolean): void {
    this.failures = new Map();
    this.delays = new Map();
    this.heldAcks = 0;
    this.fileNotReadyFor = 0;
    this.usersInfoDown = false;
    this.planUpgradeRequired = false;
    this.nativeData = nativeData;
  }
}
