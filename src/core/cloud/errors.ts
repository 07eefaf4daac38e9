import type { Text } from '../text/text.ts';

/**
 * Every fault has one code from this table. The first nine are the kinds of the control API
 * (Design: §8), the rest are Steward's own.
 */
export const ERROR_CODES = [
  'invalid',
  'unauthorized',
  'forbidden',
  'not-found',
  'conflict',
  'rate-limited',
  'unavailable',
  'timeout',
  'malformed',
  'not-configured',
  'storage',
  'slack',
  'identity-unknown',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export type AppErrorOptions = {
  /** A sentence for the person: what happened, then the way on. No secrets, no HTML. */
  readonly userMessage: Text | string;
  /** The same without its first words, for a sentence that has told the state already. */
  readonly because?: { readonly cause: string; readonly way: string } | undefined;
  /** Whether asking again may help. */
  readonly retryable?: boolean | undefined;
  /** `no`: it certainly changed nothing; `maybe`: it was sent and the outcome is unknown. */
  readonly changed?: 'no' | 'maybe' | undefined;
  /** The API's own request id. */
  readonly requestId?: string | undefined;
  /** HTTP status, where there was one. */
  readonly status?: number | undefined;
  readonly cause?: unknown | undefined;
};

/** The one class of faults; refusals are values (see outcome.ts). */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly userMessage: Text | string;
  readonly because: AppErrorOptions['because'];
  readonly retryable: boolean;
  readonly changed: 'no' | 'maybe';
  readonly requestId: string | undefined;
  readonly status: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions) {
    super(
      `${code}: ${typeof options.userMessage === 'string' ? options.userMessage : 'see userMessage'}`,
      { cause: options.cause },
    );
    this.code = code;
    this.userMessage = options.userMessage;
    this.because = options.because;
    this.retryable = options.retryable ?? false;
    this.changed = options.changed ?? 'no';
    this.requestId = options.requestId;
    this.status = options.status;
  }
}

/** Any thrown thing as an AppError; what is not one of ours is `internal` and keeps its cause. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  return new AppError('internal', {
    userMessage: 'Steward ran into an error of its own.',
    cause: thrown,
  });
}
