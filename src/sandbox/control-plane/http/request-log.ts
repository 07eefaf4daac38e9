/** One request as it arrived, secrets included: tests compare it field by field. */
export type LoggedRequest = {
  readonly number: number;
  /** ISO moment by the clock of the stand-in. */
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed when it is JSON, otherwise the text; undefined without a body. */
  readonly body: unknown;
  /** HTTP status of the reply; 0 when the connection was cut, undefined until it was sent. */
  status?: number;
  /** The kind of fault that struck it. */
  fault?: string;
};

const KEPT = 5000;

/** The latest requests, oldest first; control requests to `/sandbox` are not among them. */
export class RequestLog {
  #entries: LoggedRequest[] = [];
  #count = 0;

  add(entry: Omit<LoggedRequest, 'number'>): LoggedRequest {
    this.#count += 1;
    const logged = { ...entry, number: this.#count };
    this.#entries.push(logged);
    if (this.#entries.length > KEPT) this.#entries.shift();
    return logged;
  }

  list(): readonly LoggedRequest[] {
    return [...this.#entries];
  }

  clear(): void {
    this.#entries = [];
    this.#count = 0;
  }
}
