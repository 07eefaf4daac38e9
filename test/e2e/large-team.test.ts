import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { largeRules, largeWorkspace } from '../support/large-team.ts';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

const SIZE = { channels: 40, groups: 30, services: 300, credentials: 120 };

let world: StewardWorld;
let ana: Person;
beforeAll(async () => {
  world = await startWorld({ settings: largeRules(SIZE), workspace: largeWorkspace(SIZE) });
  ana = world.as('ana').in('#ops');
});
afterAll(() => world.close());

/** What was asked of Slack since then, by method. */
function callsSince(from: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { what, direction } of world.workspace.traffic().slice(from)) {
    if (direction === 'from-bot') counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

/** The headings and texts that Slack was given to show at the last search. */
function offered(): { readonly labels: readonly string[]; readonly texts: readonly string[] } {
  const { answered } = world.workspace.traffic().at(-1) ?? {};
  const all = [...JSON.stringify(answered).matchAll(/"(label|text)":\{[^}]*"text":"([^"]*)"/gu)];
  const of = (kind: string) => all.flatMap(([, is, text]) => (is === kind ? [text ?? ''] : []));
  return { labels: of('label'), texts: of('text') };
}

/** One look at the person, the place and each group that decides; the rest is the answer itself. */
const HERE = { 'users.info': 1, 'conversations.info': 1, 'usergroups.users.list': 2 };
/** Of many groups a few are asked for by themselves, then all at once. */
const ALL = { 'users.info': 1, 'usergroups.users.list': 3, 'usergroups.list': 1 };
const EVERYWHERE = { ...ALL, 'users.conversations': 1 };

type Deed = readonly [
  name: string,
  deed: () => Promise<unknown>,
  calls: Readonly<Record<string, number>>,
];

const DEEDS: readonly Deed[] = [
  [
    'the menu',
    async () => {
      await ana.command('/db');
      await ana.expectEphemeral(/What you may do here/u);
    },
    { ...HERE, response_url: 1 },
  ],
  [
    'help',
    async () => {
      await ana.command('/db help');
      await ana.expectEphemeral(/What you may do in this place/u);
    },
    { ...HERE, response_url: 1 },
  ],
  [
    'a form and its search',
    async () => {
      await ana.command('/db stop');
      await ana.expectModal(/Stop a service/u);
      await ana.suggest('Service', 'service 29');
      await ana.closeModal();
    },
    { ...HERE, 'views.open': 1 },
  ],
  [
    'a form with limits',
    async () => {
      await ana.command('/db create');
      await ana.expectModal(/Create a service/u);
      await ana.closeModal();
    },
    { ...HERE, 'views.open': 1 },
  ],
  [
    'the shortcut of a message',
    async () => {
      await ana.say('Nothing to see here');
      await ana.messageShortcut('Inspect activity', /Nothing to see/u);
      await ana.expectModal(/activity/iu);
      await ana.closeModal();
    },
    { ...HERE, 'views.open': 1 },
  ],
  [
    'the global shortcut and its search',
    async () => {
      await world.as('ana').shortcut('Database menu');
      await ana.expectModal(/What, and where/u);
      await ana.suggest('What, and where', 'stop');
      await ana.closeModal();
    },
    { ...EVERYWHERE, 'views.open': 1 },
  ],
  [
    'App Home',
    async () => {
      await world.as('ana').openHome();
      await world.as('ana').expectHome(/team-001/u);
    },
    { ...EVERYWHERE, 'views.publish': 1 },
  ],
  [
    'a refusal that says where it is allowed',
    async () => {
      const fay = world.as('fay').in('#ops');
      await fay.command('/db stop "service 001"');
      await fay.expectEphemeral(/was not stopped/u);
    },
    { ...ALL, 'conversations.info': 1, response_url: 1 },
  ],
];

describe('with 40 channels, 30 user groups and 300 services, nothing remembered', () => {
  it.each(DEEDS)('%s asks Slack for little', async (_name, deed, calls) => {
    await world.restart();
    const from = world.workspace.traffic().length;
    await deed();
    const asked = callsSince(from);
    // The window that waits is opened or not, by how fast this machine is.
    const { 'views.update': filled = 0, ...rest } = asked;
    expect(filled).toBeLessThanOrEqual(1);
    expect(rest).toEqual(calls);
  });
});

describe('more than a menu holds', () => {
  it('the picker says how many there are and finds each by its words', async () => {
    await world.as('ana').shortcut('Database menu');
    const view = await ana.expectModal(/What, and where/u);
    const [, count] = /"text":"(\d+) to choose from/u.exec(JSON.stringify(view.blocks)) ?? [];
    const total = Number(count);
    expect(total).toBeGreaterThan(700);
    expect(await ana.suggest('What, and where', '')).toHaveLength(100);
    expect(offered().labels[0]).toBe(`In #ops (100 of ${total}: type to find the others)`);
    expect(await ana.suggest('What, and where', 'team-039 stop a')).toContain('Stop a service');
    expect(offered().labels).toEqual(['In #team-039']);
    await ana.suggest('What, and where', 'create');
    expect(offered().labels).toContain('In #team-039');
    await ana.suggest('What, and where', 'nothing like it');
    expect(offered().texts).toEqual([]);
    await ana.closeModal();
  });

  it('services are searched over all of them, and the cut list says so', async () => {
    await ana.command('/db stop');
    await ana.expectModal(/Stop a service/u);
    expect(await ana.suggest('Service', '')).toHaveLength(100);
    expect(offered().labels).toEqual(['100 of 300: type to find the others']);
    expect(await ana.suggest('Service', '299')).toEqual(['service 299']);
    expect(await ana.suggest('Service', 'PROD 299')).toEqual(['service 299']);
    expect(await ana.suggest('Service', '00000000-0000-4000-8000-000000000298')).toEqual([
      'service 298',
    ]);
    expect(offered().labels).toEqual([]);
    await ana.closeModal();
  });
});

describe('more credentials than a menu holds', () => {
  it('are searched too, and the one that was chosen stays', async () => {
    await ana.command('/db create');
    await ana.expectModal(/Create a service/u);
    await ana.click('More settings …');
    await ana.expectModal(/Hide: More settings/u);
    expect(await ana.suggest('Disk encryption key', '')).toHaveLength(100);
    expect(offered().labels).toEqual(['100 of 120: type to find the others']);
    await ana.select('Disk encryption key', 'key-119');
    await ana.click('Hide: More settings');
    await ana.expectModal(/More settings …/u);
    await ana.click('More settings …');
    await ana.expectModal(/Hide: More settings/u);
    expect(JSON.stringify(ana.state.views.at(-1)?.values)).toContain('key-119');
    await ana.closeModal();
  });
});

describe('while Slack takes its time', () => {
  afterEach(() => {
    world.workspace.faults.delay('users.info', 0);
    world.workspace.faults.heal();
  });

  async function slowly(line: string): Promise<string> {
    await world.restart();
    world.workspace.faults.delay('users.info', 1_200);
    await ana.command(line);
    return (await ana.expectModal(/One moment/u)).id;
  }

  it('a window opens at once, and becomes the form', async () => {
    const id = await slowly('/db stop');
    expect((await ana.expectModal(/Shown in the request/u)).id).toBe(id);
    await ana.select('Service', 'service 299');
    await ana.submit();
    await ana.expectEphemeral(/Stop service 299\?/u);
  });

  it('or says why there is none', async () => {
    await world.restart();
    world.workspace.faults.delay('users.info', 1_200);
    await world.as('fay').in('#ops').command('/db stop');
    await world.as('fay').expectModal(/One moment/u);
    await world.as('fay').expectModal(/The service was not stopped: you are not in group-000/u);
    await world.as('fay').closeModal();
  });

  it('or where the form is to be had, when Slack does not take it', async () => {
    await slowly('/db stop');
    world.workspace.faults.failNext('views.update', 'internal_error', 2);
    await ana.expectModal(/Slack needs a fresh press to open the form/u);
    await ana.closeModal();
    await ana.expectEphemeral(/fresh press to open the form/u);
    await ana.click('Open the form');
    await ana.expectModal(/Shown in the request/u);
    await ana.closeModal();
  });

  it('the picker waits in its window too', async () => {
    await world.restart();
    world.workspace.faults.delay('users.info', 1_200);
    await world.as('ana').shortcut('Database menu');
    const { id } = await ana.expectModal(/One moment/u);
    expect((await ana.expectModal(/What, and where/u)).id).toBe(id);
    await ana.closeModal();
  });
});
