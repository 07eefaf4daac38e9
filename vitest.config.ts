import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

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

/** Up to a minute each, and mostly waiting: at the end nothing is left to run beside them. */
const WAITING =
  /\/(?:short\.endurance|told-(?:answers|whatever-slack-answers|when-slack-is-down)\.test|limits\.test|playground-cloud\.test)\.ts$/u;

/** As vitest orders files (the longest first), with the waiting ones among the first, apart from one another. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = ({ moduleId }: TestSpecification) => WAITING.test(moduleId);
    const others = sorted.filter((file) => !waits(file));
    for (const [place, file] of sorted.filter(waits).entries()) others.splice(place * 15, 0, file);
    return others;
  }
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
    // Nearly half of a test with servers is waiting: on two cores four of them fit.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: WaitingFirst },
    // Far from UTC and not by whole hours: local time taken for UTC shows.
    env: { TZ: 'Pacific/Chatham', TMPDIR: temporary(512) },
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      exclude: ['src/main.ts', 'src/sandbox/**/page/**'],
    },
  },
});
