/** The word in capitals that an error text starts with, and the HTTP status that it goes with. */
const STATUS_OF = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  FAILED_DEPENDENCY: 424,
  TOO_MANY_REQUESTS: 429,
} as const;

export type RefusalCode = keyof typeof STATUS_OF;

/** Thrown by any handler; the server answers it as the error envelope. Spec: Errors */
export class Refusal extends Error {
  readonly status: number;
  readonly code: RefusalCode;

  constructor(code: RefusalCode, words: string) {
    super(`${code}: ${words}`);
    this.name = 'Refusal';
    this.code = code;
    this.status = STATUS_OF[code];
  }
}

/** A 400 that names the field by its dotted path and says what fits. */
export function badField(path: string, words: string): Refusal {
  return new Refusal('BAD_REQUEST', `${path}: ${words}`);
}
