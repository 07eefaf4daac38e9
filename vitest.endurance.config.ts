import { defineConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** What `npm run test:endurance` runs: one file, in its own time. */
export default defineConfig({
  test: {
    ...usual.test,
    include: ['test/endurance/*.endurance.ts'],
    testTimeout: 45 * 60_000,
    execArgv: ['--expose-gc'],
  },
});
