import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../support/databases.ts';
import { seedOfRun } from './chance.ts';
import { runInParts } from './parts.ts';

const seed = seedOfRun();

/** The short form of `npm run test:endurance`; it is part of `npm test`. */
// When things end is drawn anew in each run, and the machine has its part in it: twice is no luck.
describe.concurrent('what happened is told, whatever ends the process', { retry: 1 }, () => {
  it('6 kills on SQLite', async () => {
    const { faults } = await runInParts({ kind: 'sqlite', ends: 'kill', times: 6, seed });
    expect(faults).toEqual([]);
  }, 240_000);

  it.skipIf(!hasPostgres('endurance'))(
    '4 kills on Postgres with two replicas',
    async () => {
      const { faults } = await runInParts({ kind: 'postgres', ends: 'kill', times: 4, seed });
      expect(faults).toEqual([]);
    },
    240_000,
  );

  it('a deploy under load', async () => {
    const { faults } = await runInParts({ kind: 'sqlite', ends: 'deploy', times: 1, seed });
    expect(faults).toEqual([]);
  }, 240_000);
});
