import { defineConfig } from 'vitest/config';
import usual, { temporary } from './vitest.config.ts';

/** What `npm run test:release` runs: what README.md says, literally, in empty folders. */
export default defineConfig({
  test: {
    ...usual.test,
    include: ['test/release/*.release.ts'],
    // Four times all packages.
    env: { TZ: 'Pacific/Chatham', TMPDIR: temporary(4_096) },
    testTimeout: 10 * 60_000,
    hookTimeout: 10 * 60_000,
  },
});
