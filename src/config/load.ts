import { readFileSync } from 'node:fs';
import type { Settings } from '../core/settings/settings.ts';
import {
  checkEnvironment,
  configPath,
  type Environment,
  namesOrganization,
  organizationOf,
  processVariables,
} from './environment.ts';
import type { Variables } from './environment-reader.ts';
import { type Checked, ConfigurationError, type Problem } from './problems.ts';
import { readStewardFile } from './steward-file.ts';

export type Configuration = { readonly environment: Environment; readonly settings: Settings };

export type LoadOptions = {
  /** Defaults to the variables of the process. */
  readonly env?: Variables | undefined;
  /** Operation ids that rules may name or match. */
  readonly knownActions: readonly string[];
  /** Reads UTF-8; throws like `readFileSync`. */
  readonly readFile?: ((path: string) => string) | undefined;
};

/**
 * Environment and `steward.yaml` together. Throws ConfigurationError that lists the problems of
 * both at once. Design: §4.
 */
export function loadConfiguration(options: LoadOptions): Configuration {
  const { env = processVariables() } = options;
  const environment = checkEnvironment(env);
  const settings = checkSettings(options, environment.value?.organization);
  const problems = [...environment.problems, ...settings.problems.filter(notIn(environment))];
  if (environment.value === undefined || settings.value === undefined || problems.length > 0) {
    throw new ConfigurationError(problems);
  }
  return { environment: environment.value, settings: settings.value };
}

/** The rules alone, for checks where Slack's tokens are not at hand; `${…}` must be set all the same. */
export function checkRules(options: LoadOptions): Checked<Settings> {
  const organization = organizationOf(options.env ?? processVariables());
  const { value, problems } = checkSettings(options, organization.value);
  const all = [...organization.problems, ...problems];
  return value === undefined || all.length > 0 ? { problems: all } : { value, problems: all };
}

/** STEWARD_CONFIG itself is read for both. */
function notIn({ problems }: Checked<Environment>): (problem: Problem) => boolean {
  return ({ path, message }) =>
    !problems.some((other) => other.path === path && other.message === message);
}

function checkSettings(
  options: LoadOptions,
  organization: Environment['organization'],
): Checked<Settings> {
  const { env = processVariables(), knownActions, readFile = readUtf8 } = options;
  const { value: path, problems: faults } = configPath(env);
  if (path === undefined) return { problems: faults };
  const text = readText(path, readFile);
  if (text === undefined) {
    const message = `no file can be read at ${path}; copy steward.example.yaml to it`;
    return { problems: [{ path: 'STEWARD_CONFIG', message }] };
  }
  const checked = readStewardFile(text, { variables: env, organization, knownActions });
  // A faulty ORGANIZATION_ID is already a problem; the file need not seem to lack one as well.
  if (organization !== undefined || !namesOrganization(env)) return checked;
  const problems = checked.problems.filter(
    ({ path: at }) => at !== 'organizations' && !/^services.*\.organization$/u.test(at),
  );
  return { ...checked, problems };
}

function readText(path: string, readFile: (path: string) => string): string | undefined {
  try {
    return readFile(path);
  } catch {
    return undefined;
  }
}

function readUtf8(path: string): string {
  return readFileSync(path, 'utf8');
}
