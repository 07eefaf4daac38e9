import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/app/clock.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import { BEARER, KEYS } from '../../src/sandbox/control-plane/seed.ts';
import { playgroundSettings } from '../../src/sandbox/playground-settings.ts';
import { bundle } from './bundle.ts';
import { type Child, startChild } from './child.ts';
import { type LeanSlack, startLeanSlack } from './lean-slack.ts';

/** A Slack of its own and a folder for each bot that is measured. */
export type Bots = {
  /** Bolt alone. */
  echo(): Promise<Bot>;
  /** Steward as operators start it: so many replicas over a database. */
  steward(databaseUrl: string, replicas?: number): Promise<Bot>;
  close(): Promise<void>;
};

export type Bot = {
  readonly slack: LeanSlack;
  readonly replicas: readonly Child[];
  stop(): Promise<void>;
};

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const SOCKETS = 2;

/** `profile`: a folder for the CPU profiles of each Steward. */
export async function createBots(profile: string | undefined): Promise<Bots> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  const plane = await startControlPlane({ clock: systemClock });
  await writeFile(join(folder, 'steward.yaml'), rules());
  const echo = await bundle('echo', 'apart');
  const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];

  async function start(args: readonly string[], more: Environment, count: number): Promise<Bot> {
    const slack = await startLeanSlack();
    const env = { ...variables(slack), ...more };
    const replicas: Child[] = [];
    // One after the other: two that start together would share the processor.
    for (let at = 0; at < count; at += 1) {
      replicas.push(await startChild({ args, cwd: folder, env }));
    }
    return {
      slack,
      replicas,
      stop: async () => {
        await Promise.all(replicas.map((replica) => replica.stop()));
        await slack.close();
      },
    };
  }

  return {
    echo: () => start([echo], {}, 1),
    steward: async (databaseUrl, count = 1) => {
      const more = {
        CONTROL_API_URL: plane.url,
        OBSERVABILITY_API_URL: plane.url,
        OBSERVABILITY_API_TOKEN: BEARER.token,
        ACME_KEY_SECRET: KEYS.admin.secret,
        KAFKA_PASSWORD: 'fake-kafka-password',
        LAKE_SECRET_KEY: 'fake-lake-secret-key',
        DISK_KEY: 'fake-disk-encryption-key',
        SECRET_KEY: 'fake-secret-key-of-the-bench',
        STEWARD_CONFIG: join(folder, 'steward.yaml'),
        DATABASE_URL: databaseUrl,
      };
      const bot = await start([...profiling, MAIN, 'start'], more, count);
      if (bot.slack.sockets() !== count * SOCKETS) throw new Error('A socket is missing.');
      return bot;
    },
    close: async () => {
      await plane.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Environment = Readonly<Record<string, string>>;

function variables(slack: LeanSlack): Environment {
  return {
    PATH: process.env['PATH'] ?? '',
    SLACK_BOT_TOKEN: 'xoxb-fake-bench',
    SLACK_APP_TOKEN: 'xapp-fake-bench',
    SLACK_API_URL: slack.apiUrl,
  };
}

/** The playground's, with limits that nobody reaches. */
function rules(): string {
  return `${playgroundSettings()}limits: { perPersonPerMinute: 10000, perChannelPerMinute: 10000 }\n`;
}

export type BenchDatabase = { readonly url: string; remove(): Promise<void> };

export async function freshSqlite(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-bench-'));
  return {
    url: `sqlite:${join(folder, 'steward.db')}`,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Undefined where there is no server for it. */
export function postgresServer(): string | undefined {
  const server = process.env['TEST_POSTGRES_URL'];
  return server === '' ? undefined : server;
}
