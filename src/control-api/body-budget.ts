/** A share of the budget, to be given back once. */
export type Share = () => void;

/** How many bytes of large bodies are in memory at once; the others wait unread. */
export type BodyBudget = {
  /** Resolves in turn, when so many bytes are free. Rejects when the signal aborts first. */
  take(bytes: number, signal: AbortSignal): Promise<Share>;
};

type Waiting = { readonly bytes: number; readonly grant: () => void };

/**
 * A body that is not read holds its sender up, not this process. First come, first served: a large
 * one is not overtaken by smaller ones for ever. Design: §8.
 */
export function createBodyBudget(totalBytes: number): BodyBudget {
  const waiting = new Set<Waiting>();
  let free = totalBytes;

  function serve(): void {
    for (const next of waiting) {
      if (next.bytes > free) return;
      waiting.delete(next);
      free -= next.bytes;
      next.grant();
    }
  }

  return {
    take: (wanted, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const bytes = Math.min(wanted, totalBytes);
        const giveUp = (): void => {
          waiting.delete(next);
          reject(signal.reason);
          serve();
        };
        const next: Waiting = {
          bytes,
          grant: () => {
            signal.removeEventListener('abort', giveUp);
            resolve(() => {
              free += bytes;
              serve();
            });
          },
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.add(next);
        serve();
      }),
  };
}
