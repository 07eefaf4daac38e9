import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { startControlPlane } from '../../../../src/sandbox/control-plane/control-plane.ts';
import { ROUTES } from '../../../../src/sandbox/control-plane/http/routes.ts';
import { BEARER, KEYS, SERVICES } from '../../../../src/sandbox/control-plane/seed.ts';
import { SMALL_SERVICE } from './bodies.ts';
import { basic, ORGANIZATION, send, start } from './harness.ts';

const READ = `GET ${ORGANIZATION}/services/${SERVICES.analytics.id}/serviceQueryEndpoint`;

describe('the table of routes', () => {
  it('lists the nine operations of the specification', () => {
    expect(ROUTES.map((route) => `${route.method} ${route.path}`)).toEqual([
      'POST /v1/organizations/{organizationId}/services',
      'PATCH /v1/organizations/{organizationId}/services/{serviceId}/state',
      'POST /v1/organizations/{organizationId}/invitations',
      'GET /v1/organizations/{organizationId}/invitations/{invitationId}',
      'GET /v1/organizations/{organizationId}/services/{serviceId}/serviceQueryEndpoint',
      'POST /v1/organizations/{organizationId}/services/{serviceId}/pipes',
      'GET /v1/organizations/{organizationId}/activities/{activityId}',
      'GET /v1/organizations/{organizationId}/usageCost',
      'DELETE /api/v2/dashboards/{id}',
    ]);
  });

  it.each(ROUTES)('serves $operation and no other method on its path', async (route) => {
    const plane = await start();
    const path = route.path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
    const authorization = route.api === 'control' ? basic(KEYS.admin) : `Bearer ${BEARER.token}`;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const served = ROUTES.some((other) => other.path === route.path && other.method === method);
      const answer = await plane.ask(`${method} ${path}`, { authorization });
      expect(answer.json !== undefined, method).toBe(served);
      if (!served)
        expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('<h1>') });
    }
  });

  it.each([
    'GET /',
    `GET /v1/organizations`,
    `GET ${ORGANIZATION}`,
    `GET ${ORGANIZATION}/services/${SERVICES.analytics.id}`,
    `GET ${ORGANIZATION}/activities/`,
    `GET ${ORGANIZATION}/activities/%E0%A4%A`,
    'GET /sandbox/nothing',
  ])('answers %s with an HTML 404', async (route) => {
    const plane = await start();
    const answer = await plane.ask(route);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });
});

describe('the control of the stand-in over HTTP', () => {
  it('switches faults on and off', async () => {
    const plane = await start();
    const fault = { match: { method: 'GET' }, kind: 'plain', status: 503 };
    const added = await plane.ask('POST /sandbox/faults', { body: fault });
    expect(added.json).toMatchObject({ id: 1, kind: 'plain', status: 503, perform: false });
    expect((await plane.ask(READ)).status).toBe(503);
    expect((await plane.ask('GET /sandbox/faults')).json).toHaveLength(1);
    expect((await plane.ask('DELETE /sandbox/faults')).status).toBe(200);
    expect((await plane.ask(READ)).status).toBe(200);
  });

  it('moves the clock', async () => {
    const plane = await start();
    const advanced = await plane.ask('POST /sandbox/clock', { body: { advance: 'PT15S' } });
    expect(advanced.json).toEqual({ now: '2026-11-27T10:00:15.000Z' });
    await plane.ask('POST /sandbox/clock', { body: { set: '2026-12-01T00:00:00Z' } });
    expect(plane.clock.now().toISO()).toBe('2026-12-01T00:00:00.000Z');
    const { now, monotonic } = plane.clock;
    const frozen = { now, monotonic, sleep: async () => {} };
    const fixed = await start({ clock: frozen });
    const refused = await fixed.ask('POST /sandbox/clock', { body: { advance: 'PT1S' } });
    expect(refused).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('clock') },
    });
  });

  it('plans costs and changes settings', async () => {
    const plane = await start();
    await plane.ask('POST /sandbox/costs', { body: { shape: 'null' } });
    const cost = await plane.ask(
      `GET ${ORGANIZATION}/usageCost?from_date=2026-11-01&to_date=2026-11-01`,
    );
    expect(cost.json.result.costs).toBeNull();
    const changed = await plane.ask('POST /sandbox/settings', {
      body: { names: 'clickhouse', rateLimit: { limit: 40 } },
    });
    expect(changed.json).toMatchObject({
      names: 'clickhouse',
      rateLimit: { limit: 40, windowMs: 10_000, retryAfter: false },
    });
    expect((await plane.ask('GET /sandbox/settings')).json).toEqual(changed.json);
  });

  it.each([
    ['/sandbox/faults', { kind: 'meteor' }],
    ['/sandbox/faults', { kind: 'cut', after: 1 }],
    ['/sandbox/clock', { advance: '15 seconds' }],
    ['/sandbox/clock', { set: 'tomorrow' }],
    ['/sandbox/clock', {}],
    ['/sandbox/costs', { records: [{ entityId: 'x' }] }],
    ['/sandbox/settings', { names: 'cyrillic' }],
    ['/sandbox/settings', { nothing: 1 }],
  ])('refuses %s %j', async (path, body) => {
    const plane = await start();
    const answer = await plane.ask(`POST ${path}`, { body });
    expect(answer).toMatchObject({ status: 400, json: { error: expect.any(String) } });
    expect((await plane.ask(`POST ${path}`, { text: '{' })).status).toBe(400);
  });

  it('shows what it received, as it was received, and what it holds', async () => {
    const plane = await start();
    await plane.ask(`POST ${ORGANIZATION}/services?x=1`, { body: SMALL_SERVICE });
    await plane.ask(`POST ${ORGANIZATION}/services`, { text: 'no json' });
    const requests = await plane.ask('GET /sandbox/requests');
    expect(requests.json).toMatchObject([
      {
        number: 1,
        at: '2026-11-27T10:00:00.000Z',
        method: 'POST',
        path: `${ORGANIZATION}/services`,
        query: { x: '1' },
        headers: { authorization: basic(KEYS.admin) },
        body: SMALL_SERVICE,
        status: 400,
      },
      { number: 2, body: 'no json', status: 400 },
    ]);
    const state = await plane.ask('GET /sandbox/state');
    expect(state.json).toEqual(JSON.parse(JSON.stringify(plane.state())));
  });

  it('goes back to the seed, and the clock goes on', async () => {
    const plane = await start();
    const fresh = plane.state();
    await plane.ask(`POST ${ORGANIZATION}/services`, { body: SMALL_SERVICE });
    plane.faults.add({ kind: 'cut' });
    plane.planCosts({ shape: 'absent' });
    plane.changeSettings({ names: 'clickhouse' });
    await plane.ask('POST /sandbox/reset');
    expect(plane.state()).toEqual(fresh);
    expect(plane.faults.list()).toEqual([]);
    expect(plane.requests()).toEqual([]);
    plane.settableClock().advance('P1D');
    plane.reset();
    expect(plane.state().now).toBe('2026-11-28T10:00:00.000Z');
    expect(plane.state().services).toHaveLength(8);
  });
});

describe('starting', () => {
  it('takes well under 50 ms, and refuses a port that is taken', async () => {
    const plane = await start();
    const took: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const begun = performance.now();
      await start();
      took.push(performance.now() - begun);
    }
    expect(Math.min(...took)).toBeLessThan(50);
    await expect(startControlPlane({ port: Number(new URL(plane.url).port) })).rejects.toThrow(
      'EADDRINUSE',
    );
  });

  it('runs as a program that says how to use it and ends cleanly', async () => {
    const program = spawn(
      process.execPath,
      ['--import', 'tsx', 'src/sandbox/control-plane/main.ts', '--port', '0'],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let printed = '';
    for await (const chunk of program.stdout) {
      printed += String(chunk);
      if (printed.includes('Kinds of faults')) break;
    }
    const url = /CONTROL_API_URL=(\S+)/.exec(printed)?.[1] ?? '';
    expect(printed).toContain(KEYS.admin.secret);
    expect((await send(url, READ)).status).toBe(200);
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
  });

  it.each([
    [['--port', 'http'], 1, '--port takes 0 to 65535, not "http".'],
    [['--port', '0', '--names', 'greek'], 1, '--names takes neutral or clickhouse, not "greek".'],
    [['--help'], 0, 'Usage: npm run control-plane'],
  ])('answers the arguments %j with exit code %i', (args, code, words) => {
    const file = 'src/sandbox/control-plane/main.ts';
    const ran = spawnSync(process.execPath, ['--import', 'tsx', file, ...args], {
      encoding: 'utf8',
    });
    expect(ran.status).toBe(code);
    expect(ran.stdout + ran.stderr).toContain(words);
  });
});
