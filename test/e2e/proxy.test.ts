import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/clock.ts';
import { runDoctor } from '../../src/cli/doctor.ts';
import { createTransport } from '../../src/control-api/transport.ts';
import { createNetwork } from '../../src/network/network.ts';
import { failureOf } from '../../src/slack/web/slack-failure.ts';
import { createSlackWeb } from '../../src/slack/web/web.ts';
import { STEWARD } from '../support/built-program.ts';
import { type ConnectProxy, FAKE_CA, startConnectProxy } from '../support/connect-proxy.ts';
import { freePort } from '../support/free-port.ts';
import { peopleOf } from '../support/person.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type StandIns, startStandIns } from '../support/stand-ins.ts';

const CREDENTIALS = 'steward:fake-proxy-password';

let world: StandIns;
let proxy: ConnectProxy;
const children: ChildProcess[] = [];

beforeAll(async () => {
  // What the bot is told is there for the proxy alone.
  world = await startStandIns('https://slack.test');
});

beforeEach(async () => {
  const { workspace, plane } = world;
  const names = { 'slack.test': workspace.url, 'cloud.test': plane.url };
  proxy = await startConnectProxy(names, CREDENTIALS);
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  proxy.close();
});

afterAll(() => world.close());

function environment(more: Record<string, string>): Record<string, string> {
  const address = `http://${CREDENTIALS}@${proxy.host}`;
  return {
    ...world.env(),
    SLACK_API_URL: 'https://slack.test/api/',
    CONTROL_API_URL: 'https://cloud.test',
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    NODE_EXTRA_CA_CERTS: FAKE_CA,
    ...more,
  };
}

/** As a process of its own: only there further CAs can be trusted. */
function run(command: string, more: Record<string, string> = {}) {
  const env = environment(more);
  const child = spawn(process.execPath, [STEWARD, command], { env });
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
    const ana = peopleOf(world.workspace)('ana').in('#ops');
    await ana.command('/db start reporting');
    await ana.expectMessage(/@ana asked reporting to start/);
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
      run('doctor', { NO_PROXY: '127.0.0.1,::1', SLACK_API_URL: world.workspace.apiUrl }),
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

  it.each([
    ['refused', 'forbidden.test', true],
    ['not reached', 'gone.test', true],
    ['without a trusted certificate', 'slack.test', true],
    ['behind a proxy that is not there', 'slack.test', false],
  ])('is certain that nothing was sent to a host that is %s', async (_, host, isThere) => {
    const there = isThere ? `${CREDENTIALS}@${proxy.host}` : `127.0.0.1:${await freePort()}`;
    const network = createNetwork({ https: `http://${there}`, none: '' });
    const transport = createTransport(10_000, network.agent);
    const web = createSlackWeb({
      ...{ token: 'xoxb-fake-bot', apiUrl: `https://${host}/api/`, fetch: network.slack?.fetch },
      ...{ clock: systemClock, logger: silentLogger },
    });
    const message = { text: 'once', blocks: [] };
    const posted = await web.post('C0OPS', message).catch((error: unknown) => error);
    const answered = await web
      .respond(`https://${host}/response/1`, { message, to: 'channel', replace: false })
      .catch((error: unknown) => error);
    expect([posted, answered].map((fault) => failureOf(fault).kind)).toEqual(['unsent', 'unsent']);
    const request = { method: 'POST' as const, url: `https://${host}/v1/x`, authorization: 'fake' };
    const { kind } = await transport.send(request, AbortSignal.timeout(10_000));
    expect(kind).toBe('unsent');
    await transport.close();
    await network.close();
  });
});
