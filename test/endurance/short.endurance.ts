import { describe, expect, it } from 'vitest';
import { seedOfRun } from './chance.ts';
import { runInParts } from './parts.ts';

const HAS_POSTGRES = (process.env['TEST_POSTGRES_URL'] ?? '') !== '';
const seed = seedOfRun();

/** The short form of `npm run test:endurance`. */
describe('what happened is told, once, whatever ends the process', () => {
  it('8 kills on SQLite', async () => {
    const { faults } = await runInParts({ kind: 'sqlite', ends: 'kill', times: 8, seed });
    expect(faults).toEqual([]);
  }, 240_000);

  it.skipIf(!HAS_POSTGRES)(
    '4 kills on Postgres with two replicas',
    async () => {
      const { faults } = await runInParts({ kind: 'postgres', ends: 'kill', times: 4, seed });
      expect(faults).toEqual([]);
    },
    240_000,
  );

  it('2 deploys under load', async () => {
    const { faults } = await runInParts({ kind: 'sqlite', ends: 'deploy', times: 2, seed });
    expect(faults).toEqual([]);
  }, 240_000);
});
