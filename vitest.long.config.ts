import { defineConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** What `npm run test:long` runs: tests of `npm test` whose long form takes more than a minute. */
export default defineConfig({
  test: {
    ...usual.test,
    include: [
      'test/contract/clickhouse-cloud.test.ts',
      'test/e2e/{digest-days,sleep-days,sleep-autumn}.test.ts',
      'test/e2e/told-*.test.ts',
    ],
    env: {
      ...usual.test?.env,
      CLICKHOUSE_REQUESTS: '1000',
      DIGEST_DAYS: '60',
      SLEEP_DAYS: '60',
      TABLE: 'all',
    },
  },
});
