import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playgroundSettings } from '../../src/sandbox/playground-settings.ts';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld, withoutSchedules } from '../support/steward-world.ts';

let world: StewardWorld;
let ana: Person;
let ben: Person;

beforeAll(async () => {
  world = await startWorld({
    names: 'clickhouse',
    settings: () =>
      withoutSchedules(playgroundSettings('clickhouse').replace(/^ {4}digest: .*\n/mu, ''))
        // Ana may wake what is idle, and start nothing.
        .replace(
          'actions: [service.start, service.stop], services: [tag:dev], who: [operators, leads]',
          'actions: [service.start, service.stop], services: [tag:dev], who: [leads]',
        ),
  });
  ana = world.as('ana').in('#ops');
  ben = world.as('ben').in('#ops');
});
afterAll(() => world.close());

function commands(): readonly unknown[] {
  return world.plane
    .requests()
    .filter(({ method }) => method === 'PATCH')
    .map(({ body }) => (body as { readonly command: string }).command);
}

describe('wake, where the cloud has the command', () => {
  it('wakes an idle service', async () => {
    await ana.command('/db wake archive');
    await ana.expectMessage(/ana asked archive to wake/u);
    expect(commands()).toEqual(['awake']);
  });

  it('starts one that sleeps, for who may start it', async () => {
    await ben.command('/db stop scratch');
    await ben.click('Stop scratch');
    await ben.expectMessage(/asked scratch to stop/u);
    await ana.command('/db wake scratch');
    await ana.expectEphemeral(/scratch was not woken/u);
    expect(commands()).toEqual(['awake', 'stop']);
    world.plane.changeSettings({ conflictAfterStopSeconds: 0 });
    await expect
      .poll(() => world.plane.state().services.find(({ name }) => name === 'scratch')?.state, {
        timeout: 30_000,
      })
      .toBe('stopped');
    await ben.command('/db wake scratch');
    await ben.expectMessage(/ben asked scratch to wake: the API answered/u);
    expect(commands()).toEqual(['awake', 'stop', 'start']);
  }, 60_000);

  it('is a command of its own in the help', async () => {
    await ana.command('/db help wake');
    await ana.expectEphemeral(/Wake a service[\s\S]*service\.wake/u);
    await ben.command('/db help start');
    await ben.expectEphemeral(/Start a service(?![\s\S]*wake)/u);
  });
});
