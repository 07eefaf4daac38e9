import { databaseUrlFault } from '../core/settings/database-url.ts';
import type { NamesMode } from '../core/settings/settings.ts';
import type { Variables } from './environment-reader.ts';
import {
  createEnvironmentReader,
  type EnvironmentReader,
  readVariable,
} from './environment-reader.ts';
import { type Checked, ConfigurationError, type Problem } from './problems.ts';
import { type ProxySettings, readProxy } from './proxy.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const NAMES_MODES = ['neutral', 'clickhouse'] as const;
const DEFAULT_CONFIG = './steward.yaml';

export type SlackConnection =
  | { readonly mode: 'socket'; readonly appToken: string }
  | { readonly mode: 'http'; readonly signingSecret: string; readonly port: number };

/** Secrets and endpoints. Addresses come without a trailing slash. */
export type Environment = {
  readonly slackBotToken: string;
  readonly slackConnection: SlackConnection;
  /** Absent: Slack's own address. */
  readonly slackApiUrl?: string | undefined;
  readonly controlApiUrl: string;
  /** The simple case of one organization; see `organizations:` in `steward.yaml` for more. */
  readonly organization?:
    | {
        readonly id: string;
        readonly keyId: string;
        readonly keySecret: string;
        /** Absent: neutral. */
        readonly names?: NamesMode | undefined;
      }
    | undefined;
  /** Only for dashboards. */
  readonly observability?: { readonly url: string; readonly token: string } | undefined;
  /** Path of `steward.yaml`. */
  readonly stewardConfig: string;
  /** `sqlite:<path>` or `postgres://…`. */
  readonly databaseUrl: string;
  /** Keeps generated passwords; absent: a key that lives only in the process. */
  readonly secretKey?: string | undefined;
  readonly healthPort?: number | undefined;
  readonly logLevel: LogLevel;
  readonly proxy?: ProxySettings | undefined;
};

/** All variables of the process, for `${VAR}` in `steward.yaml`. */
export function processVariables(): Variables {
  return process.env;
}

/**
 * The variables of `.env.example`. Throws ConfigurationError with every problem, by variable; a
 * value is never repeated in one. Design: §4.
 */
export function readEnvironment(env: Variables = process.env): Environment {
  const { value, problems } = checkEnvironment(env);
  if (value === undefined) throw new ConfigurationError(problems);
  return value;
}

/** Like readEnvironment, but returns the problems, to be listed with those of `steward.yaml`. */
export function checkEnvironment(env: Variables): Checked<Environment> {
  const problems: Problem[] = [];
  const read = createEnvironmentReader(env, problems);
  const slackBotToken = read.required(
    'SLACK_BOT_TOKEN',
    read.token('SLACK_BOT_TOKEN'),
    'the bot token of the Slack app, xoxb-…',
  );
  if (slackBotToken?.startsWith('xoxb-') === false) {
    read.problem('SLACK_BOT_TOKEN', 'must be a bot token: it begins with xoxb-');
  }
  const slackConnection = readSlackConnection(read);
  const slackApiUrl = read.url('SLACK_API_URL');
  const controlApiUrl = read.url('CONTROL_API_URL');
  read.required(
    'CONTROL_API_URL',
    read.text('CONTROL_API_URL'),
    'the base address of the control API',
  );
  const stewardConfig = read.text('STEWARD_CONFIG') ?? DEFAULT_CONFIG;
  const organization = readOrganization(read);
  const observability = readObservability(read);
  const databaseUrl = readDatabaseUrl(read);
  const secretKey = readSecretKey(read);
  const healthPort = read.port('HEALTH_PORT');
  const logLevel = readLogLevel(read);
  const proxy = readProxy(env, read);
  if (slackConnection?.mode === 'http' && slackConnection.port === healthPort) {
    read.problem('HEALTH_PORT', 'must differ from PORT');
  }
  if (problems.length > 0) return { problems };
  if (slackBotToken === undefined || slackConnection === undefined) return { problems };
  if (controlApiUrl === undefined) return { problems };
  const value: Environment = {
    slackBotToken,
    slackConnection,
    controlApiUrl,
    stewardConfig,
    databaseUrl,
    logLevel,
    slackApiUrl,
    organization,
    observability,
    secretKey,
    healthPort,
    proxy,
  };
  return { value, problems };
}

/** For what needs the database alone. Throws ConfigurationError. */
export function databaseUrlOf(env: Variables): string {
  const problems: Problem[] = [];
  const url = readDatabaseUrl(createEnvironmentReader(env, problems));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return url;
}

/** ORGANIZATION_ID with its key, even when other variables are wrong; no value where it is not set. */
export function organizationOf(env: Variables): Checked<NonNullable<Environment['organization']>> {
  const problems: Problem[] = [];
  const value = readOrganization(createEnvironmentReader(env, problems));
  return value === undefined || problems.length > 0 ? { problems } : { value, problems };
}

/** Whether ORGANIZATION_ID says anything at all. */
export function namesOrganization(env: Variables): boolean {
  const { value, fault } = readVariable(env, 'ORGANIZATION_ID', 'line');
  return value !== undefined || fault !== undefined;
}

/** Where `steward.yaml` is, even when other variables are wrong. */
export function configPath(env: Variables): Checked<string> {
  const problems: Problem[] = [];
  const path = createEnvironmentReader(env, problems).text('STEWARD_CONFIG') ?? DEFAULT_CONFIG;
  return problems.length > 0 ? { problems } : { value: path, problems };
}

function readSlackConnection(read: EnvironmentReader): SlackConnection | undefined {
  const appToken = read.token('SLACK_APP_TOKEN');
  const signingSecret = read.token('SLACK_SIGNING_SECRET');
  const port = read.port('PORT') ?? 3000;
  if (appToken !== undefined && signingSecret !== undefined) {
    read.problem(
      'SLACK_APP_TOKEN',
      'set this (Socket Mode) or SLACK_SIGNING_SECRET (HTTP mode), not both',
    );
    return undefined;
  }
  if (signingSecret !== undefined) return { mode: 'http', signingSecret, port };
  if (appToken === undefined) {
    const why = 'set it (Socket Mode) or SLACK_SIGNING_SECRET and PORT (HTTP mode)';
    if (!read.isFaulty('SLACK_SIGNING_SECRET')) read.required('SLACK_APP_TOKEN', appToken, why);
    return undefined;
  }
  if (!appToken.startsWith('xapp-')) {
    read.problem('SLACK_APP_TOKEN', 'must be an app-level token: it begins with xapp-');
  }
  return { mode: 'socket', appToken };
}

function readOrganization(read: EnvironmentReader): Environment['organization'] {
  const id = read.text('ORGANIZATION_ID');
  const names = readNames(read);
  // Without an id the keys may still serve `${…}` in steward.yaml.
  if (id === undefined) return undefined;
  if (!/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu.test(id)) {
    read.problem('ORGANIZATION_ID', 'must be a UUID');
  }
  const key = (name: string, what: string) =>
    read.required(name, read.text(name), `the ${what} for ORGANIZATION_ID`);
  const keyId = key('CONTROL_API_KEY_ID', 'key id');
  const keySecret = key('CONTROL_API_KEY_SECRET', 'key secret');
  if (keyId === undefined || keySecret === undefined) return undefined;
  return { id, keyId, keySecret, names };
}

function readNames(read: EnvironmentReader): NamesMode | undefined {
  const value = read.text('CONTROL_API_NAMES');
  const mode = NAMES_MODES.find((known) => known === value);
  if (value !== undefined && mode === undefined) {
    read.problem('CONTROL_API_NAMES', `must be one of ${NAMES_MODES.join(', ')}`);
  }
  return mode;
}

function readObservability(read: EnvironmentReader): Environment['observability'] {
  const url = read.url('OBSERVABILITY_API_URL');
  const token = read.token('OBSERVABILITY_API_TOKEN');
  if (url !== undefined && token !== undefined) return { url, token };
  if (url !== undefined && !read.isFaulty('OBSERVABILITY_API_TOKEN')) {
    read.problem('OBSERVABILITY_API_TOKEN', 'is not set beside its address');
  }
  const isAddressAbsent =
    read.text('OBSERVABILITY_API_URL') === undefined && !read.isFaulty('OBSERVABILITY_API_URL');
  if (token !== undefined && isAddressAbsent) {
    read.problem('OBSERVABILITY_API_URL', 'is not set beside its token');
  }
  return undefined;
}

function readDatabaseUrl(read: EnvironmentReader): string {
  const value = read.text('DATABASE_URL') ?? 'sqlite:./data/steward.db';
  const fault = databaseUrlFault(value);
  if (fault !== undefined) read.problem('DATABASE_URL', fault);
  return value;
}

/** `openssl rand -base64 32` is what the documents say; the strength of the key is the operator's. */
function readSecretKey(read: EnvironmentReader): string | undefined {
  const value = read.text('SECRET_KEY');
  if (value !== undefined && value.length < 16) {
    read.problem('SECRET_KEY', 'must have at least 16 characters: openssl rand -base64 32');
  }
  return value;
}

function readLogLevel(read: EnvironmentReader): LogLevel {
  const value = read.text('LOG_LEVEL') ?? 'info';
  const level = LOG_LEVELS.find((known) => known === value);
  if (level === undefined) read.problem('LOG_LEVEL', `must be one of ${LOG_LEVELS.join(', ')}`);
  return level ?? 'info';
}
