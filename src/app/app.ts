/** The composition root; this room alone, with `main.ts`, sees every other. Design: §2. */

import type { Configuration } from '../config/load.ts';
import { ConfigurationError } from '../config/problems.ts';
import { createCurrentSettings, type ReplaceableSettings } from '../config/watch.ts';
import { createRegistry } from '../core/operation/registry.ts';
import { createFlood } from '../core/pipeline/flood.ts';
import { createRedactor, createSecretFinder } from '../core/pipeline/redact.ts';
import { BREAK_GLASS } from '../core/ports/decision.ts';
import type { Clock, ControlApi, Logger } from '../core/ports/ports.ts';
import { createCostReader } from '../cost/read/reader.ts';
import { operations } from '../operations/index.ts';
import { identify } from '../slack/connection.ts';
import { botIn } from '../slack/inbound/people.ts';
import { createAnnouncer, createAuditHealth } from '../slack/outbound/audit.ts';
import { createRichnessMemory } from '../slack/outbound/deliver.ts';
import { createDelivery } from '../slack/outbound/delivery/delivery.ts';
import type { SlackDeps } from '../slack/outbound/deps.ts';
import { createNotifier } from '../slack/outbound/notifications.ts';
import type { WebOptions } from '../slack/web/patiently.ts';
import { type BotIdentity, createSlackWeb, permalinkOf, type SlackWeb } from '../slack/web/web.ts';
import { createMetrics, type Metrics, metricsObserver } from './health.ts';
import { createLogger, logWarnings } from './log.ts';
import { type Closer, openToSlack, type Rounds } from './open-to-slack.ts';
import { connectionOf, outsideOf, policyOf, portsOf } from './ports.ts';
import { createRunningWork, createWorkQueue } from './running-work.ts';
import { scrubberOf, secretsNow } from './secrets.ts';
import { createStatus, watchControl } from './status.ts';
import { openStores, type Stores } from './stores.ts';
import { createSeeing } from './timed/sight.ts';
import { createTimed } from './timed/timed.ts';
import { createSurroundings } from './troubles.ts';

/** The ids that rules may name: every operation, and what has a permission but no operation. */
export const knownActions: readonly string[] = [...operations.map(({ id }) => id), BREAK_GLASS];

export type Steward = {
  /**
   * Takes no more payloads, waits up to 20 s for what runs and for what people must learn, closes
   * everything; what is left is told after the next start.
   */
  stop(): Promise<void>;
  /** How many commands and messages have not ended. */
  running(): number;
  /** Resolves with Slack's word when it takes the bot's token no more. */
  readonly revoked: Promise<string>;
} & Rounds;

export type StewardOptions = {
  readonly configuration: Configuration;
  readonly clock: Clock;
  /** Variables for a reload of `steward.yaml`; absent: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly logger?: Logger | undefined;
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

async function start(options: StewardOptions, closers: Closer[]): Promise<Steward> {
  const { configuration, clock } = options;
  const { environment } = configuration;
  const settings = createCurrentSettings(configuration.settings);
  const secrets = secretsNow(configuration, settings);
  const scrub = scrubberOf(secrets);
  const logger = options.logger ?? createLogger(environment.logLevel, scrub);
  closers.push(logWarnings(logger));
  const stores = await openStores(environment, { settings, clock, logger });
  closers.push(() => stores.close());

  await warnOfOthers(stores, logger);
  const { network, api } = outsideOf(configuration, { settings, clock, logger }, closers);
  const around = createSurroundings({ settings, clock, logger });
  const { troubles, revocation } = around;
  const { fetch } = network.slack ?? {};
  const web = webOf(options, { logger, fetch, watch: around.watch, onRevoked: revocation.note });
  const identity = await inOneWorkspace(web, clock);
  const ownTeam = identity.teamId;
  const policy = policyOf(web, { settings, clock, logger, ownTeam, troubles });
  const registry = createRegistry(operations, settings);
  const { control, health } = watchControl(api, clock);
  const costs = costsOf(control, stores, clock);
  const connection = connectionOf(configuration, identity, { clock, logger, network });
  // Without its token the bot is deaf and dumb, whatever is open.
  const connections = () => (revocation.isRevoked() ? 0 : connection.connections());
  const seeing = createSeeing({ api, stores, settings, clock, logger });
  const { sights, directory } = seeing;
  const auditHealth = createAuditHealth();
  const status = createStatus(stores, clock, {
    ...{ control: health, audit: auditHealth.failure, connections },
    troubles: () => around.report.all(stores.instance, clock),
    botIn: (channelId) => botIn(web, channelId),
    closedEyes: sights.closed,
  });
  const { digests, sleeps, start: schedule } = createTimed({ stores, settings, clock, costs, web });
  const metrics = createMetrics();
  const richness = createRichnessMemory(stores.memory);
  const ports = portsOf({
    ...{ settings, clock, stores, policy, control, costs, status, digests, sleeps },
    ...{ sights, directory },
    permalink: (message) => permalinkOf(identity, message),
  });
  const work = createRunningWork();
  const { pending, outbox, forms, memory } = stores;
  const posting = {
    ...{ web, richness, scrub, logger, clock, ports, auditHealth, registry },
    ...{ pending, outbox, forms, memory, policy, track: work.track },
  };
  const deps = depsOf(posting, { stores, secrets, settings, metrics });
  const opening = {
    ...{ deps, stores, settings, closers, logger, connection, connections, metrics, schedule },
    ...{ around, seeing, knownActions },
  };
  const rounds = await openToSlack(options, opening);
  return {
    ...rounds,
    running: work.size,
    revoked: revocation.revoked,
    stop: () => stop(deps, work, closers),
  };
}

type Posting = Parameters<typeof createNotifier>[0] &
  Parameters<typeof createAnnouncer>[0] &
  Parameters<typeof createDelivery>[0] &
  Pick<SlackDeps, 'richness' | 'scrub' | 'auditHealth' | 'registry' | 'forms' | 'memory'>;

/** What answers people, over what posts. */
function depsOf(
  posting: Posting,
  {
    stores,
    secrets,
    settings,
    metrics,
  }: {
    readonly stores: Stores;
    readonly secrets: () => readonly string[];
    readonly settings: ReplaceableSettings;
    readonly metrics: Metrics;
  },
): SlackDeps {
  return {
    ...posting,
    journal: stores.journal,
    redact: createRedactor(secrets),
    holdsSecret: createSecretFinder(secrets, () => settings.get().credentials.map(nameOf)),
    flood: createFlood(),
    observers: [metricsObserver(metrics)],
    notifier: createNotifier(posting),
    announce: createAnnouncer(posting),
    deliveries: stores.deliveries,
    delivery: createDelivery(posting),
    queue: createWorkQueue(),
  };
}

async function stop(
  { delivery, clock, logger }: SlackDeps,
  work: ReturnType<typeof createRunningWork>,
  closers: readonly Closer[],
): Promise<void> {
  const [disconnect, ...rest] = [...closers].reverse();
  await disconnect?.();
  void delivery.round().catch(() => undefined);
  if (!(await work.drained(DRAIN_MS, clock))) logger.warn({}, 'stopped with work under way');
  await closeAll(rest.reverse());
  logger.info({ event: 'stopped' }, 'Steward has stopped');
}

/** An app of a whole organization has payloads and calls without a workspace; rules begin with one. */
async function inOneWorkspace(web: SlackWeb, clock: Clock): Promise<BotIdentity> {
  const identity = await identify(web, clock);
  if (!identity.isOrgWide) return identity;
  const message =
    'belongs to an app that is installed for a whole Enterprise Grid organization; Steward serves single workspaces: install it in one, and put that token here';
  throw new ConfigurationError([{ path: 'SLACK_BOT_TOKEN', message }]);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function costsOf(control: ControlApi, { costs: store, directory }: Stores, clock: Clock) {
  return createCostReader({ control, store, clock, directory });
}

function webOf(
  { configuration, clock }: StewardOptions,
  more: Pick<WebOptions, 'logger' | 'fetch' | 'watch' | 'onRevoked'>,
): SlackWeb {
  const { slackBotToken: token, slackApiUrl: apiUrl } = configuration.environment;
  return createSlackWeb({ token, apiUrl, clock, ...more });
}

/** SQLite is for one process: two would share Slack's events and count floods apart. */
async function warnOfOthers({ db, instance }: Stores, logger: Logger): Promise<void> {
  if (db.kind !== 'sqlite') return;
  const others = await instance.others();
  if (others.length === 0) return;
  logger.warn(
    { event: 'not-alone', others: others.length },
    'Another Steward runs on this database: stop one of them, or use Postgres for several.',
  );
}

async function closeAll(closers: readonly Closer[]): Promise<void> {
  for (const close of [...closers].reverse()) await close();
}
