import { describe, expect, it } from 'vitest';
import { hasPostgres } from '../support/databases.ts';
import { seedOfRun } from './chance.ts';
import { runInParts, tableOf } from './parts.ts';

const seed = seedOfRun();

/** `KILLS=20`, for a shorter look. */
function times(usual: number): number {
  return Number(process.env['TIMES'] ?? usual);
}

/** A message that every crash met on its way is told once more each time; that is rare. */
function expectRare({ lines }: Awaited<ReturnType<typeof runInParts>>): void {
  const sum = (key: 'toldMore' | 'started') => lines.reduce((total, line) => total + line[key], 0);
  expect(sum('toldMore') / sum('started'), tableOf(lines)).toBeLessThan(0.03);
}

describe('what happened is told, whatever ends the process', () => {
  it('200 kills on SQLite', async () => {
    const result = await runInParts({ kind: 'sqlite', ends: 'kill', times: times(200), seed });
    expect(result.faults, tableOf(result.lines)).toEqual([]);
    expectRare(result);
  });

  it.skipIf(!hasPostgres('endurance'))('100 kills on Postgres with two replicas', async () => {
    const result = await runInParts({ kind: 'postgres', ends: 'kill', times: times(100), seed });
    expect(result.faults, tableOf(result.lines)).toEqual([]);
    expectRare(result);
  });

  it('50 deploys under load', async () => {
    const result = await runInParts({ kind: 'sqlite', ends: 'deploy', times: times(50), seed });
    expect(result.faults, tableOf(result.lines)).toEqual([]);
    expectRare(result);
  });
});
