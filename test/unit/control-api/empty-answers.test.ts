import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { envelope, type Fixture, failureOf, SERVICE_ID, startFixture } from './fixture.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.close());

const READS: readonly (readonly [string, (api: Fixture['api']) => Promise<unknown>, RegExp])[] = [
  ['an invitation', (api) => api.invitation('acme', 'i1'), /^The invitation was not read: /],
  [
    'a query endpoint',
    (api) => api.queryEndpoint('acme', SERVICE_ID),
    /^The query endpoint was not read: /,
  ],
  ['an activity', (api) => api.activity('acme', 'a1'), /^The activity was not read: /],
  [
    'costs',
    (api) => api.usageCost('acme', { from: '2026-11-20', to: '2026-11-20' }),
    /^The costs were not read: /,
  ],
];

const NOTHING: readonly unknown[] = [
  envelope({}),
  envelope(null),
  envelope(undefined),
  envelope([]),
  envelope(''),
  envelope('none'),
  envelope(0),
  envelope(false),
  envelope({ sandboxUnknownField: 1 }),
  envelope({ id: '', openApiKeys: null, email: null, costs: null }),
  { body: '' },
  { body: '{}' },
  { body: 'null' },
  { body: '[]' },
  { status: 204 },
];

describe.each(READS)('a read of %s', (_what, read, words) => {
  it.each(NOTHING)('fails when the answer says nothing: %j', async (answer) => {
    fixture.server.script(answer as { readonly body: unknown });
    const failure = await failureOf(read(fixture.api));
    expect(failure).toMatchObject({ code: 'malformed', changed: 'no' });
    expect(failure.userMessage).toMatch(words);
  });
});

describe('a change', () => {
  it.each<[string, (api: Fixture['api']) => Promise<unknown>]>([
    ['a command', (api) => api.setServiceState('acme', SERVICE_ID, 'stop')],
    ['an invitation', (api) => api.createInvitation('acme', 'ana@example.com')],
  ])('%s took place, though its answer is empty', async (_what, run) => {
    fixture.server.script(envelope({}));
    await expect(run(fixture.api)).resolves.toMatchObject({ result: {} });
  });

  it('a pipe took place, though its answer is empty', async () => {
    fixture.server.script(envelope({}));
    await expect(
      fixture.api.createPipe('acme', SERVICE_ID, { name: 'events' }),
    ).resolves.toMatchObject({ result: { facts: {} } });
  });
});
