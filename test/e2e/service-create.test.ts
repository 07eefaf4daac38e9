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
    await ana().expectMessage(/https: \w+\.us-east-1\.aws\.db\.example:8443, user default/);
    await ana().expectMessage(/All fields: in the thread/);
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
    await ana().expectModal(/else 3\. The rules here allow at most 5\./);
    await ana().select('Provider', 'gcp');
    // The regions of gcp are drawn once Slack has told of the provider.
    const drawn = () => JSON.stringify(ana().state.views.at(-1)).includes('f:region:gcp');
    await expect.poll(drawn).toBe(true);
    await ana().select('Region', 'europe-west4');
    await ana().fill('Replicas', '9');
    await ana().submit();
    await ana().expectModalError('Replicas', /The rules here allow at most 5 replicas/);
    expect(creations()).toBe(0);
    // The form stays with its values: what fits goes through.
    await ana().fill('Replicas', '3');
    await ana().submit();
    await ana().expectMessage(/@ana created monthly \(gcp, europe-west4\)/);
  });

  it('passes with what the README types: what the rules limit starts with what they allow', async () => {
    await ana().command(
      '/db create nightly --provider aws --region us-east-1 --ip-access-list "203.0.113.0/24 office"',
    );
    await ana().expectModal(/The rules here allow at most 128\./);
    await ana().submit();
    await ana().expectMessage(/@ana created nightly \(aws, us-east-1\)/);
    const sent = world.plane.requests().find(({ method }) => method === 'POST');
    expect(sent?.body).toMatchObject({
      numReplicas: 3,
      maxReplicaMemoryGb: 128,
    });
  });

  it('tells of a preset that there is not', async () => {
    await ana().command('/db create yearly --preset smal');
    await ana().expectModal(/There is no preset smal\. Did you mean small\?/);
  });
});
