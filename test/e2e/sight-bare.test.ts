import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pipeCreate } from '../../src/operations/pipe-create/pipe-create.ts';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { bareService } from '../support/bare-cloud.ts';
import { type BareWorld, startBareWorld } from '../support/bare-world.ts';

/** A cloud written anew from the interface description: what is optional there is not there. */
let bare: BareWorld;
beforeEach(async () => {
  bare = await startBareWorld();
});
afterEach(() => bare.close());

const ONE = /\/services\/[^/]+$/u;
const LIST = /\/services$/u;

/** Reads of paths like these answer with this status. */
function refuse(path: RegExp, status: number): void {
  bare.cloud.instead = (received) =>
    received.method === 'GET' && path.test(received.path) ? { status } : undefined;
}

describe('a service that is followed', () => {
  it.each([404, 403])(
    'is seen by the list where single services are refused (%i)',
    async (status) => {
      const { ana, later, stop, set } = bare;
      refuse(ONE, status);
      await stop('scratch');
      await later(11);
      await ana.expectMessage(/scratch: stopping … \d+ s after @ana asked/);
      await later(180);
      await ana.expectMessage(/scratch: stopping … 3 min/);
      set(SERVICES.scratch, { state: 'stopped' });
      await later(61);
      await ana.expectMessage(/scratch is stopped, 4 min \d+ s after @ana asked/);
    },
  );

  it.each([404, 403])('is seen by itself where the list is refused (%i)', async (status) => {
    const { ana, later, stop, set } = bare;
    refuse(LIST, status);
    await stop('scratch');
    await stop('reporting');
    await later(11);
    for (const name of ['scratch', 'reporting']) {
      await ana.expectMessage(new RegExp(`${name}: stopping … \\d+ s after @ana asked`));
    }
    set(SERVICES.scratch, { state: 'stopped' });
    await later(30);
    await ana.expectMessage(/scratch is stopped, \d+ s after @ana asked/);
  });

  it('is not called gone by a cloud that has no such reads at all', async () => {
    const { ana, later, stop } = bare;
    refuse(/services/u, 404);
    await stop('scratch');
    for (let minute = 0; minute < 5; minute += 1) await later(61);
    await ana.expectMessage(/asked scratch to stop[\s\S]*cannot see it now: .*\(404\)/);
    await ana.expectNoMessage(/not in the cloud any more/);
    await later(3_600);
    await ana.expectMessage(/What became of scratch could not be seen/);
  });

  it('is gone where the list works and has it no more', async () => {
    const { ana, cloud, later, stop } = bare;
    await stop('scratch');
    await later(11);
    await ana.expectMessage(/scratch: stopping … /);
    cloud.services = cloud.services.filter(({ id }) => id !== SERVICES.scratch.id);
    await later(180);
    await ana.expectMessage(/scratch is not in the cloud any more, 3 min/);
    await ana.expectThread(/not in the cloud/, /@ana: it is not in the cloud any more\./);
  });

  it('is not called degraded by a read that lags behind the command, and is where it stays so', async () => {
    const { ana, later, stop, set } = bare;
    set(SERVICES.staging, { state: 'degraded' });
    set(SERVICES.scratch, { state: 'degraded' });
    await later(301);
    await stop('staging');
    await stop('scratch');
    set(SERVICES.staging, { state: 'degraded' });
    set(SERVICES.scratch, { state: 'degraded' });
    await later(11);
    await ana.expectMessage(/staging: degraded … \d+ s after/);
    set(SERVICES.staging, { state: 'stopped' });
    await later(31);
    await ana.expectMessage(/staging is stopped, \d+ s after/);
    await later(150);
    await ana.expectMessage(/scratch is degraded, 3 min .*That is not what was asked for/);
  });

  it('may be written in capitals, and say nothing of its state for a while', async () => {
    const { ana, later, stop, set } = bare;
    await stop('scratch');
    refuse(ONE, 404);
    set(SERVICES.scratch, { id: SERVICES.scratch.id.toUpperCase(), state: null });
    await later(11);
    await ana.expectMessage(/asked scratch to stop[\s\S]*cannot see it now/);
    bare.cloud.services = bare.cloud.services.map((one) => ({ ...one, state: 'stopped' }));
    await later(20);
    await ana.expectMessage(/scratch is stopped, \d+ s after @ana asked/);
  });
});

describe('a pipe that is followed', () => {
  it('is seen by the list of pipes where single ones are refused, and gone where that lacks it', async () => {
    const { ana, audit, cloud, later } = bare;
    const [, example = ''] = pipeCreate.inClouds?.clickhouse.slash.examples ?? [];
    refuse(/clickpipes\/[^/]+$/u, 404);
    await ana.command(`/db ${example}`);
    await ana.submit();
    await ana.expectMessage(/@ana created the pipe orders/);
    await audit.expectMessage(/pipe\.create[\s\S]*message/);
    await later(11);
    await ana.expectMessage(/orders: Provisioning … \d+ s after @ana created it/);
    cloud.pipes = [];
    await later(180);
    await ana.expectMessage(/orders is not in the cloud any more, 3 min/);
  });
});

describe('what cannot be seen', () => {
  it.each([
    ['a page', { text: '<html>Sign in</html>' }, /something that Steward cannot read/],
    ['nothing', { result: null }, /something that Steward cannot read/],
    ['an address elsewhere', { status: 302, headers: { location: '/x' } }, /status 302/],
    ['a fault', { status: 500 }, /the API failed with status 500/],
    ['a refusal', { status: 403 }, /the key may not \(403\)/],
  ] as const)('is called what it is: %s', async (_, said, words) => {
    const { ana, cloud, clock } = bare;
    cloud.instead = ({ path }) => (path.endsWith('/activities') ? said : undefined);
    await ana.command('/db activity');
    const seen = await ana.expectEphemeral(/activities of acme cannot be seen now: /);
    expect(ana.text(seen)).toMatch(words);
    clock.pass(16 * 60_000);
    cloud.instead = () => undefined;
    await ana.command('/db activity');
    await ana.expectEphemeral(/No activity/);
  });
});

describe('the directory', () => {
  const hidden = '11111111-2222-4333-8444-555555555555';

  it('asks the cloud for an id that its list lacks, and knows it from then on', async () => {
    const { ana, cloud, later } = bare;
    await later(301);
    const service = bareService(hidden, { name: 'hidden one', state: 'running' });
    cloud.instead = ({ path }) => (path.endsWith(hidden) ? { result: service } : undefined);
    await ana.command(`/db wake ${hidden}`);
    await ana.expectEphemeral(/hidden one was not woken: the API knows no service/);
    await ana.command('/db services hidden');
    await ana.expectEphemeral(/hidden one · .*known from the cloud’s list/);
    await later(301);
    await ana.command('/db services hidden');
    await ana.expectEphemeral(/No service that you may use here fits hidden/);
  });

  it('asks for an id too where the list is refused', async () => {
    const { ana, cloud, later } = bare;
    cloud.services = [...cloud.services, bareService(hidden, { name: 'hidden one' })];
    refuse(LIST, 403);
    await later(301);
    await ana.command(`/db stop ${hidden}`);
    await ana.expectEphemeral(/Stop hidden one\?/);
  });

  it('finds an id by a newer list where single services are refused', async () => {
    const { ana, cloud, clock } = bare;
    refuse(ONE, 404);
    cloud.services = [...cloud.services, bareService(hidden, { name: 'hidden one' })];
    clock.pass(11_000);
    await ana.command(`/db stop ${hidden}`);
    await ana.expectEphemeral(/Stop hidden one\?/);
  });

  it('has services without a name, a state or anything else', async () => {
    const { ana, cloud, later } = bare;
    cloud.services = [
      bareService(SERVICES.scratch.id),
      bareService(SERVICES.reporting.id, { name: null, state: null, tags: null, endpoints: null }),
      bareService(hidden, { state: 'weird_state' }),
      { name: 'of no id' },
    ];
    await later(301);
    await ana.command('/db services');
    await ana.expectEphemeral(/scratch · dev · no state reported yet\n/);
    await ana.expectEphemeral(/reporting · dev · no state reported yet\n/);
    await ana.expectEphemeral(new RegExp(`${hidden} · weird_state, reported`));
    await ana.expectEphemeral(/analytics · prod · no state reported yet · not in the cloud/);
    await ana.command(`/db stop ${hidden}`);
    await ana.expectEphemeral(new RegExp(`Stop ${hidden}\\?`));
  });

  it('has thousands of services, each of them at length', async () => {
    const { ana, cloud, later } = bare;
    const ipAccessList = Array.from({ length: 80 }, (_, n) => ({
      ...{ source: `203.0.113.${n}/32`, description: `an office somewhere, on floor ${n}` },
    }));
    const tags = Array.from({ length: 50 }, (_, n) => ({ key: `key-${n}`, value: `of-${n}` }));
    const fleet = Array.from({ length: 2_000 }, (_, n) => {
      const id = `aaaaaaaa-0000-4000-8000-${String(n).padStart(12, '0')}`;
      return bareService(id, { name: `fleet ${n}`, state: 'idle', ipAccessList, tags });
    });
    cloud.services = [...cloud.services, ...fleet];
    expect(JSON.stringify(cloud.services).length).toBeGreaterThan(12 * 1024 * 1024);
    // Nobody waits for so much: it is read in the background.
    await later(301);
    await ana.command('/db services fleet');
    await ana.expectEphemeral(/Services 1 to 40 of 2000 that fit fleet/);
    await ana.command('/db stop "fleet 1999"');
    await ana.expectEphemeral(/Stop fleet 1999\?/);
  });
});

describe('a creation', () => {
  const id = 'abcdabcd-2222-4333-8444-555555555555';

  it('is followed where the answer has an id alone, and names no password that was never sent', async () => {
    const { ana, audit, cloud, later, world } = bare;
    cloud.instead = ({ method, path }) =>
      method === 'POST' && path.endsWith('/services')
        ? { result: { service: bareService(id), password: null } }
        : undefined;
    await ana.command('/db create nightly --preset small --ip-access-list 203.0.113.7');
    await ana.submit();
    await ana.expectMessage(/@ana created nightly .*did not say which state it is in/);
    await ana.expectEphemeral(/The API sent no password for nightly/);
    await audit.expectMessage(/service\.create[\s\S]*message/);
    await later(11);
    await ana.expectMessage(
      /created nightly[\s\S]*cannot see it now: the cloud does not show it yet/,
    );
    cloud.services = [...cloud.services, bareService(id, { state: 'running' })];
    await later(61);
    await ana.expectMessage(/nightly is running, 1 min \d+ s after @ana created it/);
    const dm = world.as('ana').in('dm');
    const word = await dm.expectMessage(/nightly is running and can be used/);
    expect(dm.text(word)).not.toMatch(/password/u);
  });
});
