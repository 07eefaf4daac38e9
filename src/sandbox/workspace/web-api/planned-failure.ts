import type { Failure, PlannedFailure } from '../state/faults.ts';
import type { World } from '../state/world.ts';

/** What goes out in place of an answer: other bytes, a cut connection, or nothing ever. */
export type Instead =
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly text: string;
    }
  | 'cut'
  | 'hang';

/** `undone`: the failure came before the work. */
export type Planned = { readonly failure: PlannedFailure; readonly undone: boolean };

/** Takes the failure that is planned for this call, if any. */
export function takePlanned(
  world: World,
  method: string,
  sent: Readonly<Record<string, unknown>>,
): Planned | undefined {
  const failure = world.faults.takeFailure(method, sent);
  return failure && { failure, undone: failure.moment !== 'after' };
}

/** `codeStatus`: the status of a plain error code, 200 at the Web API. */
export function insteadOf({ failure }: PlannedFailure, codeStatus = 200): Instead {
  if (typeof failure === 'string') return json(codeStatus, failure);
  if ('wire' in failure) {
    return failure.wire === 'malformed'
      ? { status: 200, headers: JSON_TYPE, text: '{"ok": tru' }
      : failure.wire;
  }
  const { status, retryAfter, body = 'json' } = failure;
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  const answer = json(status, status === 429 ? 'ratelimited' : 'internal_error');
  if (body === 'json') return { ...answer, headers: { ...answer.headers, ...headers } };
  const text = body === 'html' ? `<html><body><h1>${status}</h1></body></html>` : 'upstream error';
  return { status, headers: { 'content-type': `text/${TYPES[body]}`, ...headers }, text };
}

/** In the traffic log. */
export function nameOf(failure: Failure): string {
  if (typeof failure === 'string') return failure;
  if ('wire' in failure) return failure.wire;
  return failure.status === 429 ? 'ratelimited' : `status ${failure.status}`;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const TYPES = { text: 'plain', html: 'html' } as const;

function json(status: number, error: string) {
  return { status, headers: JSON_TYPE, text: JSON.stringify({ ok: false, error }) };
}
