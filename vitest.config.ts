import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 15_000,
    hookTimeout: 20_000,
    pool: 'forks',
    // Far from UTC and not by whole hours: local time taken for UTC shows.
    env: { TZ: 'Pacific/Chatham' },
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      exclude: ['src/main.ts', 'src/sandbox/**/page/**'],
    },
  },
});
