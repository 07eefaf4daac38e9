import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallOptions } from '../../../src/core/ports/ports.ts';
import {
  envelope,
  type Fixture,
  failureOf,
  ORGANIZATION_ID,
  SERVICE_ID,
  startFixture,
} from './fixture.ts';

const BASE = `/v1/organizations/${ORGANIZATION_ID}`;
const SERVICE = {
  name: 'reporting',
  provider: 'gcp',
  region: 'us-east1',
  ipAccessList: [{ source: '192.0.2.1' }],
} as const;

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture({ names: 'clickhouse' });
});
afterEach(() => fixture.close());

/** What the next call sends. */
async function sent(run: (api: Fixture['api']) => Promise<unknown>, answer: object = {}) {
  fixture.server.script(envelope(answer));
  const { result } = (await run(fixture.api)) as { readonly result: unknown };
  const { method, path, body } = fixture.server.requests.at(-1) ?? {};
  return { method, path, body: body === '' ? undefined : JSON.parse(body ?? ''), result };
}

describe('a change of ClickHouse Cloud', () => {
  it('creates a service with the fields that only that cloud has', async () => {
    const request = {
      ...SERVICE,
      ...({ autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 3 } as const),
      tags: [
        { key: 'team', value: 'data' },
        { key: 'nightly', value: undefined },
      ],
    };
    const made = await sent((api) => api.createService('acme', request), {
      service: { id: SERVICE_ID },
    });
    expect(made).toEqual({
      method: 'POST',
      path: `${BASE}/services`,
      body: { ...request, tags: [{ key: 'team', value: 'data' }, { key: 'nightly' }] },
      result: { service: { id: SERVICE_ID } },
    });
  });

  it('starts and wakes a service by the words of that cloud', async () => {
    const woken = await sent((api) => api.setServiceState('acme', SERVICE_ID, 'awake'));
    expect(woken).toMatchObject({ method: 'PATCH', body: { command: 'awake' } });
  });

  it('invites somebody with roles', async () => {
    const as = { assignedRoleIds: ['role-1', 'role-2'] };
    const invited = await sent((api) => api.createInvitation('acme', 'ana@example.com', as), {
      ...{ id: 'i1', assignedRoles: [{ roleName: 'Reader' }] },
    });
    expect(invited).toEqual({
      method: 'POST',
      path: `${BASE}/invitations`,
      body: { email: 'ana@example.com', ...as },
      result: { id: 'i1', assignedRoles: ['Reader'] },
    });
  });

  it('deletes a dashboard of a service, whatever the answer holds', async () => {
    const path = `${BASE}/services/${SERVICE_ID}/clickstack/dashboards/d%201`;
    for (const answer of [{ status: 204 }, { body: { result: { id: 'd 1' } } }]) {
      fixture.server.script(answer);
      const done = await fixture.api.deleteCloudDashboard('acme', SERVICE_ID, 'd 1');
      expect(done.result).toEqual({});
      expect(fixture.server.requests.at(-1)).toMatchObject({ method: 'DELETE', path, body: '' });
    }
  });

  it.each<[string, (api: Fixture['api']) => Promise<unknown>, string]>([
    [
      'a service without what that cloud needs',
      (api) => api.createService('acme', { ...SERVICE, region: undefined }),
      'No service was created: region has to be',
    ],
    [
      'a role that is none',
      (api) => api.createInvitation('acme', 'ana@example.com', { role: 'owner' as 'admin' }),
      'Nobody was invited: role has to be one of admin, developer.',
    ],
    [
      'a pipe with more replicas than that cloud gives',
      (api) => api.createPipe('acme', SERVICE_ID, { name: 'p', scaling: { replicas: 41 } }),
      'scaling.replicas has to be 1 to 40',
    ],
    [
      'a command that is none',
      (api) => api.setServiceState('acme', SERVICE_ID, 'pause' as 'stop'),
      'command has to be one of start, stop, awake',
    ],
  ])('refuses %s, and sends nothing', async (_what, run, words) => {
    const failure = await failureOf(run(fixture.api));
    expect(failure).toMatchObject({ code: 'invalid', because: { way: 'Nothing was sent.' } });
    expect(failure.userMessage).toContain(words);
    expect(fixture.server.requests).toEqual([]);
  });
});

describe('a change by the specification', () => {
  it('takes no role and no field of the cloud', async () => {
    const plain = await startFixture();
    const { api } = plain;
    const invited = failureOf(api.createInvitation('acme', 'ana@example.com', { role: 'admin' }));
    expect((await invited).userMessage).toBe(
      'Nobody was invited: role is not a field of this request.',
    );
    const awake = failureOf(api.setServiceState('acme', SERVICE_ID, 'awake'));
    expect((await awake).userMessage).toContain('command has to be one of start, stop.');
    const created = failureOf(api.createService('acme', { autoscalingMode: 'horizontal' }));
    expect((await created).userMessage).toContain('autoscalingMode is not a field');
    expect(plain.server.requests).toEqual([]);
    await plain.close();
  });
});

describe('a read of ClickHouse Cloud', () => {
  it('has the roles of an organization, what is none left out', async () => {
    const roles = [{ id: 'role-1', name: 'Reader', type: 'custom' }, null];
    const read = await sent((api) => api.roles('acme'), roles);
    expect(read).toMatchObject({ method: 'GET', path: `${BASE}/roles` });
    expect(read.result).toEqual([{ id: 'role-1', name: 'Reader', type: 'custom' }]);
  });

  it('asks for activities of a span', async () => {
    const span = { from: '2026-11-27T09:00:00.000Z', to: '2026-11-27T10:00:00.000Z' };
    const read = await sent((api) => api.cloud.activities('acme', span), [{ id: 'a1' }]);
    const query = new URLSearchParams({ from_date: span.from, to_date: span.to });
    expect(read.path).toBe(`${BASE}/activities?${query}`);
    expect(read.result).toEqual([{ id: 'a1' }]);
  });

  it.each<[string, (api: Fixture['api']) => Promise<unknown>]>([
    ['an invitation', (api) => api.invitation('acme', 'i1')],
    ['an endpoint', (api) => api.queryEndpoint('acme', SERVICE_ID)],
    ['an activity', (api) => api.activity('acme', 'a1')],
    ['a service', (api) => api.cloud.service('acme', SERVICE_ID)],
  ])('takes no empty record for %s', async (_what, run) => {
    for (const result of [{}, { nothing: 'known' }, 'text', []]) {
      fixture.server.script(envelope(result));
      expect(await failureOf(run(fixture.api))).toMatchObject({ code: 'malformed' });
    }
  });

  it('reads a long list as a short one, what is no record left out', async () => {
    // Beyond 256 kB an answer is read as it comes.
    const services = Array.from({ length: 60 }, (_, n) => ({
      ...{ id: `s-${n}`, name: `service ${n}`, padding: 'x'.repeat(5_000) },
    }));
    const expected = services.map(({ id, name }) => ({ id, name }));
    for (const some of [services, services.slice(0, 2)]) {
      fixture.server.script(envelope([null, ...some, 'none', 7]));
      const { result } = await fixture.api.cloud.services('acme');
      expect(result).toEqual(expected.slice(0, some.length));
    }
  });

  it('has nothing twice of a long list that came in two attempts', async () => {
    const services = Array.from({ length: 60 }, (_, n) => ({
      ...{ id: `s-${n}`, name: 'x'.repeat(5_000) },
    }));
    const body = { result: services };
    const never = new Promise(() => undefined);
    fixture.server.script({ body, lastByte: never }, { body: { result: services.slice(0, 1) } });
    const reading = fixture.api.cloud.services('acme');
    await fixture.received(1);
    // As much of the first as has come by then.
    await pause(150);
    await fixture.clock.advance(10_000);
    await fixture.afterAttempts(1, 500);
    expect((await reading).result.map(({ id }) => id)).toEqual(['s-0']);
  });

  it('takes no object for a list', async () => {
    fixture.server.script(envelope({ id: 'x' }));
    for (const run of [
      () => fixture.api.roles('acme'),
      () => fixture.api.cloud.services('acme'),
      () => fixture.api.cloud.pipes('acme', SERVICE_ID),
      () => fixture.api.cloud.activities('acme', { from: '', to: '' }),
    ]) {
      expect(await failureOf(run())).toMatchObject({ code: 'malformed' });
    }
  });
});

describe('a call on behalf of somebody', () => {
  const READS: readonly (readonly [string, (api: Fixture['api'], call: CallOptions) => unknown])[] =
    [
      ['invitation', (api, call) => api.invitation('acme', 'i1', call)],
      ['queryEndpoint', (api, call) => api.queryEndpoint('acme', SERVICE_ID, call)],
      ['activity', (api, call) => api.activity('acme', 'a1', call)],
      ['roles', (api, call) => api.roles('acme', call)],
      [
        'usageCost',
        (api, call) => api.usageCost('acme', { from: '2026-11-20', to: '2026-11-20' }, call),
      ],
      ['service', (api, call) => api.cloud.service('acme', SERVICE_ID, call)],
      ['services', (api, call) => api.cloud.services('acme', call)],
      ['backups', (api, call) => api.cloud.backups('acme', SERVICE_ID, call)],
      ['deleteDashboard', (api, call) => api.during(call).deleteDashboard('d1')],
      ['createService', (api, call) => api.during(call).createService('acme', SERVICE)],
      [
        'createInvitation',
        (api, call) => api.during(call).createInvitation('acme', 'ana@example.com'),
      ],
      ['stop', (api, call) => api.during(call).setServiceState('acme', SERVICE_ID, 'stop')],
      [
        'deleteCloudDashboard',
        (api, call) => api.during(call).during(call).deleteCloudDashboard('acme', SERVICE_ID, 'd1'),
      ],
    ];

  it.each(READS)('%s is not sent where that person has gone', async (_name, run) => {
    const signal = AbortSignal.abort(new Error('Nobody waits for it any longer.'));
    const failure = await failureOf(run(fixture.api, { signal }) as Promise<unknown>);
    expect(failure).toMatchObject({ code: 'unavailable', changed: 'no' });
    expect(failure.userMessage).toContain('the call was given up before it was sent. Ask again.');
    expect(fixture.server.requests).toEqual([]);
  });

  it('tells it right before each attempt, and is not sent where that fails', async () => {
    fixture.server.script({ status: 503 }, envelope({ id: 'a1' }));
    const told: number[] = [];
    const beforeSend = async () => {
      told.push(fixture.server.requests.length);
    };
    const reading = fixture.api.activity('acme', 'a1', { beforeSend });
    await fixture.afterAttempts(1, 500);
    await reading;
    expect(told).toEqual([0, 1]);
    const refused = fixture.api.activity('acme', 'a1', {
      beforeSend: () => Promise.reject(new Error('not noted')),
    });
    await expect(refused).rejects.toThrow('not noted');
    expect(fixture.server.requests).toHaveLength(2);
    expect(fixture.clock.sleepers()).toEqual([]);
  });

  it('is not sent where its time is over, or that person gone, once all is noted', async () => {
    const gone = new AbortController();
    const late = (beforeSend: () => Promise<void>) =>
      failureOf(
        fixture.api.during({ beforeSend, signal: gone.signal }).createService('acme', SERVICE),
      );
    const over = await late(() => fixture.clock.advance(30_000));
    expect(over).toMatchObject({ code: 'unavailable', changed: 'no', retryable: true });
    expect(over.userMessage).toBe(
      'No service was created: its time was over before it was sent. Ask again.',
    );
    const left = await late(async () => gone.abort(new Error('Nobody waits for it any longer.')));
    expect(left.userMessage).toBe(
      'No service was created: the call was given up before it was sent. Ask again.',
    );
    expect(left.cause).toBe(gone.signal.reason);
    expect(fixture.server.requests).toEqual([]);
    expect(fixture.lines).toEqual([]);
  });

  it('tells how long it waits for its turn, where it does', async () => {
    await fixture.close();
    fixture = await startFixture({ limit: { requests: 1, perMs: 4_000 } });
    fixture.server.script(envelope({ id: 'a1' }));
    const waits: number[] = [];
    const onWait = (milliseconds: number): void => void waits.push(milliseconds);
    await fixture.api.activity('acme', 'a1', { onWait });
    await fixture.clock.advance(1_000);
    const second = fixture.api.activity('acme', 'a1', { onWait });
    await fixture.clock.advance(3_000);
    await second;
    expect(waits).toEqual([3_000]);
  });

  it('in the background is tried once and takes no turn of people', async () => {
    await fixture.close();
    fixture = await startFixture({ limit: { requests: 4, perMs: 60_000 } });
    fixture.server.script({ status: 503 });
    const background: CallOptions = { priority: 'background' };
    const failure = await failureOf(fixture.api.activity('acme', 'a1', background));
    expect(failure).toMatchObject({ code: 'unavailable', status: 503 });
    expect(fixture.server.requests).toHaveLength(1);
    await failureOf(fixture.api.activity('acme', 'a1', background));
    const refused = await failureOf(fixture.api.activity('acme', 'a1', background));
    expect(refused).toMatchObject({ code: 'rate-limited', changed: 'no' });
    expect(fixture.server.requests).toHaveLength(2);
    fixture.server.script(envelope({ id: 'a1' }));
    await fixture.api.activity('acme', 'a1');
  });
});
