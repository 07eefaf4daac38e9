import { defineConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** What `npm run pictures` makes, for people to look at: each card and form in each look. */
export default defineConfig({
  test: { ...usual.test, include: ['test/browser/pictures.ts'], testTimeout: 60_000 },
});
