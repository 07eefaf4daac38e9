import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSights } from '../../../src/control-api/sights.ts';
import type { CallOptions } from '../../../src/core/ports/ports.ts';
import type { Look, Sight, Sights } from '../../../src/core/ports/sight.ts';
import { settingsWith } from '../../support/operation-ports.ts';
import { type Fixture, ORGANIZATION_ID, SERVICE_ID, startFixture } from './fixture.ts';

const PIPE_ID = '33333333-3333-4333-8333-333333333333';
const OTHER_ID = '44444444-4444-4444-8444-444444444444';
const SPAN = { from: '2026-11-27T09:00:00.000Z', to: '2026-11-27T10:00:00.000Z' };
const BEHIND: CallOptions = { priority: 'background' };
const of = `/v1/organizations/${ORGANIZATION_ID}`;

type Way = {
  readonly eye: string;
  readonly path: string;
  readonly about: 'all' | 'a service' | 'one thing';
  look(sight: Sight, call?: CallOptions): Promise<Look<unknown>>;
};

const EYES: readonly Way[] = [
  { eye: 'services', path: `${of}/services`, about: 'all', look: (s, call) => s.services(call) },
  {
    ...{ eye: 'service', path: `${of}/services/${SERVICE_ID}`, about: 'one thing' },
    look: (sight, call) => sight.service(SERVICE_ID, call),
  },
  {
    ...{ eye: 'pipe', path: `${of}/services/${SERVICE_ID}/clickpipes/${PIPE_ID}` },
    about: 'one thing',
    look: (sight, call) => sight.pipe({ serviceId: SERVICE_ID, pipeId: PIPE_ID }, call),
  },
  {
    ...{ eye: 'activities', path: `${of}/activities`, about: 'all' },
    look: (sight, call) => sight.activities(SPAN, call),
  },
  {
    ...{ eye: 'organizations', path: '/v1/organizations', about: 'all' },
    look: (sight, call) => sight.organizations(call),
  },
  {
    ...{ eye: 'invitations', path: `${of}/invitations`, about: 'all' },
    look: (sight, call) => sight.invitations(call),
  },
  {
    ...{ eye: 'pipes', path: `${of}/services/${SERVICE_ID}/clickpipes`, about: 'a service' },
    look: (sight, call) => sight.pipes(SERVICE_ID, call),
  },
  {
    ...{ eye: 'backups', path: `${of}/services/${SERVICE_ID}/backups`, about: 'a service' },
    look: (sight, call) => sight.backups(SERVICE_ID, call),
  },
  {
    ...{
      eye: 'dashboards',
      path: `${of}/services/${SERVICE_ID}/clickstack/dashboards`,
      about: 'a service',
    },
    look: (sight, call) => sight.dashboards(SERVICE_ID, call),
  },
];

let fixture: Fixture;
let sights: Sights;
let sight: Sight;
beforeEach(async () => {
  fixture = await startFixture({ names: 'clickhouse' });
  const organization = { key: 'acme', id: ORGANIZATION_ID, keyId: 'k', keySecret: 's' };
  const settings = settingsWith({
    organizations: [
      { ...organization, names: 'clickhouse' },
      { ...organization, key: 'plain', names: 'neutral' },
    ],
  });
  sights = createSights({
    cloud: fixture.api.cloud,
    settings: { get: () => settings },
    clock: fixture.clock,
  });
  const acme = sights.of('acme');
  if (acme === undefined) throw new Error('acme has sight');
  sight = acme;
});
afterEach(() => fixture.close());

const paths = (): readonly string[] =>
  fixture.server.requests.map(({ path }) => path.split('?')[0] ?? '');

it('has sight only of clouds that have the reads', () => {
  expect(sights.organizations()).toEqual(['acme']);
  expect(sights.of('plain')).toBeUndefined();
  expect(sights.of('nobody')).toBeUndefined();
});

describe.each(EYES.map((way) => [way.eye, way] as const))('the eye of %s', (eye, way) => {
  it('asks at its path and sees what is there', async () => {
    const isOne = way.about === 'one thing';
    fixture.server.script({ body: { result: isOne ? { id: SERVICE_ID } : [{ id: SERVICE_ID }] } });
    const one = expect.objectContaining({ id: SERVICE_ID });
    expect(await way.look(sight)).toEqual({ kind: 'seen', value: isOne ? one : [one] });
    expect(paths()).toEqual([way.path]);
    expect(sights.closed()).toEqual([]);
  });

  it.each([
    [401, 1, 'the key is not accepted (401)', {}],
    [403, 15, 'the key may not (403)', { isRefused: true }],
  ])(
    'closes at a %i for %i min, says why, and opens again',
    async (status, minutes, because, more) => {
      fixture.server.script({ status, body: {} });
      const unseen = { kind: 'unseen', because, ...more };
      expect(await way.look(sight, BEHIND)).toEqual({ ...unseen, isBusy: false });
      expect(await way.look(sight, BEHIND)).toEqual(unseen);
      const until = fixture.clock.now().plus({ minutes }).toISO();
      expect(sights.closed()).toEqual([{ organization: 'acme', eye, because, until, ...more }]);
      await fixture.clock.advance(minutes * 60_000 - 1);
      expect(await way.look(sight, BEHIND)).toEqual(unseen);
      expect(paths()).toHaveLength(1);
      await fixture.clock.advance(1);
      expect(sights.closed()).toEqual([]);
      fixture.server.script({
        body: { result: way.about === 'one thing' ? { id: SERVICE_ID } : [] },
      });
      expect(await way.look(sight, BEHIND)).toMatchObject({ kind: 'seen' });
      expect(paths()).toHaveLength(2);
    },
  );

  it('closes for a minute at a 429', async () => {
    fixture.server.script({ status: 429, body: {} });
    const because = 'too many requests (429)';
    expect(await way.look(sight, BEHIND)).toMatchObject({ kind: 'unseen', because, isBusy: false });
    const until = fixture.clock.now().plus({ minutes: 1 }).toISO();
    expect(sights.closed()).toEqual([{ organization: 'acme', eye, because, until }]);
  });

  it('takes a 404 for what it is about', async () => {
    fixture.server.script({ status: 404, body: {} });
    const because = 'the cloud has no such list (404)';
    const look = await way.look(sight, BEHIND);
    if (way.about === 'one thing') {
      expect(look).toEqual({ kind: 'missing' });
      expect(sights.closed()).toEqual([]);
      return;
    }
    expect(look).toEqual({ kind: 'unseen', because, isBusy: false, isRefused: true });
    expect(sights.closed()).toEqual([
      expect.objectContaining({
        eye,
        because,
        ...(way.about === 'a service' ? { serviceId: SERVICE_ID } : {}),
      }),
    ]);
  });

  it.each([
    [{ status: 503, body: {} }, 'the API failed with status 503'],
    [{ body: '<html>Sign in</html>' }, 'the API answered with something that Steward cannot read'],
    [{ status: 302, body: '' }, 'the API answered with status 302 and no result'],
    ['cut', 'the connection broke before the answer'],
  ] as const)('stays open where the cloud is ill, and says how: %j', async (answer, because) => {
    fixture.server.script(answer);
    expect(await way.look(sight, BEHIND)).toEqual({ kind: 'unseen', because, isBusy: false });
    expect(sights.closed()).toEqual([]);
    await way.look(sight, BEHIND);
    expect(paths()).toHaveLength(2);
  });

  it('stays open where the connection broke', async () => {
    fixture.server.script('cut');
    const because = 'the connection broke before the answer';
    expect(await way.look(sight, BEHIND)).toEqual({ kind: 'unseen', because, isBusy: false });
    expect(sights.closed()).toEqual([]);
  });

  it('closes for a minute where whoever asked would not wait', async () => {
    fixture.server.script('silence');
    const gone = new AbortController();
    const look = way.look(sight, { ...BEHIND, signal: gone.signal });
    await fixture.received(1);
    gone.abort(new Error('Nobody waits for it any longer.'));
    const because = 'the cloud did not answer in time';
    expect(await look).toEqual({ kind: 'unseen', because, isBusy: false });
    const until = fixture.clock.now().plus({ minutes: 1 }).toISO();
    expect(sights.closed()).toEqual([{ organization: 'acme', eye, because, until }]);
  });
});

describe('a list of a service', () => {
  const lists = [
    ['pipes', (id: string) => sight.pipes(id, BEHIND)],
    ['backups', (id: string) => sight.backups(id, BEHIND)],
    ['dashboards', (id: string) => sight.dashboards(id, BEHIND)],
  ] as const;

  it.each(lists)(
    'of %s that one service lacks is still looked for on others',
    async (_eye, look) => {
      fixture.server.script({ status: 404, body: {} }, { body: { result: [] } });
      expect(await look(SERVICE_ID)).toMatchObject({ kind: 'unseen' });
      expect(await look(OTHER_ID)).toEqual({ kind: 'seen', value: [] });
      expect(await look(SERVICE_ID)).toMatchObject({ kind: 'unseen' });
      expect(paths()).toHaveLength(2);
    },
  );

  it.each(lists)('of %s that the key may not read is looked for on none', async (_eye, look) => {
    fixture.server.script({ status: 403, body: {} });
    expect(await look(SERVICE_ID)).toMatchObject({ kind: 'unseen' });
    expect(await look(OTHER_ID)).toMatchObject({ kind: 'unseen' });
    expect(paths()).toHaveLength(1);
  });
});

it('needs nobody who waits', async () => {
  fixture.server.script({ status: 404, body: {} });
  expect(await sight.services()).toMatchObject({ kind: 'unseen' });
  expect(await sight.pipe({ serviceId: SERVICE_ID, pipeId: PIPE_ID })).toEqual({ kind: 'missing' });
  await fixture.clock.advance(15 * 60_000);
  await fixture.server.close();
  const looking = sight.services();
  for (const [index, backoff] of [500, 1_000, 2_000].entries()) {
    await fixture.afterAttempts(index + 3, backoff);
  }
  const because = 'the API could not be reached';
  expect(await looking).toEqual({ kind: 'unseen', because, isBusy: false });
  expect(sights.closed()).toEqual([]);
});

it('is busy, and closes nothing, where people need the limit', async () => {
  await fixture.close();
  fixture = await startFixture({ names: 'clickhouse', limit: { requests: 2, perMs: 60_000 } });
  fixture.server.script({ body: { result: [] } });
  const settings = settingsWith({
    organizations: [
      { key: 'acme', id: ORGANIZATION_ID, keyId: 'k', keySecret: 's', names: 'clickhouse' },
    ],
  });
  sights = createSights({
    cloud: fixture.api.cloud,
    settings: { get: () => settings },
    clock: fixture.clock,
  });
  const looks = await Promise.all([1, 2, 3].map(() => sights.of('acme')?.services(BEHIND)));
  const busy = looks.find((look) => look?.kind === 'unseen');
  expect(busy).toEqual({
    ...{ kind: 'unseen', isBusy: true },
    because: 'the key of this organization has no request left in time',
  });
  expect(sights.closed()).toEqual([]);
});
