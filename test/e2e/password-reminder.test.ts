import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createSettableClock,
  type SettableClock,
} from '../../src/sandbox/control-plane/settable-clock.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

const MINUTE = 60_000;

describe('a password that nobody has seen', () => {
  let world: StewardWorld;
  let clock: SettableClock;
  beforeAll(async () => {
    clock = createSettableClock({ ticking: true });
    world = await startWorld({ clock, env: { SECRET_KEY: 'fake-secret-key-of-32-characters' } });
    await ana().command('/db create nightly --preset small --ip-access-list 203.0.113.7');
    await ana().submit();
    await ana().expectEphemeral(/The password of nightly is shown once, until/);
  });
  afterAll(() => world.close());

  const ana = () => world.as('ana').in('#ops');
  const reminders = () =>
    ana().state.messages.filter(({ text }) => text.includes('Nobody has seen the password of'));
  const round = () => world.steward.housekeep();

  it('is reminded of once before it goes, in a direct message, over rounds and restarts', async () => {
    clock.advance(209 * MINUTE);
    await round();
    expect(reminders()).toHaveLength(0);
    clock.advance(2 * MINUTE);
    await Promise.all([round(), round()]);
    await expect.poll(() => reminders().length).toBe(1);
    await world.restart();
    await round();
    await round();
    expect(reminders()).toHaveLength(1);
    expect(reminders()[0]?.channel).toMatch(/^D/);
    expect(reminders()[0]?.text).toMatch(/a new one can be set in the cloud console/);
  });

  it('is found again in approvals, by its owner alone, until it was shown', async () => {
    await world.as('ben').in('#ops').command('/db approvals');
    await world
      .as('ben')
      .in('#ops')
      .expectEphemeral(/No request waits for you/);
    await ana().command('/db approvals');
    await ana().expectEphemeral(/The password of nightly waits for you: it is shown once, until/);
    await ana().click('Show password of nightly');
    await ana().expectModal(/Copy it now/);
    await ana().command('/db approvals');
    await ana().expectEphemeral(/No request waits for you, and none of yours is open/);
  });
});
