import { AppError } from '../../core/cloud/errors.ts';
import { databaseUrlFault } from '../../core/settings/database-url.ts';

export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly shown: string };

/**
 * What a DATABASE_URL points at: `sqlite:<file>`, `sqlite::memory:` or `postgres://…`.
 * `shown` is the address without user, password and options. Throws AppError `storage`, which holds
 * nothing of the text: any part of it may be a password.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const fault = databaseUrlFault(text);
  if (fault !== undefined) {
    throw new AppError('storage', {
      userMessage:
        `DATABASE_URL ${fault}. Use sqlite:./data/steward.db, sqlite::memory: or ` +
        'postgres://user:password@host:5432/database.',
    });
  }
  if (text.startsWith('sqlite:')) {
    return {
      kind: 'sqlite',
      file: text.slice('sqlite:'.length).replace(/^\/\/(?=\/|\.|[^/])/, ''),
    };
  }
  const { hostname, port, pathname } = new URL(text);
  return { kind: 'postgres', url: text, shown: `${hostname}:${port || '5432'}${pathname}` };
}
