import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoggedRequest } from '../../src/sandbox/control-plane/http/request-log.ts';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

describe.each(['socket', 'http'] as const)('stopping and starting over %s', (mode) => {
  let world: StewardWorld;
  beforeEach(async () => {
    world = await startWorld({ mode });
  });
  afterEach(() => world.close());

  const commands = (): readonly LoggedRequest[] =>
    world.plane.requests().filter(({ method }) => method === 'PATCH');

  it('asks first, then stops, then tells the channel with the state that the API returned', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop scratch');
    await ana.expectEphemeral(/Stop scratch\?\s+dev · acme · no state reported yet/);
    expect(commands()).toEqual([]);
    await ana.click('Stop scratch');
    await ana.expectMessage(/@ana asked scratch to stop: the API answered stopping/);
    await ana.expectEphemeral(/Asked scratch to stop\./);
    expect(commands()).toHaveLength(1);
    expect(commands()[0]?.path).toContain(SERVICES.scratch.id);
    await ana.expectThread(/asked scratch to stop/, /Journal/);
    await ana.expectThread(/asked scratch to stop/, /API request/);
  });

  it('starts at once, without a question, and remembers the state for the next one', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db start reporting');
    await ana.expectMessage(/@ana asked reporting to start: the API answered starting/);
    await ana.command('/db stop reporting');
    await ana.expectEphemeral(/Stop reporting\?\s+dev · last reported starting/);
  });

  it('never claims a state that the API did not report', async () => {
    world.plane.changeSettings({ commandReply: 'before' });
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop scratch');
    await ana.click('Stop scratch');
    await ana.expectMessage(/@ana asked scratch to stop: the API answered running/);
    await ana.expectNoMessage(/stopp(?:ed|ing)/);
  });

  it('says what starting an idle service does', async () => {
    await world.as('ana').in('#ops').command('/db start archive');
    await world
      .as('ana')
      .in('#ops')
      .expectMessage(/answered idle[\s\S]*a query wakes it/);
  });

  it('cancels without a call, and the question is then over', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop scratch');
    await ana.click('Cancel');
    await ana.expectEphemeral(/Cancelled; nothing was done/);
    expect(commands()).toEqual([]);
  });

  it('refuses where no rule allows it, says where one does, and sends nothing', async () => {
    const ana = world.as('ana').in('#random');
    await ana.command('/db stop scratch');
    await ana.expectEphemeral(
      /scratch was not stopped: #random has no rule for service\.stop\. It is allowed in #ops for operators/,
    );
    expect(world.plane.requests()).toEqual([]);
  });

  it('does not tell somebody where it is allowed who may not do it there', async () => {
    const fay = world.as('fay').in('#random');
    await fay.command('/db stop scratch');
    const message = await fay.expectEphemeral(/scratch was not stopped/);
    expect(fay.text(message)).not.toContain('#ops');
  });

  it('says in a form which state was last reported, and how long ago', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db start reporting');
    await ana.expectMessage(/asked reporting to start: the API answered starting/);
    await ana.command('/db stop');
    await ana.expectModal(/Stop a service/);
    expect(await ana.hints('Service', 'reporting')).toEqual([
      expect.stringMatching(/^dev · starting, \d+ seconds? ago$/u),
    ]);
    expect(await ana.hints('Service', 'scratch')).toEqual(['dev · no state reported yet']);
  });

  it('suggests a near miss, and its button only fills it in', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop scrathc');
    await ana.expectEphemeral(/No service named scrathc\. Did you mean scratch\?/);
    await ana.click('Use scratch');
    await ana.expectEphemeral(/Stop scratch\?/);
    expect(commands()).toEqual([]);
    await ana.click('Stop scratch');
    await ana.expectMessage(/asked scratch to stop/);
  });

  it('suggests a near miss of the command itself', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stpo scratch');
    await ana.expectEphemeral(/no command stpo\. Did you mean \/db stop scratch/);
    await ana.click('Use stop');
    await ana.expectEphemeral(/Stop scratch\?/);
  });

  it('opens the form for a missing argument, with the services that Ana may stop here', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop');
    await ana.expectModal(/Stop a service/);
    expect(await ana.suggest('Service', 'scr')).toEqual(['scratch']);
    await ana.select('Service', 'scratch');
    await ana.submit();
    await ana.expectNoModal();
    await ana.expectEphemeral(/Stop scratch\?/);
    await ana.click('Stop scratch');
    await ana.expectMessage(/asked scratch to stop/);
  });

  it('runs a payload once that arrives twice', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db start reporting');
    await ana.expectMessage(/asked reporting to start/);
    await world.workspace.redeliver();
    await ana.command('/db stop scratch');
    await ana.click('Stop scratch');
    await ana.expectMessage(/asked scratch to stop/);
    await world.workspace.redeliver();
    await ana.expectNoMessage(/Already/, 300);
    expect(
      ana.state.messages.filter(({ text }) => text.includes('asked *scratch* to stop')),
    ).toHaveLength(1);
    expect(commands()).toHaveLength(2);
  });

  it('asks a second person where the rule says so, and runs once however often it is approved', async () => {
    const ana = world.as('ana').in('#ops');
    const ben = world.as('ben').in('#ops');
    await ana.command('/db stop analytics');
    await ana.expectMessage(/@ana asks to stop analytics \(prod, acme\)\. Approval by leads until/);
    await ana.click('Approve');
    await ana.expectEphemeral(/You asked for this; somebody else from leads has to approve/);
    expect(commands()).toEqual([]);
    await ben.click('Approve');
    await ben.expectMessage(
      /@ana asked analytics to stop, approved by @ben: the API answered stopping/,
    );
    await ben.expectNoMessage(/asks to stop/);
    expect(commands()).toHaveLength(1);
  });

  it('lets only the named group approve', async () => {
    await world.as('ana').in('#ops').command('/db stop analytics');
    const fay = world.as('fay').in('#ops');
    await fay.click('Approve');
    await fay.expectEphemeral(/Only leads can approve this/);
    expect(commands()).toEqual([]);
  });

  it('answers a pressed question of somebody else with a refusal', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop scratch');
    await ana.expectEphemeral(/Stop scratch\?/);
    await ana.click('Stop scratch');
    await ana.expectMessage(/asked scratch to stop/);
    const pressed = world.workspace.lastDelivery();
    const payload = {
      ...pressed?.payload,
      user: { id: 'U02BEN', team_id: 'T0ACME' },
      trigger_id: 't.2',
    };
    await world.workspace.deliver('interactive', payload);
    expect(commands()).toHaveLength(1);
  });

  it('shows the menu of what one may do here and runs from it', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db');
    await ana.expectEphemeral(/What you may do here/);
    await ana.click('Stop a service');
    await ana.expectModal(/Stop a service/);
    await ana.closeModal();
    await ana.command('/db');
    await ana.select('All else, by subject', 'Ask whether someone may do something here');
    await ana.expectModal(/May someone do it?/);
    await ana.closeModal();
    await world.as('ana').in('#random').command('/db');
    await world
      .as('ana')
      .in('#random')
      .expectEphemeral(/You may not do anything here/);
  });

  it('lists the services it knows, and says who may do what', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db services');
    await ana.expectEphemeral(/7 services[\s\S]*analytics[\s\S]*prod/);
    await ana.command('/db can stop analytics');
    await ana.expectEphemeral(
      /You may use service\.stop on analytics here, with an approval by leads/,
    );
    await ana.command('/db can @fay stop scratch');
    await ana.expectEphemeral(/@fay may not use service\.stop on scratch here/);
    await ana.command('/db help stop');
    await ana.expectEphemeral(/Stop a service[\s\S]*\/db stop scratch`/, 'markup');
  });
});
