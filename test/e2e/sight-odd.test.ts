import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { allowEverything } from '../support/permissive.ts';
import type { Person } from '../support/person.ts';
import { createRunningClock, type RunningClock } from '../support/settable-clock.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** What a cloud does that nobody would expect; one world for all of it. */
let clock: RunningClock;
let world: StewardWorld;
let ana: Person;

beforeAll(async () => {
  clock = createRunningClock();
  world = await startWorld({
    ...{ names: 'clickhouse', clock },
    settings: (yaml) =>
      allowEverything(yaml).replace('channel: C0AUDIT', 'channel: C0AUDIT, watch: true'),
  });
  world.plane.changeSettings({ listLagSeconds: 0, activityLagSeconds: 0 });
  ana = world.as('ana').in('#ops');
  await later(0);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.plane.faults.clear();
  await later(16 * 60);
});

/** So much time is over, and what is due is looked at and told. */
async function later(seconds: number): Promise<void> {
  clock.pass(seconds * 1_000);
  await world.steward.look();
  await world.steward.housekeep();
}

async function stop(name: string): Promise<void> {
  await ana.command(`/db stop ${name}`);
  await ana.click(`Stop ${name}`);
  await isTold('stop', name);
}

/** It links to the message: where that stands is kept by then. */
async function isTold(word: string, name: string): Promise<void> {
  await ana.expectMessage(new RegExp(`@ana asked ${name} to ${word}`));
  const line = new RegExp(`service\\.${word}[\\s\\S]*${name}[\\s\\S]*message`);
  await world.as('ben').in('#audit').expectMessage(line);
}

const audited = (match: RegExp): number => {
  const audit = world.as('ben').in('#audit');
  return audit.state.messages.filter((message) => match.test(audit.text(message))).length;
};

it('is renamed while it is followed: the message keeps the name that was asked for', async () => {
  await stop('analytics');
  world.plane.console({ act: 'rename', service: 'analytics', name: 'attic' });
  await later(45);
  await ana.expectMessage(/analytics is stopped, \d+ s after @ana asked/);
  await ana.command('/db services');
  await ana.expectEphemeral(/analytics · .*called attic in the cloud/);
});

it('is deleted in the console while it is followed', async () => {
  await ana.command('/db start reporting');
  await isTold('start', 'reporting');
  world.plane.console({ act: 'delete', service: 'reporting' });
  await later(4);
  await ana.expectMessage(/reporting is terminating, .* That is not what was asked for/);
});

it('is gone between two looks', async () => {
  await stop('scratch');
  await later(3);
  await ana.expectMessage(/scratch: stopping … /);
  world.plane.faults.add({
    match: { method: 'GET', end: SERVICES.scratch.id },
    kind: 'status',
    status: 404,
  });
  const others = Object.values(SERVICES).filter(({ name }) => name !== 'scratch');
  world.plane.faults.add({ match: { end: '/services' }, kind: 'result', result: others });
  await later(6);
  await ana.expectMessage(/cannot see it now: the cloud does not show it any more/);
  await later(180);
  await ana.expectMessage(/scratch is not in the cloud any more, 3 min/);
});

it('has a state that this version does not know: followed, and not called an end', async () => {
  world.plane.faults.add({
    match: { method: 'GET', end: SERVICES.staging.id },
    kind: 'result',
    result: { id: SERVICES.staging.id, name: 'staging', state: 'hibernating' },
  });
  await stop('staging');
  await later(4);
  await later(180);
  await ana.expectMessage(/staging: hibernating … 3 min/);
  world.plane.faults.clear();
  await later(61);
  await ana.expectMessage(/staging is stopped, 4 min/);
});

it('answers 503 for ten minutes, then 401 until its key is mended: said once, then it goes on', async () => {
  world.plane.faults.add({ match: { method: 'GET' }, kind: 'status', status: 503 });
  await ana.command('/db start scratch');
  await isTold('start', 'scratch');
  for (let minute = 0; minute < 10; minute += 1) await later(61);
  await ana.expectMessage(
    /asked scratch to start[\s\S]*cannot see it now: the API failed with status 503/,
  );
  world.plane.faults.clear();
  world.plane.faults.add({ match: { method: 'GET' }, kind: 'status', status: 401 });
  await later(61);
  world.plane.faults.clear();
  await later(125);
  await ana.expectMessage(/scratch is running, 1\d min/);
});

it('shows an activity of an unknown type: it is told as it is called', async () => {
  world.plane.faults.add({
    match: { end: '/activities' },
    kind: 'result',
    result: [
      { id: 'f00d', createdAt: clock.now().toISO(), type: 'quantum_flip', actorType: 'daemon' },
    ],
  });
  await later(61);
  await world
    .as('ben')
    .in('#audit')
    .expectMessage(/quantum_flip[\s\S]*not through Steward/);
});

it.each([600, -600])(
  'has a clock that is %i s off: each is told once, and no own one',
  async (seconds) => {
    world.plane.changeSettings({ clockAheadSeconds: seconds });
    const name = `key ${seconds}`;
    const before = audited(/not through Steward/);
    world.plane.console({ act: 'key-created', name });
    await stop('archive');
    await later(61);
    await later(61);
    expect(audited(/not through Steward/)).toBe(before + 1);
    world.plane.changeSettings({ clockAheadSeconds: 0 });
    world.plane.console({ act: 'start', service: 'archive' });
  },
);

it('lists nothing, then all again', async () => {
  world.plane.faults.add({ match: { end: '/services' }, kind: 'result', result: [] });
  await later(301);
  await ana.command('/db services');
  await ana.expectEphemeral(/archive · prod · .*not in the cloud/);
  world.plane.faults.clear();
  clock.pass(11_000);
  await ana.command('/db services');
  await ana.expectEphemeral(/archive · prod · .*reported \d+ seconds? ago · tags in the cloud/);
});

it('has two services of one name: which of them is asked for', async () => {
  world.plane.console({ act: 'services', count: 1, prefix: 'twin' });
  world.plane.console({ act: 'services', count: 1, prefix: 'twin' });
  await later(301);
  await ana.command('/db endpoint "twin 1"');
  const ids = world.plane.state().services.filter(({ name }) => name === 'twin 1');
  expect(ids).toHaveLength(2);
  await ana.expectEphemeral(/twin 1[\s\S]*(?:Which|two|2|several)/i);
});

it('takes its time to list: nobody waits for that', async () => {
  world.plane.faults.add({
    match: { method: 'GET', end: '/services' },
    ...{ kind: 'slow', delayMs: 8_000 },
  });
  clock.pass(11_000);
  const ben = world.as('ben').in('#ops');
  await ben.command('/db services');
  await ben.expectEphemeral(/services, with the last state/);
  const list = world.plane.requests().findLast(({ path }) => path.endsWith('/services'));
  expect(list).toBeDefined();
  expect(list?.status).toBe(undefined);
});
