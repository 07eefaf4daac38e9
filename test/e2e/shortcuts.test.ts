import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACTIVITIES } from '../../src/sandbox/control-plane/seed.ts';
import { freshTrigger } from '../support/attacks.ts';
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
    await ana.expectMessage(/asked scratch to stop/);
  });

  it('offers only channels that one is in, on the shortcut and on Home', async () => {
    world.workspace.admin.kick('#ops', 'ana');
    const ana = world.as('ana');
    await ana.shortcut('Database menu');
    await ana.expectModal(/What, and where/);
    await ana.suggest('What, and where', '');
    const offered = JSON.stringify(world.workspace.traffic().at(-1)?.answered);
    expect(offered).toContain('C0FINANCE');
    expect(offered).not.toContain('C0OPS');
    await ana.closeModal();
    await ana.openHome();
    expect(JSON.stringify((await ana.expectHome(/finance/)).blocks)).not.toContain('C0OPS');
  });

  it('offers nothing to a guest', async () => {
    const gus = world.as('gus').in('#ops');
    await gus.shortcut('Database menu');
    await gus.expectModal(/You may not do anything in the channels that Steward serves/);
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

  it('finds an id in capitals and sends it in lower case', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.say(
      `On 2026-11-27: ${ACTIVITIES.serviceStop.toUpperCase()}, so _${ACTIVITIES.serviceStop}_`,
    );
    await ana.messageShortcut('Inspect activity', /On 2026/);
    await ana.expectEphemeral(/service_stop/);
    expect(world.plane.requests().at(-1)?.path).toMatch(new RegExp(`/${ACTIVITIES.serviceStop}$`));
  });

  it.each([
    'On 2026-11-27 at 10:07',
    'ts 1764238020.000100',
    'number 123456789012345678901234',
    '20261127T100700Z',
  ])('takes no date or number for an id: %s', async (text) => {
    const ana = world.as('ana').in('#ops');
    await ana.say(text);
    await ana.messageShortcut('Inspect activity', new RegExp(text));
    await ana.expectModal(/activity/i);
    expect(world.plane.requests()).toEqual([]);
  });

  it('names all of several ids and lets the person choose', async () => {
    const { serviceStop, serviceStart } = ACTIVITIES;
    const ana = world.as('ana').in('#ops');
    await ana.say(`${serviceStop} or ${serviceStart}, and again ${serviceStop}`);
    await ana.messageShortcut('Inspect activity', / or /);
    await ana.expectModal(
      new RegExp(`2 activity ids: ${serviceStop} and ${serviceStart}\\. Choose one\\.`),
    );
    expect(world.plane.requests()).toEqual([]);
    await ana.submit();
    await ana.expectModalError('Activity id', /2 activity ids/);
    await ana.fill('Activity id', serviceStart.toUpperCase());
    await ana.submit();
    await ana.expectEphemeral(/service_start/);
    expect(world.plane.requests().at(-1)?.path).toContain(serviceStart);
  });

  it('names all of several typed ids as well, and takes no date', async () => {
    const { serviceStop, serviceStart } = ACTIVITIES;
    const ana = world.as('ana').in('#ops');
    await ana.command(`/db activity ${serviceStop} ${serviceStart}`);
    await ana.expectModal(new RegExp(`2 activity ids: ${serviceStop} and ${serviceStart}`));
    await ana.closeModal();
    await ana.command('/db activity 2026-11-27');
    await ana.expectModal(/24 hex digits/);
    expect(world.plane.requests()).toEqual([]);
  });

  it('takes no date in the title of a shared file for an id', async () => {
    const ana = world.as('ana').in('#ops');
    await ana.command('/db cost 2026-11-01..2026-11-02 --csv --share');
    await ana.expectMessage(/Costs 2026-11-01 to/);
    await ana.messageShortcut('Inspect activity', /Costs 2026-11-01 to/);
    // Its dates are no ids.
    await ana.expectModal(/activity/i);
    const { payload } = world.workspace.lastDelivery() ?? {};
    expect(JSON.stringify(payload)).toMatch(
      /"files":\[\{"id":"F\w+","name":"costs-[^"]+","title"/u,
    );
  });

  describe('of a message by another app', () => {
    const { serviceStop: seen, serviceStart: hidden } = ACTIVITIES;
    const send = async (message: object): Promise<void> => {
      const ana = world.as('ana').in('#ops');
      await ana.say('the message');
      await ana.messageShortcut('Inspect activity', /the message/);
      await ana.expectModal(/activity/i);
      const { payload } = world.workspace.lastDelivery() ?? {};
      await ana.closeModal();
      await world.workspace.deliver('interactive', {
        ...payload,
        trigger_id: freshTrigger(),
        message: { type: 'message', ts: '1.0', text: '', ...message },
      });
    };

    it.each<[string, object]>([
      ['an attachment', { attachments: [{ text: `Stopped: ${seen}`, from_url: hidden }] }],
      ['a field of one', { attachments: [{ fields: [{ title: 'Activity', value: seen }] }] }],
      ['its fallback', { attachments: [{ fallback: seen, id: hidden }] }],
      ['the title of a file', { files: [{ id: hidden, title: `${seen}.log` }] }],
      [
        'a block, not its ids',
        {
          blocks: [
            {
              type: 'actions',
              block_id: hidden,
              elements: [
                {
                  type: 'button',
                  action_id: hidden,
                  value: hidden,
                  text: { type: 'plain_text', text: seen },
                },
              ],
            },
          ],
        },
      ],
    ])('reads %s', async (_name, message) => {
      await send(message);
      const ana = world.as('ana').in('#ops');
      await ana.expectEphemeral(/service_stop/);
      expect(
        world.plane
          .requests()
          .map(({ path }) => path)
          .join(),
      ).not.toContain(hidden);
    });

    it.each<[string, object]>([
      ['a block id', { blocks: [{ type: 'divider', block_id: hidden }] }],
      ['a value', { blocks: [{ type: 'actions', elements: [{ type: 'button', value: hidden }] }] }],
      ['words of another shape', { text: 7, blocks: 'x', attachments: { a: [hidden] }, files: 1 }],
    ])('does not read %s', async (_name, message) => {
      await send(message);
      await world
        .as('ana')
        .in('#ops')
        .expectEphemeral(/fresh press to open the form/);
      expect(world.plane.requests()).toEqual([]);
    });
  });

  it('shows on App Home what is allowed, channel by channel', async () => {
    const ana = world.as('ana');
    await ana.openHome();
    await ana.expectHome(/#ops[\s\S]*stop/);
    const gus = world.as('gus');
    await gus.openHome();
    await gus.expectHome(/You may not do anything in the channels that Steward serves/);
  });
});
