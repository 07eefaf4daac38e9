import type { AppError } from '../core/cloud/errors.ts';
import type { CallOptions, Clock, Logger } from '../core/ports/ports.ts';
import {
  busyError,
  connectionError,
  type FailureContext,
  failureMessage,
  lateError,
  statusError,
} from './answers/failure.ts';
import { isSuccess, readRateHints, requestIdOf } from './answers/reply.ts';
import { type Deadline, type Limiter, type Priority, startDeadline } from './connections.ts';
import type { RetryRule } from './routes.ts';
import type { Transport, WireReply, WireRequest } from './transport.ts';

export type CallTools = {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
};

export type WireCall = FailureContext & {
  readonly request: WireRequest;
  readonly limiter: Limiter;
  readonly priority: Priority;
} & Pick<CallOptions, 'signal' | 'beforeSend' | 'onWait'>;

/** A read tries so many times within its deadline before it counts as silent. */
const ATTEMPTS_IN_DEADLINE = 3;

/**
 * Sends a call until it succeeds, may not be repeated, or its deadline is reached; waiting for
 * the limiter and between attempts counts. Resolves to a 2xx reply. Throws AppError of any of the
 * control API's kinds. Design: §8.
 */
export async function performCall(tools: CallTools, call: WireCall): Promise<WireReply> {
  const deadline = startDeadline(tools.clock, call.deadlineMs, call.signal);
  try {
    return await attemptUntilDone(tools, call, deadline);
  } finally {
    deadline.stop();
  }
}

async function attemptUntilDone(
  tools: CallTools,
  call: WireCall,
  deadline: Deadline,
): Promise<WireReply> {
  let failure: AppError | undefined;
  for (let attempt = 1; ; attempt += 1) {
    if (!(await call.limiter.slot(call.priority, deadline, call.onWait))) {
      throw failure ?? noSlotError(call);
    }
    await call.beforeSend?.();
    if (deadline.signal.aborted) throw failure ?? lateError(call, call.signal);
    const outcome = await attemptOnce(tools, call, deadline, attempt);
    if (outcome.kind === 'done') return outcome.reply;
    failure = outcome.error;
    const delay = retryDelay({
      rule: ruleOf(call),
      attempt,
      end: outcome.end,
      retryInMs: outcome.retryInMs,
      remainingMs: deadline.remaining(),
      random: tools.random(),
    });
    if (delay === undefined || !(await waited(tools.clock, delay, deadline))) throw failure;
  }
}

type Outcome =
  | { readonly kind: 'done'; readonly reply: WireReply }
  | {
      readonly kind: 'failed';
      readonly end: AttemptEnd;
      readonly error: AppError;
      readonly retryInMs?: number | undefined;
    };

async function attemptOnce(
  tools: CallTools,
  call: WireCall,
  deadline: Deadline,
  attempt: number,
): Promise<Outcome> {
  const startedAt = tools.clock.now();
  const limit = startDeadline(tools.clock, attemptLimit(call, deadline), deadline.signal);
  const answer = await tools.transport.send(call.request, limit.signal);
  limit.stop();
  const now = tools.clock.now();
  const facts = { attempt, durationMs: now.toMillis() - startedAt.toMillis() };
  if (answer.kind !== 'reply') {
    const end = answer.kind === 'stopped' ? stopped(call) : answer.kind;
    log(tools.logger, call, { ...facts, outcome: end });
    return { kind: 'failed', end, error: connectionError(call, end, answer.cause) };
  }
  const { status } = answer;
  log(tools.logger, call, { ...facts, status, requestId: requestIdOf(answer) });
  const { holdMs, retryInMs } = readRateHints(status, answer.headers, now);
  if (holdMs !== undefined) call.limiter.hold(holdMs);
  const succeeded = isSuccess(status) && failureMessage(call.route, answer) === undefined;
  if (succeeded) return { kind: 'done', reply: answer };
  return { kind: 'failed', end: status, error: statusError(call, answer, now), retryInMs };
}

/** What nobody waits for is tried later by whoever asked: it takes one slot, and its time. */
function ruleOf({ priority, route }: WireCall): RetryRule {
  return priority === 'background' ? 'never' : route.retry;
}

/** What is not sent twice gets all the time there is. */
function attemptLimit(call: WireCall, deadline: Deadline): number {
  const whole = deadline.remaining();
  if (ruleOf(call) !== 'read') return whole;
  return Math.min(whole, Math.ceil(call.deadlineMs / ATTEMPTS_IN_DEADLINE));
}

function stopped(call: WireCall): 'cancelled' | 'timeout' {
  return call.signal?.aborted === true ? 'cancelled' : 'timeout';
}

function noSlotError(call: WireCall): AppError {
  return call.signal?.aborted === true ? lateError(call, call.signal) : busyError(call);
}

async function waited(clock: Clock, milliseconds: number, deadline: Deadline): Promise<boolean> {
  try {
    await clock.sleep(milliseconds, deadline.signal);
    return true;
  } catch {
    return false;
  }
}

type AttemptFacts = {
  readonly attempt: number;
  readonly durationMs: number;
  readonly status?: number | undefined;
  readonly outcome?: string | undefined;
  readonly requestId?: string | undefined;
};

/** The template of the route, not its address; neither headers nor bodies at any level. */
function log(logger: Logger, call: WireCall, facts: AttemptFacts): void {
  const { method, path } = call.route;
  const fields = { event: 'control-api', method, route: path, ...facts };
  const fine = facts.status !== undefined && isSuccess(facts.status);
  if (fine) logger.debug(fields, 'control API answered');
  else logger.info(fields, 'control API call failed');
}

/** How one attempt failed: an HTTP status, or what became of the connection. */
type AttemptEnd = number | 'unsent' | 'cut' | 'timeout' | 'cancelled' | 'oversized';

export type RetryQuestion = {
  readonly rule: RetryRule;
  /** 1 for the first. */
  readonly attempt: number;
  readonly end: AttemptEnd;
  /** What the API asked for, in milliseconds. */
  readonly retryInMs?: number | undefined;
  /** What is left of the deadline. */
  readonly remainingMs: number;
  /** 0 up to 1. */
  readonly random: number;
};

const MOST_ATTEMPTS = 4;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
/** Spreads those that the API told to come back at one moment. */
const SPREAD_MS = 250;

const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Milliseconds to wait before the next attempt, or undefined when there is to be none. What the
 * API asks for wins over the backoff; a wait beyond the deadline is no wait. Pure. Design: §8.
 */
export function retryDelay(question: RetryQuestion): number | undefined {
  if (question.attempt >= MOST_ATTEMPTS) return undefined;
  if (!mayRepeat(question.rule, question.end)) return undefined;
  const delay =
    question.retryInMs === undefined
      ? backoff(question.attempt, question.random)
      : question.retryInMs + Math.round(SPREAD_MS * question.random);
  return delay < question.remainingMs ? delay : undefined;
}

function mayRepeat(rule: RetryRule, end: AttemptEnd): boolean {
  switch (rule) {
    case 'never':
      return false;
    case 'unsent':
      return end === 'unsent' || end === 429;
    case 'read':
      if (typeof end === 'number') return PASSING_STATUSES.has(end);
      return end === 'unsent' || end === 'cut' || end === 'timeout';
  }
}

/** Half of it certain, half by chance: 250 to 500, 500 to 1000, 1000 to 2000 ms … */
function backoff(attempt: number, random: number): number {
  const full = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
  return Math.round(full / 2 + (full / 2) * random);
}
