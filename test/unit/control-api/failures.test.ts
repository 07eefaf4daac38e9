import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/scripted-server.ts';
import { unusedAddress } from '../../support/scripted-server.ts';
import { envelope, type Fixture, failureOf, SERVICE_ID, startFixture, until } from './fixture.ts';

const HTML = '<!DOCTYPE html><html><body><h1>504 Gateway Time-out</h1></body></html>';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.close());

const CREATE = (api: Fixture['api']) => api.createService('acme', { name: 'reporting' });
const STOP = (api: Fixture['api']) => api.setServiceState('acme', SERVICE_ID, 'stop');
const READ = (api: Fixture['api']) => api.activity('acme', 'a1');

type Case = readonly [
  name: string,
  run: (api: Fixture['api']) => Promise<unknown>,
  answer: Answer,
  expected: { code: string; changed: string; status?: number; retryable: boolean },
  message: string,
];

const error = (status: number, text: string): Answer => ({
  status,
  body: { status, error: text, requestId: 'request-7' },
});

const CASES: readonly Case[] = [
  [
    '400 of a create',
    CREATE,
    error(400, 'BAD_REQUEST: region: not available'),
    { code: 'invalid', changed: 'no', status: 400, retryable: false },
    'No service was created: the API says “region: not available”. Change it and ask again.',
  ],
  [
    '400 without a word',
    CREATE,
    { status: 400 },
    { code: 'invalid', changed: 'no', status: 400, retryable: false },
    'No service was created: the API did not accept the request (status 400). Change it and ask again.',
  ],
  [
    '401',
    CREATE,
    error(401, 'UNAUTHORIZED: who are you'),
    { code: 'unauthorized', changed: 'no', status: 401, retryable: false },
    'No service was created: the API does not accept the key (the API says “who are you”).',
  ],
  [
    '403',
    STOP,
    { status: 403, body: 'Forbidden' },
    { code: 'forbidden', changed: 'no', status: 403, retryable: false },
    "its role, early access to the feature or the key's IP list",
  ],
  [
    '404 of an endpoint',
    (api) => api.queryEndpoint('acme', SERVICE_ID),
    error(404, 'NOT_FOUND: no such thing'),
    { code: 'not-found', changed: 'no', status: 404, retryable: false },
    'not enabled for this service, or the service was not found',
  ],
  [
    '404 as a page',
    STOP,
    { status: 404, body: HTML },
    { code: 'not-found', changed: 'no', status: 404, retryable: false },
    'The state was not changed: there is no such address on the API.',
  ],
  [
    '404 of a dashboard',
    (api) => api.deleteDashboard('65f1c0'),
    { status: 404, body: { message: 'Dashboard not found' } },
    { code: 'not-found', changed: 'no', status: 404, retryable: false },
    'The dashboard was not deleted: there is no dashboard with this id (the API says “Dashboard not found”).',
  ],
  [
    '404 of a dashboard whose body is cut',
    (api) => api.deleteDashboard('65f1c0'),
    { status: 404, body: '{"message":"Dash' },
    { code: 'not-found', changed: 'no', status: 404, retryable: false },
    'The dashboard was not deleted: there is no dashboard with this id. Check the id.',
  ],
  ...[200, 202, 400, 401, 403, 404, 422, 500, 502].flatMap((status): Case[] => [
    [
      `a dashboard that is not found, as ${status}`,
      (api) => api.deleteDashboard('65f1c0'),
      { status, body: { message: 'Dashboard not found' } },
      { code: 'not-found', changed: 'no', status, retryable: false },
      'The dashboard was not deleted: there is no dashboard with this id (the API says “Dashboard not found”). Check the id.',
    ],
    [
      `a key that a dashboard does not take, as ${status}`,
      (api) => api.deleteDashboard('65f1c0'),
      { status, body: { message: 'Unauthorized access. API key is missing or invalid.' } },
      { code: 'unauthorized', changed: 'no', status, retryable: false },
      'The dashboard was not deleted: the API does not accept the key',
    ],
  ]),
  [
    'other words about a dashboard, as 200',
    (api) => api.deleteDashboard('65f1c0'),
    { status: 200, body: { message: 'Come back later' } },
    { code: 'malformed', changed: 'maybe', status: 200, retryable: false },
    'The dashboard may have been deleted: the API says “Come back later”.',
  ],
  ...(
    [
      [409, 'CONFLICT: email: has a pending invitation already', 'already invited (the API says'],
      [409, 'CONFLICT: user is already a member', 'already a member (the API says'],
      [
        400,
        'BAD_REQUEST: invitation for this email already exists',
        'already invited (the API says',
      ],
      [400, 'BAD_REQUEST: this user belongs to the organization already', 'already a member (the'],
      [409, '', 'already invited or already a member. Look for the address'],
      [
        400,
        'BAD_REQUEST: email: not an address',
        'the API says “email: not an address”. Change it',
      ],
      [400, 'BAD_REQUEST: members cannot be invited by this key', 'the API says “members cannot'],
    ] as const
  ).map(
    ([status, words, message]): Case => [
      `${status} of an invitation: ${words}`,
      (api) => api.createInvitation('acme', 'fay@example.com'),
      error(status, words),
      { code: 'invalid', changed: 'no', status, retryable: false },
      `Nobody was invited: ${message}`,
    ],
  ),
  [
    '401 of a dashboard in plain text',
    (api) => api.deleteDashboard('65f1c0'),
    { status: 401, body: 'Unauthorized access. API key is missing or invalid.' },
    { code: 'unauthorized', changed: 'no', status: 401, retryable: false },
    'The dashboard was not deleted: the API does not accept the key',
  ],
  [
    '409 after stopped',
    STOP,
    error(409, 'CONFLICT: busy'),
    { code: 'conflict', changed: 'no', status: 409, retryable: true },
    'Ask again in a few minutes.',
  ],
  [
    '424 of a pipe on an idle service',
    (api) => api.createPipe('acme', SERVICE_ID, { name: 'events' }),
    error(424, 'FAILED_DEPENDENCY: service state is idle'),
    { code: 'conflict', changed: 'no', status: 424, retryable: true },
    'No pipe was created: the service has to be running for this (the API says “service state is idle”). Idle is not stopped: a query wakes an idle service',
  ],
  [
    '429 of a create',
    CREATE,
    { status: 429, headers: { 'x-ratelimit-reset': '7.2' } },
    { code: 'rate-limited', changed: 'no', status: 429, retryable: true },
    'No service was created: the API takes no more requests with this key just now. Ask again in 8 s.',
  ],
  [
    '500 of a create',
    CREATE,
    error(500, 'boom'),
    { code: 'unavailable', changed: 'maybe', status: 500, retryable: true },
    'The service may have been created: the API failed with status 500. It was not sent again. Check in the console',
  ],
  [
    'an HTML 504 of a pipe',
    (api) => api.createPipe('acme', SERVICE_ID, { name: 'events' }),
    { status: 504, body: HTML, headers: { 'content-type': 'text/html' } },
    { code: 'timeout', changed: 'maybe', status: 504, retryable: true },
    'The pipe may have been created: a gateway of the API got no answer in time.',
  ],
  [
    'a cut connection',
    (api) => api.createInvitation('acme', 'ana@example.com'),
    'cut',
    { code: 'unavailable', changed: 'maybe', retryable: true },
    'The invitation may have been sent: the connection broke before the answer.',
  ],
  [
    'an answer that is cut short',
    CREATE,
    'cut in the body',
    { code: 'unavailable', changed: 'maybe', retryable: true },
    'The service may have been created',
  ],
  [
    'a page in place of a created service',
    CREATE,
    { body: HTML },
    { code: 'malformed', changed: 'maybe', status: 200, retryable: false },
    'The service may have been created: the API answered with something that Steward cannot read.',
  ],
  [
    'an envelope without a result',
    CREATE,
    { body: { status: 200, requestId: 'request-7' } },
    { code: 'malformed', changed: 'maybe', status: 200, retryable: false },
    'may have been created',
  ],
  [
    'a created service without a service',
    CREATE,
    envelope({ password: 'fake-generated' }),
    { code: 'malformed', changed: 'maybe', status: 200, retryable: false },
    'may have been created',
  ],
  [
    'an empty body of a read',
    READ,
    { body: '' },
    { code: 'malformed', changed: 'no', status: 200, retryable: false },
    'The activity was not read',
  ],
  [
    'a list in place of a record',
    READ,
    envelope([]),
    { code: 'malformed', changed: 'no', status: 200, retryable: false },
    'The activity was not read',
  ],
  [
    'a body over 8 MB',
    READ,
    { body: 'x'.repeat(8 * 1024 * 1024 + 1) },
    { code: 'malformed', changed: 'no', retryable: false },
    'The activity was not read: the answer was larger than 8 MB.',
  ],
  [
    'a redirect',
    CREATE,
    { status: 308, headers: { location: 'https://example.com/' } },
    { code: 'malformed', changed: 'no', status: 308, retryable: false },
    'No service was created: the API answered with status 308 and no result.',
  ],
];

describe('every kind of failure', () => {
  it.each(CASES)('%s', async (...[, run, answer, expected, message]) => {
    fixture.server.script(answer);
    const failure = await failureOf(run(fixture.api));
    expect(failure).toMatchObject(expected);
    expect(failure.userMessage).toContain(message);
    expect(failure.message).not.toMatch(/<\w/);
    expect(fixture.server.requests).toHaveLength(1);
  });

  it('carries the request id of the envelope, or of the header', async () => {
    fixture.server.script(error(400, 'no'));
    expect((await failureOf(CREATE(fixture.api))).requestId).toBe('request-7');
    fixture.server.script({ status: 400, body: 'no', headers: { 'x-request-id': 'header-3' } });
    expect((await failureOf(CREATE(fixture.api))).requestId).toBe('header-3');
    fixture.server.script({ status: 400, body: { error: 'no', requestId: '<b>no id</b>' } });
    expect((await failureOf(CREATE(fixture.api))).requestId).toBeUndefined();
  });

  it('takes a body just under the limit', async () => {
    const userAgent = 'x'.repeat(8 * 1024 * 1024 - 200);
    fixture.server.script(envelope({ id: 'a1', userAgent }));
    expect((await READ(fixture.api)).result.userAgent).toHaveLength(userAgent.length);
  });
});

describe('what never left', () => {
  it.each([
    ['nobody listens', unusedAddress],
    [
      'nobody listens on any address of the name',
      async () => (await unusedAddress()).replace('127.0.0.1', 'localhost'),
    ],
    ['the answer is not TLS', async () => fixture.server.url.replace('http:', 'https:')],
    ['the address is none', async () => 'http://'],
  ])('changed nothing: %s', async (_, address) => {
    const away = await startFixture({ baseUrl: await address() });
    const failure = await failureOf(CREATE(away.api));
    expect(failure).toMatchObject({ code: 'unavailable', changed: 'no', retryable: true });
    expect(failure.userMessage).toBe(
      'No service was created: the API could not be reached. Ask again in a minute.',
    );
    await away.close();
  });
});

describe('the deadline', () => {
  it('ends a create that gets no answer: the outcome is unknown', async () => {
    fixture.server.script('silence');
    const failing = failureOf(CREATE(fixture.api));
    await fixture.received(1);
    await fixture.clock.advance(29_999);
    expect(fixture.lines).toHaveLength(0);
    await fixture.clock.advance(1);
    const failure = await failing;
    expect(failure).toMatchObject({ code: 'timeout', changed: 'maybe' });
    expect(failure.userMessage).toBe(
      'The service may have been created: no answer in 30 s. It was not sent again. Check in the console before trying again.',
    );
    expect(fixture.server.requests).toHaveLength(1);
  });

  it('spans all attempts of a read', async () => {
    fixture.server.script('silence');
    const failing = failureOf(READ(fixture.api));
    for (const [index, backoff] of [500, 1_000].entries()) {
      await fixture.received(index + 1);
      await fixture.clock.advance(10_000);
      await fixture.afterAttempts(index + 1, backoff);
    }
    await fixture.received(3);
    await fixture.clock.advance(8_500);
    expect(await failing).toMatchObject({ code: 'timeout', changed: 'no' });
    expect(fixture.clock.now().toISO()).toBe('2026-11-27T10:00:30.000Z');
    expect(fixture.server.requests).toHaveLength(3);
  });

  it('leaves no timer behind', async () => {
    fixture.server.script(envelope({ id: 'a1' }));
    await READ(fixture.api);
    expect(fixture.clock.sleepers()).toEqual([]);
  });

  it('ends a read that its caller gives up', async () => {
    fixture.server.script('silence');
    const caller = new AbortController();
    const failing = failureOf(fixture.api.activity('acme', 'a1', { signal: caller.signal }));
    await fixture.received(1);
    caller.abort();
    expect((await failing).userMessage).toBe(
      'The activity was not read: the call was given up before the answer. Ask again.',
    );
    await until(() => fixture.clock.sleepers().length === 0);
  });
});
