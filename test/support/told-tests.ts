import { afterAll, describe, expect, it } from 'vitest';
import { createToldPool } from './told-bench.ts';
import type { Scenario } from './told-scenarios.ts';
import { type Row, rowsOf, sampleOf, tryRow } from './told-table.ts';

/** Worlds side by side: a row is mostly waiting. */
const WORLDS = 14;
const WHOLE = process.env['TABLE'] === 'all';

/** One test for each message, which fails with the rows in which it was not told as promised. */
export function describeTold(
  title: string,
  scenarios: readonly (readonly [string, Scenario])[],
): void {
  describe(title, () => {
    const pool = createToldPool(WORLDS);
    afterAll(() => pool.close(), 60_000);

    it.concurrent.each(scenarios)(
      '%s is told, whatever Slack answers',
      async (name, scenario) => {
        const all = rowsOf(scenario);
        const rows = WHOLE
          ? all
          : sampleOf(
              all,
              scenarios.findIndex(([one]) => one === name),
            );
        const failed = await Promise.all(
          rows.map((row) => pool.use(async (bench) => wrong(row, await tryRow(row, bench)))),
        );
        expect(failed.flat()).toEqual([]);
      },
      WHOLE ? 900_000 : 120_000,
    );
  });
}

function wrong(row: Row, complaint: string | undefined): readonly string[] {
  return complaint === undefined ? [] : [`${row.name}: ${complaint}`];
}
