import { parseEnv } from 'node:util';
import type { Variables } from '../../config/environment-reader.ts';
import { type InitFlags, keyVariables, type Organization, variable } from './answering.ts';
import { RECIPES } from './choices.ts';
import {
  type Asker,
  filledFault,
  type TextQuestion,
  tokenFault,
  urlFault,
  uuidFault,
} from './questions.ts';

type Variable = TextQuestion & { readonly name: string };

/** What the environment has to hold, in the order in which it is had. */
const VARIABLES: readonly Variable[] = [
  {
    name: 'SLACK_BOT_TOKEN',
    message: 'Bot token (xoxb-…, OAuth & Permissions)',
    secret: true,
    fault: tokenFault('xoxb-'),
  },
  {
    name: 'SLACK_APP_TOKEN',
    message: 'App-level token (xapp-…, Basic Information)',
    secret: true,
    fault: tokenFault('xapp-'),
  },
  {
    name: 'CONTROL_API_URL',
    message: 'Address of the control API',
    example: 'https://api.clickhouse.cloud',
    fault: urlFault,
  },
];

const ORGANIZATION: Variable = {
  name: 'ORGANIZATION_ID',
  message: 'Id of the organization',
  example: 'a UUID',
  fault: uuidFault,
};

export type Open = { readonly what: string; readonly by: string };

export function missingVariables(wanted: readonly Variable[], env: Variables): readonly Open[] {
  return wanted
    .filter(({ name, fault }) => fault(variable(env, name)) !== undefined)
    .map(({ name, message }) => ({ what: message, by: name }));
}

/**
 * In HTTP mode Slack's signing secret is there in place of the app-level token; of several
 * organizations each has its own key.
 */
export function variablesFor(
  env: Variables,
  organizations: readonly Organization[],
  { recipe }: InitFlags,
): readonly Variable[] {
  const isHttp = variable(env, 'SLACK_SIGNING_SECRET') !== '';
  const isSeveral = RECIPES.find(({ file }) => file === recipe)?.several === true;
  return [
    ...VARIABLES.filter(({ name }) => name !== 'SLACK_APP_TOKEN' || !isHttp),
    ...(isSeveral ? organizations.flatMap(({ name }) => keyOf(name)) : [...keyOf(), ORGANIZATION]),
  ];
}

function keyOf(organization?: string): readonly Variable[] {
  const { id, secret } = keyVariables(organization);
  const of = organization === undefined ? '' : ` of ${organization}`;
  return [
    { name: id, message: `Id of the API key${of}`, fault: filledFault },
    { name: secret, message: `Secret of the API key${of}`, secret: true, fault: filledFault },
  ];
}

export async function askVariables(
  wanted: readonly Variable[],
  env: Variables,
  asker: Asker | undefined,
): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {};
  for (const { name, ...question } of wanted) {
    const value = variable(env, name);
    const fits = question.fault(value) === undefined;
    answers[name] = fits || asker === undefined ? value : await asker.text(question);
  }
  return answers;
}

/** Variables that the file lacks or has otherwise. */
export function changed(
  wanted: readonly Variable[],
  envText: string,
  env: Variables,
): Readonly<Record<string, string>> {
  const there = parseEnv(envText);
  return Object.fromEntries(
    wanted
      .map(({ name }): [string, string] => [name, variable(env, name)])
      .filter(([name, value]) => value !== '' && there[name] !== value),
  );
}
