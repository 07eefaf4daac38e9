import { afterEach, describe, expect, it } from 'vitest';
import type { PageMessage } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import { type StewardWorld, startWorld, type WorldOptions } from '../support/steward-world.ts';

const byGroup = (yaml: string): string =>
  yaml.replace('leads: { users: [U02BEN] }', 'leads: { users: [], usergroups: [S0LEADS] }');
const anyLead = (yaml: string): string =>
  yaml.replace('leads: { users: [U02BEN] }', 'leads: { users: [U01ANA, U02BEN, U03FAY, U04GUS] }');

describe.each(['socket', 'http'] as const)('who may approve, over %s', (mode) => {
  let world: StewardWorld;
  afterEach(() => world.close());
  const begin = async (options: WorldOptions = {}): Promise<void> => {
    world = await startWorld({ mode, ...options });
  };
  const ana = () => world.as('ana').in('#ops');
  const ben = () => world.as('ben').in('#ops');
  const directTo = (person: string): readonly PageMessage[] =>
    world.as(person).state.messages.filter(({ channel }) => channel.startsWith('D'));
  const asked = (): string => {
    const found = ben().state.messages.find(
      ({ channel, text }) => channel === 'C0OPS' && /asks to stop/u.test(text),
    );
    return JSON.stringify(found?.blocks);
  };
  const called = async (person: string): Promise<PageMessage> => {
    await expect.poll(() => directTo(person).length).toBe(1);
    const [message] = directTo(person);
    if (message === undefined) throw new TypeError();
    return message;
  };

  it('is mentioned at once and called once, with the way to the request', async () => {
    await begin();
    await ana().command('/db stop analytics --reason restore <!channel> <@U03FAY>');
    const text = JSON.stringify(await called('ben'));
    expect(asked()).toContain('<@U02BEN>');
    expect(asked() + text).not.toMatch(/<!channel>|<!here>|<@U03FAY>/);
    const request = ben().state.messages.find(({ text: words }) => /asks to stop/u.test(words));
    expect(text).toContain(`archives/C0OPS/p${request?.ts.replace('.', '')}`);
    await world.restart();
    await world.steward.housekeep();
    expect(directTo('ben')).toHaveLength(1);
    expect(directTo('ana')).toHaveLength(0);
  });

  it('reads in the call how it ended: approved, denied, withdrawn', async () => {
    await begin();
    const last = () => directTo('ben').map(({ text }) => text);
    await ana().command('/db stop analytics');
    await called('ben');
    await ben().click('Approve');
    await expect.poll(last).toEqual([expect.stringMatching(/No longer waiting.*approved by/)]);
    await ana().command('/db stop analytics');
    await expect.poll(() => directTo('ben').length).toBe(2);
    await ben().click('Deny');
    await ben().submit();
    await expect
      .poll(last)
      .toEqual(expect.arrayContaining([expect.stringMatching(/No longer waiting.*denied by/)]));
  });

  it('of a user group is mentioned by its handle, and every member called but the asker', async () => {
    await begin({ settings: byGroup });
    world.workspace.admin.setUserGroup('S0LEADS', ['U01ANA', 'U02BEN']);
    await ana().command('/db stop analytics');
    await called('ben');
    expect(asked()).toContain('<!subteam^S0LEADS>');
    expect(directTo('ana')).toHaveLength(0);
  });

  it('learns nothing of a private channel that they are not in', async () => {
    await begin({ settings: anyLead });
    world.workspace.admin.close('#ops');
    world.workspace.admin.kick('#ops', 'fay');
    await ana().command('/db stop analytics');
    await called('ben');
    expect(directTo('fay')).toHaveLength(0);
  });

  it('is not called where the channel is not open to them', async () => {
    await begin({ settings: anyLead });
    world.workspace.admin.change('fay', { kind: 'guest' });
    await ana().command('/db stop analytics');
    await called('ben');
    expect(directTo('fay')).toHaveLength(0);
  });
});
