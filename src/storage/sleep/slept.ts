import { DateTime } from 'luxon';
import type { SleepSpan } from '../../core/ports/sleep.ts';
import type { Database } from '../database/database.ts';
import { storedIso } from '../values.ts';

/** A night is no longer than this: it may span all days that a schedule excepts. */
const LONGEST_NIGHT_MS = 46 * 24 * 3_600_000;

/** Of one that is tried again it still sleeps; one that failed slept at least until then. */
const ENDS: ReadonlySet<string> = new Set(['done', 'unknown', 'failed']);

/** What the nights let sleep, from what became of their stops and starts. Throws AppError `storage`. */
export async function slept(db: Database, from: string, to: string): Promise<readonly SleepSpan[]> {
  const earliest = DateTime.fromISO(from, { zone: 'utc' }).minus(LONGEST_NIGHT_MS).toISO() ?? from;
  const rows = await db.query((kysely) =>
    kysely
      .selectFrom('sleep_runs')
      .selectAll()
      .where('moved_at', '>=', storedIso(earliest))
      .where('moved_at', '<=', storedIso(to))
      .orderBy('moved_at')
      .execute(),
  );
  return rows
    .filter(({ act, state }) => act === 'stop' && state === 'done')
    .flatMap(({ schedule, at, service, moved_at: since }) => {
      const start = rows.find(
        (row) =>
          row.act === 'start' &&
          row.schedule === schedule &&
          row.at === at &&
          row.service === service,
      );
      // Somebody ended it by hand: nobody knows when.
      if (start?.state === 'left') return [];
      const isOver = start !== undefined && ENDS.has(start.state);
      return [{ service, from: since, to: isOver ? start.moved_at : undefined }];
    });
}
