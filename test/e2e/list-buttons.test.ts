import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const commands = () => world.plane.requests().filter(({ method }) => method === 'PATCH').length;

describe('the buttons of /db services', () => {
  it('ask before they start or stop, each time they are pressed', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db services');
    await ana.expectEphemeral(/services, with the last state/u);
    await ana.click('Start: scratch');
    await ana.expectEphemeral(/Start scratch\?\s+dev/u);
    expect(commands()).toBe(0);
    await ana.click('Start scratch');
    await ana.expectMessage(/@ana asked scratch to start/u);
    expect(commands()).toBe(1);
    await ana.click('Start: scratch');
    await ana.expectEphemeral(/Start scratch\?\s+dev · last reported running/u);
    expect(commands()).toBe(1);
    await ana.command('/db services');
    await ana.expectEphemeral(/scratch · dev · running, reported \d+ seconds? ago/u);
  });

  it('go the way of an approval where a rule asks for one', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.click('Stop: analytics');
    await ana.expectMessage(/@ana asks to stop analytics/u);
  });

  it('show the costs as often as they are pressed', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.click('Costs: scratch');
    await ana.expectEphemeral(/scratch[\s\S]*units/u);
    await ana.click('Costs: scratch');
  });

  it('offer only what the policy allows in this channel', async () => {
    const fay = world.as('fay').in('#finance');
    await fay.command('/db services');
    const list = await fay.expectEphemeral(/services, with the last state/u);
    expect(JSON.stringify(list.blocks)).toContain('Costs: scratch');
    expect(JSON.stringify(list.blocks)).not.toMatch(/service\.(?:start|stop)/u);
  });
});

describe('Home', () => {
  it('shows what waits and what is open, each with its buttons and the way to its message', async () => {
    const ben = world.as('ben');
    await ben.openHome();
    const home = await ben.expectHome(
      /1 request waits for you[\s\S]*stop analytics[\s\S]*Open it/u,
    );
    expect(JSON.stringify(home.blocks)).toContain('/archives/C0OPS/');
    const ana = world.as('ana');
    await ana.openHome();
    await ana.expectHome(/1 request of yours is open[\s\S]*stop analytics/u);
    const fay = world.as('fay');
    await fay.openHome();
    expect(JSON.stringify((await fay.expectHome(/#finance/u)).blocks)).not.toContain('request');
  });

  it('denies with a reason, is drawn again, and the message of the request changes', async () => {
    const ben = world.as('ben');
    await ben.openHome();
    await ben.click('Deny stop analytics');
    await ben.expectModal(/Deny this request/u);
    await ben.fill('Reason', 'not today');
    await ben.submit();
    await world
      .as('ana')
      .in('#ops')
      .expectMessage(/analytics was not stopped: denied by @ben/u);
    await expectGone('ben', /waits for you/u);
  });

  it('withdraws an own request at once', async () => {
    const ana = world.as('ana');
    await ana.openHome();
    await expectGone('ana', /of yours is open/u);
    await ana.in('#ops').command('/db stop analytics');
    await ana.in('#ops').expectMessage(/@ana asks to stop analytics/u);
    await ana.openHome();
    await ana.expectHome(/1 request of yours is open/u);
    await ana.click('Withdraw stop analytics');
    await ana.in('#ops').expectMessage(/analytics was not stopped: withdrawn by @ana/u);
    await expectGone('ana', /of yours is open/u);
  });

  it('approves by the same way as the message, and nobody approves their own', async () => {
    const [ana, ben] = [world.as('ana'), world.as('ben')];
    await ana.in('#ops').command('/db stop analytics');
    await ana.in('#ops').expectMessage(/@ana asks to stop analytics/u);
    const before = commands();
    await ben.openHome();
    await ben.expectHome(/1 request waits for you/u);
    await ben.click('Approve stop analytics');
    await ana.in('#ops').expectMessage(/@ana asked analytics to stop, approved by @ben/u);
    expect(commands()).toBe(before + 1);
    await expectGone('ben', /waits for you/u);
    await ben.expectHome(/analytics · prod · stopping, reported/u);
  });

  it('asks for what is pressed on a service in its channel, as a direct message', async () => {
    const ana = world.as('ana');
    await ana.openHome();
    await ana.expectHome(/scratch · dev · running/u);
    const before = commands();
    await ana.click('Stop: scratch');
    await ana.in('dm').expectMessage(/Stop scratch\?/u);
    expect(commands()).toBe(before);
    await ana.in('dm').click('Stop scratch');
    await ana.in('#ops').expectMessage(/@ana asked scratch to stop/u);
    await ana.in('dm').expectMessage(/Asked scratch to stop/u);
    expect(commands()).toBe(before + 1);
  });

  it('believes no button about the channel: who left it is refused', async () => {
    const ana = world.as('ana');
    await ana.openHome();
    await ana.expectHome(/scratch · dev · stopping/u);
    world.workspace.admin.kick('#ops', 'ana');
    const before = commands();
    await ana.click('Start: scratch');
    await ana.in('dm').expectMessage(/This choice no longer exists/u);
    expect(commands()).toBe(before);
    world.workspace.admin.add('#ops', 'ana');
  });
});

describe('the buttons of a list that rules have overtaken', () => {
  it('are judged again when they are pressed', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db services');
    await ana.expectEphemeral(/services, with the last state/u);
    const before = commands();
    await world.rewriteRules((yaml) =>
      yaml.replace(/^ {6}- \{ actions: \[service\.start, .*\n/mu, ''),
    );
    await world
      .as('ben')
      .in('#audit')
      .expectMessage(/Settings reloaded/u);
    await ana.click('Stop: scratch');
    await ana.expectEphemeral(/scratch was not stopped/u);
    expect(commands()).toBe(before);
  });
});

/** Drawn again, and it no longer says so. */
async function expectGone(person: string, match: RegExp): Promise<void> {
  await expect
    .poll(() => JSON.stringify(world.as(person).state.home?.blocks ?? ''))
    .not.toMatch(match);
}
