import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

describe('the message of a request for approval', () => {
  let world: StewardWorld;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.close());

  const ana = () => world.as('ana').in('#ops');
  const ben = () => world.as('ben').in('#ops');
  const withButtons = () =>
    ben().state.messages.filter(
      ({ text, blocks }) =>
        /asks to stop/u.test(text) && JSON.stringify(blocks).includes('Approve'),
    );

  it('has its buttons at once', async () => {
    await ana().command('/db stop analytics');
    await expect.poll(() => withButtons().length).toBe(1);
    const calls = world.workspace
      .traffic()
      .filter(({ what, detail }) => what.startsWith('chat.') && detail.includes('asks to stop'))
      // Approvers hear of it by themselves.
      .filter(({ detail }) => detail.includes('"channel":"C0OPS"'));
    expect(calls.map(({ what }) => what)).toEqual(['chat.postMessage']);
  });

  it.each([
    ['chat.postMessage', 'internal_error'],
    ['chat.update', 'internal_error'],
    ['chat.update', 'message_not_found'],
  ])('gets them although %s answers %s', async (method, error) => {
    world.workspace.faults.failNext(method, error);
    await ana().command('/db stop analytics');
    await expect.poll(() => withButtons().length).toBe(1);
    await ben().click('Approve');
    await ben().expectMessage(/@ana asked analytics to stop, approved by @ben/);
    expect(withButtons()).toEqual([]);
  });

  it('that went by the response URL is known by the press on it', async () => {
    world.workspace.faults.failNext('chat.postMessage', 'restricted_action');
    await ana().command('/db stop analytics');
    await ben().click('Deny');
    await ben().submit();
    await ben().expectMessage(/analytics was not stopped: denied by @ben/);
    expect(withButtons()).toEqual([]);
  });
});
