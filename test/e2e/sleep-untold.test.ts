import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { createLookAt } from '../support/nights.ts';
import type { Person } from '../support/person.ts';
import { createSentCommands } from '../support/sent-commands.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** A Wednesday; notices come at 18:30 UTC, stops at 19:00, starts at 06:30. */
const clock = createSettableClock({ start: '2026-11-25T18:00:00.000Z' });
let world: StewardWorld;
let ana: Person;

beforeAll(async () => {
  const settings = (yaml: string) => yaml.replace(/^ {4}digest: .*\n/mu, '');
  world = await startWorld({ clock, summaries: true, settings });
  ana = world.as('ana').in('#ops');
});
afterAll(() => world.close());

const sent = createSentCommands(() => world);

const lookAt = createLookAt(clock, () => world);

/** Messages that the bot tried to post in #ops. */
function tries(): number {
  return world.workspace
    .traffic()
    .filter(
      ({ what, sent: call }) => what === 'chat.postMessage' && /C0OPS/u.test(JSON.stringify(call)),
    ).length;
}

const OPS = (call: Readonly<Record<string, unknown>>) => call['channel'] === 'C0OPS';

describe('a notice that the channel does not take', () => {
  it('lets nothing stop, and is tried once a minute', async () => {
    world.workspace.faults.plan('chat.postMessage', {
      ...{ failure: 'not_in_channel', times: Infinity, where: OPS },
    });
    for (const second of ['00', '10', '20', '30', '40', '50']) {
      await lookAt(`2026-11-25T18:30:${second}.000Z`);
    }
    expect(tries()).toBe(1);
    await lookAt('2026-11-25T18:31:00.000Z');
    expect(tries()).toBe(2);
    await lookAt('2026-11-25T19:00:00.000Z');
    expect(sent()).toEqual([]);
  });

  it('is told where it can be, with the true reason, once, and is over', async () => {
    await lookAt('2026-11-25T19:31:00.000Z');
    const there = world.as('ana').in('#audit');
    await there.expectMessage(
      /dev-nights stopped nothing, [^\n]*: its notice could not be posted in this channel/u,
    );
    const before = tries();
    for (const minute of ['32', '33', '40', '50']) await lookAt(`2026-11-25T19:${minute}:00.000Z`);
    expect(tries()).toBe(before);
    expect(sent()).toEqual([]);
  });
});

describe('a message that cannot be changed', () => {
  it('keeps nobody asleep: what has begun goes on, and is told when it can be', async () => {
    world.workspace.faults.heal();
    await lookAt('2026-11-26T18:30:00.000Z');
    await ana.expectMessage(/dev-nights stops 3 services/u);
    world.workspace.faults.plan('chat.update', { failure: 'fatal_error', times: Infinity });
    await lookAt('2026-11-26T19:00:00.000Z');
    expect(sent()).toHaveLength(3);
    await lookAt('2026-11-26T19:01:00.000Z');
    await lookAt('2026-11-27T06:30:00.000Z');
    expect(sent()).toEqual(['reporting start', 'scratch start', 'staging start']);
    world.workspace.faults.heal();
    await lookAt('2026-11-27T06:31:00.000Z');
    await ana.expectMessage(
      /dev-nights asked 3 of 3 services to stop and asked 3 of 3 services to start/u,
    );
  });
});

describe('a sleep that somebody set, in a channel that takes no messages any more', () => {
  it('is done as it was set, and what became of it is told once to who set it', async () => {
    clock.set('2026-11-28T10:00:00.000Z');
    await ana.command('/db sleep scratch today 12:00 until 13:00');
    await ana.click('Put scratch to sleep');
    await ana.expectMessage(/ana set a sleep: scratch stops/u);
    world.workspace.faults.plan('chat.postMessage', {
      ...{ failure: 'is_archived', times: Infinity, where: OPS },
    });
    await lookAt('2026-11-28T11:00:00.000Z');
    await lookAt('2026-11-28T12:00:00.000Z');
    expect(sent()).toEqual(['scratch start', 'scratch stop']);
    await lookAt('2026-11-28T12:02:00.000Z');
    await ana.expectEphemeral(
      /The sleep that @ana set asked 1 of 1 service to stop and asked 1 of 1 service to start/u,
    );
    const before = tries();
    for (const minute of ['05', '10', '20']) await lookAt(`2026-11-28T12:${minute}:00.000Z`);
    expect(tries()).toBe(before);
  });
});
