import { AppError } from '../../core/cloud/errors.ts';
import type { Clock, Logger } from '../../core/ports/ports.ts';
import { networkFault } from '../../core/text/network-fault.ts';
import { failureOf, neededScope, REVOKED, refusedAnswer, slackErrorOf } from './slack-failure.ts';
import type { SlackWatch } from './slack-watch.ts';

/** Longer than this nobody waits: people hear by another way. */
const PATIENCE_MS = 2_000;

export type WebOptions = {
  readonly token: string;
  readonly apiUrl: string | undefined;
  /** Absent: connections are made directly. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Slack takes the token no more: nothing that Steward says can arrive. */
  readonly onRevoked?: ((error: string) => void) | undefined;
  readonly watch?: SlackWatch | undefined;
};

/**
 * Sends; a 429, which certainly did nothing, is waited for, two seconds at most. `channelId`: what the call
 * is about. Throws AppError `slack`.
 */
export async function patiently<T>(
  method: string,
  send: () => Promise<T>,
  { clock, logger, onRevoked, watch }: WebOptions,
  channelId?: string,
): Promise<T> {
  let patience = PATIENCE_MS;
  for (;;) {
    const call = watch?.asked(method, channelId);
    try {
      const answer = await send();
      call?.answered();
      return answer;
    } catch (cause) {
      call?.failed(cause);
      const { kind, error, retryInMs: waitMs } = failureOf(cause);
      if (kind !== 'limited' || waitMs > patience) {
        if (REVOKED.has(error)) onRevoked?.(error);
        throw translated(method, cause, logger);
      }
      logger.warn({ method, waitMs }, 'Slack asked to slow down');
      patience -= Math.max(waitMs, 100);
      await clock.sleep(waitMs);
    }
  }
}

function translated(method: string, cause: unknown, logger: Logger): AppError {
  const error = slackErrorOf(cause) ?? 'no answer';
  logger.info(
    { method, error, details: refusedAnswer(cause, 'response_metadata') },
    'Slack refused a call',
  );
  return new AppError('slack', { userMessage: sentence(method, error, cause), cause });
}

function sentence(method: string, error: string, cause: unknown): string {
  const scope = neededScope(cause);
  if (scope !== undefined) {
    return `Slack wants the scope ${scope}: add it to the app and install it again.`;
  }
  const fault = networkFault(cause);
  return fault === undefined
    ? `Slack answered ${method} with ${error}.`
    : `Slack could not be reached: ${fault.why}.`;
}
