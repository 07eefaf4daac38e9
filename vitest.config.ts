import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';

const MEMORY = '/dev/shm';

/**
 * Where temporary files are, in memory where there is room for so many MB: every commit of SQLite
 * waits for the disk.
 */
export function temporary(megabytes: number): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > megabytes * 1024 * 1024 ? MEMORY : tmpdir();
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/endurance/short.endurance.ts'],
    globalSetup: ['test/support/built-program.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A second is too short on a busy machine, and nobody waits longer than it takes.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // Loading Bolt and our own modules anew for each file takes longer than most files.
    isolate: false,
    // A third of a test with servers is waiting: on two cores three of them fit.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Far from UTC and not by whole hours: local time taken for UTC shows.
    env: { TZ: 'Pacific/Chatham', TMPDIR: temporary(512) },
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      exclude: ['src/main.ts', 'src/sandbox/**/page/**'],
    },
  },
});
