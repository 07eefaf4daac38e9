import type { Problem } from './problems.ts';

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Reads single variables and collects what is wrong with them. Values are never repeated. */
export type EnvironmentReader = {
  /** Trimmed; an empty variable counts as absent, as `.env` files leave them. */
  text(name: string): string | undefined;
  required(name: string, why: string): string | undefined;
  port(name: string): number | undefined;
  url(name: string): string | undefined;
  problem(path: string, message: string): void;
};

export function createEnvironmentReader(env: Variables, problems: Problem[]): EnvironmentReader {
  function text(name: string): string | undefined {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  }
  function problem(path: string, message: string): void {
    problems.push({ path, message });
  }
  return {
    text,
    problem,
    required(name, why) {
      const value = text(name);
      if (value === undefined) problem(name, `is not set: ${why}`);
      return value;
    },
    port(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      const number = Number(value);
      if (/^\d{1,5}$/u.test(value) && number >= 1 && number <= 65_535) return number;
      problem(name, 'must be a port number from 1 to 65535');
      return undefined;
    },
    url(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      const fault = urlFault(value);
      if (fault === undefined) return value.replace(/\/+$/u, '');
      problem(name, fault);
      return undefined;
    },
  };
}

/** Keys travel in headers: only a loopback address may be spoken to without TLS. */
function urlFault(value: string): string | undefined {
  if (!URL.canParse(value)) return 'must be an address such as https://host/path';
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.search !== '' || url.hash !== '') return 'must not hold a query or a fragment';
  if (url.protocol === 'https:') return undefined;
  const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(url.hostname);
  if (url.protocol === 'http:' && loopback) return undefined;
  return 'must begin with https:// (http:// is for loopback addresses only)';
}
