/** The composition root: the only file, with `main.ts`, that sees every folder. Design: §2. */
import { type Configuration, loadConfiguration } from './config/load.ts';
import { createCurrentSettings, type ReplaceableSettings, watchSettings } from './config/watch.ts';
import { createControlApi } from './control-api/create-control-api.ts';
import { AppError } from './core/errors.ts';
import { BREAK_GLASS } from './core/gates.ts';
import type { Ports } from './core/operation-ports.ts';
import type { PipelineDeps } from './core/pipeline.ts';
import type { Clock, Credentials, Logger } from './core/ports.ts';
import { createRedactor } from './core/redact.ts';
import { createRegistry } from './core/registry.ts';
import type { CurrentSettings } from './core/settings.ts';
import { type BackfillingCostReader, createCostReader } from './cost/reader.ts';
import { startHealthServer } from './health.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createLogger } from './log.ts';
import { createMetrics } from './metrics.ts';
import { operations } from './operations/index.ts';
import { createIdentity } from './policy/identity.ts';
import { createPolicy } from './policy/policy.ts';
import { createRunningWork } from './running-work.ts';
import { scrubberOf, secretsOf } from './secrets.ts';
import { registerRoutes } from './slack/bot.ts';
import { createConnection } from './slack/connection.ts';
import type { SlackDeps } from './slack/deps.ts';
import { reportInterrupted } from './slack/interrupted.ts';
import { createSlackPeople } from './slack/people.ts';
import { createRichnessMemory } from './slack/richness.ts';
import { createSlackWeb, type SlackWeb } from './slack/web.ts';
import { openStores, type Stores } from './stores.ts';

/** The ids that rules may name: every operation, and what has a permission but no operation. */
export const knownActions: readonly string[] = [...operations.map(({ id }) => id), BREAK_GLASS];

export type Steward = {
  /** Takes no more payloads, waits up to 20 s for what runs, closes everything. */
  stop(): Promise<void>;
};

export type StewardOptions = {
  readonly configuration: Configuration;
  readonly clock: Clock;
  /** Variables for a reload of `steward.yaml`; absent: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly logger?: Logger;
};

const DRAIN_MS = 20_000;

/** Starts the bot; resolves when Slack can reach it. Throws AppError; then nothing is left running. */
export async function startSteward(options: StewardOptions): Promise<Steward> {
  const closers: Closer[] = [];
  try {
    return await start(options, closers);
  } catch (thrown) {
    await closeAll(closers);
    throw thrown;
  }
}

type Closer = () => Promise<void> | void;

async function start(options: StewardOptions, closers: Closer[]): Promise<Steward> {
  const { configuration, clock } = options;
  const { environment } = configuration;
  const settings = createCurrentSettings(configuration.settings);
  const secrets = (): readonly string[] => secretsOf(configuration, settings.get());
  const scrub = scrubberOf(secrets);
  const logger = options.logger ?? createLogger(environment.logLevel, scrub);
  const stores = await openStores(environment, { settings, clock, logger });
  closers.push(() => stores.close());

  const control = controlOf(configuration, { settings, clock, logger });
  closers.push(() => control.close());
  const web = createSlackWeb({
    token: environment.slackBotToken,
    apiUrl: environment.slackApiUrl,
    clock,
    logger,
  });
  const policy = await policyOf(web, settings, clock);
  const redact = createRedactor(secrets);
  const registry = createRegistry(operations);
  const { directory } = stores;
  const costs = createCostReader({ control, store: stores.costs, clock, directory });
  const ports = portsOf({ settings, clock, stores, policy, control, costs });
  const pipeline: PipelineDeps = {
    registry,
    policy,
    journal: stores.journal,
    pending: stores.pending,
    ports,
    redact,
    logger,
  };
  const work = createRunningWork();
  const deps: SlackDeps = {
    pipeline,
    registry,
    settings,
    forms: stores.forms,
    deliveries: stores.deliveries,
    secrets: stores.secrets,
    richness: createRichnessMemory(stores.memory),
    web,
    clock,
    logger,
    scrub,
    track: work.track,
  };
  await openToSlack(options, { deps, stores, settings, closers, logger });
  return {
    stop: async () => {
      const [disconnect, ...rest] = [...closers].reverse();
      await disconnect?.();
      if (!(await work.drained(DRAIN_MS, clock))) logger.warn({}, 'stopped with work under way');
      await closeAll(rest.reverse());
      logger.info({ event: 'stopped' }, 'Steward has stopped');
    },
  };
}

type Opening = {
  readonly deps: SlackDeps;
  readonly stores: Stores;
  readonly settings: ReplaceableSettings;
  readonly closers: Closer[];
  readonly logger: Logger;
};

/** Everything that makes the bot reachable; the connection last, so that it is the first to close. */
async function openToSlack(options: StewardOptions, opening: Opening): Promise<void> {
  const { deps, stores, settings, closers, logger } = opening;
  const { environment } = options.configuration;
  const { clock } = options;
  const connection = createConnection({
    botToken: environment.slackBotToken,
    mode: environment.slackConnection,
    apiUrl: environment.slackApiUrl,
    clock,
    logger,
  });
  registerRoutes(connection.app, deps);
  const watching = watchSettings(
    environment.stewardConfig,
    () => settings.replace(reload(options)),
    logger,
  );
  closers.push(() => watching.stop());
  if (environment.healthPort !== undefined) {
    const problems = async (): Promise<readonly string[]> => [
      ...(connection.connections() === 0 ? ['no connection from Slack'] : []),
      ...(await stores.problems()),
    ];
    const health = await startHealthServer(environment.healthPort, { problems }, createMetrics());
    closers.push(() => health.close());
  }
  const housekeeping = createHousekeeping({ stores, deps, clock, logger });
  await reportInterrupted(await stores.journal.recoverOpen(), deps);
  await connection.start();
  closers.push(() => housekeeping.stop());
  closers.push(() => connection.stop());
  logger.info(
    { event: 'ready', mode: environment.slackConnection.mode },
    'Slack can reach Steward',
  );
}

function reload(options: StewardOptions): ReturnType<CurrentSettings['get']> {
  const env = options.env;
  return loadConfiguration({ knownActions, ...(env === undefined ? {} : { env }) }).settings;
}

type Shared = {
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly logger: Logger;
};

function controlOf({ environment }: Configuration, { settings, clock, logger }: Shared) {
  const { observability } = environment;
  return createControlApi({
    baseUrl: environment.controlApiUrl,
    organizations: () => settings.get().organizations,
    clock,
    logger,
    ...(observability === undefined
      ? {}
      : { observability: { baseUrl: observability.url, token: observability.token } }),
  });
}

async function policyOf(web: SlackWeb, settings: CurrentSettings, clock: Clock) {
  const { teamId } = await web.authTest();
  const slack = createSlackPeople(web);
  return createPolicy({ settings, identity: createIdentity({ slack, clock, ownTeam: teamId }) });
}

type PortParts = {
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly stores: Stores;
  readonly policy: Ports['policy'];
  readonly control: Ports['control'];
  readonly costs: BackfillingCostReader;
};

function portsOf({ settings, clock, stores, policy, control, costs }: PortParts): Ports {
  return {
    control,
    costs,
    directory: stores.directory,
    journal: stores.journal,
    pending: stores.pending,
    secrets: stores.secrets,
    credentials: credentialsOf(settings),
    catalogue: operations,
    settings,
    policy,
    clock,
  };
}

function credentialsOf(settings: CurrentSettings): Credentials {
  return {
    names: () => settings.get().credentials.map(({ name }) => name),
    values: (name) => {
      const found = settings.get().credentials.find((credential) => credential.name === name);
      if (found !== undefined) return found.values;
      throw new AppError('not-configured', {
        userMessage: 'No credential of this name is configured in steward.yaml.',
      });
    },
  };
}

async function closeAll(closers: readonly Closer[]): Promise<void> {
  for (const close of [...closers].reverse()) await close();
}
