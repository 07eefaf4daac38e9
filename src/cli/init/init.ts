import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { knownActions } from '../../app/app.ts';
import {
  addToRules,
  type Chosen,
  type EditedRules,
  readIfThere,
  replaceFile,
  rulesFromRecipe,
  setVariables,
} from '../../config/edit-files.ts';
import { configPath } from '../../config/environment.ts';
import { checkRules } from '../../config/load.ts';
import { problemLine } from '../../config/problems.ts';
import { proxyOf } from '../../config/proxy.ts';
import { AppError } from '../../core/cloud/errors.ts';
import { plain } from '../../core/text/text.ts';
import { createNetwork, type Network } from '../../network/network.ts';
import { SLACK_API, slackCaller } from '../doctor-slack.ts';
import type { ExitCode, Output } from '../output.ts';
import type { Answering, InitFlags, InitTools } from './answering.ts';
import { choose, organizationsOf, RECIPES, recipeOf } from './choices.ts';
import { createAsker } from './questions.ts';
import { readSlackLists } from './slack.ts';
import { askVariables, changed, missingVariables, type Open, variablesFor } from './variables.ts';

/**
 * Asks for what Steward needs, checks it with Slack and the API, and writes `.env` and
 * `steward.yaml`. What a person wrote there stays. Without a terminal it says what it would ask.
 */
export async function runInit(flags: InitFlags, tools: InitTools): Promise<ExitCode> {
  const network = createNetwork(proxyOf(tools.env));
  try {
    return await askAndWrite(flags, tools, network);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    tools.output.print(plain(thrown.userMessage));
    return 2;
  } finally {
    await network.close();
  }
}

async function askAndWrite(
  flags: InitFlags,
  tools: InitTools,
  network: Network,
): Promise<ExitCode> {
  const { output, folder } = tools;
  const envPath = join(folder, '.env');
  const envText = readIfThere(envPath) ?? '';
  const known = { ...parseEnv(envText), ...tools.env };
  const asker = tools.isTerminal ? await createAsker() : undefined;
  const open = [...missingVariables(variablesFor(known, [], flags), known), ...missingFlags(flags)];
  if (asker === undefined && open.length > 0) return tellOpen(open, output);
  const recipe = await recipeOf({ flags, asker });
  const organizations = await organizationsOf(recipe, { flags, asker });
  const wanted = variablesFor(known, organizations, { recipe: recipe.file });
  const missing = missingVariables(wanted, known);
  if (asker === undefined && missing.length > 0) return tellOpen(missing, output);
  const variables = await askVariables(wanted, known, asker);
  const env = { ...known, ...variables };
  const lists = await readSlackLists(
    slackCaller(env['SLACK_API_URL'] ?? SLACK_API, network.slack?.fetch ?? fetch),
    env['SLACK_BOT_TOKEN'] ?? '',
  );
  output.print(`Signed in to ${lists.workspace.name} (${lists.workspace.id}).`);
  replaceFile(envPath, setVariables(envText, changed(wanted, envText, env)), 0o600);
  output.print(`.env holds the tokens; only you can read it. Keep it out of git.`);
  return await writeRules({ flags, tools, asker, env, lists, recipe, organizations, network });
}

function missingFlags(flags: InitFlags): readonly Open[] {
  const recipe = RECIPES.find(({ file }) => file === flags.recipe);
  const names = RECIPES.map(({ file }) => file).join(', ');
  const wants = (needed: boolean, value: unknown, what: string, by: string): readonly Open[] =>
    needed && value === undefined ? [{ what, by }] : [];
  return [
    ...(recipe === undefined ? [{ what: `A recipe: ${names}`, by: '--recipe' }] : []),
    ...wants(
      recipe?.several === true,
      flags.organization,
      'Organizations, NAME=UUID',
      '--organization',
    ),
    ...wants(true, flags.channel, 'Channels, by name or id', '--channel'),
    ...wants(
      recipe?.people !== undefined,
      flags.people,
      'People or user groups who act',
      '--people',
    ),
    ...wants(recipe?.approvers !== undefined, flags.approvers, 'Who approves', '--approvers'),
    ...wants(true, flags.yes, 'That the files may be written', '--yes'),
  ];
}

function tellOpen(open: readonly Open[], output: Output): ExitCode {
  output.print('This is no terminal, so nothing was asked and nothing written. It would ask:');
  const width = Math.max(...open.map(({ by }) => by.length));
  for (const { what, by } of open) output.print(`  ${by.padEnd(width)}  ${what}`);
  output.print('Give variables in the environment or in .env, the rest as options.');
  return 2;
}

async function writeRules(answering: Answering): Promise<ExitCode> {
  const { flags, tools, asker, env, recipe } = answering;
  const { output, folder } = tools;
  const source = readFileSync(join(tools.recipes, `${recipe.file}.yaml`), 'utf8');
  const path = join(folder, configPath(env).value ?? 'steward.yaml');
  const existing = readIfThere(path);
  const chosen = await choose(answering);
  const edited: EditedRules =
    existing === undefined ? rulesFromRecipe(source, chosen) : addToRules(existing, source, chosen);
  if (edited.changes.length === 0) {
    output.print(`${path} has all of it already; nothing was changed.`);
    return next(chosen, answering);
  }
  const { problems } = checkRules({
    env: { ...env, STEWARD_CONFIG: path },
    knownActions,
    readFile: () => edited.text,
  });
  if (problems.length > 0) {
    output.print(`${path} was not written; with these additions it would have problems:`);
    for (const problem of problems) output.print(problemLine(problem));
    return 1;
  }
  output.print(existing === undefined ? `${path} will be made:` : `${path} will be added to:`);
  for (const change of edited.changes) output.print(`  ${change}`);
  if (flags.yes !== true && (await asker?.agreed('Write it?')) !== true) {
    output.print(`${path} was not touched.`);
    return 0;
  }
  replaceFile(path, edited.text);
  return next(chosen, answering);
}

/** In the order in which they work. */
function next({ channels, audit }: Chosen, { lists, tools }: Answering): ExitCode {
  const places = new Set([
    ...channels.map(({ id }) => id),
    ...(audit === undefined ? [] : [audit]),
  ]);
  const missing = lists.channels.filter(({ id, joined }) => places.has(id) && joined !== true);
  const steps = [
    ...(missing.length === 0
      ? []
      : [`type /invite @Steward in ${missing.map(({ name }) => name).join(', ')}`]),
    'set -a; . ./.env; set +a',
    'steward policy check, then steward doctor',
    'steward start, then /db in Slack',
  ];
  tools.output.print('Next:');
  for (const [index, step] of steps.entries()) tools.output.print(`  ${index + 1}. ${step}`);
  return 0;
}
