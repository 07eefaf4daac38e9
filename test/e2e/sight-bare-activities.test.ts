import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { type BareWorld, startBareWorld } from '../support/bare-world.ts';

/** The activities of a cloud written anew from the interface description. */
let bare: BareWorld;
beforeEach(async () => {
  bare = await startBareWorld();
});
afterEach(() => bare.close());

describe('what others did, in records with nothing but a type and a time', () => {
  const told = (match: RegExp): readonly string[] =>
    bare.audit.state.messages
      .map((message) => bare.audit.text(message))
      .filter((text) => /through Steward/u.test(text) && match.test(text));

  it('is told; what Steward did is not, however little the record says of it', async () => {
    const { ana, did, later, stop, isTold } = bare;
    await later(61);
    await stop('scratch');
    did('service_stop', { serviceId: SERVICES.scratch.id });
    await later(11);
    await ana.command('/db wake scratch');
    await isTold('wake', 'scratch');
    did('service_start', { serviceId: SERVICES.scratch.id.toUpperCase(), actorType: null });
    await later(11);
    await stop('reporting');
    did('service_stop');
    did('organization_member_join');
    await later(61);
    await bare.audit.expectMessage(/member joined[\s\S]*not through Steward/);
    expect(told(/./u)).toHaveLength(1);
  });

  it('is told apart from 24 commands of one kind, each of which explains one record', async () => {
    const { ana, did, later, cloud } = bare;
    await later(61);
    for (let n = 1; n <= 24; n += 1) {
      await ana.command('/db start scratch');
      await ana.expectMessage(/@ana asked scratch to start/);
      await expect
        .poll(() => cloud.received.filter(({ method }) => method === 'PATCH'))
        .toHaveLength(n);
      did('service_start', { serviceId: SERVICES.scratch.id, actorType: 'api' });
      bare.clock.pass(2_000);
    }
    did('key_create');
    await later(61);
    await bare.audit.expectMessage(/API key created[\s\S]*through Steward/);
    expect(told(/./u)).toHaveLength(1);
    did('service_start', { serviceId: SERVICES.scratch.id, actorType: 'api' });
    await later(61);
    await bare.audit.expectMessage(/service started[\s\S]*scratch[\s\S]*not through Steward/);
    expect(told(/./u)).toHaveLength(2);
  });

  it('is told right after the first look too, by a cloud whose clock goes ten minutes behind', async () => {
    await bare.close();
    bare = await startBareWorld((yaml) => yaml);
    const { did, later, world } = bare;
    did('key_delete', {}, -600);
    await world.rewriteRules((yaml) =>
      yaml.replace('channel: C0AUDIT', 'channel: C0AUDIT, watch: true'),
    );
    await bare.audit.expectMessage(/audit changed/);
    await later(61);
    did('key_create', {}, -600);
    await later(61);
    await bare.audit.expectMessage(/API key created[\s\S]*not through Steward/);
    expect(told(/API key deleted/u)).toEqual([]);
    await later(61);
    expect(told(/API key created/u)).toHaveLength(1);
  });
});

describe('the list of activities', () => {
  it('has pages where many happened at one moment, and each is on one of them', async () => {
    const { ana, cloud, clock } = bare;
    const createdAt = clock.now().minus({ minutes: 5 }).toISO();
    cloud.activities = Array.from({ length: 45 }, (_, n) => ({
      ...{ id: `75f1c0a2b3c4d5e6f7${String(n).padStart(6, '0')}`, createdAt },
      ...{ type: 'key_create', actorDetails: `person-${n}` },
    }));
    await ana.command('/db activity');
    const pages = [ana.text(await ana.expectEphemeral(/^20 of 45 activities from/u))];
    for (const title of ['Activities 21 to 40 of 45', 'Activities 41 to 45 of 45']) {
      await ana.click('Older activities');
      pages.push(ana.text(await ana.expectEphemeral(new RegExp(`^${title} from`))));
    }
    const people = pages.join('\n').match(/person-\d+/gu) ?? [];
    expect(people).toHaveLength(45);
    expect(new Set(people).size).toBe(45);
  });

  it('names services that are in the cloud no more to those whose rules are about every service', async () => {
    await bare.close();
    bare = await startBareWorld((yaml) =>
      yaml.replace(
        /channels:[\s\S]*?\ndefaults:/u,
        `channels:
  ops: { id: C0OPS, allow: [{ actions: ['*.read'], services: ['*'], who: [anyone] }, { actions: ['activity.read'], who: [anyone] }] }
  all: { id: C0RANDOM, allow: [{ actions: [service.stop], services: ['tag:dev'], who: [anyone] }, { actions: [activity.read], who: [anyone] }] }
defaults:`,
      ),
    );
    const { ana, did, world } = bare;
    const gone = '99999999-2222-4333-8444-555555555555';
    did('service_delete', { serviceId: gone });
    did('service_stop', { serviceId: SERVICES.analytics.id });
    did('service_stop', { serviceId: SERVICES.scratch.id });
    did('key_create');
    await ana.command('/db activity');
    const all = ana.text(await ana.expectEphemeral(/4 activities/));
    expect(all).toMatch(new RegExp(`service deleted.*${gone}`, 'u'));
    const other = world.as('ana').in('#random');
    await other.command('/db activity');
    const some = other.text(await other.expectEphemeral(/2 activities/));
    expect(some).toMatch(/scratch/u);
    expect(some).not.toMatch(/analytics|99999999/u);
  });
});
