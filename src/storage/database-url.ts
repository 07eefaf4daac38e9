import { AppError } from '../core/errors.ts';

export type DatabaseAddress =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly shown: string };

/**
 * What a DATABASE_URL points at: `sqlite:<file>`, `sqlite::memory:` or `postgres://…`.
 * `shown` is the address without user, password and options. Throws AppError `storage`.
 */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  if (text.startsWith('sqlite:')) {
    const file = text.slice('sqlite:'.length).replace(/^\/\/(?=\/|\.|[^/])/, '');
    if (file !== '') return { kind: 'sqlite', file };
  }
  if (/^postgres(ql)?:\/\//.test(text)) {
    const url = readUrl(text);
    if (url !== undefined && url.pathname.length > 1) {
      const port = url.port === '' ? '5432' : url.port;
      return { kind: 'postgres', url: text, shown: `${url.hostname}:${port}${url.pathname}` };
    }
  }
  // The text itself may hold a password, so it is not repeated.
  throw new AppError('storage', {
    userMessage:
      'DATABASE_URL is not an address Steward knows: use sqlite:./data/steward.db, sqlite::memory: ' +
      'or postgres://user:password@host:5432/database.',
  });
}

function readUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
