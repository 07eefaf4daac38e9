import { afterEach, expect, it } from 'vitest';
import type { Failure } from '../../src/sandbox/workspace/state/faults.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const FAILURES: readonly (readonly [string, Failure])[] = [
  ['internal_error', 'internal_error'],
  ['a 500', { status: 500 }],
  ['a wait of 1 s', { status: 429, retryAfter: 1 }],
  ['a cut connection', { wire: 'cut' }],
];

it.each(FAILURES)('starts although Slack answers the first call with %s', async (_, failure) => {
  world = await startWorld();
  world.workspace.faults.plan('auth.test', { failure });
  await world.restart();
  const ana = world.as('ana').in('#ops');
  await ana.command('/db can stop scratch');
  await ana.expectEphemeral(/scratch/);
});

it('asks once who it is, and no payload asks again', async () => {
  world = await startWorld();
  const asked = () => world?.workspace.traffic().filter(({ what }) => what === 'auth.test');
  expect(asked()).toHaveLength(1);
  const ana = world.as('ana').in('#ops');
  await ana.command('/db can stop scratch');
  await ana.expectEphemeral(/scratch/);
  expect(asked()).toHaveLength(1);
});

it('does not start with a token that Slack refuses, and says why at once', async () => {
  world = await startWorld();
  world.workspace.faults.plan('auth.test', { failure: 'invalid_auth', times: Infinity });
  await expect(world.restart()).rejects.toThrow(/auth\.test with invalid_auth/);
  await Promise.all([world.workspace.close(), world.plane.close()]);
  world = undefined;
});
