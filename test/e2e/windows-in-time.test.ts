import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** Longer than nobody waits for, and several of them are longer than a trigger lives. */
const SLOW_MS = 1_100;

let world: StewardWorld;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  world = await startWorld({
    settings: (yaml) =>
      yaml.replace(
        /(actions: \[service\.start.*who: \[operators, leads\]) \}/gu,
        '$1, reason: required }',
      ),
  });
  ana = world.as('ana').in('#ops');
  ben = world.as('ben').in('#ops');
});
afterAll(() => world.close());
afterEach(async () => {
  slow(0);
  for (const person of [ana, ben]) {
    if (person.state.views.length > 0) await person.closeModal({ all: true });
    person.reload();
  }
});

/** What the rules ask of Slack about people and places; its members alone outlast a trigger. */
function slow(milliseconds: number): void {
  const { faults } = world.workspace;
  faults.delay('users.info', milliseconds);
  faults.delay('conversations.members', milliseconds * 2.6);
}

function fresh(): string {
  return String(world.workspace.traffic().filter(({ what }) => what === 'views.open').length);
}

type Road = readonly [
  name: string,
  begin: () => Promise<void>,
  press: () => Promise<void>,
  form: RegExp,
];

const ROADS: readonly Road[] = [
  [
    'Deny',
    async () => {
      await ana.command('/db stop analytics --reason nightly restore');
      await ben.expectMessage(/asks to stop analytics/u);
    },
    () => ben.click('Deny'),
    /Deny this request[\s\S]*Shown in the request and to who asked/u,
  ],
  [
    'a command that lacks its reason',
    async () => undefined,
    () => ben.command('/db stop scratch'),
    /The rules here ask for a reason/u,
  ],
  [
    'a button of a list that lacks its reason',
    async () => {
      await ben.command('/db services');
      await ben.expectEphemeral(/services/u);
    },
    () => ben.click('Start'),
    /The rules here ask for a reason/u,
  ],
  [
    'the same on App Home',
    async () => {
      await ben.openHome();
      await ben.expectHome(/scratch/u);
    },
    () => ben.click('Start'),
    /The rules here ask for a reason/u,
  ],
  [
    'a channel and command that were picked',
    async () => {
      await ben.shortcut('Database menu');
      await ben.expectModal(/What, and where/u);
      await ben.select('What, and where', 'Invite someone to the organization');
    },
    () => ben.submit(),
    /Invite someone[\s\S]*E-mail address/u,
  ],
  [
    'a way on that is offered',
    async () => {
      await ben.command('/db crate nightly');
      await ben.expectEphemeral(/Did you mean \/db create nightly\?/u);
    },
    () => ben.click('Use create'),
    /Create a service[\s\S]*Provider/u,
  ],
];

describe.each(ROADS)('%s', (_name, begin, press, form) => {
  it('opens its window before it asks Slack who and where', async () => {
    await begin();
    await world.restart();
    const before = fresh();
    slow(SLOW_MS);
    await press();
    const { id } = await ben.expectModal(/One moment/u);
    expect((await ben.expectModal(form)).id).toBe(id);
    expect(Number(fresh()) - Number(before)).toBe(1);
  });
});

it('a press on Deny by somebody who may not says so in the window', async () => {
  await ana.command('/db stop analytics --reason again');
  const fay = world.as('fay').in('#ops');
  await fay.expectMessage(/asks to stop analytics/u);
  await world.restart();
  slow(SLOW_MS);
  await fay.click('Deny');
  await fay.expectModal(/One moment/u);
  await fay.expectModal(/Only leads can/u);
});
