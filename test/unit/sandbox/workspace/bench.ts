import { App, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { DateTime } from 'luxon';
import { systemClock } from '../../../../src/clock.ts';
import type { WorkspaceOptions } from '../../../../src/sandbox/workspace/options.ts';
import { startWorkspace, type Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { type Person, peopleOf } from '../../../support/person.ts';
import { manifest } from './manifest.fixture.ts';

/** A clock that stands still until it is moved; sleepers wake when their time has come. */
export function settableClock(start = '2026-11-27T10:00:00Z') {
  let now = DateTime.fromISO(start, { zone: 'utc' });
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const sleeper = { at: now.toMillis() + milliseconds, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal.reason);
        });
      }),
    advance: (milliseconds: number) => {
      now = now.plus(milliseconds);
      const due = sleepers.filter((sleeper) => sleeper.at <= now.toMillis());
      sleepers = sleepers.filter((sleeper) => !due.includes(sleeper));
      for (const sleeper of due) sleeper.wake();
    },
  };
}

export type Bench = {
  readonly workspace: Workspace;
  readonly app: App;
  readonly as: (person: string) => Person;
  readonly stop: () => Promise<void>;
};

export type Mode = 'socket' | 'http';

/** The workspace and a real Bolt app, listening in the given mode. */
export async function startBench(
  mode: Mode,
  listeners: (app: App) => void,
  options: Partial<WorkspaceOptions> = {},
): Promise<Bench> {
  const workspace = await startWorkspace({
    clock: systemClock,
    manifest,
    mode: mode === 'socket' ? 'socket' : { http: '' },
    ...options,
  });
  const receiver = createReceiver(mode, workspace);
  const app = new App({
    token: workspace.botToken,
    receiver,
    logLevel: LogLevel.ERROR,
    deferInitialization: true,
    clientOptions: { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 } },
  });
  listeners(app);
  app.error(() => Promise.resolve());
  await app.init();
  const server = await app.start(0);
  if (mode === 'http') {
    const address = 'address' in server ? server.address() : null;
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    workspace.setBotUrl(`http://127.0.0.1:${port}`);
  }
  const stop = async (): Promise<void> => {
    await app.stop();
    await workspace.close();
  };
  return { workspace, app, as: peopleOf(workspace), stop };
}

export function createReceiver(
  mode: Mode,
  workspace: Workspace,
): SocketModeReceiver | HTTPReceiver {
  if (mode === 'http') {
    return new HTTPReceiver({
      signingSecret: workspace.signingSecret,
      logLevel: LogLevel.ERROR,
      unhandledRequestTimeoutMillis: 400,
    });
  }
  return new SocketModeReceiver({
    appToken: workspace.appToken,
    logLevel: LogLevel.ERROR,
    installerOptions: { clientOptions: { slackApiUrl: workspace.apiUrl } },
  });
}
