import type { Problem } from './problems.ts';

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** `line`: travels in a header, an address or a path. `block`: a PEM may have lines of its own. */
export type ValueShape = 'line' | 'block';

/** Neither: the variable is not set. A fault never holds the value. */
export type VariableValue = { readonly value?: string | undefined; readonly fault?: string };

const QUOTES = ['"', "'"] as const;
/** Control and format characters, and every white space but the plain one. */
const UNSEEN = /[\p{Cc}\p{Cf}]|[^\S ]/u;
const PEM =
  /^(?:-----BEGIN ([A-Z0-9 ]+)-----\r?\n[A-Za-z0-9+/=:,.\- \t\r\n]+-----END \1-----[\r\n]*)+$/u;

/**
 * The one reader of a variable's value, for the environment and for `${NAME}`. What a mounted file
 * and `docker --env-file` add is left out: white space and line breaks around it, and one pair of
 * quotes around the whole. Empty counts as not set. Design: §4.
 */
export function readVariable(env: Variables, name: string, shape: ValueShape): VariableValue {
  const found = Object.hasOwn(env, name) ? (env[name]?.trim() ?? '') : '';
  const opens = QUOTES.some((quote) => found.startsWith(quote));
  const closes = QUOTES.some((quote) => found.endsWith(quote));
  const isQuoted = found.length > 1 && opens && found.at(0) === found.at(-1);
  if ((opens || closes) && !isQuoted) {
    return { fault: 'has a quote at one end only; put quotes around the whole value, or none' };
  }
  const value = isQuoted ? found.slice(1, -1).trim() : found;
  if (value === '') return {};
  if (shape === 'block' && PEM.test(value)) return { value };
  if (/[\r\n\u0085\u2028\u2029]/u.test(value))
    return { fault: 'has a line break within its value' };
  if (UNSEEN.test(value)) return { fault: 'has a character within its value that nobody sees' };
  return { value };
}

/** Reads single variables and collects what is wrong with them. Values are never repeated. */
export type EnvironmentReader = {
  /** As `readVariable` cleans it; one with a fault is a problem, told once, and absent. */
  text(name: string): string | undefined;
  /** Goes into a header: visible ASCII only. */
  token(name: string): string | undefined;
  /** `value` as one of the two above read it. */
  required(name: string, value: string | undefined, why: string): string | undefined;
  port(name: string): number | undefined;
  url(name: string): string | undefined;
  problem(path: string, message: string): void;
  /** Whether its value was refused, so that it need not seem to be missing as well. */
  isFaulty(name: string): boolean;
};

export function createEnvironmentReader(env: Variables, problems: Problem[]): EnvironmentReader {
  const faulty = new Set<string>();
  function problem(path: string, message: string): void {
    problems.push({ path, message });
  }
  function refuse(name: string, fault: string): void {
    if (!faulty.has(name)) problem(name, fault);
    faulty.add(name);
  }
  function text(name: string): string | undefined {
    const { value, fault } = readVariable(env, name, 'line');
    if (fault !== undefined) refuse(name, fault);
    return value;
  }
  return {
    text,
    problem,
    isFaulty: (name) => faulty.has(name),
    token(name) {
      const value = text(name);
      if (value === undefined || /^[!-~]+$/u.test(value)) return value;
      refuse(name, 'must hold no spaces, and only letters, digits and signs of ASCII');
      return undefined;
    },
    required(name, value, why) {
      if (value === undefined && !faulty.has(name)) problem(name, `is not set: ${why}`);
      return value;
    },
    port(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      const number = Number(value);
      if (/^\d{1,5}$/u.test(value) && number >= 1 && number <= 65_535) return number;
      problem(name, serviceLink(name, value) ?? 'must be a port number from 1 to 65535');
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

/** Kubernetes tells each container of the services around it, by variables that may be ours. */
function serviceLink(name: string, value: string): string | undefined {
  if (!name.endsWith('_PORT') || !/^(?:tcp|udp|sctp):\/\//u.test(value)) return undefined;
  const service = name.slice(0, -'_PORT'.length).toLowerCase();
  return `is what Kubernetes sets for a service called ${service}: set enableServiceLinks: false in the pod, and ${name} to a port number`;
}

/** Keys travel in headers: only a loopback address may be spoken to without TLS. */
function urlFault(value: string): string | undefined {
  // A password with a slash in it ends up in what reads as a path: no address of an API has an @.
  if (value.includes('@')) return 'must not hold a user name or password';
  if (!URL.canParse(value)) return 'must be an address such as https://host/path';
  const url = new URL(value);
  if (url.search !== '' || url.hash !== '') return 'must not hold a query or a fragment';
  if (url.protocol === 'https:') return undefined;
  const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(url.hostname);
  if (url.protocol === 'http:' && loopback) return undefined;
  return 'must begin with https:// (http:// is for loopback addresses only)';
}
