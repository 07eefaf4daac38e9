import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/app/clock.ts';
import { operations } from '../../src/operations/index.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import type { ControlPlane } from '../../src/sandbox/control-plane/plane.ts';
import { playgroundSettings } from '../../src/sandbox/playground-settings.ts';
import { startWorkspace, type Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { createManifest } from '../../src/slack/manifest.ts';
import { withoutSchedules } from './steward-world.ts';

export type StandIns = {
  readonly plane: ControlPlane;
  readonly workspace: Workspace;
  /** Holds `steward.yaml`; thrown away at the end. */
  readonly folder: string;
  /** All that a bot as a process of its own needs to reach them, its database in `folder`. */
  env(): Record<string, string>;
  close(): Promise<void>;
};

/**
 * Slack and the control API on this computer, for the bot as a real process over Socket Mode.
 * `publicUrl`: where Slack tells the bot to find sockets, uploads and response URLs.
 */
export async function startStandIns(publicUrl?: string): Promise<StandIns> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-stand-ins-'));
  await writeFile(join(folder, 'steward.yaml'), withoutSchedules(playgroundSettings()));
  const plane = await startControlPlane({ clock: systemClock });
  const workspace = await startWorkspace({
    clock: systemClock,
    manifest: createManifest({ command: '/db', operations, mode: 'socket' }),
    mode: 'socket',
    ...(publicUrl === undefined ? {} : { publicUrl }),
  });
  return {
    plane,
    workspace,
    folder,
    env: () => ({
      PATH: process.env['PATH'] ?? '',
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_APP_TOKEN: workspace.appToken,
      SLACK_API_URL: workspace.apiUrl,
      CONTROL_API_URL: plane.url,
      ACME_KEY_SECRET: 'fake-key-secret-steward',
      KAFKA_PASSWORD: 'fake-kafka-password',
      LAKE_SECRET_KEY: 'fake-lake-secret-key',
      DISK_KEY: 'fake-disk-encryption-key',
      STEWARD_CONFIG: join(folder, 'steward.yaml'),
      DATABASE_URL: `sqlite:${join(folder, 'steward.db')}`,
    }),
    close: async () => {
      await workspace.close();
      await plane.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
