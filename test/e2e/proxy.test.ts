import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/clock.ts';
import { runDoctor } from '../../src/cli/doctor.ts';
import { operations } from '../../src/operations/index.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import type { ControlPlane } from '../../src/sandbox/control-plane/plane.ts';
import { playgroundSettings } from '../../src/sandbox/playground-settings.ts';
import { startWorkspace, type Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { createManifest } from '../../src/slack/manifest.ts';
import { type ConnectProxy, FAKE_CA, startConnectProxy } from '../support/connect-proxy.ts';
import { freePort } from '../support/free-port.ts';
import { peopleOf } from '../support/person.ts';
import { silentLogger } from '../support/silent-logger.ts';

const CREDENTIALS = 'steward:fake-proxy-password';

let folder: string;
let plane: ControlPlane;
let workspace: Workspace;
let proxy: ConnectProxy;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'steward-proxy-'));
  await writeFile(join(folder, 'steward.yaml'), playgroundSettings());
  plane = await startControlPlane({ clock: systemClock });
  const manifest = createManifest({ command: '/db', operations, mode: 'socket' });
  // What the bot is told (socket, uploads, response URLs) is there for the proxy alone.
  const publicUrl = 'https://slack.test';
  workspace = await startWorkspace({ clock: systemClock, manifest, mode: 'socket', publicUrl });
});

beforeEach(async () => {
  proxy = await startConnectProxy(
    { 'slack.test': workspace.url, 'cloud.test': plane.url },
    CREDENTIALS,
  );
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  proxy.close();
});

afterAll(async () => {
  await workspace.close();
  await plane.close();
  await rm(folder, { recursive: true, force: true });
});

function environment(more: Record<string, string>): Record<string, string> {
  const address = `http://${CREDENTIALS}@${proxy.host}`;
  return {
    PATH: process.env['PATH'] ?? '',
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_APP_TOKEN: workspace.appToken,
    SLACK_API_URL: 'https://slack.test/api/',
    CONTROL_API_URL: 'https://cloud.test',
    ACME_KEY_SECRET: 'fake-key-secret-steward',
    KAFKA_PASSWORD: 'fake-kafka-password',
    LAKE_SECRET_KEY: 'fake-lake-secret-key',
    DISK_KEY: 'fake-disk-encryption-key',
    STEWARD_CONFIG: join(folder, 'steward.yaml'),
    DATABASE_URL: `sqlite:${join(folder, 'steward.db')}`,
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    NODE_EXTRA_CA_CERTS: FAKE_CA,
    ...more,
  };
}

/** As a process of its own: only there further CAs can be trusted. */
function run(command: string, more: Record<string, string> = {}) {
  const env = environment(more);
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', command], { env });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      text += String(data);
    });
  }
  return { child, output: () => text };
}

/** What it printed until it ended, and its exit code. */
async function ended({ child, output }: ReturnType<typeof run>): Promise<[string, number | null]> {
  await once(child, 'close');
  return [output(), child.exitCode];
}

describe('behind a proxy', () => {
  it('goes through it for the Web API, the socket, the control API, uploads and response URLs', async () => {
    const bot = run('start');
    await expect.poll(bot.output, { timeout: 30_000 }).toContain('"event":"ready"');
    const ana = peopleOf(workspace)('ana').in('#ops');
    await ana.command('/db start reporting');
    await ana.expectMessage(/@ana started reporting/);
    await ana.command('/db cost 7d --csv');
    const requests = () => proxy.requests().join('\n');
    await expect.poll(requests, { timeout: 15_000 }).toMatch(/POST \/upload\//u);
    expect(new Set(proxy.tunnels())).toEqual(new Set(['slack.test:443', 'cloud.test:443']));
    expect(requests()).toMatch(/GET \/link\/\?ticket=/u);
    expect(requests()).toMatch(/POST \/response\//u);
    expect(requests()).toMatch(/POST \/api\/auth\.test/u);
    expect(requests()).toMatch(/PATCH \/v1\/.*\/state/u);
    expect(requests()).toMatch(/GET \/v1\/.*usageCost/u);
    expect(bot.output()).not.toContain('fake-proxy-password');
    bot.child.kill('SIGTERM');
    expect(await once(bot.child, 'exit')).toEqual([0, null]);
  }, 60_000);

  it('says in one sentence, at once, that the proxy refuses the credentials', async () => {
    const address = `http://steward:fake-wrong-password@${proxy.host}`;
    const [output, code] = await ended(run('start', { HTTP_PROXY: address, HTTPS_PROXY: address }));
    expect(code).toBe(1);
    expect(output).toContain('Steward stopped: Slack could not be reached: the proxy wants');
    expect(output).not.toContain('fake-wrong-password');
    expect(proxy.refusals()).toBe(1);
  }, 60_000);

  it('leaves the proxy out for what NO_PROXY names, and doctor says both', async () => {
    const [output] = await ended(
      run('doctor', { NO_PROXY: '127.0.0.1,::1', SLACK_API_URL: workspace.apiUrl }),
    );
    const ways = `https and wss by the proxy ${proxy.host}, http and ws by the proxy ${proxy.host}`;
    expect(output).toContain(`network: ${ways}, except 127.0.0.1,[::1]; trusts also`);
    expect(output).toContain('Slack: signed in to');
    expect(output).toMatch(/control API, organization \w+: answers/u);
    expect(output).not.toContain('fake-proxy-password');
    expect(new Set(proxy.tunnels())).toEqual(new Set(['cloud.test:443']));
  }, 60_000);

  it.each([
    [
      'a proxy that is not there',
      async () => ({ HTTPS_PROXY: `http://127.0.0.1:${await freePort()}` }),
      /Slack: does not answer: the proxy could not be reached \(ECONNREFUSED\): check HTTPS_PROXY/,
    ],
    [
      'a host that the proxy does not reach',
      async () => ({ SLACK_API_URL: 'https://gone.test/api/' }),
      /Slack: does not answer: the proxy answers, but does not reach the host \(502\)/,
    ],
    [
      'a host that the proxy does not allow',
      async () => ({ CONTROL_API_URL: 'https://forbidden.test' }),
      /control API.*: the API could not be reached: the proxy does not allow this host \(403\)/,
    ],
    [
      'a private CA that is not trusted',
      async () => ({}),
      /control API.*: the certificate is signed by a CA .* name that file in NODE_EXTRA_CA_CERTS/,
    ],
  ])('tells apart %s', async (_, more, said) => {
    const lines: string[] = [];
    const output = { print: (line: string): void => void lines.push(line) };
    const env = environment(await more());
    expect(await runDoctor({ env, clock: systemClock, logger: silentLogger, output })).toBe(1);
    expect(lines.join('\n')).toMatch(said);
  });
});
