import type { Json } from '../protocol/page-protocol.ts';

/** An answer with `ok: false`. Business errors are HTTP 200, as the real service sends them. */
export class ApiError extends Error {
  readonly code: string;
  /** Further keys of the answer, such as `needed` and `provided`. */
  readonly extra: Json;

  constructor(code: string, extra: Json = {}) {
    super(code);
    this.code = code;
    this.extra = extra;
  }
}

/** `invalid_blocks` and its like, with the messages in both places where clients look. */
export function refusal(error: string, messages: readonly string[]): ApiError {
  const errors = messages.map((message) => message.replace(/^\[ERROR\] /, ''));
  return new ApiError(error, { errors, response_metadata: { messages } });
}

/** `invalid_arguments` with one message, as for a missing or unknown argument. */
export function invalidArguments(message: string): ApiError {
  return refusal('invalid_arguments', [`[ERROR] ${message}`]);
}
