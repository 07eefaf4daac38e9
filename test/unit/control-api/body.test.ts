import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type BodyBudget, createBodyBudget, readBody } from '../../../src/control-api/body.ts';

const KB = 1024;
/** A body up to here is small. */
const SMALL = 256 * KB;
const never = new AbortController().signal;

/** A stream that gives these pieces one by one, each when it is asked for, and says how many it gave. */
function streamOf(...pieces: readonly (string | Uint8Array)[]) {
  const given = { count: 0 };
  async function* give() {
    for (const piece of pieces) {
      given.count += 1;
      yield typeof piece === 'string' ? Buffer.from(piece) : piece;
    }
  }
  return { given, source: Readable.from(give(), { highWaterMark: 1 }) };
}

function reading(budget: BodyBudget, statedBytes = 0, mostBytes = 600 * KB) {
  return { statedBytes, mostBytes, budget, signal: never };
}

async function turns(count = 20): Promise<void> {
  for (let n = 0; n < count; n += 1) await turn();
}

/** JSON of so many bytes. */
function json(bytes: number): string {
  const empty = JSON.stringify({ a: 1, padding: '' });
  return JSON.stringify({ a: 1, padding: 'x'.repeat(bytes - empty.length) });
}

const used = async (budget: BodyBudget) => budget.take(Number.MAX_SAFE_INTEGER, never);

describe('a small body', () => {
  it('is read beside however many large ones, and its text is kept', async () => {
    const budget = createBodyBudget(KB);
    await used(budget);
    for (const text of ['{"a":1}', '', '<html>', json(SMALL)]) {
      const { source } = streamOf(text);
      const read = await readBody(source, reading(budget, Buffer.byteLength(text)));
      const parsed = text.startsWith('{') ? JSON.parse(text) : undefined;
      expect(read).toEqual({ json: parsed, text });
    }
  });

  it('may part a letter between two pieces', async () => {
    const bytes = Buffer.from('{"name":"Zürich – 漢字"}');
    const pieces = Array.from(bytes, (_, n) => bytes.subarray(n, n + 1));
    const { source } = streamOf(...pieces);
    const { json: value } = await readBody(source, reading(createBodyBudget(KB)));
    expect(value).toEqual({ name: 'Zürich – 漢字' });
  });

  it('ends in a sign for the rest of a letter that was cut', async () => {
    const { source } = streamOf(Buffer.from('ü').subarray(0, 1));
    expect(await readBody(source, reading(createBodyBudget(KB)))).toEqual({
      ...{ json: undefined, text: '\ufffd' },
    });
  });
});

describe('a large body', () => {
  it('that says so is not begun before there is room for it, and gives it back', async () => {
    const budget = createBodyBudget(1_000 * KB);
    const free = await used(budget);
    const text = json(400 * KB);
    const { source, given } = streamOf(text.slice(0, 200 * KB), text.slice(200 * KB));
    const body = readBody(source, reading(budget, text.length));
    await turns();
    expect(given.count).toBe(0);
    free();
    // Of a large one the value alone is kept.
    expect(await body).toEqual({ json: JSON.parse(text), text: '' });
    (await used(budget))();
  });

  it('takes as much room as it says, and no more than it may have', async () => {
    const budget = createBodyBudget(1_000 * KB);
    const shareOf = async (statedBytes: number): Promise<boolean> => {
      const stop = new AbortController();
      const source = new Readable({ read: () => undefined });
      const body = readBody(source, { ...reading(budget, statedBytes), signal: stop.signal });
      await turns();
      let isFree = false;
      const rest = budget.take(500 * KB, stop.signal).then(
        (free) => {
          isFree = true;
          free();
        },
        () => undefined,
      );
      await turns();
      source.destroy(new Error('cut'));
      stop.abort(new Error('late'));
      await expect(body).rejects.toThrow('cut');
      await rest;
      return isFree;
    };
    expect(await shareOf(SMALL)).toBe(true);
    expect(await shareOf(500 * KB)).toBe(true);
    expect(await shareOf(500 * KB + 1)).toBe(false);
    expect(await shareOf(5_000 * KB)).toBe(false);
    expect(await shareOf(0)).toBe(true);
    (await used(budget))();
  });

  it('that does not say so waits once it turns out large', async () => {
    const budget = createBodyBudget(1_000 * KB);
    const free = await used(budget);
    const pieces = ['x'.repeat(SMALL), ...'y'.repeat(20)];
    const { source, given } = streamOf(...pieces);
    const body = readBody(source, reading(budget));
    await turns(50);
    // The stream itself is one or two ahead.
    expect(given.count).toBeGreaterThan(1);
    expect(given.count).toBeLessThan(5);
    free();
    // What is no JSON is kept as the text that it is.
    expect(await body).toEqual({ json: undefined, text: pieces.join('') });
    (await used(budget))();
  });

  it('waits no longer than its call, and breaks without a word while nobody reads it', async () => {
    const budget = createBodyBudget(1_000 * KB);
    const free = await used(budget);
    const stop = new AbortController();
    const source = new Readable({ read: () => undefined });
    const body = readBody(source, { ...reading(budget, 400 * KB), signal: stop.signal });
    await turns();
    source.destroy(new Error('cut'));
    await turns();
    stop.abort(new Error('late'));
    await expect(body).rejects.toThrow('late');
    free();
    (await used(budget))();
  });

  it('hands on the members of its list as they come; a small one is a value', async () => {
    const members: unknown[] = [];
    let starts = 0;
    const list = {
      path: ['result', 'costs'],
      restart: () => {
        starts += 1;
        members.length = 0;
      },
      add: (member: unknown) => void members.push(member),
    } as const;
    const budget = createBodyBudget(1_000 * KB);
    const read = async (text: string, piece: number) => {
      const pieces = Array.from({ length: Math.ceil(text.length / piece) }, (_, n) =>
        text.slice(n * piece, (n + 1) * piece),
      );
      return await readBody(streamOf(...pieces).source, { ...reading(budget), list });
    };
    const costs = Array.from({ length: 40 }, (_, n) => ({ n, padding: 'x'.repeat(10 * KB) }));
    const large = JSON.stringify({ result: { costs, total: 7 }, end: true });
    for (const piece of [30 * KB, SMALL, SMALL + 1, large.length]) {
      const { json: value, text } = await read(large, piece);
      expect(value).toEqual({ result: { costs: [], total: 7 }, end: true });
      expect([text, members.length, members.at(-1)]).toEqual(['', 40, costs.at(-1)]);
    }
    const small = JSON.stringify({ result: { costs: [1, 2] } });
    starts = 0;
    expect(await read(small, 5)).toEqual({ json: { result: { costs: [1, 2] } }, text: small });
    // What an attempt before had brought is gone.
    expect([starts, members]).toEqual([1, []]);
    const broken = await read(large.slice(0, -1), 30 * KB);
    expect(broken.json).toBeUndefined();
  });
});

describe('the room for bodies', () => {
  it('goes to whoever came first: a small one waits behind a large one', async () => {
    const budget = createBodyBudget(10);
    const first = await budget.take(6, never);
    const order: string[] = [];
    const large = budget.take(8, never).then((free) => {
      order.push('large');
      return free;
    });
    const small = budget.take(2, never).then((free) => {
      order.push('small');
      return free;
    });
    await turns();
    expect(order).toEqual([]);
    first();
    const frees = [await large, await small];
    expect(order).toEqual(['large', 'small']);
    for (const free of frees) free();
    (await budget.take(10, never))();
  });

  it('is not held by who gives up, before or after his turn', async () => {
    const budget = createBodyBudget(10);
    const free = await budget.take(6, never);
    const gone = new AbortController();
    const large = budget.take(8, gone.signal);
    const small = budget.take(4, never);
    gone.abort(new Error('late'));
    await expect(large).rejects.toThrow('late');
    (await small)();
    const served = new AbortController();
    const freeServed = await budget.take(4, served.signal);
    served.abort(new Error('late'));
    let isFree = false;
    const next = budget.take(1, never).then((freeNext) => {
      isFree = true;
      freeNext();
    });
    await turns();
    expect(isFree).toBe(false);
    freeServed();
    await next;
    free();
    (await budget.take(10, never))();
  });

  it('is all of it for what is larger than all of it', async () => {
    const budget = createBodyBudget(10);
    const free = await budget.take(1_000, never);
    let isFree = false;
    const next = budget.take(1, never).then((freeNext) => {
      isFree = true;
      freeNext();
    });
    await turns();
    expect(isFree).toBe(false);
    free();
    await next;
    (await budget.take(10, never))();
  });
});
