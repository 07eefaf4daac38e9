import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { knownActions, type Steward, startSteward } from '../../src/app/app.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { STEWARD } from '../support/built-program.ts';
import { overDatabases } from '../support/databases.ts';
import { createRunningClock, type RunningClock } from '../support/settable-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';
import { eventually } from '../support/waiting.ts';

/** Others' deeds, watched by two bots on one database: each is told once. */
overDatabases('Two bots that watch one cloud', (databases) => {
  let clock: RunningClock;
  let world: StewardWorld;
  let second: Steward | undefined;
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await second?.stop();
    second = undefined;
    await world.close();
  });

  async function begin(): Promise<void> {
    clock = createRunningClock();
    const { url } = await databases.fresh();
    world = await startWorld({
      ...{ clock, names: 'clickhouse', env: { DATABASE_URL: url } },
      settings: (yaml) => yaml.replace('channel: C0AUDIT', 'channel: C0AUDIT, watch: true'),
    });
    world.plane.changeSettings({ listLagSeconds: 0, activityLagSeconds: 0 });
    // From the first look on what others do is news.
    await world.steward.look();
  }

  /** The ids that keys are called by in what the audit channel was told, in their order. */
  const told = (): readonly string[] => {
    const ben = world.as('ben').in('#audit');
    return ben.state.messages
      .map((message) => ben.text(message))
      .filter((text) => /not through Steward/u.test(text));
  };

  it('at the same moments, again and again', async () => {
    await begin();
    second = await startSteward({
      configuration: loadConfiguration({ env: world.env, knownActions }),
      ...{ clock, env: world.env, logger: silentLogger },
    });
    for (let round = 1; round <= 4; round += 1) {
      for (const name of ['one', 'two']) world.plane.console({ act: 'key-created', name });
      clock.pass(11_000);
      await Promise.all([world.steward.look(), second.look()]);
      await Promise.all([world.steward.housekeep(), second.housekeep()]);
      await eventually(() => expect(told()).toHaveLength(2 * round));
    }
    clock.pass(61_000);
    await Promise.all([world.steward.look(), second.look()]);
    await Promise.all([world.steward.housekeep(), second.housekeep()]);
    expect(told()).toHaveLength(8);
  });

  it('follow a change once, whichever looks, and one goes on where the other ends', async () => {
    await begin();
    second = await startSteward({
      configuration: loadConfiguration({ env: world.env, knownActions }),
      ...{ clock, env: world.env, logger: silentLogger },
    });
    const looking = [world.steward, second];
    const later = async (seconds: number): Promise<void> => {
      clock.pass(seconds * 1_000);
      await Promise.all(looking.map((one) => one.look()));
      await Promise.all(looking.map((one) => one.housekeep()));
    };
    const ana = world.as('ana').in('#ops');
    world.plane.faults.add({
      match: { method: 'GET', end: SERVICES.scratch.id },
      kind: 'result',
      result: { id: SERVICES.scratch.id, name: 'scratch', state: 'stopping' },
    });
    await ana.command('/db stop scratch');
    await ana.click('Stop scratch');
    await ana.expectMessage(/@ana asked scratch to stop/);
    await world
      .as('ben')
      .in('#audit')
      .expectMessage(/service\.stop[\s\S]*message/);
    await later(11);
    await ana.expectMessage(/scratch: stopping … /);
    await later(11 * 60);
    await ana.expectThread(/scratch: stopping/, /longer than usual/);
    await later(61);
    const words = () =>
      world.workspace
        .traffic()
        .filter(
          ({ what, detail }) => /postMessage/u.test(what) && /longer than usual/u.test(detail),
        );
    expect(words()).toHaveLength(1);
    await looking.pop()?.stop();
    second = undefined;
    world.plane.faults.clear();
    await later(61);
    await ana.expectMessage(/scratch is stopped, 1[2-4] min/);
    await later(61);
    expect(words()).toHaveLength(1);
    const ends = world.workspace
      .traffic()
      .filter(({ what, detail }) => /chat\.update/u.test(what) && /is stopped, 1/u.test(detail));
    expect(ends).toHaveLength(1);
  });

  it('where one is killed after it has kept what it was about to tell', async () => {
    await begin();
    await world.restart(async () => {
      world.plane.console({ act: 'key-created', name: 'terraform' });
      world.workspace.faults.plan('chat.postMessage', {
        failure: { wire: 'hang' },
        times: Infinity,
      });
      const child = spawn(process.execPath, [STEWARD, 'start'], {
        env: world.env,
        stdio: 'ignore',
      });
      children.push(child);
      // It has read, kept, and is about to tell.
      await eventually(() =>
        expect(
          world.workspace
            .traffic()
            .filter(
              ({ what, detail }) =>
                /postMessage/u.test(what) && /not through Steward/u.test(detail),
            ),
        ).not.toEqual([]),
      );
      child.kill('SIGKILL');
      await once(child, 'exit');
      world.workspace.faults.heal();
    });
    expect(told()).toEqual([]);
    clock.pass(120_000);
    await world.steward.look();
    await world.steward.housekeep();
    await eventually(() => expect(told()).toHaveLength(1));
    clock.pass(120_000);
    await world.steward.look();
    await world.steward.housekeep();
    expect(told()).toHaveLength(1);
  });
});
