import { defineConfig } from 'vitest/config';

/** What `npm run mutation` runs for each fault that it puts in: no server, no browser. */
export default defineConfig({
  test: {
    include: ['test/unit/{core,policy,storage,cost,control-api}/**/*.test.ts'],
    testTimeout: 15_000,
    env: { TZ: 'Pacific/Chatham' },
  },
});
