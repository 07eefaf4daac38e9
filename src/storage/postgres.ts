import { type Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { AppError } from '../core/errors.ts';
import type { Logger } from '../core/ports.ts';
import type { DatabaseAddress } from './database-url.ts';

type PostgresAddress = Extract<DatabaseAddress, { kind: 'postgres' }>;

/** A pool of up to 10 connections; calls give up after 30 s, connecting after 5 s. */
export function openPostgres(address: PostgresAddress, logger: Logger): PostgresDialect {
  const pool = new pg.Pool({
    connectionString: address.url,
    application_name: 'steward',
    max: 10,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  });
  // Without a listener an idle connection that the server cuts would end the process.
  pool.on('error', (error) => {
    logger.warn({ event: 'database-connection-lost', reason: error.message }, 'Connection lost');
  });
  return new PostgresDialect({ pool });
}

/** Throws AppError `storage` with the address (never the password) where it does not answer. */
export async function reachPostgres<T>(kysely: Kysely<T>, address: PostgresAddress): Promise<void> {
  try {
    await sql`select 1`.execute(kysely);
  } catch (error) {
    throw new AppError('storage', {
      userMessage: `Postgres at ${address.shown} does not let Steward in: ${reasonOf(error)}.`,
      retryable: true,
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if ('code' in error && error.code === 'ECONNREFUSED') return 'the connection was refused';
  if ('code' in error && error.code === 'ENOTFOUND') return 'the host name is unknown';
  return error.message === '' ? error.name : error.message;
}
