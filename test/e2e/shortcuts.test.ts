import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACTIVITIES } from '../../src/sandbox/control-plane/seed.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

describe.each(['socket', 'http'] as const)('shortcuts and home over %s', (mode) => {
  let world: StewardWorld;
  beforeEach(async () => {
    world = await startWorld({ mode });
  });
  afterEach(() => world.close());

  it('asks where and what, then goes on as the command would there', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.shortcut('Database menu');
    await ana.expectModal(/Database menu/);
    await ana.select('What, and where', 'Stop a service');
    await ana.submit();
    await ana.expectModal(/Stop a service/);
    await ana.select('Service', 'scratch');
    await ana.submit();
    await ana.expectEphemeral(/Stop scratch\?/);
    await ana.click('Stop scratch');
    await ana.expectMessage(/stopped scratch/);
  });

  it('offers only channels that one is in, on the shortcut and on Home', async () => {
    world.workspace.admin.kick('#ops', 'ana');
    const ana = world.as('ana');
    await ana.shortcut('Database menu');
    const offered = JSON.stringify((await ana.expectModal(/What, and where/)).blocks);
    expect(offered).toContain('C0FINANCE');
    expect(offered).not.toContain('C0OPS');
    await ana.closeModal();
    await ana.openHome();
    expect(JSON.stringify((await ana.expectHome(/finance/)).blocks)).not.toContain('C0OPS');
  });

  it('offers nothing to a guest', async () => {
    const gus = world.as('gus').in('#ops');
    await gus.shortcut('Database menu');
    await gus.expectModal(/Nothing is allowed to you/);
  });

  it('inspects the activity whose id stands in a message', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.say(`Who did ${ACTIVITIES.serviceStop}?`);
    await ana.messageShortcut('Inspect activity', /Who did/);
    await ana.expectEphemeral(/service_stop/);
    expect(world.plane.requests().at(-1)?.path).toContain(ACTIVITIES.serviceStop);
  });

  it('opens the form when the message names no id', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.say('Nothing to see here');
    await ana.messageShortcut('Inspect activity', /Nothing to see/);
    await ana.expectModal(/activity/i);
  });

  it('shows on App Home what is allowed, channel by channel', async () => {
    const ana = world.as('ana');
    await ana.openHome();
    await ana.expectHome(/#ops[\s\S]*stop/);
    const gus = world.as('gus');
    await gus.openHome();
    await gus.expectHome(/Nothing is allowed to you/);
  });
});
