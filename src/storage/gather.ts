type Waiting<T> = {
  readonly one: T;
  resolve(): void;
  reject(cause: unknown): void;
};

/** Well below the number of parameters that either database takes. */
const MOST = 200;

/**
 * Rows that are written on their own, as one: all that wait while a write runs go into the next one,
 * so that one statement and one fsync serve many. Each caller waits until its own row is durable, and
 * rejects with the write that it was part of. Design: §10.
 */
export function gathered<T>(write: (all: readonly T[]) => Promise<unknown>) {
  const waiting: Waiting<T>[] = [];
  let running = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // What arrives together is written together: also what came while the last write ran.
      await new Promise((resolve) => setImmediate(resolve));
      await writeNext(waiting.splice(0, MOST));
    }
    running = false;
  }

  async function writeNext(batch: readonly Waiting<T>[]): Promise<void> {
    try {
      await write(batch.map(({ one }) => one));
      for (const { resolve } of batch) resolve();
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
  }

  return (one: T): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ one, resolve, reject });
      if (running) return;
      running = true;
      void drain();
    });
}
