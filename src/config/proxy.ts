import { isIPv6 } from 'node:net';
import {
  createEnvironmentReader,
  type EnvironmentReader,
  readVariable,
  type Variables,
} from './environment-reader.ts';
import { ConfigurationError, type Problem } from './problems.ts';

/** Whom connections go through; addresses may hold credentials, so they are never printed whole. */
export type ProxySettings = {
  /** Absent: http addresses are reached directly. */
  readonly http?: string | undefined;
  /** Absent: `http` serves https addresses as well. */
  readonly https?: string | undefined;
  /** Comma-separated hosts, as undici reads them. */
  readonly none: string;
};

/**
 * HTTPS_PROXY, HTTP_PROXY and NO_PROXY; the lower-case name wins. No value where no proxy is named.
 * Docs: operating.md, Behind a proxy.
 */
export function readProxy(env: Variables, read: EnvironmentReader): ProxySettings | undefined {
  const http = proxyUrl(nameIn(env, 'HTTP_PROXY'), read);
  const https = proxyUrl(nameIn(env, 'HTTPS_PROXY'), read);
  const none = hostsWithout(read.text(nameIn(env, 'NO_PROXY')) ?? '');
  return http === undefined && https === undefined ? undefined : { http, https, none };
}

/** The same for a command that reads nothing else of the environment. Throws ConfigurationError. */
export function proxyOf(env: Variables): ProxySettings | undefined {
  const problems: Problem[] = [];
  const proxy = readProxy(env, createEnvironmentReader(env, problems));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return proxy;
}

function nameIn(env: Variables, upper: string): string {
  const lower = upper.toLowerCase();
  const { value, fault } = readVariable(env, lower, 'line');
  return value === undefined && fault === undefined ? upper : lower;
}

function proxyUrl(name: string, read: EnvironmentReader): string | undefined {
  const value = read.text(name);
  if (value === undefined) return undefined;
  const fault = proxyFault(value);
  if (fault === undefined) return value;
  read.problem(name, fault);
  return undefined;
}

function proxyFault(value: string): string | undefined {
  const scheme = /^([a-z][a-z\d+.-]*):\/\//iu.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'has no scheme: write http://host:port';
  if (scheme.startsWith('socks')) {
    return 'names a SOCKS proxy, which is not supported: name an HTTP proxy, http://host:port';
  }
  if (scheme !== 'http' && scheme !== 'https') return 'must begin with http:// or https://';
  if (!URL.canParse(value)) return 'must be an address such as http://host:3128';
  const { username, password } = new URL(value);
  if (!isEncoded(username) || !isEncoded(password)) {
    return 'has a user name or password with a % that stands for nothing: write it as %25';
  }
  return (username === '') === (password === '')
    ? undefined
    : 'needs both a user name and a password, or neither';
}

function isEncoded(text: string): boolean {
  return /^(?:[^%]|%[\da-f]{2})*$/iu.test(text);
}

/** A `*` anywhere means every host, and an IPv6 address stands in brackets, as in an address. */
function hostsWithout(list: string): string {
  const entries = list.split(/[,\s]+/u).filter((entry) => entry !== '');
  if (entries.includes('*')) return '*';
  return entries.map((entry) => (isIPv6(entry) ? `[${entry}]` : entry)).join(',');
}
