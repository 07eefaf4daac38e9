import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../support/databases.ts';
import { seedOfRun } from './chance.ts';
import { runInParts, tableOf } from './parts.ts';

const seed = seedOfRun();

/** `KILLS=20`, for a shorter look. */
function times(usual: number): number {
  return Number(process.env['TIMES'] ?? usual);
}

describe('what happened is told, once, whatever ends the process', () => {
  it('200 kills on SQLite', async () => {
    const result = await runInParts({ kind: 'sqlite', ends: 'kill', times: times(200), seed });
    expect(result.faults, tableOf(result.lines)).toEqual([]);
  });

  it.skipIf(!hasPostgres('endurance'))('100 kills on Postgres with two replicas', async () => {
    const result = await runInParts({ kind: 'postgres', ends: 'kill', times: times(100), seed });
    expect(result.faults, tableOf(result.lines)).toEqual([]);
  });

  it('50 deploys under load', async () => {
    const result = await runInParts({ kind: 'sqlite', ends: 'deploy', times: times(50), seed });
    expect(result.faults, tableOf(result.lines)).toEqual([]);
  });
});
