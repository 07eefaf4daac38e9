import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownActions, startSteward } from '../../src/app/app.ts';
import { systemClock } from '../../src/app/clock.ts';
import type { InitFlags } from '../../src/cli/init/answering.ts';
import { RECIPES } from '../../src/cli/init/choices.ts';
import { runInit } from '../../src/cli/init/init.ts';
import { checkPolicy } from '../../src/cli/policy-check.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { KEYS } from '../../src/sandbox/control-plane/seed.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const ORGANIZATION = '5f1c2a7e-8d34-4b1f-9c60-2e7d41a0b835';

/** A folder as a new user has it, and a run of `init` in it without a terminal. */
function begin(files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'steward-init-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const env = {
    SLACK_BOT_TOKEN: world.workspace.botToken,
    SLACK_APP_TOKEN: world.workspace.appToken,
    SLACK_API_URL: world.workspace.apiUrl,
    CONTROL_API_URL: world.plane.url,
    CONTROL_API_KEY_ID: KEYS.admin.id,
    CONTROL_API_KEY_SECRET: 'fake-key-secret-steward',
    ORGANIZATION_ID: ORGANIZATION,
  };
  const lines: string[] = [];
  const run = (flags: InitFlags, more: Readonly<Record<string, string>> = {}) =>
    runInit(flags, {
      env: { ...env, ...more },
      clock: systemClock,
      logger: silentLogger,
      output: { print: (line) => void lines.push(line) },
      folder,
      recipes: resolve('recipes'),
      isTerminal: false,
    });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { folder, env, lines, run, read, printed: () => lines.join('\n') };
}

const TEAM: InitFlags = {
  recipe: 'small-team',
  channel: ['#ops'],
  people: ['@ana', 'ben'],
  yes: true,
};

describe('steward init, without a terminal', () => {
  it('says what it would ask and how each is given, and writes nothing', async () => {
    const { run, printed, folder } = begin();
    expect(await run({}, { SLACK_BOT_TOKEN: '', ORGANIZATION_ID: 'acme' })).toBe(2);
    expect(printed()).toMatch(/SLACK_BOT_TOKEN .*ORGANIZATION_ID .*--recipe .*--channel /su);
    expect(() => statSync(join(folder, '.env'))).toThrow('ENOENT');
  });

  it.each(RECIPES.map(({ file }) => file))(
    'writes files by the recipe %s with which the rules are valid',
    async (recipe) => {
      const { run, read, printed, folder, env } = begin();
      const isSeveral = recipe === 'several-organizations';
      if (isSeveral) Object.assign(env, { ORGANIZATION_ID: '' });
      const flags = {
        ...TEAM,
        recipe,
        approvers: ['@ben'],
        service: ['scratch=77aa10f3-6b2e-4c8d-a5f9-d1e84b3c7062:acme,dev'],
        ...(isSeveral ? { organization: [`acme=${ORGANIZATION}`] } : {}),
      };
      Object.assign(env, {
        ACME_KEY_ID: KEYS.admin.id,
        ACME_KEY_SECRET: 'fake-key-secret-steward',
      });
      expect(await run(flags), printed()).toBe(0);
      const rules = read('steward.yaml');
      expect(rules).toContain('C0OPS');
      expect(rules).toContain('workspaces: [ T0ACME ]');
      expect(rules).not.toMatch(/U03FAY|C0FINANCE|0b7e4c19/u);
      expect(rules).toMatch(/^# yaml-language-server: \$schema=docs\/steward.schema.json\n# /u);
      const variables = { ...env, STEWARD_CONFIG: join(folder, 'steward.yaml') };
      const output = { print: () => undefined };
      expect(checkPolicy(undefined, variables, output)).toBe(0);
      expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
      expect(printed()).not.toContain(world.workspace.botToken);
    },
  );

  it('the bot starts with what it wrote', async () => {
    const { run, folder, env } = begin();
    expect(await run(TEAM)).toBe(0);
    const variables = {
      ...env,
      STEWARD_CONFIG: join(folder, 'steward.yaml'),
      DATABASE_URL: `sqlite:${join(folder, 'steward.db')}`,
    };
    const configuration = loadConfiguration({ env: variables, knownActions });
    const steward = await startSteward({ configuration, clock: systemClock, logger: silentLogger });
    await steward.stop();
  });

  it('again: adds what is new and keeps every comment and rule', async () => {
    const { run, read, printed } = begin();
    await run(TEAM);
    const mine = `${read('steward.yaml')}# mine: ask Zoe before you change this\n`;
    const again = begin({ 'steward.yaml': mine, '.env': '# mine\nLOG_LEVEL=debug\n' });
    expect(await again.run({ ...TEAM, channel: ['ops', 'finance'], people: ['ana', 'fay'] })).toBe(
      0,
    );
    const now = again.read('steward.yaml');
    for (const line of mine.split('\n').filter((one) => /#/u.test(one)))
      expect(now).toContain(line);
    expect(now).toMatch(/users: \[ U01ANA, U02BEN, U03FAY \]/u);
    expect(now).toContain('id: C0FIN');
    expect(again.printed()).toMatch(
      /will be added to:\n.*channel finance\n.*U03FAY in group team/su,
    );
    expect(again.read('.env')).toMatch(/^# mine\nLOG_LEVEL=debug\nSLACK_BOT_TOKEN=/u);
    const before = again.read('steward.yaml');
    expect(await again.run({ ...TEAM, channel: ['ops', 'finance'], people: ['ana', 'fay'] })).toBe(
      0,
    );
    expect(again.read('steward.yaml')).toBe(before);
    expect(printed()).toContain('Next:');
  });

  it.each<[string, InitFlags, Record<string, string>, RegExp]>([
    [
      'a channel that is not there',
      { ...TEAM, channel: ['opps'] },
      {},
      /There is no channel opps in the workspace; did you mean ops\?/u,
    ],
    [
      'a person that is not there',
      { ...TEAM, people: ['anna'] },
      {},
      /There is no person anna .*did you mean ana/u,
    ],
    [
      'a recipe that is not there',
      { ...TEAM, recipe: 'small-teem' },
      {},
      /--recipe|There is no recipe/u,
    ],
    [
      'a service without a UUID',
      { ...TEAM, service: ['scratch'] },
      {},
      /--service takes NAME=UUID/u,
    ],
    ['the other token', TEAM, { SLACK_BOT_TOKEN: 'xapp-1-fake-fake-fake' }, /SLACK_BOT_TOKEN/u],
    [
      'a token that Slack refuses',
      TEAM,
      { SLACK_BOT_TOKEN: 'xoxb-fake-other-token' },
      /Slack refuses the bot token \(invalid_auth\)/u,
    ],
    ['no answer', TEAM, { SLACK_API_URL: 'http://127.0.0.1:9/' }, /Slack does not answer/u],
  ])(
    '%s is one sentence, exit 2, and steward.yaml is not touched',
    async (_what, flags, env, words) => {
      const { run, printed, folder } = begin();
      expect(await run(flags, env)).toBe(2);
      expect(printed()).toMatch(words);
      expect(() => statSync(join(folder, 'steward.yaml'))).toThrow('ENOENT');
    },
  );

  it('a missing scope is named', async () => {
    world.workspace.admin.takeScope('channels:read');
    world.workspace.admin.takeScope('groups:read');
    const { run, printed } = begin();
    expect(await run(TEAM)).toBe(2);
    world.workspace.admin.giveScope('channels:read');
    world.workspace.admin.giveScope('groups:read');
    expect(printed()).toMatch(/Slack wants the scope .*: update the app from `steward manifest`/u);
  });

  it('rules that would be invalid are not written', async () => {
    const broken = begin({ 'steward.yaml': 'nonsense: true\nchannels: {}\n' });
    expect(await broken.run(TEAM)).toBe(1);
    expect(broken.read('steward.yaml')).toBe('nonsense: true\nchannels: {}\n');
    expect(broken.printed()).toMatch(
      /was not written; with these additions it would have problems/u,
    );
  });
});

/** A terminal of its own, in which each answer is typed once its question stands there. */
const TERMINAL = `
import pty, os, sys, json, fcntl, termios, struct
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 120, 0, 0))
    os.chdir(sys.argv[1]); os.execv(sys.argv[3], sys.argv[3:])
answers, out, read = json.loads(sys.argv[2]), b"", 0
while True:
    try: chunk = os.read(fd, 65536)
    except OSError: break
    if not chunk: break
    out += chunk; sys.stdout.buffer.write(chunk); sys.stdout.flush()
    for pair in [one for one in answers if one[0].encode() in out[read:]]:
        answers.remove(pair)
        read = len(out)
        os.write(fd, pair[1].encode())
`;

import { STEWARD } from '../support/built-program.ts';

it('in a terminal it asks, and what was given is not asked again', async () => {
  const { folder, env } = begin();
  const answers = [
    ['In which channels shall it work?', '\t\r'],
    ['Which services?', '\t\r'],
    ['Which of them are production?', '\r'],
    ['Write it?', '\r'],
  ];
  const command = [process.execPath, STEWARD, 'init'];
  const { stdout } = await promisify(execFile)(
    'python3',
    ['-c', TERMINAL, folder, JSON.stringify(answers), ...command, '--recipe', 'read-only'],
    { env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', ...env }, timeout: 60_000 },
  );
  expect(stdout).toContain('Next:');
  expect(stdout).not.toContain('Which rules to begin with?');
  expect(stdout).not.toContain('Bot token');
  expect(readFileSync(join(folder, 'steward.yaml'), 'utf8')).toMatch(/id: C0/u);
}, 90_000);
