import { parseJson } from '../core/text/json.ts';
import { createListedJson, type ListedJson, type ListSink } from './answers/listed-json.ts';

/** What a body holds; of a large one that is JSON, the value alone. */
export type WireBody = { readonly json: unknown; readonly text: string };

/** Bodies up to here are read at once, however many: no read of a single record is larger. */
const SMALL_BYTES = 256 * 1024;

type Source = AsyncIterable<Uint8Array> & { on(event: 'error', listener: () => void): unknown };

type Reading = {
  /** As the header states it; 0 where it does not. */
  readonly statedBytes: number;
  /** More of one body is never held at once. */
  readonly mostBytes: number;
  readonly budget: BodyBudget;
  readonly signal: AbortSignal;
  readonly list?: ListSink | undefined;
};

/**
 * Reads a body to its end, decodes it as it comes and parses it once, so that bytes, text and value
 * are not kept side by side; of a large one with a list for `list` not even that. A large one waits
 * for its share of the budget, its sender held up meanwhile. Rejects when the signal aborts, the
 * connection breaks, or the limit is passed.
 */
export async function readBody(source: Source, reading: Reading): Promise<WireBody> {
  // While nobody reads it, a body that breaks has no other listener.
  source.on('error', () => undefined);
  const decoder = new TextDecoder();
  const { statedBytes, mostBytes, budget, signal, list } = reading;
  // An attempt before may have brought some.
  list?.restart();
  let share: Share | undefined;
  let listed: ListedJson | undefined;
  let size = 0;
  let text = '';
  const add = (piece: string): void => {
    if (list !== undefined && size > SMALL_BYTES) listed ??= createListedJson(list);
    if (listed === undefined) text += piece;
    else listed.feed(text + piece);
    if (listed !== undefined) text = '';
  };
  try {
    if (statedBytes > SMALL_BYTES) {
      share = await budget.take(Math.min(statedBytes, mostBytes), signal);
    }
    for await (const chunk of source) {
      size += chunk.byteLength;
      if (size > SMALL_BYTES) share ??= await budget.take(mostBytes, signal);
      add(decoder.decode(chunk, { stream: true }));
    }
    add(decoder.decode());
    const json = listed === undefined ? parseJson(text) : listed.end();
    return { json, text: json === undefined || size <= SMALL_BYTES ? text : '' };
  } finally {
    share?.();
  }
}

/** A share of the budget, to be given back once. */
type Share = () => void;

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
