import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

describe.each(['socket', 'http'] as const)('stopping and starting over %s', (mode) => {
  let world: StewardWorld;
  beforeEach(async () => {
    world = await startWorld({ mode });
  });
  afterEach(() => world.close());

  const commands = () => world.plane.requests().filter(({ method }) => method === 'PATCH');

  it('asks first, then stops, then tells the channel with the state that the API returned', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop scratch');
    await ana.expectEphemeral(/Stop \*scratch\*\?/);
    expect(commands()).toEqual([]);
    await ana.click('Stop scratch');
    await ana.expectMessage(/<@U01ANA> stopped \*scratch\*: the API now reports `stopping`/);
    await ana.expectEphemeral(/Stopping \*scratch\* … done/);
    expect(commands()).toHaveLength(1);
    expect(commands()[0]?.path).toContain(SERVICES.scratch.id);
    await ana.expectThread(/stopped/, /Journal/);
  });
});
