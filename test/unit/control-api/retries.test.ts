import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RetryQuestion, retryDelay } from '../../../src/control-api/call.ts';
import { type Answer, unusedAddress } from '../../support/scripted-server.ts';
import { envelope, type Fixture, failureOf, SERVICE_ID, startFixture, until } from './fixture.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.close());

type Run = (api: Fixture['api']) => Promise<unknown>;

const READS: readonly (readonly [string, Run])[] = [
  ['invitation', (api) => api.invitation('acme', 'i1')],
  ['queryEndpoint', (api) => api.queryEndpoint('acme', SERVICE_ID)],
  ['activity', (api) => api.activity('acme', 'a1')],
  ['usageCost', (api) => api.usageCost('acme', { from: '2026-11-20', to: '2026-11-20' })],
];
const COMMANDS: readonly (readonly [string, Run])[] = [
  ['setServiceState', (api) => api.setServiceState('acme', SERVICE_ID, 'start')],
  ['deleteDashboard', (api) => api.deleteDashboard('65f1c0')],
];
const CREATES: readonly (readonly [string, Run])[] = [
  ['createService', (api) => api.createService('acme', { name: 'reporting' })],
  ['createInvitation', (api) => api.createInvitation('acme', 'ana@example.com')],
  ['createPipe', (api) => api.createPipe('acme', SERVICE_ID, { name: 'events' })],
];
const PASSING: readonly Answer[] = [
  { status: 429 },
  { status: 500 },
  { status: 502 },
  { status: 503 },
  { status: 504, body: '<html></html>' },
  'cut',
  'cut in the body',
];
const FINAL: readonly Answer[] = [
  ...[400, 401, 403, 404, 409, 422, 424, 501].map((status) => ({ status })),
  { body: 'no JSON' },
];

describe.each(READS)('the read %s', (_, run) => {
  it.each(PASSING)('is sent again after %j', async (answer) => {
    fixture.server.script(answer, envelope({ id: 'a1', costs: [] }));
    const reading = run(fixture.api);
    await fixture.afterAttempts(1, 499);
    expect(fixture.server.requests).toHaveLength(1);
    await fixture.clock.advance(1);
    await reading;
    expect(fixture.server.requests).toHaveLength(2);
  });
});

describe('any read', () => {
  const read = (api: Fixture['api']) => api.activity('acme', 'a1');

  it.each(FINAL)('is sent once when the answer is %j', async (answer) => {
    fixture.server.script(answer);
    await failureOf(read(fixture.api));
    expect(fixture.server.requests).toHaveLength(1);
  });

  it('is sent again after an attempt without an answer', async () => {
    fixture.server.script('silence', envelope({ id: 'a1' }));
    const reading = read(fixture.api);
    await fixture.received(1);
    await fixture.clock.advance(10_000);
    await fixture.afterAttempts(1, 500);
    await expect(reading).resolves.toMatchObject({ result: { id: 'a1' } });
    expect(fixture.server.requests).toHaveLength(2);
  });

  it('leaves a line for each attempt: what failed is told aloud, an answer is not', async () => {
    fixture.server.script('cut', { status: 503 }, envelope({ id: 'a1' }, 'request-9'));
    const reading = read(fixture.api);
    await fixture.afterAttempts(1, 500);
    await fixture.afterAttempts(2, 1_000);
    await reading;
    const route = '/v1/organizations/{organizationId}/activities/{activityId}';
    const each = { event: 'control-api', method: 'GET', route, durationMs: 0 };
    const failed = { level: 'info', text: 'control API call failed' };
    expect(fixture.lines).toEqual([
      { ...failed, fields: { ...each, attempt: 1, outcome: 'cut' } },
      { ...failed, fields: { ...each, attempt: 2, status: 503 } },
      {
        ...{ level: 'debug', text: 'control API answered' },
        fields: { ...each, attempt: 3, status: 200, requestId: 'request-9' },
      },
    ]);
  });

  it('backs off longer each time and gives up after four attempts', async () => {
    fixture.server.script({ status: 503 });
    const failing = failureOf(read(fixture.api));
    for (const [index, delay] of [500, 1_000, 2_000].entries()) {
      await fixture.afterAttempts(index + 1, delay - 1);
      expect(fixture.server.requests).toHaveLength(index + 1);
      await fixture.clock.advance(1);
    }
    expect(await failing).toMatchObject({ code: 'unavailable', status: 503 });
    expect(fixture.server.requests).toHaveLength(4);
  });

  it.each([
    ['X-RateLimit-Reset in fractional seconds', 429, { 'x-ratelimit-reset': '2.4' }, 2_400],
    ['RateLimit-Reset', 429, { 'ratelimit-reset': '3' }, 3_000],
    ['Retry-After in seconds', 503, { 'retry-after': '4' }, 4_000],
    ['Retry-After as a date', 429, { 'retry-after': 'Fri, 27 Nov 2026 10:00:05 GMT' }, 5_000],
    ['the longer of both', 429, { 'retry-after': '1', 'x-ratelimit-reset': '6' }, 6_000],
  ])('honours %s', async (_, status, headers, wait) => {
    fixture.server.script({ status, headers: { ...headers } }, envelope({ id: 'a1' }));
    const reading = read(fixture.api);
    await fixture.afterAttempts(1, wait - 1);
    expect(fixture.server.requests).toHaveLength(1);
    await fixture.clock.advance(251);
    await reading;
    expect(fixture.server.requests).toHaveLength(2);
  });

  it('does not wait for a moment beyond its deadline', async () => {
    fixture.server.script({ status: 429, headers: { 'retry-after': '60' } });
    const failure = await failureOf(read(fixture.api));
    expect(failure).toMatchObject({ code: 'rate-limited', changed: 'no' });
    expect(failure.userMessage).toContain('Ask again in 60 s.');
  });
});

describe.each(COMMANDS)('the command %s', (_, run) => {
  it('is sent again after a 429', async () => {
    fixture.server.script({ status: 429 }, envelope({ state: 'starting' }));
    const running = run(fixture.api);
    await fixture.afterAttempts(1, 500);
    await running;
    expect(fixture.server.requests).toHaveLength(2);
  });

  it.each(PASSING.slice(1))('is sent once when it may have run: %j', async (answer) => {
    fixture.server.script(answer);
    expect(await failureOf(run(fixture.api))).toMatchObject({ changed: 'maybe' });
    expect(fixture.server.requests).toHaveLength(1);
  });

  it('is tried again when nobody listened, and says that nothing changed', async () => {
    const baseUrl = await unusedAddress();
    const away = await startFixture({ baseUrl, observability: { baseUrl, token: 'fake-token' } });
    const failing = failureOf(run(away.api));
    for (const [index, delay] of [500, 1_000, 2_000].entries()) {
      await away.afterAttempts(index + 1, delay);
    }
    expect(await failing).toMatchObject({ code: 'unavailable', changed: 'no' });
    expect(away.lines).toHaveLength(4);
    await away.close();
  });
});

describe.each(CREATES)('the creation %s', (_, run) => {
  it.each([...PASSING, ...FINAL])('is never sent twice: %j', async (answer) => {
    fixture.server.script(answer, envelope({ service: {} }));
    await failureOf(run(fixture.api));
    expect(fixture.server.requests).toHaveLength(1);
    expect(fixture.clock.sleepers()).toEqual([]);
  });

  it('is not tried again either when nobody listened', async () => {
    const away = await startFixture({ baseUrl: await unusedAddress() });
    expect(await failureOf(run(away.api))).toMatchObject({ changed: 'no' });
    await until(() => away.clock.sleepers().length === 0);
    expect(away.lines).toHaveLength(1);
    await away.close();
  });
});

describe('the timing of retries', () => {
  const question: RetryQuestion = {
    rule: 'read',
    attempt: 1,
    end: 503,
    remainingMs: 30_000,
    random: 0,
  };
  it.each<[Partial<RetryQuestion>, number | undefined]>([
    [{}, 250],
    [{ random: 1 }, 500],
    [{ attempt: 3, random: 0.5 }, 1_500],
    [{ attempt: 4 }, undefined],
    [{ retryInMs: 1_000 }, 1_000],
    [{ retryInMs: 1_000, random: 1 }, 1_250],
    [{ retryInMs: 30_000 }, undefined],
    [{ remainingMs: 250 }, undefined],
    [{ remainingMs: 251 }, 250],
    [{ end: 'cancelled' }, undefined],
    [{ end: 'oversized' }, undefined],
    [{ end: 'timeout' }, 250],
    [{ rule: 'unsent', end: 'unsent' }, 250],
    [{ rule: 'unsent', end: 'timeout' }, undefined],
    [{ rule: 'unsent', end: 503, retryInMs: 1 }, undefined],
    [{ rule: 'never', end: 'unsent' }, undefined],
    [{ rule: 'never', end: 429, retryInMs: 1 }, undefined],
  ])('%j', (change, delay) => {
    expect(retryDelay({ ...question, ...change })).toBe(delay);
  });
});
