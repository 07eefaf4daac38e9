import type { z } from 'zod';
import type { OrganizationSettings, Settings } from '../core/settings/settings.ts';
import { didYouMean } from '../core/text/typed-text.ts';
import type { Environment } from './environment.ts';
import type { Variables } from './environment-reader.ts';
import { type StewardFile, stewardFile } from './file-schema.ts';
import type { Checked, Path, Problem } from './problems.ts';
import { checkReferences, checkUniqueness, type Finding } from './references.ts';
import { markVariables, substitute } from './substitute.ts';
import { toOrganizations, toSettings } from './to-settings.ts';
import { problemAt, readYaml, type YamlText } from './yaml-text.ts';

const MAX_RULES = 5_000;

export type StewardFileContext = {
  /** For `${VAR}`. */
  readonly variables: Variables;
  /** ORGANIZATION_ID with its key, where set. */
  readonly organization: Environment['organization'];
  /** Operation ids that rules may name or match. */
  readonly knownActions: readonly string[];
};

/**
 * The text of `steward.yaml` as settings, or every problem in it with path and line. Shape is
 * checked first; what refers to what only where the shape holds.
 */
export function readStewardFile(text: string, context: StewardFileContext): Checked<Settings> {
  const read = readYaml(markVariables(text), 'steward.yaml');
  const yaml = read.value;
  if (yaml === undefined) return { problems: read.problems };
  if (yaml.value === null) {
    return { problems: [problemAt(yaml, [], 'holds nothing; see steward.example.yaml')] };
  }
  const { value, unfilled } = substitute(yaml.value, context.variables);
  const unset = unfilled.map(({ path, message }) => problemAt(yaml, path, message));
  const parsed = stewardFile.safeParse(value, { error: schemaMessage });
  if (!parsed.success) {
    return { problems: [...unset, ...shapeProblems(parsed.error.issues, unset, yaml)] };
  }
  const organizations = toOrganizations(parsed.data, context.organization);
  const findings = [
    ...tooManyRules(parsed.data),
    ...checkUniqueness(parsed.data),
    ...checkOrganizations(parsed.data, organizations),
    ...checkReferences(parsed.data, context.knownActions),
  ];
  const found = findings.map(({ path, message }) => problemAt(yaml, path, message));
  const problems = [...unset, ...found];
  return problems.length > 0
    ? { problems }
    : { value: toSettings(parsed.data, organizations), problems };
}

/** A variable that is not set leaves an empty value behind: one problem is enough for both. */
function shapeProblems(
  issues: Parameters<typeof schemaProblems>[0],
  unset: readonly Problem[],
  yaml: YamlText,
): readonly Problem[] {
  const reported = new Set(unset.map((problem) => problem.path));
  return schemaProblems(issues, yaml).filter((problem) => !reported.has(problem.path));
}

function tooManyRules(file: StewardFile): readonly Finding[] {
  const count = Object.values(file.channels).reduce(
    (sum, channel) => sum + channel.allow.length + channel.deny.length,
    0,
  );
  if (count <= MAX_RULES) return [];
  return [{ path: ['channels'], message: `hold ${count} rules; at most ${MAX_RULES} fit` }];
}

function checkOrganizations(
  file: StewardFile,
  organizations: readonly OrganizationSettings[],
): readonly Finding[] {
  if (organizations.length === 0) {
    const message = 'is missing: list one here, or set ORGANIZATION_ID and its key';
    return [{ path: ['organizations'], message }];
  }
  const keys = organizations.map(({ key }) => key);
  const clashes = organizations.flatMap(({ key, id }, index): readonly Finding[] => {
    const earlier = organizations.slice(0, index);
    if (earlier.some((other) => other.key.toLowerCase() === key.toLowerCase())) {
      const message = 'the name is taken, here or by ORGANIZATION_ID (named default)';
      return [{ path: ['organizations', key], message }];
    }
    if (!earlier.some((other) => other.id === id)) return [];
    return [
      {
        path: ['organizations', key, 'id'],
        message: 'is already given, here or by ORGANIZATION_ID',
      },
    ];
  });
  const services = Object.entries(file.services).flatMap(([name, service]): readonly Finding[] => {
    if (service.organization === undefined && keys.length === 1) return [];
    const path = ['services', name, 'organization'];
    if (service.organization === undefined) {
      return [{ path, message: `is missing: one of ${keys.join(', ')}` }];
    }
    if (keys.includes(service.organization)) return [];
    return [{ path, message: `no organization has this name; there is ${keys.join(', ')}` }];
  });
  return [...clashes, ...services];
}

/** Words for what does not fit the schema. No value is repeated: it may come from a variable. */
function schemaMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}${meant(issue.input, issue.values)}`;
    case 'too_small':
      if (issue.origin === 'array') return 'must not be empty';
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
      return `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

/** `monday` means mon, too. */
function meant(input: unknown, values: readonly unknown[]): string {
  const typed = String(input).toLowerCase();
  const names = values.map(String);
  const begun = names.find((name) => name.length > 2 && typed.startsWith(name));
  return didYouMean(begun ?? typed, names);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list, as in [a, b]',
  object: 'a map of keys and values',
  record: 'a map of keys and values',
};

/** One problem for each issue, and one for each unknown key. */
function schemaProblems(issues: readonly z.core.$ZodIssue[], yaml: YamlText): readonly Problem[] {
  return issues.flatMap((issue): readonly Problem[] => {
    const path = issue.path.filter((step): step is string | number => typeof step !== 'symbol');
    if (issue.code === 'unrecognized_keys') return unknownKeys(issue, path, yaml);
    const message = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message;
    return [problemAt(yaml, path, message ?? 'does not fit')];
  });
}

function unknownKeys(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  path: Path,
  yaml: YamlText,
): readonly Problem[] {
  const messages = issue.message.split('\n');
  return issue.keys.map((key, index) =>
    problemAt(yaml, [...path, key], messages[index] ?? 'is no key that fits here'),
  );
}
