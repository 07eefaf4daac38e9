import { afterEach, expect, it } from 'vitest';
import { openJournalReader } from '../support/journal-reader.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
afterEach(async () => {
  await world.close();
});

it('a command that waits for the limit of the API says so, and is not started until it is sent', async () => {
  world = await startWorld();
  const ana = world.as('ana').in('#ops');
  const reader = await openJournalReader(world.env['DATABASE_URL'] ?? '');
  for (let n = 0; n < 10; n += 1) {
    await ana.command('/db start scratch');
    await expect
      .poll(() => world.plane.requests().filter(({ method }) => method === 'PATCH').length)
      .toBe(n + 1);
  }
  await ana.command('/db start reporting');
  await ana.expectEphemeral(
    /The API limits how many requests it takes: yours is sent in about \d+ s/,
  );
  const [waiting] = await reader.find({ operations: ['service.start'], limit: 1 });
  expect(waiting).toMatchObject({ outcome: 'open', targets: [] });
  await reader.close();
}, 40_000);
