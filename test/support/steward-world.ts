import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { knownActions, type Steward, startSteward } from '../../src/app/app.ts';
import { systemClock } from '../../src/app/clock.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import type { Clock } from '../../src/core/ports/ports.ts';
import { operations } from '../../src/operations/index.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import { matchRoute } from '../../src/sandbox/control-plane/http/routes.ts';
import type { ControlPlane } from '../../src/sandbox/control-plane/plane.ts';
import { BEARER } from '../../src/sandbox/control-plane/seed.ts';
import { playgroundSettings } from '../../src/sandbox/playground-settings.ts';
import type { WorkspaceOptions } from '../../src/sandbox/workspace/state/options.ts';
import { startWorkspace, type Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { createManifest } from '../../src/slack/manifest.ts';
import { freePort } from './free-port.ts';
import { type Person, peopleOf } from './person.ts';
import { createRecordingLogger, type RecordedLine } from './recording-logger.ts';

export type Mode = 'socket' | 'http';

export type StewardWorld = {
  readonly plane: ControlPlane;
  readonly workspace: Workspace;
  readonly steward: Steward;
  readonly as: (person: string) => Person;
  /** All log lines at debug level, as they would be printed. */
  readonly logs: readonly RecordedLine[];
  /** Bytes of every file in the data folder: database, journal, settings. */
  dataBytes(): Promise<string>;
  readonly settingsPath: string;
  /** Replaces the file of the rules in one move, as an editor does: nobody reads half of it. */
  rewriteRules(change: (yaml: string) => string): Promise<void>;
  readonly env: Readonly<Record<string, string>>;
  /** `meanwhile`: what happens while nobody is there. */
  restart(meanwhile?: () => void | Promise<void>): Promise<void>;
  close(): Promise<void>;
};

export type WorldOptions = {
  readonly mode?: Mode;
  /** Edits the playground's rules. */
  readonly settings?: ((yaml: string) => string) | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** A cloud that shows its services: the stand-in as ClickHouse Cloud, and the rules say so. */
  readonly names?: 'clickhouse';
  /** Scheduled cost summaries, which post and read by themselves; else none. */
  readonly summaries?: boolean;
  readonly workspace?: Partial<WorkspaceOptions>;
};

/** The real bot, the strict local workspace and the stand-in of the control API in one process. */
export async function startWorld(options: WorldOptions = {}): Promise<StewardWorld> {
  const mode = options.mode ?? 'socket';
  const clock = options.clock ?? systemClock;
  const plane = await startControlPlane({ clock });
  plane.changeSettings({ rateLimit: { limit: 10_000 }, names: options.names ?? 'neutral' });
  const port = await freePort();
  const workspace = await startWorkspace({
    clock,
    manifest: createManifest({ command: '/db', operations, mode, mentions: true }),
    mode: mode === 'socket' ? 'socket' : { http: `http://127.0.0.1:${port}` },
    ...options.workspace,
  });
  const folder = await mkdtemp(join(tmpdir(), 'steward-e2e-'));
  const settingsPath = join(folder, 'steward.yaml');
  const rules = options.summaries === true ? playgroundSettings() : withoutSummaries();
  const named = rules.replace(
    '_KEY_SECRET} }',
    `_KEY_SECRET}, names: ${options.names ?? 'neutral'} }`,
  );
  await writeFile(settingsPath, (options.settings ?? ((yaml) => yaml))(named));
  const env = {
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_API_URL: workspace.apiUrl,
    ...(mode === 'socket'
      ? { SLACK_APP_TOKEN: workspace.appToken }
      : { SLACK_SIGNING_SECRET: workspace.signingSecret, PORT: String(port) }),
    CONTROL_API_URL: plane.url,
    OBSERVABILITY_API_URL: plane.url,
    OBSERVABILITY_API_TOKEN: BEARER.token,
    ACME_KEY_SECRET: 'fake-key-secret-steward',
    KAFKA_PASSWORD: 'fake-kafka-password',
    LAKE_SECRET_KEY: 'fake-lake-secret-key',
    DISK_KEY: 'fake-disk-encryption-key',
    STEWARD_CONFIG: settingsPath,
    DATABASE_URL: `sqlite:${join(folder, 'steward.db')}`,
    LOG_LEVEL: 'debug',
    ...options.env,
  };
  const recording = createRecordingLogger();
  const launch = (): Promise<Steward> =>
    startSteward({
      configuration: loadConfiguration({ env, knownActions }),
      clock,
      env,
      logger: recording.logger,
    });
  let steward = await launch();
  return {
    plane,
    workspace,
    get steward() {
      return steward;
    },
    as: peopleOf(workspace),
    logs: recording.lines,
    dataBytes: async () => {
      const files = ['steward.db', 'steward.db-wal'].map((name) =>
        readFile(join(folder, name), 'latin1').catch(() => ''),
      );
      return (await Promise.all(files)).join('');
    },
    settingsPath,
    rewriteRules: async (change) => {
      const next = `${settingsPath}.next`;
      await writeFile(next, change(await readFile(settingsPath, 'utf8')));
      await rename(next, settingsPath);
    },
    env,
    restart: async (meanwhile) => {
      await steward.stop();
      await meanwhile?.();
      steward = await launch();
    },
    close: async () => {
      await steward.stop();
      await workspace.close();
      const unlisted = unlistedIn(plane);
      await plane.close();
      await rm(folder, { recursive: true, force: true });
      expect(unlisted, 'requests that docs/control-api.md does not list').toEqual([]);
    },
  };
}

/** Whatever a test does: with neutral names the bot sends nothing beyond the specification. */
function unlistedIn(plane: ControlPlane): readonly string[] {
  if (plane.settings().names !== 'neutral') return [];
  return plane
    .requests()
    .filter(({ method, path }) => matchRoute(method, path, 'neutral') === undefined)
    .map(({ method, path }) => `${method} ${path}`);
}

/** What acts by itself at times of day: tests must not depend on when they run. */
function withoutSummaries(): string {
  return withoutSchedules(playgroundSettings().replace(/^ {4}digest: .*\n/mu, ''));
}

export function withoutSchedules(yaml: string): string {
  return yaml.replace(/^.*schedule:dev-nights.*\n/mu, '').replace(/^schedules:\n.*\n/mu, '');
}
