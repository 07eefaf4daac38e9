/** The last steps of a start: everything that makes the bot reachable, and what timers do. */
import type { Configuration } from '../config/load.ts';
import { type ReplaceableSettings, watchSettings } from '../config/watch.ts';
import type { Logger } from '../core/ports/ports.ts';
import { registerRoutes } from '../slack/bot.ts';
import type { Connection } from '../slack/connection.ts';
import type { SlackDeps } from '../slack/outbound/deps.ts';
import { type Metrics, startHealthServer } from './health.ts';
import { createHousekeeping, recover } from './housekeeping.ts';
import { createReloader } from './reload.ts';
import type { Stores } from './stores.ts';
import type { Seeing } from './timed/sight.ts';
import type { Timed } from './timed/timed.ts';
import type { Surroundings } from './troubles.ts';

/** What timers do, at once: for tests, which set the clock. */
export type Rounds = {
  /** Every 15 s. */
  housekeep(): Promise<void>;
  /** Every five minutes, and when a cost summary is due. */
  summarise(): Promise<void>;
  /** Every 20 s. */
  sleep(): Promise<void>;
  /** Every second what changes came to, every half minute what the clouds list. */
  look(): Promise<void>;
};

/** What a start is given. */
type StartOptions = {
  readonly configuration: Configuration;
  /** Variables for a reload of `steward.yaml`; absent: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

export type Closer = () => Promise<void> | void;

type Opening = {
  readonly deps: SlackDeps;
  readonly stores: Stores;
  readonly settings: ReplaceableSettings;
  readonly closers: Closer[];
  readonly logger: Logger;
  readonly connection: Connection;
  readonly connections: () => number;
  readonly metrics: Metrics;
  readonly around: Surroundings;
  readonly schedule: Timed['start'];
  readonly seeing: Seeing;
  readonly knownActions: readonly string[];
};

/** Everything that makes the bot reachable; the connection last, so that it is the first to close. */
export async function openToSlack(options: StartOptions, opening: Opening): Promise<Rounds> {
  const { deps, stores, settings, closers, logger, connection, connections } = opening;
  const { metrics, schedule, around, seeing } = opening;
  const { troubles, report } = around;
  const { environment } = options.configuration;
  registerRoutes(connection.app, deps);
  const source = { knownActions: opening.knownActions, env: options.env };
  const reload = createReloader({ settings, stores, deps, source, troubles });
  const watching = watchSettings(environment.stewardConfig, reload, logger);
  closers.push(() => watching.stop());
  if (environment.healthPort !== undefined) {
    const health = await startHealthServer(
      environment.healthPort,
      { connections, database: () => stores.problems(), troubles: troubles.all },
      metrics,
    );
    closers.push(() => health.close());
  }
  const housekeeping = createHousekeeping({ stores, deps, report: report.own });
  await recover(stores, deps);
  await connection.start();
  // What others left behind is told while the first commands come in.
  void housekeeping.deliver();
  const scheduled = await schedule(deps);
  const sight = seeing.start();
  closers.push(() => scheduled.stop());
  closers.push(() => sight.stop());
  closers.push(() => housekeeping.stop());
  closers.push(() => connection.stop());
  logger.info(
    { event: 'ready', mode: environment.slackConnection.mode },
    'Slack can reach Steward',
  );
  return {
    housekeep: () => housekeeping.round(),
    summarise: scheduled.summarise,
    sleep: scheduled.sleep,
    look: () => sight.round(),
  };
}
