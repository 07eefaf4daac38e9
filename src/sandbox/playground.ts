import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startControlPlane } from './control-plane/control-plane.ts';
import type { ControlPlane } from './control-plane/plane.ts';
import { BEARER, KEYS } from './control-plane/seed.ts';
import { createSettableClock } from './control-plane/settable-clock.ts';
import { createMover } from './playground-clock.ts';
import { createControls } from './playground-controls.ts';
import { playgroundSettings } from './playground-settings.ts';
import { startWorkspace, type Workspace } from './workspace/workspace.ts';

export type PlaygroundOptions = {
  /** Of the page; 0 takes any free port. */
  readonly port: number;
  /** How the stand-in of the control API speaks, and with it the bot. */
  readonly names: 'neutral' | 'clickhouse';
  /** The Slack app manifest as an object. */
  readonly manifest: unknown;
  /** The built page. */
  readonly pageDir: string;
  /** How to start the bot: the very command line of production. */
  readonly bot: { readonly command: string; readonly args: readonly string[] };
  /** Variables for the bot beside those that point it at the stand-ins. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told each of the bot's log lines. */
  readonly onLog: (line: string) => void;
};

export type Playground = {
  readonly url: string;
  readonly controlUrl: string;
  /** Rejects if the bot ends by itself. */
  readonly ended: Promise<never>;
  stop(): Promise<void>;
};

/**
 * The local workspace, the stand-in of the control API and the unmodified bot as a process of its
 * own over Socket Mode. Everything is thrown away at the end. Design: §11. Throws Error when the
 * bot does not become ready.
 */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const clock = createSettableClock({ ticking: true });
  const { names } = options;
  const plane = await startControlPlane({ clock, settings: { names } });
  const mover = createMover(clock);
  const workspace = await startWorkspace({
    port: options.port,
    clock,
    manifest: options.manifest,
    mode: 'socket',
    pageDir: options.pageDir,
    controls: createControls(plane, mover.move),
  });
  const folder = await mkdtemp(join(tmpdir(), 'steward-playground-'));
  await writeFile(join(folder, 'steward.yaml'), playgroundSettings(names));
  const bot = spawnBot(options, { plane, workspace, folder });
  mover.follow(bot);
  const stop = async (): Promise<void> => {
    if (bot.exitCode === null) {
      bot.kill('SIGTERM');
      await once(bot, 'exit');
    }
    await workspace.close();
    await plane.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ready(bot, options.onLog);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: workspace.url, controlUrl: plane.url, ended: endOf(bot), stop };
}

type Parts = {
  readonly plane: ControlPlane;
  readonly workspace: Workspace;
  readonly folder: string;
};

function spawnBot(options: PlaygroundOptions, { plane, workspace, folder }: Parts): ChildProcess {
  return spawn(options.bot.command, [...options.bot.args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...options.env,
      // Of the shell that it was started in, what would make it another bot than the one shown.
      SLACK_SIGNING_SECRET: undefined,
      ORGANIZATION_ID: undefined,
      CONTROL_API_NAMES: undefined,
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_APP_TOKEN: workspace.appToken,
      SLACK_API_URL: workspace.apiUrl,
      CONTROL_API_URL: plane.url,
      OBSERVABILITY_API_URL: plane.url,
      OBSERVABILITY_API_TOKEN: BEARER.token,
      ACME_KEY_SECRET: KEYS.admin.secret,
      KAFKA_PASSWORD: 'fake-kafka-password',
      LAKE_SECRET_KEY: 'fake-lake-secret-key',
      DISK_KEY: 'fake-disk-encryption-key',
      STEWARD_CONFIG: join(folder, 'steward.yaml'),
      DATABASE_URL: `sqlite:${join(folder, 'steward.db')}`,
    },
  });
}

async function ready(bot: ChildProcess, onLog: (line: string) => void): Promise<void> {
  if (bot.stdout === null) throw new Error('The bot has no output.');
  const lines = createInterface({ input: bot.stdout });
  lines.on('line', onLog);
  const isReady = new Promise<void>((resolve) => {
    lines.on('line', (line) => {
      if (line.includes('"event":"ready"')) resolve();
    });
  });
  await Promise.race([isReady, endOf(bot)]);
}

function endOf(bot: ChildProcess): Promise<never> {
  const ended = once(bot, 'exit').then(([code]) => {
    throw new Error(`The bot ended with ${String(code)}.`);
  });
  ended.catch(() => undefined);
  return ended;
}
