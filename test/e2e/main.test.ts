import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playgroundSettings } from '../../src/sandbox/playground-settings.ts';
import { STEWARD } from '../support/built-program.ts';
import { freePort } from '../support/free-port.ts';
import { peopleOf } from '../support/person.ts';
import { startScriptedServer } from '../support/scripted-server.ts';
import { type StandIns, startStandIns } from '../support/stand-ins.ts';

type Bot = { readonly child: ChildProcess; readonly output: () => string; ready(): Promise<void> };

let standIns: StandIns;
const bots: ChildProcess[] = [];

beforeEach(async () => {
  standIns = await startStandIns();
});

afterEach(async () => {
  for (const bot of bots.splice(0)) bot.kill('SIGKILL');
  await standIns.close();
});

const environment = (): Record<string, string> => standIns.env();

/** The bot as operators start it, without the build step. */
function launch(env: Record<string, string>): Bot {
  const child = spawn(process.execPath, [STEWARD, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  bots.push(child);
  let text = '';
  child.stderr.on('data', (data) => {
    text += String(data);
  });
  const lines = createInterface({ input: child.stdout });
  const isReady = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      text += `${line}\n`;
      if (JSON.parse(line).event === 'ready') resolve();
    });
    child.once('exit', (code) => reject(new Error(`exit ${code}\n${text}`)));
  });
  isReady.catch(() => undefined);
  return { child, output: () => text, ready: () => isReady };
}

/** Beside them the cost summaries read in their own time. */
const commands = () => standIns.plane.requests().filter(({ method }) => method === 'PATCH');

describe('steward start', () => {
  it('logs JSON lines, says ready, answers, and drains and exits 0 on SIGTERM', async () => {
    const warning = "process.on('SIGUSR2', () => process.emitWarning('a fake one'))";
    const options = `--import "data:text/javascript,${encodeURIComponent(warning)}"`;
    const bot = launch({ ...environment(), NODE_OPTIONS: options });
    await bot.ready();
    bot.child.kill('SIGUSR2');
    standIns.plane.faults.add({ kind: 'slow', delayMs: 1_500, match: { method: 'PATCH' } });
    const ana = peopleOf(standIns.workspace)('ana').in('#ops');
    await ana.command('/db start reporting');
    await expect.poll(() => commands().length).toBeGreaterThan(0);
    bot.child.kill('SIGTERM');
    const [code] = await once(bot.child, 'exit');
    expect(code).toBe(0);
    await ana.expectMessage(/@ana asked reporting to start/);
    for (const line of bot.output().trim().split('\n'))
      expect(() => JSON.parse(line)).not.toThrow();
    expect(bot.output()).toMatch(/"level":"warn".*"from":"node".*a fake one/);
  }, 30_000);

  it('says at a second signal what it waits for, and ends at a third', async () => {
    const bot = launch(environment());
    await bot.ready();
    standIns.plane.faults.add({ kind: 'slow', delayMs: 15_000, match: { method: 'PATCH' } });
    await peopleOf(standIns.workspace)('ana').in('#ops').command('/db start reporting');
    await expect.poll(() => commands().length).toBe(1);
    bot.child.kill('SIGINT');
    await expect
      .poll(() => standIns.workspace.state(standIns.workspace.userId('ana')).botConnected)
      .toBe(false);
    bot.child.kill('SIGINT');
    await expect.poll(bot.output).toMatch(/Steward is stopping: [1-9] commands and messages/u);
    bot.child.kill('SIGINT');
    const [code] = await once(bot.child, 'exit');
    expect(code).toBe(1);
  }, 30_000);

  it('ends with a code of its own when Slack takes the token no more, and tells later', async () => {
    const healthPort = await freePort();
    const env = { ...environment(), HEALTH_PORT: String(healthPort) };
    const health = () => fetch(`http://127.0.0.1:${healthPort}/healthz`);
    const bot = launch(env);
    await bot.ready();
    expect((await health()).status).toBe(200);
    standIns.plane.faults.add({ kind: 'slow', delayMs: 1_000, match: { method: 'PATCH' } });
    const ana = peopleOf(standIns.workspace)('ana').in('#ops');
    await ana.command('/db start reporting');
    await expect.poll(() => commands().length).toBe(1);
    standIns.workspace.faults.failNext('*', 'token_revoked', 1_000);
    const [code] = await once(bot.child, 'exit');
    expect(code).toBe(3);
    expect(bot.output()).toContain('"event":"revoked"');
    standIns.workspace.faults.reset(true);
    const next = launch(env);
    await next.ready();
    await ana.expectMessage(/@ana asked reporting to start/);
    expect(commands()).toHaveLength(1);
  }, 40_000);

  it('reports a change that a crash interrupted as outcome unknown, and does not repeat it', async () => {
    const bot = launch(environment());
    await bot.ready();
    standIns.plane.faults.add({ kind: 'slow', delayMs: 20_000, match: { method: 'PATCH' } });
    const ana = peopleOf(standIns.workspace)('ana').in('#ops');
    await ana.command('/db start reporting');
    await expect.poll(() => commands().length).toBe(1);
    bot.child.kill('SIGKILL');
    await once(bot.child, 'exit');
    const next = launch(environment());
    await next.ready();
    await ana.expectMessage(
      /Outcome unknown: service\.start on reporting, asked by @ana, was interrupted[\s\S]*not sent again/,
    );
    expect(commands()).toHaveLength(1);
  }, 40_000);

  it('hears SIGTERM while Slack does not answer its first question', async () => {
    const slack = await startScriptedServer();
    slack.script('silence');
    const bot = launch({ ...environment(), SLACK_API_URL: `${slack.url}/api/` });
    await expect.poll(() => slack.requests.length, { timeout: 10_000 }).toBe(1);
    bot.child.kill('SIGTERM');
    const [code] = await once(bot.child, 'exit');
    await slack.close();
    // Not ended by the signal: process 1 of a container would live on.
    expect(code).toBe(0);
  }, 30_000);

  it('lists every problem of its configuration at once, exits 2, and starts nothing', async () => {
    const env = { ...environment(), SLACK_BOT_TOKEN: '', CONTROL_API_URL: 'nonsense', PORT: 'x' };
    await writeFile(
      join(standIns.folder, 'steward.yaml'),
      `${playgroundSettings()}\nextra: true\n`.replace('C0FINANCE', 'finance'),
    );
    const bot = launch(env);
    const [code] = await once(bot.child, 'exit');
    expect(code).toBe(2);
    for (const path of ['SLACK_BOT_TOKEN', 'CONTROL_API_URL', 'channels.finance.id', 'extra']) {
      expect(bot.output()).toContain(path);
    }
    expect(standIns.workspace.traffic()).toEqual([]);
    expect(standIns.plane.requests()).toEqual([]);
  }, 30_000);

  it('says what to do where no SQLite can be loaded, in one sentence', async () => {
    // As after an install whose build failed, on a Node that brings none of its own.
    const hook = `import module from 'node:module';
      process.getBuiltinModule = undefined;
      module.register('data:text/javascript,' + encodeURIComponent(\`export function resolve(name, context, next) {
        if (name === 'better-sqlite3') throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' });
        return next(name, context);
      }\`));`;
    const bot = launch({
      ...environment(),
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
    });
    const [code] = await once(bot.child, 'exit');
    expect(code).toBe(1);
    expect(bot.output()).toMatch(
      /^Steward stopped: This Node .* brings no SQLite, .* Use Node 22\.13 or newer, .* Postgres .*\.$/mu,
    );
    expect(bot.output()).not.toMatch(/^ {4}at /mu);
  }, 30_000);
});
