import { App, HTTPReceiver, type Logger, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { afterEach } from 'vitest';
import { systemClock } from '../../../../src/app/clock.ts';
import type { WorkspaceOptions } from '../../../../src/sandbox/workspace/state/options.ts';
import { startWorkspace, type Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { type Person, peopleOf } from '../../../support/person.ts';
import { manifest } from './manifest.fixture.ts';

export type Bench = {
  readonly workspace: Workspace;
  readonly app: App;
  readonly as: (person: string) => Person;
  readonly stop: () => Promise<void>;
};

/** What Bolt would print about the mistakes that the tests make on purpose. */
export const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};

const running: Bench[] = [];

/** Ends what a test has started, whether it passed or not. */
export function stopAfterEach(): void {
  afterEach(async () => {
    for (const bench of running.splice(0)) await bench.stop();
  });
}

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
  const receiver =
    mode === 'http' ? createHttpReceiver(workspace) : createSocketReceiver(workspace);
  const app = new App({
    token: workspace.botToken,
    receiver,
    logger: silent,
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
  const bench = { workspace, app, as: peopleOf(workspace), stop };
  running.push(bench);
  return bench;
}

export function createSocketReceiver(workspace: Workspace): SocketModeReceiver {
  return new SocketModeReceiver({
    appToken: workspace.appToken,
    logger: silent,
    installerOptions: { clientOptions: { slackApiUrl: workspace.apiUrl } },
  });
}

function createHttpReceiver(workspace: Workspace): HTTPReceiver {
  return new HTTPReceiver({
    signingSecret: workspace.signingSecret,
    logger: silent,
    unhandledRequestTimeoutMillis: 400,
  });
}
