import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const DEFINITIONS: readonly (readonly [string, string])[] = [
  ['JSON', '{"name":"x","source":{"kafka":{"credentials":{"password":"fake-hunter2"}}}}'],
  ['YAML', 'name: x\nsource:\n  kafka:\n    credentials: { username: u, password: fake-hunter2 }'],
  ['text that is neither', 'name: [x\nsecretKey = fake-hunter2'],
];

it.each(DEFINITIONS)(
  'a submitted definition with a password in %s leaves nothing behind',
  async (_how, definition) => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db pipe analytics');
    await ana.expectModal(/Create a pipe/);
    await ana.fill('Paste a definition', definition);
    await ana.submit();
    await expect.poll(() => JSON.stringify(ana.state.views.at(-1))).toMatch(/looks like a secret/);
    expect(await world.dataBytes()).not.toContain('hunter2');
    expect(JSON.stringify(world.logs)).not.toContain('hunter2');
    await ana.closeModal({ all: true });
    expect(await world.dataBytes()).not.toContain('hunter2');
  },
);
