import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const patches = () => world.plane.requests().filter((request) => request.method === 'PATCH');

describe('a control API in trouble', () => {
  it.each([
    { fault: { kind: 'status', status: 500 }, words: /may have been started[\s\S]*not sent again/ },
    { fault: { kind: 'html504' }, words: /may have been started[\s\S]*not sent again/ },
    { fault: { kind: 'cut' }, words: /may have been started[\s\S]*not sent again/ },
    { fault: { kind: 'cut-after' }, words: /may have been started[\s\S]*not sent again/ },
    { fault: { kind: 'malformed' }, words: /may have been started[\s\S]*not sent again/ },
    { fault: { kind: 'empty' }, words: /may have been started[\s\S]*not sent again/ },
  ] as const)(
    'tells an unknown outcome as one after $fault.kind, and does not repeat',
    async ({ fault, words }) => {
      world.plane.faults.add({ ...fault, match: { method: 'PATCH' } });
      const ana = world.as('ana').in('#ops');
      await ana.command('/db start reporting');
      const message = await ana.expectMessage(words);
      expect(ana.text(message)).toMatch(/Reference \w{4}/);
      expect(ana.text(message)).not.toMatch(/<html|<!doctype/i);
      expect(patches()).toHaveLength(1);
    },
  );

  it.each([
    { fault: { kind: 'status', status: 400 }, words: /reporting was not started/ },
    { fault: { kind: 'status', status: 401 }, words: /reporting was not started/ },
    { fault: { kind: 'status', status: 403 }, words: /reporting was not started/ },
    { fault: { kind: 'status', status: 404 }, words: /reporting was not started/ },
    { fault: { kind: 'status', status: 409 }, words: /reporting was not started/ },
  ] as const)(
    'answers $fault.status with one sentence for the asker alone',
    async ({ fault, words }) => {
      world.plane.faults.add({ ...fault, match: { method: 'PATCH' } });
      const ana = world.as('ana').in('#ops');
      await ana.command('/db start reporting');
      const message = await ana.expectEphemeral(words);
      expect(ana.text(message)).toMatch(/Reference \w{4}/);
      expect(patches()).toHaveLength(1);
    },
  );

  it.each([
    { result: {}, text: 'endpoint analytics', words: /query endpoint of analytics was not read/ },
    { result: null, text: 'endpoint analytics', words: /query endpoint of analytics was not read/ },
    { result: {}, text: 'activity 65f1c0a2b3c4d5e6f7080901', words: /activity was not read/ },
    { result: {}, text: 'cost yesterday', words: /The costs of the organization were not read/ },
  ])('tells an answer of $result to $text as a failed read', async ({ result, text, words }) => {
    world.plane.faults.add({ kind: 'result', result });
    const ana = world.as('ana').in('#ops');
    await ana.command(`/db ${text}`);
    const message = await ana.expectEphemeral(words);
    expect(ana.text(message)).not.toMatch(/is set up|0 keys|nothing was/);
  });

  it('takes a command whose answer is empty for done', async () => {
    world.plane.faults.add({ kind: 'result', result: {}, match: { method: 'PATCH' } });
    const ana = world.as('ana').in('#ops');
    await ana.command('/db start reporting');
    await ana.expectMessage(/@ana asked reporting to start: the API did not say which state/);
    expect(patches()).toHaveLength(1);
  });

  it('waits out a 429 of a state command, which certainly did nothing', async () => {
    world.plane.faults.add({ kind: 'status', status: 429, times: 1, match: { method: 'PATCH' } });
    const ana = world.as('ana').in('#ops');
    await ana.command('/db start reporting');
    await ana.expectMessage(/asked reporting to start/);
    expect(patches()).toHaveLength(2);
  });

  it('shows progress when it takes more than two seconds, and ends with one message', async () => {
    world.plane.faults.add({ kind: 'slow', delayMs: 2_600, match: { method: 'PATCH' } });
    const ana = world.as('ana').in('#ops');
    await ana.command('/db start reporting');
    await ana.expectEphemeral(/Starting reporting takes a moment; the outcome follows/);
    await ana.expectMessage(/asked reporting to start/);
  });

  it('lives on, and answers the next command', async () => {
    world.plane.faults.add({ kind: 'cut', times: 1, match: { method: 'PATCH' } });
    const ana = world.as('ana').in('#ops');
    await ana.command('/db start reporting');
    await ana.expectMessage(/may have been started/);
    await ana.click('Try again');
    await ana.expectMessage(/@ana asked reporting to start/);
  });
});
