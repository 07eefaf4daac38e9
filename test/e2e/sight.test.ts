import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runDoctor } from '../../src/cli/doctor.ts';
import { pipeCreate } from '../../src/operations/pipe-create/pipe-create.ts';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { createRunningClock, type RunningClock } from '../support/settable-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type Mode, type StewardWorld, startWorld } from '../support/steward-world.ts';

let clock: RunningClock;
let world: StewardWorld;

async function begin(mode: Mode = 'socket', settings?: (yaml: string) => string): Promise<void> {
  clock = createRunningClock();
  const withWake = (yaml: string): string =>
    yaml.replace(
      '[service.start, service.stop], services: [tag:dev]',
      '[service.start, service.stop, service.wake], services: [tag:dev]',
    );
  world = await startWorld({ mode, clock, names: 'clickhouse', settings: settings ?? withWake });
  world.plane.changeSettings({ listLagSeconds: 0, activityLagSeconds: 0 });
}

/** So much time is over, and what is due is looked at and told. */
async function later(seconds: number): Promise<void> {
  clock.pass(seconds * 1_000);
  await world.steward.look();
  await world.steward.housekeep();
}

const requests = (method: string, path: RegExp) =>
  world.plane.requests().filter((request) => request.method === method && path.test(request.path));

const ONE = /\/services\/[^/]+$/u;

describe.each(['socket', 'http'] as const)('a change that is followed, over %s', (mode) => {
  beforeEach(() => begin(mode));
  afterEach(() => world.close());

  it('goes on in its own message until the service has stopped, over a restart in between', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop scratch');
    await ana.click('Stop scratch');
    const first = await ana.expectMessage(/@ana asked scratch to stop: the API answered stopping/);
    await ana.expectNoMessage(/cannot see when it is done/);
    await later(3);
    await ana.expectMessage(/scratch: stopping … \d+ s after @ana asked\./);
    await world.restart();
    await later(15);
    const last = await ana.expectMessage(/scratch is stopped, \d\d s after @ana asked\./);
    expect(last.ts).toBe(first.ts);
    const before = requests('GET', /services/u).length;
    await later(60);
    expect(requests('GET', /services/u).length - before).toBe(0);
    await ana.command('/db services');
    await ana.expectEphemeral(/scratch · dev · stopped, reported/);
  });

  it('tells who created a service when it runs, with what they need to connect', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db create nightly --preset small --ip-access-list 203.0.113.7');
    await ana.submit();
    await ana.expectMessage(/@ana created nightly .*: the API reports provisioning/);
    await later(10);
    await ana.expectMessage(/nightly: provisioning … \d+ s after @ana created it/);
    await world.restart();
    world.plane.changeSettings({ listLagSeconds: 60 });
    clock.pass(11_000);
    await ana.command('/db services nightly');
    const known = await ana.expectEphemeral(/nightly · .*known from its creation here/);
    expect(ana.text(known)).not.toMatch(/not in the cloud/u);
    await later(150);
    await ana.expectMessage(/nightly is running, 2 min \d+ s after @ana created it/);
    const dm = world.as('ana').in('dm');
    await dm.expectMessage(/nightly is running and can be used[\s\S]*8443[\s\S]*user default/);
    await dm.expectMessage(/Its password, while nobody has seen it: \/db approvals/);
  });
});

describe('a pipe', () => {
  beforeEach(() => begin());
  afterEach(() => world.close());

  it('is followed until it runs', async () => {
    const [, example = ''] = pipeCreate.inClouds?.clickhouse.slash.examples ?? [];
    const ana = world.as('ana').in('#ops');
    await ana.command(`/db ${example.replace('orders', 'refunds')}`);
    await ana.submit();
    await ana.expectMessage(/@ana created the pipe/);
    await world
      .as('ben')
      .in('#audit')
      .expectMessage(/pipe\.create[\s\S]*message/);
    await later(3);
    await ana.expectMessage(/Provisioning … \d+ s after @ana created it/);
    await later(300);
    await ana.expectMessage(/is Running, 5 min \d+ s after @ana created it/);
    expect(requests('GET', /\/clickpipes\/[^/]+$/u).length).toBeGreaterThan(1);
  });
});

describe('what is followed', () => {
  beforeEach(() => begin());
  afterEach(() => world.close());

  const stopScratch = async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop scratch');
    await ana.click('Stop scratch');
    await ana.expectMessage(/@ana asked scratch to stop/);
    // It links to the message: where that stands is kept by then.
    await world
      .as('ben')
      .in('#audit')
      .expectMessage(/service\.stop[\s\S]*message/);
    return ana;
  };

  it('calls who asked where a state does not come, and ends with what was last seen', async () => {
    world.plane.faults.add({
      match: { method: 'GET', path: `/services/${SERVICES.scratch.id}` },
      kind: 'result',
      result: { id: SERVICES.scratch.id, name: 'scratch', state: 'stopping' },
    });
    const ana = await stopScratch();
    await later(5);
    await later(11 * 60);
    await ana.expectThread(
      /scratch: stopping … 11 min/,
      /@ana: scratch is still stopping, 11 min .*longer than usual/,
    );
    await later(60);
    await later(50 * 60);
    await ana.expectMessage(/scratch was last seen stopping .*Steward looks no further/);
    const looked = requests('GET', ONE).length;
    await later(600);
    expect(requests('GET', ONE)).toHaveLength(looked);
    const words = world.workspace
      .traffic()
      .filter(({ detail }) => /longer than usual/u.test(detail));
    expect(words.filter(({ what }) => /postMessage/u.test(what))).toHaveLength(1);
  });

  it('says so where the service comes to rest elsewhere', async () => {
    const ana = await stopScratch();
    world.plane.console({ act: 'fail', service: 'scratch', state: 'failed' });
    await later(4);
    await ana.expectMessage(
      /scratch is failed, \d+ s after @ana asked\. That is not what was asked/,
    );
    await ana.expectThread(
      /scratch is failed/,
      /@ana: it is failed, which is not what was asked for/,
    );
  });

  it.each([
    [
      403,
      /cannot see it now: the key may not \(403\)/,
      /the list of services of acme: the key may not/,
    ],
    [
      404,
      /cannot see it now: .*\(404\)/,
      /the list of services of acme: the cloud has no such list/,
    ],
  ])(
    'is not claimed while the cloud refuses to show it (%i), and goes on once it does',
    async (status, why, closed) => {
      const match = { method: 'GET', path: '/services' };
      world.plane.faults.add({ match, kind: 'status', status });
      const ana = await stopScratch();
      await later(4);
      await ana.expectMessage(/asked scratch to stop[\s\S]*cannot see it now/);
      await ana.expectMessage(why);
      await ana.command('/db services');
      await ana.expectEphemeral(/scratch/);
      await ana.command('/db status');
      await ana.expectEphemeral(/not all is well/);
      await ana.expectEphemeral(closed);
      const refused = requests('GET', /\/services$/u).length;
      await later(60);
      await later(180);
      expect(requests('GET', /\/services$/u)).toHaveLength(refused);
      await ana.expectNoMessage(/not in the cloud any more|is stopped/);
      world.plane.faults.clear();
      await later(16 * 60);
      await ana.expectMessage(/scratch is stopped, \d\d min/);
    },
  );

  it('ends where something later is asked of the same service', async () => {
    const ana = await stopScratch();
    clock.pass(20_000);
    world.plane.faults.add({
      match: { method: 'GET', path: '/services' },
      kind: 'status',
      status: 503,
    });
    await ana.command('/db start scratch');
    await ana.expectMessage(/@ana asked scratch to start/);
    await later(8);
    await ana.expectMessage(/scratch .*Something later was asked of it/);
    world.plane.faults.clear();
    await later(60);
    await ana.expectMessage(/scratch is running/);
  });
});

describe('an idle service', () => {
  beforeEach(() => begin());
  afterEach(() => world.close());

  it('is told from a stopped one, and woken by a command of its own', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db start archive');
    await ana.expectMessage(/asked archive to start: the API answered idle[\s\S]*a query wakes it/);
    await ana.command('/db wake archive');
    await ana.expectEphemeral(/archive was not woken/);
    const ben = world.as('ben').in('#ops');
    world.plane.console({ act: 'idle', service: 'scratch' });
    await ben.command('/db wake scratch');
    await ben.expectMessage(/@ben asked scratch to wake: the API answered awaking/);
    expect(requests('PATCH', /state/u).at(-1)?.body).toEqual({ command: 'awake' });
    clock.pass(3_000);
    await later(31);
    await ben.expectMessage(/scratch is running, \d\d s after @ben asked\./);
  });

  it('where the cloud has no such command it is another word for start, and nothing else is sent', async () => {
    await world.close();
    world = await startWorld();
    const ana = world.as('ana').in('#ops');
    await ana.command('/db wake reporting');
    await ana.expectMessage(/@ana asked reporting to start: the API answered starting/);
    expect(world.plane.requests().map(({ body }) => body)).toEqual([{ command: 'start' }]);
  });
});

describe('the directory that fills itself', () => {
  afterEach(() => world.close());

  const RULES = `channels:
  ops:
    id: C0OPS
    allow:
      - { actions: [service.stop, '*.read'], services: ['tag:dev'], who: [operators] }
  all:
    id: C0RANDOM
    allow:
      - { actions: ['*.read', service.start], services: ['*'], who: [U02BEN] }
defaults:`;
  const threeInTheFile = (yaml: string): string =>
    yaml
      .replace(/^ {2}(?:reporting|archive|core|reader).*\n/gmu, '')
      .replace(/channels:[\s\S]*?\ndefaults:/u, RULES);

  it('shows 300 services of the cloud to those whose rules say every service, and to nobody else', async () => {
    await begin('socket', threeInTheFile);
    world.plane.console({ act: 'services', count: 300, prefix: 'fleet' });
    await later(301);
    const ben = world.as('ben').in('#random');
    await ben.command('/db services');
    await ben.expectEphemeral(/of 30\d, with the last state|30\d services/);
    const ana = world.as('ana').in('#ops');
    await ana.command('/db services');
    await ana.expectEphemeral(/2 services/);
    await ana.command('/db stop fleet 7');
    await ana.expectEphemeral(/No service named fleet 7\./);
    await ana.expectNoMessage(/fleet 1\b|fleet 20/);
  });

  it('learns of a new one when somebody names it, and asks the cloud for an id', async () => {
    await begin();
    const ben = world.as('ben').in('#ops');
    world.plane.console({ act: 'services', count: 2, prefix: 'late' });
    clock.pass(11_000);
    await ben.command('/db endpoint "late 1"');
    await ben.expectEphemeral(/late 1/);
    const known = world.plane.state().services.find(({ name }) => name === 'late 2');
    expect(known).toBeDefined();
    await ben.command(`/db endpoint ${known?.id ?? ''}`);
    await ben.expectEphemeral(/endpoint/);
    await ben.command('/db endpoint 00000000-0000-4000-8000-00000000dead');
    await ben.expectEphemeral(/No service with the id/);
    expect(requests('GET', /00000000dead$/u)).toHaveLength(1);
  });

  it('says which service of the file is not in the cloud, and tells namesakes apart', async () => {
    await begin();
    world.plane.console({ act: 'delete', service: 'scratch' });
    world.plane.console({ act: 'rename', service: 'archive', name: 'reporting' });
    await later(301);
    const ana = world.as('ana').in('#ops');
    await ana.command('/db services');
    await ana.expectEphemeral(/scratch · dev · .*not in the cloud/);
    await ana.expectEphemeral(/archive · .*called reporting in the cloud/);
  });
});

describe('what others did', () => {
  afterEach(() => world.close());

  const watched = (yaml: string): string =>
    yaml.replace('channel: C0AUDIT', 'channel: C0AUDIT, watch: true');
  const audit = () => world.as('ben').in('#audit');
  const linesOf = (match: RegExp): number =>
    audit().state.messages.filter((message) => match.test(audit().text(message))).length;

  it('is listed, found by words, and opened; what one may not see is not', async () => {
    await begin();
    world.plane.console({ act: 'start', service: 'reporting' });
    world.plane.console({ act: 'key-created', name: 'terraform' });
    const ana = world.as('ana').in('#ops');
    await ana.command('/db activity');
    await ana.expectEphemeral(/activities from [\s\S]*API key created[\s\S]*service started/);
    await ana.command('/db activity reporting started 1d');
    await ana.expectEphemeral(
      /1 activity with reporting and started [\s\S]*by user frank@acme\.example/,
    );
    await ana.click('Open');
    await ana.expectEphemeral(/No matching journal entry: it was done outside Steward/);
    await ana.command('/db activity nothing-like-it');
    await ana.expectEphemeral(/No activity with nothing-like-it/);
    world.plane.console({ act: 'many', count: 60 });
    await ana.command('/db activity 2d');
    const first = await ana.expectEphemeral(/20 of \d+ activities/);
    const [, all = ''] = /20 of (\d+) activities/u.exec(ana.text(first)) ?? [];
    await ana.click('Older activities');
    await ana.expectEphemeral(new RegExp(`Activities 21 to 40 of ${all} from`));
    await ana.click('Older activities');
    await ana.expectEphemeral(new RegExp(`Activities 41 to 60 of ${all} from`));
    await ana.click('Newer activities');
    await ana.expectEphemeral(new RegExp(`Activities 21 to 40 of ${all} from`));
  });

  it('is told once, after a restart too; what was there before the first look is not', async () => {
    await begin();
    world.plane.console({ act: 'many', count: 1_000 });
    clock.pass(1_000);
    await world.rewriteRules(watched);
    await audit().expectMessage(/audit/);
    await later(61);
    expect(linesOf(/not through Steward/)).toBe(0);
    const ana = world.as('ana').in('#ops');
    await ana.command('/db stop scratch');
    await ana.click('Stop scratch');
    await ana.expectMessage(/asked scratch to stop/);
    await world.restart(() => {
      clock.pass(600_000);
      world.plane.console({ act: 'rename', service: 'archive', name: 'attic' });
    });
    await later(61);
    await audit().expectMessage(
      /service renamed[\s\S]*by user frank@acme\.example[\s\S]*not through Steward/,
    );
    await later(61);
    await world.restart();
    await later(61);
    expect(linesOf(/not through Steward/)).toBe(1);
    expect(linesOf(/service stopped/)).toBe(0);
  });

  it('is counted where it is much', async () => {
    await begin('socket', watched);
    await later(61);
    clock.pass(120_000);
    for (let n = 0; n < 12; n += 1) world.plane.console({ act: 'key-created', name: `key ${n}` });
    await later(61);
    await audit().expectMessage(
      /12 changes in acme did not come through Steward: 12 × API key created/,
    );
    expect(linesOf(/not through Steward/)).toBe(0);
  });
});

it('doctor says what a cloud shows, and what its key may not see', async () => {
  await begin();
  try {
    world.plane.faults.add({ match: { path: '/activities' }, kind: 'status', status: 403 });
    const lines: string[] = [];
    const output = { print: (line: string): void => void lines.push(line) };
    const code = await runDoctor({ env: world.env, clock, logger: silentLogger, output });
    expect(code).toBe(1);
    expect(lines.join('\n')).toMatch(/ok +sight, organization acme, services: \d+ seen/);
    expect(lines.join('\n')).toMatch(
      /PROBLEM +sight, organization acme, activities: the key may not/,
    );
  } finally {
    await world.close();
  }
});
