import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

describe('creating a service', () => {
  let world: StewardWorld;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.close());

  const creations = (): number =>
    world.plane
      .requests()
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/services')).length;

  const ana = () => world.as('ana').in('#ops');

  it('opens the form with a preset, complains beside a field, creates once, shows the password once', async () => {
    await ana().command('/db create nightly --preset small');
    await ana().expectModal(/Create a service/);
    expect(creations()).toBe(0);
    await ana().fill('Who may connect', '203.0.113.0/24 office\n2001:db8::1');
    await ana().submit();
    await ana().expectModalError('Who may connect', /Line 2: an IPv4 address or CIDR/);
    await ana().fill('Who may connect', '203.0.113.0/24 office');
    await ana().submit();
    await ana().expectMessage(
      /@ana created nightly \(aws, us-east-1\): the API reports provisioning/,
    );
    expect(creations()).toBe(1);
    await ana().expectEphemeral(/The password of nightly is shown once, until/);
    await ana().click('Show password once');
    await ana().expectModal(/[Pp]assword/);
  });

  it('asks before an equal one, and its button keeps what was typed', async () => {
    const typed = '/db create weekly --preset small --ip-access-list "203.0.113.7 vpn"';
    await ana().command(typed);
    await ana().submit();
    await ana().expectMessage(/@ana created weekly/);
    await ana().command(typed);
    await ana().submit();
    await ana().expectEphemeral(/weekly was created by @ana \d seconds? ago \(journal \d+\)/);
    expect(creations()).toBe(1);
    await ana().click('Create another one');
    await world
      .as('ana')
      .in('#ops')
      .expectMessage(/@ana created weekly/);
    await expect.poll(creations).toBe(2);
  });

  it('follows the provider with its regions, and says why it is not what the rules allow', async () => {
    await ana().command('/db create monthly --ip-access-list 203.0.113.7');
    await ana().select('Provider', 'gcp');
    await ana().select('Region', 'europe-west4');
    await ana().fill('Replicas', '9');
    await ana().submit();
    await ana().expectEphemeral(/monthly was not created: the rules here allow at most 5 replicas/);
    expect(creations()).toBe(0);
  });

  it('tells of a preset that there is not', async () => {
    await ana().command('/db create yearly --preset smal');
    await ana().expectModal(/There is no preset smal\. Did you mean small\?/);
  });
});
