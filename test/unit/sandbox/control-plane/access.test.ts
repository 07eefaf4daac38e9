import { describe, expect, it } from 'vitest';
import {
  ACTIVITIES,
  BEARER,
  GLOBEX,
  KEYS,
  SERVICES,
} from '../../../../src/sandbox/control-plane/seed.ts';
import { basic, ORGANIZATION, refusal, start } from './harness.ts';

const READ = `GET ${ORGANIZATION}/services/${SERVICES.analytics.id}/serviceQueryEndpoint`;

describe('authentication', () => {
  it.each([
    [null, 'an API key is required'],
    [`Bearer ${BEARER.token}`, 'Basic authentication is required'],
    ['Basic !!!', 'Basic authentication is required'],
    [basic({ id: KEYS.admin.id, secret: 'fake-wrong' }), 'the API key is not valid'],
    [basic({ id: 'fake-nobody', secret: KEYS.admin.secret }), 'the API key is not valid'],
    ['Basic bm9jb2xvbg==', 'the API key is not valid'],
  ])('refuses %s with 401', async (authorization, words) => {
    const plane = await start();
    const answer = await plane.ask(READ, { authorization });
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({
      status: 401,
      error: `UNAUTHORIZED: ${words}`,
      requestId: expect.any(String),
    });
  });

  it('keeps organizations apart', async () => {
    const plane = await start();
    const theirs = await plane.ask(READ, { authorization: basic(KEYS.stranger) });
    expect(theirs.json).toMatchObject({
      status: 403,
      error: 'FORBIDDEN: the API key belongs to another organization',
    });
    const unknown = READ.replace(
      ORGANIZATION,
      '/v1/organizations/00000000-0000-4000-8000-000000000000',
    );
    expect((await plane.ask(unknown)).json).toMatchObject({
      status: 404,
      error: 'NOT_FOUND: no organization with this id',
    });
    const noUuid = READ.replace(ORGANIZATION, '/v1/organizations/acme');
    expect((await plane.ask(noUuid)).json).toMatchObject(
      refusal('organizationId', 'must be a UUID'),
    );
    const inGlobex = READ.replace(ORGANIZATION, `/v1/organizations/${GLOBEX.id}`);
    const across = await plane.ask(inGlobex, { authorization: basic(KEYS.stranger) });
    expect(across.status).toBe(404);
  });

  it('lets a developer key read neither costs nor activities', async () => {
    const plane = await start();
    const authorization = basic(KEYS.developer);
    const range = 'from_date=2026-11-01&to_date=2026-11-02';
    for (const path of [`activities/${ACTIVITIES.serviceStop}`, `usageCost?${range}`]) {
      const answer = await plane.ask(`GET ${ORGANIZATION}/${path}`, { authorization });
      expect(answer.json).toMatchObject({
        status: 403,
        error: 'FORBIDDEN: the API key needs the admin role',
      });
    }
    expect((await plane.ask(READ, { authorization })).status).toBe(200);
  });

  it('takes keys that it is given', async () => {
    const key = { ...KEYS.admin, id: 'fake-own', secret: 'fake:with:colons' };
    const plane = await start({ keys: [key] });
    expect((await plane.ask(READ, { authorization: basic(key) })).status).toBe(200);
    expect((await plane.ask(READ)).status).toBe(401);
  });
});

describe('the rate limit', () => {
  const limited = { rateLimit: { limit: 10, windowMs: 10_000 } };

  it('allows ten requests in ten seconds of a key and says so in headers', async () => {
    const plane = await start({ settings: limited });
    for (let left = 9; left >= 0; left -= 1) {
      const answer = await plane.ask(READ);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('10');
      expect(answer.headers.get('x-ratelimit-remaining')).toBe(String(left));
      plane.settableClock().advance(250);
    }
    const refused = await plane.ask(READ);
    expect(refused.json).toEqual({
      status: 429,
      error: 'TOO_MANY_REQUESTS: the rate limit of this API key is reached',
      requestId: expect.any(String),
    });
    expect(refused.headers.get('x-ratelimit-reset')).toBe('7.500');
    expect(refused.headers.get('retry-after')).toBeNull();
    expect((await plane.ask(READ, { authorization: basic(KEYS.developer) })).status).toBe(200);
    plane.settableClock().advance(7500);
    expect((await plane.ask(READ)).status).toBe(200);
  });

  it('counts refused requests too, but not those without a valid key', async () => {
    const plane = await start({
      settings: { rateLimit: { limit: 1, windowMs: 1000, retryAfter: true } },
    });
    await plane.ask(READ, { authorization: null });
    expect((await plane.ask(`GET ${ORGANIZATION}/usageCost`)).status).toBe(400);
    const refused = await plane.ask(READ);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    plane.changeSettings({ rateLimit: { limit: 2 } });
    expect((await plane.ask(READ)).status).toBe(200);
  });
});
