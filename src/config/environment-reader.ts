import type { Variables } from './environment-value.ts';
import { readVariable } from './environment-value.ts';
import type { Problem } from './problems.ts';

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
