import { z } from 'zod';

const KINDS = [
  'status',
  'html504',
  'slow',
  'cut',
  'cut-after',
  'malformed',
  'empty',
  'plain',
  'oversized',
  'result',
] as const;

/** Kinds that carry out the request first unless told otherwise: their point is the lost reply. */
const PERFORMING: ReadonlySet<string> = new Set([
  'slow',
  'cut-after',
  'malformed',
  'empty',
  'oversized',
  'result',
]);

/** What a test or a person asks for. Without `times` a fault stays until it is cleared. */
export const faultRequest = z.strictObject({
  match: z
    .strictObject({
      method: z.string().optional(),
      /** Any part of the path. */
      path: z.string().optional(),
      /** How the path ends: `/services` is the list alone. */
      end: z.string().optional(),
    })
    .default({}),
  kind: z.enum(KINDS),
  /** For `status` and `plain`; 500 unless given. */
  status: z.int().min(200).max(599).optional(),
  /** Milliseconds of real time before the reply, whatever the kind. */
  delayMs: z.int().min(0).max(600_000).optional(),
  times: z.int().min(1).optional(),
  /** Whether the request is carried out although the reply is spoilt. */
  perform: z.boolean().optional(),
  /** Seconds for a `Retry-After` header. */
  retryAfter: z.number().min(0).optional(),
  /** For `result`: what stands there in place of the result; absent leaves the key out. */
  result: z.unknown().optional(),
});

export type FaultRequest = z.input<typeof faultRequest>;

export type Fault = {
  readonly id: number;
  readonly match: z.output<typeof faultRequest>['match'];
  readonly kind: (typeof KINDS)[number];
  readonly status: number;
  readonly delayMs: number;
  readonly perform: boolean;
  readonly retryAfter?: number | undefined;
  readonly result?: unknown;
  /** How often it may still strike; absent means without end. */
  left?: number | undefined;
};

/** The faults that are switched on; the first that matches a request strikes. */
export class Faults {
  #list: Fault[] = [];
  #lastId = 0;

  /** Switches a fault on; throws a ZodError for one that is not described properly. */
  add(request: FaultRequest): Fault {
    const parsed = faultRequest.parse(request);
    this.#lastId += 1;
    const fault: Fault = {
      id: this.#lastId,
      match: parsed.match,
      kind: parsed.kind,
      status: parsed.status ?? 500,
      delayMs: parsed.delayMs ?? (parsed.kind === 'slow' ? 1000 : 0),
      perform: parsed.perform ?? PERFORMING.has(parsed.kind),
      retryAfter: parsed.retryAfter,
      result: parsed.result,
      left: parsed.times,
    };
    this.#list.push(fault);
    return fault;
  }

  /** The fault that strikes this request, counted down; undefined when none does. */
  take(method: string, path: string): Fault | undefined {
    const fault = this.#list.find(
      ({ match }) =>
        (match.method === undefined || match.method.toUpperCase() === method) &&
        (match.path === undefined || path.includes(match.path)) &&
        (match.end === undefined || path.endsWith(match.end)),
    );
    if (fault?.left !== undefined) {
      fault.left -= 1;
      if (fault.left === 0) this.#list = this.#list.filter((other) => other !== fault);
    }
    return fault;
  }

  list(): readonly Fault[] {
    return [...this.#list];
  }

  clear(): void {
    this.#list = [];
  }
}
