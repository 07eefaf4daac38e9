import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACTIVITIES, DASHBOARDS, INVITATIONS } from '../../src/sandbox/control-plane/seed.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

describe('invitations, records and dashboards', () => {
  let world: StewardWorld;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.close());

  const ana = () => world.as('ana').in('#ops');
  const ben = () => world.as('ben').in('#ops');
  const sent = (method: string): number =>
    world.plane.requests().filter((request) => request.method === method).length;

  it('invites after a question, lower case, and tells the channel the role that came back', async () => {
    await ana().command('/db invite Fay@Example.com');
    await ana().expectEphemeral(/Invite fay@example\.com to acme\?/);
    expect(sent('POST')).toBe(0);
    await ana().click('Invite fay@example.com');
    await ana().expectMessage(/@ana invited fay@example\.com as \w+\. It can be accepted until/);
  });

  it('refuses an address of another domain before anything is sent', async () => {
    await ana().command('/db invite fay@elsewhere.example');
    await ana().expectEphemeral(/fay@elsewhere\.example was not invited: only addresses at/);
    expect(sent('POST')).toBe(0);
  });

  it('says that somebody is invited, or a member, already', async () => {
    world.plane.changeSettings({ duplicateInvitations: 'refuse', members: ['eve@example.com'] });
    for (const [address, words] of [
      ['dora@example.com', /dora@example\.com was not invited: already invited \(the API says/],
      ['eve@example.com', /eve@example\.com was not invited: already a member \(the API says/],
    ] as const) {
      await ana().command(`/db invite ${address}`);
      await ana().click(`Invite ${address}`);
      await ana().expectEphemeral(words);
    }
  });

  it('reads an invitation, an endpoint and an activity for the asker alone', async () => {
    await ana().command(`/db invitation ${INVITATIONS.pending}`);
    await ana().expectEphemeral(/Invitation of dora@example\.com as developer, open until/);
    await ana().command('/db endpoint analytics');
    await ana().expectEphemeral(/The query endpoint of analytics is set up: 2 keys may use it/);
    await ana().command('/db endpoint scratch');
    await ana().expectEphemeral(
      /query endpoint of scratch was not read: it is not enabled, or the service was not found/,
    );
    await ana().command(`/db activity see ${ACTIVITIES.serviceStop} please`);
    await ana().expectEphemeral(
      /service_stop \(service stopped\) .* by api key Steward from 203\.0\.113\.20 · reporting\s+No matching journal entry/,
    );
    await ben().expectNoMessage(/service_stop/);
  });

  it('deletes a dashboard only after its id was typed again in the form', async () => {
    const id = DASHBOARDS.unused;
    await ben().command(`/db dashboard delete ${id} --confirm-id ${id}`);
    await ben().fill('Type the id again to confirm', DASHBOARDS.latency);
    await ben().submit();
    await ben().expectModalError('Type the id again to confirm', /The same id as above/);
    expect(sent('DELETE')).toBe(0);
    await ben().fill('Type the id again to confirm', id);
    await ben().submit();
    await ben().expectMessage(/@ben deleted dashboard \w+, or it did not exist\./);
    expect(sent('DELETE')).toBe(1);
  });
});
