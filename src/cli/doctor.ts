import { existsSync } from 'node:fs';
import { knownActions } from '../app/app.ts';
import { controlOf } from '../app/ports.ts';
import { scrubberOf, secretsOf } from '../app/secrets.ts';
import { sightsOf } from '../app/timed/sight.ts';
import type { Variables } from '../config/environment-reader.ts';
import { type Configuration, loadConfiguration } from '../config/load.ts';
import { ConfigurationError, problemCount, problemLine } from '../config/problems.ts';
import { createCurrentSettings } from '../config/watch.ts';
import { AppError } from '../core/cloud/errors.ts';
import type { Clock, Logger } from '../core/ports/ports.ts';
import { plain } from '../core/text/text.ts';
import { createNetwork, type Network } from '../network/network.ts';
import { openDatabase } from '../storage/database/database.ts';
import { parseDatabaseUrl } from '../storage/database/database-url.ts';
import { verifyJournal } from '../storage/journal/verify.ts';
import { keyFindings, sightFindings } from './doctor-sight.ts';
import { checkSlack } from './doctor-slack.ts';
import { type ExitCode, type Finding, fine, type Output, problem } from './output.ts';

export type DoctorTools = {
  readonly env: Variables;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly output: Output;
};

/**
 * Looks at all that the bot depends on, by calls that change nothing, and prints a line for each.
 * Safe beside a running bot.
 */
export async function runDoctor(tools: DoctorTools): Promise<ExitCode> {
  const { env, clock, output } = tools;
  const configuration = configurationOf(env, output);
  if (configuration === undefined) return 1;
  const { environment, settings } = configuration;
  const network = createNetwork(environment.proxy);
  const findings = [
    fine('environment: complete'),
    fine(`settings: ${settings.channels.length} channels, ${settings.services.length} services`),
    ...secretFinding(configuration),
    networkFinding(configuration, env),
    ...(await databaseFindings(configuration, tools)),
    ...(await checkSlack(environment, settings, { clock, fetch: network.slack?.fetch ?? fetch })),
    ...(await controlFindings(configuration, { ...tools, network })),
  ];
  await network.close();
  // What others answered stands in these lines, and may repeat what they were sent.
  const scrub = scrubberOf(() => secretsOf(configuration, settings));
  const scrubbed: Output = { print: (line) => output.print(scrub(line)) };
  for (const finding of findings) print(finding, scrubbed);
  const problems = findings.filter(({ ok }) => !ok).length;
  output.print(problems === 0 ? 'All is well.' : `${problemCount(problems)}.`);
  return problems === 0 ? 0 : 1;
}

function print({ ok, what, todo }: Finding, output: Output): void {
  output.print(`${ok ? 'ok     ' : 'PROBLEM'}  ${what}${todo === undefined ? '' : `: ${todo}`}`);
}

function configurationOf(env: Variables, output: Output): Configuration | undefined {
  try {
    return loadConfiguration({ env, knownActions });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const each of error.problems) output.print(`PROBLEM  ${problemLine(each).trim()}`);
    return undefined;
  }
}

/** By which way the outside is reached; of a proxy the host and port alone. */
function networkFinding({ environment: { proxy } }: Configuration, env: Variables): Finding {
  const ca = env['NODE_EXTRA_CA_CERTS'];
  const trust = ca === undefined ? '' : `; trusts also the CAs of ${ca}`;
  if (proxy === undefined) return fine(`network: direct${trust}`);
  const { http, https = http, none } = proxy;
  const except = none === '' ? '' : `, except ${none}`;
  const by = `https and wss ${wayOf(https)}, http and ws ${wayOf(http)}${except}`;
  return fine(`network: ${by}${trust}`);
}

function wayOf(proxy: string | undefined): string {
  return proxy === undefined ? 'direct' : `by the proxy ${new URL(proxy).host}`;
}

function secretFinding({ environment, settings }: Configuration): readonly Finding[] {
  if (settings.generatedPassword === 'discard') return [];
  if (environment.secretKey !== undefined) return [fine('SECRET_KEY: set')];
  return [fine('SECRET_KEY: not set; a password that was not shown yet is lost at a restart')];
}

async function databaseFindings(
  { environment }: Configuration,
  { logger }: DoctorTools,
): Promise<readonly Finding[]> {
  try {
    const address = parseDatabaseUrl(environment.databaseUrl);
    if (address.kind === 'sqlite' && !existsSync(address.file)) {
      return [fine(`database: none yet; the first start makes ${address.file}`)];
    }
    const db = await openDatabase(environment.databaseUrl, { logger });
    try {
      const verified = await verifyJournal(db);
      return [
        fine(`database: answers (${db.kind})`),
        verified.ok
          ? fine(`journal: holds, ${verified.rows} rows`)
          : problem(
              `journal: row ${verified.seq}: ${verified.problem}`,
              'find out who can write to the database, and compare with a backup',
            ),
      ];
    } finally {
      await db.close();
    }
  } catch (error) {
    return [
      problem(`database: ${wordsOf(error)}`, 'check DATABASE_URL and that it can be reached'),
    ];
  }
}

/** The costs of yesterday: a read that every key may make and that is never large. */
async function controlFindings(
  configuration: Configuration,
  { clock, logger, network }: DoctorTools & { readonly network: Network },
): Promise<readonly Finding[]> {
  const settings = createCurrentSettings(configuration.settings);
  const control = controlOf(configuration, { settings, clock, logger, network });
  const day = clock.now().minus({ days: 1 }).toFormat('yyyy-MM-dd');
  const findings: Finding[] = [];
  const sights = sightsOf({ cloud: control.cloud, settings, clock });
  for (const organization of configuration.settings.organizations) {
    const { key } = organization;
    const what = `control API, organization ${key}`;
    // Before all else: of another organization nothing can be read.
    findings.push(...(await keyFindings(organization, sights)));
    try {
      await control.usageCost(key, { from: day, to: day });
      findings.push(fine(`${what}: answers`), ...(await sightFindings(key, sights, clock)));
    } catch (error) {
      findings.push(
        problem(
          `${what}: ${wordsOf(error)}`,
          'check CONTROL_API_URL, the organization’s id and key',
        ),
      );
    }
  }
  await control.close();
  return findings;
}

function wordsOf(error: unknown): string {
  return error instanceof AppError ? plain(error.userMessage).replace(/\.$/u, '') : 'failed';
}
