import { existsSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import { DateTime } from 'luxon';
import { z } from 'zod';
import { databaseUrlOf } from '../config/environment.ts';
import type { Variables } from '../config/environment-reader.ts';
import { AppError } from '../core/cloud/errors.ts';
import type { Logger } from '../core/ports/ports.ts';
import { visible } from '../core/text/text.ts';
import { INVISIBLE } from '../core/text/typed-text.ts';
import { type Database, openDatabase } from '../storage/database/database.ts';
import { parseDatabaseUrl } from '../storage/database/database-url.ts';
import { exportRows, type JournalRow } from '../storage/journal/export.ts';
import { verifyJournal } from '../storage/journal/verify.ts';
import type { ExitCode, Output } from './output.ts';

export type AuditTools = {
  readonly env: Variables;
  readonly logger: Logger;
  readonly output: Output;
};

/**
 * Walks the whole chain of the journal. Throws AppError `storage` and ConfigurationError.
 * Design: §10.
 */
export async function verifyAudit({ env, logger, output }: AuditTools): Promise<ExitCode> {
  return await withDatabase(env, logger, async (db) => {
    const verified = await verifyJournal(db);
    if (!verified.ok) {
      output.print(`The journal does not hold: row ${verified.seq}: ${verified.problem}.`);
      return 1;
    }
    output.print(`The journal holds: ${verified.rows} rows, head ${verified.head}.`);
    if (verified.unreadable !== undefined) output.print(unreadableLine(verified.unreadable));
    output.print('Keep the head elsewhere: it proves later that nothing before it was rewritten.');
    return 0;
  });
}

const NAMED = 20;

/** Rows of an earlier version are no reason to doubt the rest: they stand as they were written. */
function unreadableLine(rows: readonly number[]): string {
  const named = rows.slice(0, NAMED).join(', ');
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : '';
  return `Unchanged, but not readable: ${rows.length === 1 ? 'row' : 'rows'} ${named}${more}. audit export prints what they hold.`;
}

export type ExportOptions = {
  readonly format: 'jsonl' | 'csv';
  /** ISO 8601 day or moment, UTC. */
  readonly since?: string | undefined;
  /** The same; a day is included whole. */
  readonly until?: string | undefined;
};

const COLUMNS = ['seq', 'entry', 'kind', 'at', 'body', 'prevHash', 'hash'] as const;
/** What a person looks for, beside the row as it is hashed; times are UTC. */
const FACTS = ['who', 'what', 'where', 'on', 'outcome', 'reason'] as const;

const facts = z.looseObject({
  actor: z
    .looseObject({ userId: z.string().catch('') })
    .optional()
    .catch(undefined),
  operation: z.string().optional().catch(undefined),
  channelId: z.string().optional().catch(undefined),
  outcome: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  makes: z.string().optional().catch(undefined),
  targets: z
    .array(z.looseObject({ name: z.string() }))
    .optional()
    .catch(undefined),
});

/** A closing says only what changed since the opening: that is looked up in `asked`. */
type FactsByEntry = Map<number, z.output<typeof facts>>;

function factsOf({ entry, kind, body }: JournalRow, asked: FactsByEntry): readonly string[] {
  const own = facts.parse(body);
  const as = facts.parse(storedObject(body['as']));
  const before = asked.get(entry);
  const now = {
    actor: as.actor ?? own.actor ?? before?.actor,
    operation: as.operation ?? own.operation ?? before?.operation,
    channelId: as.channelId ?? own.channelId ?? before?.channelId,
    reason: as.reason ?? own.reason ?? before?.reason,
    makes: own.makes ?? before?.makes,
    targets: own.targets ?? before?.targets,
  };
  if (kind === 'closed' || entry === 0) asked.delete(entry);
  else asked.set(entry, now);
  const targets = (now.targets ?? []).map(({ name }) => name);
  const names = [...(now.makes === undefined ? [] : [now.makes]), ...targets].join(', ');
  return [...[now.actor?.userId, now.operation, now.channelId, names, own.outcome, now.reason]].map(
    (cell) => cell ?? '',
  );
}

function storedObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Every row of the chain, oldest first, one a line. Throws AppError `storage` and `invalid`. */
export async function exportAudit(
  options: ExportOptions,
  { env, logger, output }: AuditTools,
): Promise<ExitCode> {
  const since = options.since === undefined ? '' : momentOf('--since', options.since, false);
  const until = options.until === undefined ? '~' : momentOf('--until', options.until, true);
  const asked: FactsByEntry = new Map();
  return await withDatabase(env, logger, async (db) => {
    if (options.format === 'csv') output.print([...FACTS, ...COLUMNS].join(','));
    for await (const row of exportRows(db)) {
      const known = factsOf(row, asked);
      if (row.at < since || row.at > until) continue;
      output.print(options.format === 'csv' ? csvLine(row, known) : jsonOf(row));
    }
    return 0;
  });
}

/** The same data, with what a terminal would obey or hide written as escapes. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (found) => found.split('').map(escaped).join(''));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const UNSEEN = new RegExp(`${INVISIBLE.source}|[\\u2028\\u2029]`, 'gu');

function csvLine(row: JournalRow, known: readonly string[]): string {
  const own = COLUMNS.map((column) => (column === 'body' ? jsonOf(row.body) : String(row[column])));
  const cells = [...known.map(visible), ...own];
  // A cell that a spreadsheet would take for a formula gets a quote in front.
  return stringify([cells], { escape_formulas: true }).trimEnd();
}

function momentOf(option: string, text: string, end: boolean): string {
  const time = DateTime.fromISO(text, { zone: 'utc' });
  const isDay = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  if (time.isValid) return (end && isDay ? time.endOf('day') : time).toISO() ?? '';
  throw new AppError('invalid', {
    userMessage: `${option} takes a day or a moment in UTC, as in 2026-11-01, not "${text}".`,
  });
}

/** A file that is not there is a mistyped path: an empty journal would seem to hold. */
async function withDatabase(
  env: Variables,
  logger: Logger,
  work: (db: Database) => Promise<ExitCode>,
): Promise<ExitCode> {
  const url = databaseUrlOf(env);
  const address = parseDatabaseUrl(url);
  if (address.kind === 'sqlite' && !existsSync(address.file)) {
    throw new AppError('storage', {
      userMessage: `There is no database at ${address.file}; DATABASE_URL says where it is.`,
    });
  }
  const db = await openDatabase(url, { logger });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
