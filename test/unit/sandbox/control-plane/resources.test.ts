import { describe, expect, it } from 'vitest';
import {
  ACTIVITIES,
  BEARER,
  DASHBOARDS,
  INVITATIONS,
  PIPES,
  SERVICES,
  WAREHOUSES,
} from '../../../../src/sandbox/control-plane/seed.ts';
import { QUIRKS } from '../../../../src/sandbox/control-plane/settings.ts';
import { isUuid } from '../../../../src/sandbox/control-plane/validation/scalars.ts';
import { ORGANIZATION, refusal, start } from './harness.ts';

const INVITE = `POST ${ORGANIZATION}/invitations`;
const STATE = `PATCH ${ORGANIZATION}/services/${SERVICES.scratch.id}/state`;
const bearer = { authorization: `Bearer ${BEARER.token}` };

describe('the seed', () => {
  it('has distinct ids, and UUIDs where the specification says so', () => {
    const services = Object.values(SERVICES).map((service) => service.id);
    const uuids = [...services, ...Object.values(WAREHOUSES), ...Object.values(PIPES)];
    const hex = [...Object.values(ACTIVITIES), ...Object.values(DASHBOARDS)];
    expect(uuids.every(isUuid)).toBe(true);
    expect(hex.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
    expect(new Set([...uuids, ...hex]).size).toBe(uuids.length + hex.length);
  });

  it('starts services in these states', async () => {
    const plane = await start();
    const states = plane.state().services.map((service) => [service.name, service.state]);
    expect(Object.fromEntries(states)).toEqual({
      analytics: 'running',
      scratch: 'running',
      reporting: 'stopped',
      archive: 'idle',
      core: 'running',
      reader: 'running',
      staging: 'degraded',
      legacy: 'terminated',
    });
  });
});

describe('invitations', () => {
  it('are created for an address in lower case and can be read', async () => {
    const plane = await start();
    const created = await plane.ask(INVITE, { body: { email: 'Ana.Maria@Example.com' } });
    expect(created.json.result).toEqual({
      id: expect.any(String),
      email: 'ana.maria@example.com',
      role: 'developer',
      createdAt: '2026-11-27T10:00:00.000Z',
      expireAt: '2026-12-04T10:00:00.000Z',
    });
    const read = await plane.ask(`GET ${ORGANIZATION}/invitations/${created.json.result.id}`);
    expect(read.json.result).toEqual(created.json.result);
    expect(plane.state().activities.at(-1)?.type).toBe('organization_invite_create');
  });

  it.each([
    [{}, 'email', 'is required'],
    [{ email: 'ana' }, 'email', 'must be an e-mail address'],
    [{ email: '' }, 'email', 'must be an e-mail address'],
    [{ email: 'ana@example.com', role: 'admin' }, 'role', 'is not a field that this request takes'],
  ])('refuses %j', async (body, field, words) => {
    const plane = await start();
    expect((await plane.ask(INVITE, { body })).json).toMatchObject(refusal(field, words));
  });

  it('take a role in clickhouse names, show assigned roles, refuse duplicates when told to', async () => {
    const plane = await start({
      settings: { names: 'clickhouse', customRoles: true, duplicateInvitations: 'refuse' },
    });
    const body = { email: 'ben@example.com', role: 'admin' };
    expect((await plane.ask(INVITE, { body })).json.result).toMatchObject({
      role: 'admin',
      assignedRoles: [{ roleName: 'Admin', roleType: 'system' }],
    });
    const again = await plane.ask(INVITE, { body: { email: 'BEN@example.com' } });
    expect(again.json).toMatchObject({ status: 409, error: expect.stringMatching(/^CONFLICT: /) });
    const expired = await plane.ask(INVITE, { body: { email: 'emil@example.com' } });
    expect(expired.status).toBe(200);
  });

  it('are missing or badly named', async () => {
    const plane = await start();
    const unknown = '00000000-0000-4000-8000-000000000000';
    const read = (id: string) => plane.ask(`GET ${ORGANIZATION}/invitations/${id}`);
    expect((await read(unknown)).json).toMatchObject({
      status: 404,
      error: 'NOT_FOUND: no invitation with this id',
    });
    expect((await read('ana')).json).toMatchObject(refusal('invitationId', 'must be a UUID'));
    expect((await read(INVITATIONS.pending)).json.result).toMatchObject({ role: 'developer' });
    const extra = await plane.ask(`GET ${ORGANIZATION}/invitations/${unknown}?a=1`);
    expect(extra.json).toMatchObject(refusal('a', 'is not a query parameter of this request'));
  });
});

describe('query endpoints and activities', () => {
  it('reads settings where they are set up', async () => {
    const plane = await start();
    const read = (id: string) =>
      plane.ask(`GET ${ORGANIZATION}/services/${id}/serviceQueryEndpoint`);
    expect((await read(SERVICES.analytics.id)).json.result).toEqual({
      id: expect.any(String),
      allowedOrigins: 'https://app.acme.example,https://admin.acme.example',
      openApiKeys: [expect.any(String), expect.any(String)],
      roles: ['sql_console_read_only'],
    });
    expect((await read(SERVICES.scratch.id)).json).toMatchObject({
      status: 404,
      error: 'NOT_FOUND: no query endpoint is set up for this service',
    });
    expect((await read(SERVICES.legacy.id)).status).toBe(404);
  });

  it('reads every seeded activity, without inapplicable keys', async () => {
    const plane = await start();
    const read = (id: string) => plane.ask(`GET ${ORGANIZATION}/activities/${id}`);
    for (const id of Object.values(ACTIVITIES)) expect((await read(id)).status).toBe(200);
    const idle = (await read(ACTIVITIES.serviceIdle)).json.result;
    expect(idle).toMatchObject({ type: 'service_idle', actorType: 'system' });
    expect(idle).not.toHaveProperty('actorIpAddress');
    expect((await read('65f1c0a2b3c4d5e6f70809ff')).json).toMatchObject({
      status: 404,
      error: 'NOT_FOUND: no activity with this id',
    });
  });
});

describe('dashboards', () => {
  const remove = (id: string) => `DELETE /api/v2/dashboards/${id}`;

  it('are deleted once, as specified', async () => {
    const plane = await start();
    const deleted = await plane.ask(remove(DASHBOARDS.unused), bearer);
    expect(deleted).toMatchObject({ status: 200, json: {} });
    expect(plane.state().dashboards).not.toContain(DASHBOARDS.unused);
    const again = await plane.ask(remove(DASHBOARDS.unused), bearer);
    expect(again).toMatchObject({ status: 404, json: { message: 'Dashboard not found' } });
  });

  it.each([[null], ['Bearer fake-wrong'], ['Basic abc']])('refuse %s', async (authorization) => {
    const plane = await start();
    const answer = await plane.ask(remove(DASHBOARDS.errors), { authorization });
    const message = 'Unauthorized access. API key is missing or invalid.';
    expect(answer).toMatchObject({ status: 401, json: { message } });
    expect(plane.state().dashboards).toHaveLength(3);
    plane.changeSettings({ dashboards: 'self-hosted' });
    const plain = await plane.ask(remove(DASHBOARDS.errors), { authorization });
    expect(plain).toMatchObject({ status: 401, text: 'Unauthorized', json: undefined });
  });

  it('answer as the self-hosted server does when told to', async () => {
    const plane = await start({ settings: { dashboards: 'self-hosted' } });
    const unknown = await plane.ask(remove('6601aa00bb11cc22dd33eeff'), bearer);
    expect(unknown).toMatchObject({ status: 200, json: {} });
    const malformed = await plane.ask(remove('latency'), bearer);
    expect(malformed).toMatchObject({ status: 400, json: { message: expect.any(String) } });
  });

  it.each(['specification', 'self-hosted'] as const)(
    'are limited a minute, %s',
    async (dashboards) => {
      const plane = await start({ settings: { dashboards } });
      for (let used = 0; used < 100; used += 1) await plane.ask(remove('x'), bearer);
      const refused = await plane.ask(remove(DASHBOARDS.errors), bearer);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('ratelimit-reset')).toBe('60');
      expect(refused.json === undefined).toBe(dashboards === 'self-hosted');
      plane.settableClock().advance('PT1M');
      expect((await plane.ask(remove(DASHBOARDS.errors), bearer)).status).toBe(200);
    },
  );
});

describe('quirks of replies', () => {
  const cases: Readonly<Partial<Record<(typeof QUIRKS)[number], object>>> = {
    'numbers-as-text': { status: 200, result: { numReplicas: '1', maxReplicaMemoryGb: '120' } },
    'unset-as-empty-text': { result: { byocId: '', tier: '', name: 'scratch' } },
    'unset-as-null': { result: { profile: null, idleTimeoutMinutes: 5 } },
    'unknown-fields': { result: { sandboxUnknownField: { nested: [1, null] } } },
    'unknown-state': { result: { state: 'softdeleting' } },
    'allow-list-reversed': { result: { ipAccessList: [{ source: '198.51.100.17' }, {}] } },
  };

  it.each(Object.entries(cases))('%s', async (quirk, expected) => {
    const quirks = QUIRKS.filter((known) => known === quirk);
    const plane = await start({ settings: { quirks } });
    expect((await plane.ask(STATE, { body: { command: 'start' } })).json).toMatchObject(expected);
  });

  it('names the engine version as clickhouse does', async () => {
    const plane = await start({ settings: { names: 'clickhouse' } });
    const { result } = (await plane.ask(STATE, { body: { command: 'start' } })).json;
    expect(result).toMatchObject({ clickhouseVersion: '25.8' });
    expect(result).not.toHaveProperty('engineVersion');
  });
});
