/**
 * What a call is answered instead of its answer: an error code, a status (429 says how many seconds
 * to wait), or what only a network does. `hang` answers never.
 */
export type Failure =
  | string
  | {
      readonly status: number;
      readonly retryAfter?: number;
      readonly body?: 'json' | 'text' | 'html';
    }
  | { readonly wire: 'cut' | 'hang' | 'malformed' };

/** Whether the work is left undone, or done and its answer lost. */
export type Moment = 'before' | 'after';

export type PlannedFailure = {
  readonly failure: Failure;
  /** `before` unless it says otherwise. */
  readonly moment?: Moment;
  /** 1 unless it says otherwise; `Infinity` lasts until `heal` or `reset`. */
  readonly times?: number;
  /** Only of calls with such arguments, as they were sent; all of them unless it says otherwise. */
  readonly where?: (sent: Readonly<Record<string, unknown>>) => boolean;
};

/** Calls of response URLs are planned under this name; `*` does not mean them. */
export const RESPONSE_URL = 'response_url';

/** How a socket is taken away: announced in one of the real ways, or cut without a word. */
export type DropReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'cut';

type Waiting = PlannedFailure & { readonly method: string; left: number };

/** Misbehaviour on demand. Everything here is off in a fresh or reset workspace. */
export class Faults {
  private failures: readonly Waiting[] = [];
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
    this.plan(method, { failure, times });
  }

  /** Calls of the method (`*`: any; `response_url`: of a response URL) fail as planned. */
  plan(method: string, planned: PlannedFailure): void {
    this.failures = [...this.failures, { ...planned, method, left: planned.times ?? 1 }];
  }

  /** Ends what is planned for the method, or for all. */
  heal(method?: string): void {
    this.failures = this.failures.filter((one) => method !== undefined && one.method !== method);
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

  /** Takes one planned failure that fits the call, if any; those of its own method come first. */
  takeFailure(method: string, sent: Readonly<Record<string, unknown>>): PlannedFailure | undefined {
    const fitting = this.failures.filter(({ left, where }) => left > 0 && (where?.(sent) ?? true));
    const found =
      fitting.find((one) => one.method === method) ??
      (method === RESPONSE_URL ? undefined : fitting.find((one) => one.method === '*'));
    if (found !== undefined) found.left -= 1;
    return found;
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
    this.failures = [];
    this.delays = new Map();
    this.heldAcks = 0;
    this.fileNotReadyFor = 0;
    this.usersInfoDown = false;
    this.planUpgradeRequired = false;
    this.nativeData = nativeData;
  }
}
