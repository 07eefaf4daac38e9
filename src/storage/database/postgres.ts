import { type Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { AppError } from '../../core/cloud/errors.ts';
import type { Logger } from '../../core/ports/ports.ts';
import { databaseSecrets } from '../../core/settings/database-url.ts';
import { certificateFault } from '../../core/text/network-fault.ts';
import type { DatabaseAddress } from './database-url.ts';

type PostgresAddress = Extract<DatabaseAddress, { kind: 'postgres' }>;

/**
 * A pool of up to 10 connections; calls give up after 30 s, connecting after 5 s. Throws AppError
 * `storage` where the driver does not take the address.
 */
export function openPostgres(address: PostgresAddress, logger: Logger): PostgresDialect {
  const refusal = refusalOf(address);
  if (refusal !== undefined) {
    throw new AppError('storage', {
      userMessage: `DATABASE_URL is not taken by the Postgres driver: ${refusal}.`,
    });
  }
  const pool = new pg.Pool({
    connectionString: address.url,
    application_name: 'steward',
    max: 10,
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  });
  // Without a listener an idle connection that the server cuts would end the process.
  pool.on('error', (error) => {
    const reason = reasonOf(error, address);
    logger.warn({ event: 'database-connection-lost', reason }, 'Connection lost');
  });
  return new PostgresDialect({ pool });
}

/** Throws AppError `storage` with the address (never the password) where it does not answer. */
export async function reachPostgres<T>(kysely: Kysely<T>, address: PostgresAddress): Promise<void> {
  try {
    await sql`select 1`.execute(kysely);
  } catch (error) {
    throw new AppError('storage', {
      userMessage: `Postgres at ${address.shown} does not let Steward in: ${reasonOf(error, address)}.`,
      retryable: true,
      cause: error,
    });
  }
}

/**
 * Why the driver does not take an address: it reads it, and the files that it names, only when it
 * connects. What it throws may carry what it was given, so that goes no further.
 */
function refusalOf(address: PostgresAddress): string | undefined {
  try {
    new pg.Client({ connectionString: address.url });
    return undefined;
  } catch (error) {
    return reasonOf(error, address);
  }
}

function reasonOf(error: unknown, address: PostgresAddress): string {
  if (!(error instanceof Error)) return 'unknown reason';
  if ('code' in error && error.code === 'ECONNREFUSED') return 'the connection was refused';
  if ('code' in error && error.code === 'ENOTFOUND') return 'the host name is unknown';
  const certificate = certificateFault(error, 'sslrootcert of DATABASE_URL');
  if (certificate !== undefined) return certificate;
  const words = error.message === '' ? error.name : error.message;
  return databaseSecrets(address.url).some((secret) => words.includes(secret)) ? error.name : words;
}
