import { type CallOptions, type Clock, scheduleOf } from '../ports/ports.ts';
import type { Look, Sight, Sights } from '../ports/sight.ts';
import type { Context } from './operation.ts';

/** Nothing waits longer for what an eye adds to it. */
const PATIENCE_MS = 1_000;

/** One look, and what it is for: a `question` is read by somebody only while nobody answered it. */
export type Glance<T> = {
  readonly organization: string;
  readonly of: 'question' | 'report';
  look(sight: Sight, call: CallOptions): Promise<Look<T>>;
};

/**
 * What a cloud shows beside a question or a report. Undefined says nothing either way: the cloud has
 * no such eye, it is closed or slow, people need the limit, or nobody would read it. It waits a second
 * at most and throws nothing, and no digest may depend on it. Design: §14.
 */
export async function glimpse<T>(
  { organization, of, look }: Glance<T>,
  { sights, clock }: { readonly sights: Sights; readonly clock: Clock },
  { actor, answered }: Pick<Context, 'actor' | 'answered'>,
): Promise<T | undefined> {
  const sight = sights.of(organization);
  const isRead = of === 'report' || (answered !== true && scheduleOf(actor) === undefined);
  if (sight === undefined || !isRead) return undefined;
  const late = new AbortController();
  const done = new AbortController();
  clock.sleep(PATIENCE_MS, done.signal).then(
    () => late.abort(new Error('Nobody waits for it any longer.')),
    () => undefined,
  );
  const seen = await look(sight, { priority: 'background', signal: late.signal });
  done.abort();
  return seen.kind === 'seen' ? seen.value : undefined;
}
