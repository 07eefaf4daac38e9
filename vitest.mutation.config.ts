import { defineConfig } from 'vitest/config';

/** What `npm run mutation` runs for each fault that it puts in: no browser, no second process. */
export default defineConfig({
  test: {
    include: ['test/unit/{core,policy,storage,cost,control-api,operations,config}/**/*.test.ts'],
    // Hundreds of random cases for each fault: slow, and what they find today they may miss tomorrow;
    // and the one that changes the zone, which a thread cannot.
    exclude: ['**/properties.test.ts', '**/cost-range-zones.test.ts'],
    testTimeout: 15_000,
    env: { TZ: 'Pacific/Chatham' },
  },
});
