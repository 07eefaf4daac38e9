import { execFile, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/clock.ts';
import { exportAudit, verifyAudit } from '../../src/cli/audit.ts';
import { runDoctor } from '../../src/cli/doctor.ts';
import { checkPolicy } from '../../src/cli/policy-check.ts';
import { explainPolicy } from '../../src/cli/policy-explain.ts';
import { AppError } from '../../src/core/cloud/errors.ts';
import { openHandle } from '../../src/storage/database/sqlite-library.ts';
import { STEWARD } from '../support/built-program.ts';
import { silentLogger as logger } from '../support/silent-logger.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
let lines: string[] = [];
const output = { print: (line: string): void => void lines.push(line) };
const printed = (): string => lines.join('\n');
const file = (): string => (world.env['DATABASE_URL'] ?? '').replace('sqlite:', '');

beforeAll(async () => {
  world = await startWorld();
  const ana = world.as('ana').in('#ops');
  await ana.command('/db start reporting');
  await ana.expectMessage(/asked reporting to start/);
});
afterAll(() => world.close());
beforeEach(() => {
  lines = [];
});

function steward(args: readonly string[], env: Readonly<Record<string, string>> = world.env) {
  return spawnSync(process.execPath, [STEWARD, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    encoding: 'utf8',
  });
}

describe('a line that cannot be run', () => {
  const port = () => new URL(world.workspace.url).port;

  it.each([
    [
      'an unknown command',
      () => ['strat'],
      /^error: unknown command 'strat'\n\(Did you mean start\?\)$/mu,
    ],
    ['a wrong flag', () => ['start', '--prot'], /^error: unknown option '--prot'$/mu],
    [
      'a wrong value',
      () => ['playground', '--port', 'x'],
      /^--port takes 0 to 65535, not "x"\.$/mu,
    ],
    [
      'a port in use',
      () => ['playground', '--port', port(), '--no-open'],
      /^Steward stopped: port \d+ is in use by another program\. Choose another one .*\.$/mu,
    ],
  ])(
    '%s: one sentence and exit code 1',
    (_what, args, words) => {
      const ran = steward(args());
      expect(ran.status).toBe(1);
      expect(ran.stdout).toBe('');
      expect(ran.stderr).toMatch(words);
      expect(ran.stderr.trim().split('\n').length).toBeLessThan(4);
    },
    60_000,
  );
});

describe('audit', () => {
  const tools = () => ({ env: world.env, logger, output });

  it('verifies from the command line beside the running bot, with the database alone', () => {
    const { DATABASE_URL = '' } = world.env;
    const ran = steward(['audit', 'verify'], { DATABASE_URL });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toMatch(/^The journal holds: \d+ rows, head [0-9a-f]{64}\./);
    expect(ran.status).toBe(0);
  });

  it('exports a row a line, as JSON and as CSV, from a day on', async () => {
    expect(await exportAudit({ format: 'jsonl' }, tools())).toBe(0);
    const rows = lines.map((line) => JSON.parse(line));
    expect(rows[0]).toMatchObject({ seq: 1, kind: 'opened', body: { operation: 'service.start' } });
    const count = rows.length;
    lines = [];
    await exportAudit({ format: 'csv' }, tools());
    expect(lines[0]).toBe('who,what,where,on,outcome,reason,seq,entry,kind,at,body,prevHash,hash');
    expect(lines.join('\n')).toMatch(/^U01ANA,service\.start,C0OPS,[^,]+,done,/mu);
    expect(lines).toHaveLength(count + 1);
    lines = [];
    await exportAudit({ format: 'jsonl', since: '2999-01-01' }, tools());
    expect(lines).toEqual([]);
    await exportAudit({ format: 'jsonl', until: '2000-01-01' }, tools());
    expect(lines).toEqual([]);
    const hourAgo = systemClock.now().minus({ hours: 1 }).setZone('Europe/Berlin');
    await exportAudit({ format: 'jsonl', since: hourAgo.toISO() ?? '' }, tools());
    expect(lines).toHaveLength(count);
    lines = [];
    await expect(exportAudit({ format: 'jsonl', since: 'soon' }, tools())).rejects.toThrow(
      AppError,
    );
  });

  it('exports what a terminal would obey as the same data, in escapes', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const name = '\u202e\u009b31m\u{e0041}prod';
    const db = await openHandle(file());
    db.prepare(
      `insert into services (id, name, organization, source) values (?, ?, 'acme', 'created here')`,
    ).run([id, name]);
    db.close();
    const ana = world.as('ana').in('#ops');
    await ana.command(`/db endpoint ${id}`);
    await ana.expectEphemeral(/Looked for 11111111/);
    await exportAudit({ format: 'jsonl' }, tools());
    const names = lines.map((line) => JSON.parse(line)).flatMap(({ body }) => body.targets ?? []);
    expect(names).toContainEqual(expect.objectContaining({ id, name }));
    await exportAudit({ format: 'csv' }, tools());
    for (const one of '\u202e\u009b\u{e0041}') expect(printed()).not.toContain(one);
    expect(printed()).toContain('\\u202e\\u009b31m\\udb40\\udc41prod');
  });

  it('takes a mistyped path for what it is, and not for an empty journal', async () => {
    const env = { DATABASE_URL: 'sqlite:/nowhere/steward.db' };
    await expect(verifyAudit({ env, logger, output })).rejects.toThrow(/no database at \/nowhere/);
  });
});

describe('policy check', () => {
  it('prints who may do what where', () => {
    expect(checkPolicy(undefined, world.env, output)).toBe(0);
    expect(printed()).toMatch(
      /ops +allow +service\.stop +operators, leads +tag:prod +leads within 30m +channels\.ops\.allow\[2\]/,
    );
    expect(printed()).toMatch(/Whatever no line allows is refused/);
  });

  it('prints every problem, and needs no Slack token for it', async () => {
    const path = `${world.settingsPath}.broken`;
    const yaml = await readFile(world.settingsPath, 'utf8');
    await writeFile(path, yaml.replace('who: [anyone]', 'who: [nobody]').replace('30m', 'soon'));
    const { SLACK_BOT_TOKEN: _, ...env } = world.env;
    expect(checkPolicy(path, env, output)).toBe(1);
    expect(printed()).toMatch(/\d problems?:/);
    expect(printed()).toMatch(/channels\.ops\.allow\[\d\]/);
  });
});

describe('approvals that nobody could give', () => {
  /** Three faulty rules, and one of which Slack has to say. */
  const faulty = async (): Promise<string> => {
    const path = `${world.settingsPath}.approvals`;
    const yaml = await readFile(world.settingsPath, 'utf8');
    const approval = (by: string) => `approval: { by: [${by}], within: 30m }`;
    const groups = [
      'empty: {}',
      'gone: { users: [U0GONE] }',
      'solo: { users: [U02BEN] }',
      'slack: { usergroups: [S0OPS] }',
    ];
    const rules = [
      `{ actions: [service.create], who: [operators], ${approval('empty')} }`,
      `{ actions: [pipe.create], who: [operators], ${approval('gone')} }`,
      `{ actions: [dashboard.delete], who: [solo], ${approval('solo')} }`,
      `{ actions: [invitation.create], who: [slack], ${approval('slack')} }`,
    ];
    await writeFile(
      path,
      yaml
        .replace(/^groups:\n/mu, `groups:\n${groups.map((line) => `  ${line}\n`).join('')}`)
        .replace(
          /^ {4}allow:\n/mu,
          `    allow:\n${rules.map((line) => `      - ${line}\n`).join('')}`,
        ),
    );
    return path;
  };

  it('are all told by policy check, which needs no network, and exit with 1', async () => {
    expect(checkPolicy(await faulty(), world.env, output)).toBe(1);
    expect(printed()).toMatch(/allow\[0\]: PROBLEM: nobody could approve it: empty has no members/);
    expect(printed()).not.toMatch(/allow\[1\]: PROBLEM/);
    expect(printed()).toMatch(/allow\[2\]: PROBLEM: .* only U02BEN may ask/);
    expect(printed()).toMatch(/allow\[3\]: not known from the file: who is in S0OPS/);
  });

  it('are told by doctor, which asks Slack who is in the groups', async () => {
    const env = { ...world.env, STEWARD_CONFIG: await faulty() };
    expect(await runDoctor({ env, clock: systemClock, logger, output })).toBe(1);
    expect(printed()).toMatch(
      /PROBLEM +channels\.ops\.allow\[0\]: nobody could approve it: empty has/,
    );
    expect(printed()).toMatch(
      /PROBLEM +channels\.ops\.allow\[1\]: .*of gone \(U0GONE\) nobody may press/,
    );
    expect(printed()).toMatch(/PROBLEM +channels\.ops\.allow\[2\]: .*only U02BEN may ask/);
    expect(printed()).toMatch(/PROBLEM +channels\.ops\.allow\[3\]: .*only U01ANA may ask/);
    expect(printed()).toMatch(/4 problems\./);
  });
});

describe('policy explain', () => {
  const ask = (flags: Partial<Parameters<typeof explainPolicy>[0]>): void => {
    explainPolicy({ user: 'U01ANA', channel: 'ops', action: 'stop', ...flags }, world.env, output);
  };

  it('says which rule decides, with the user groups that it is told of', () => {
    ask({ service: 'analytics', usergroup: ['S0OPS'] });
    expect(printed()).toMatch(/U01ANA may use service\.stop on analytics in ops/);
    expect(printed()).toMatch(/With an approval by leads within 30 min/);
    expect(printed()).toMatch(/Decided by: channels\.ops\.allow\[2\]/);
    expect(printed()).toMatch(/channels\.ops\.allow\[0\] +allow +is about other services/);
  });

  it('prints no character that steers the terminal', async () => {
    const run = promisify(execFile);
    const explained = async (user: string, channel: string): Promise<string> => {
      const flags = ['--user', user, '--channel', channel, '--action', 'stop'];
      const args = [STEWARD, 'policy', 'explain', ...flags];
      const env = { PATH: process.env['PATH'] ?? '', ...world.env };
      const ran = await run(process.execPath, args, { env }).catch((failed) => failed);
      return `${ran.stdout}${ran.stderr}`;
    };
    const said = await explained('\u202eU01ANA', 'ops');
    expect(said).toMatch(/^⟨U\+202E⟩U01ANA may not use service\.stop in ops\.$/mu);
    const wrong = await explained('U01ANA', 'o\u001b[31mps');
    expect(wrong).toMatch(/no channel o⟨U\+001B⟩\[31mps/u);
    for (const one of '\u202e\u001b') expect(said + wrong).not.toContain(one);
  });

  it('says why not', () => {
    ask({ service: 'analytics' });
    expect(printed()).toMatch(
      /U01ANA may not use service\.stop on analytics in ops\.\nBecause you are not in/,
    );
    expect(printed()).toMatch(/Decided by: no rule/);
  });

  it.each([
    [{ channel: 'opps' }, /no channel opps\. Did you mean ops/],
    [{ action: 'service.stpo' }, /no action service\.stpo\. Did you mean service\.stop/],
    [{ service: 'analytcs' }, /no service analytcs\. Did you mean analytics/],
  ])('knows no %j', (flags, words) => {
    expect(() => ask(flags)).toThrow(words);
  });
});

describe('doctor', () => {
  const run = (env: Readonly<Record<string, string>> = world.env, clock = systemClock) =>
    runDoctor({ env, clock, logger, output });

  it('finds all well beside the running bot', async () => {
    const code = await run();
    expect(printed()).not.toMatch(/PROBLEM/);
    expect(printed()).toMatch(/ok +Slack: all \d+ scopes are granted/);
    expect(printed()).toMatch(/ok +Slack: Socket Mode takes the app token/);
    expect(printed()).toMatch(/ok +channel ops \(C0OPS\): can be read and posted to/);
    expect(printed()).toMatch(/ok +channel audit \(C0AUDIT\)/);
    expect(printed()).toMatch(/ok +control API, organization acme: answers/);
    expect(printed()).toMatch(/All is well\.$/);
    expect(code).toBe(0);
  });

  it.each([
    [
      'a wrong bot token',
      { SLACK_BOT_TOKEN: 'xoxb-fake-wrong' },
      /PROBLEM +Slack: refuses the bot token \(invalid_auth\): put/,
    ],
    [
      'a wrong app token',
      { SLACK_APP_TOKEN: 'xapp-fake-wrong' },
      /PROBLEM +Slack: Socket Mode refuses/,
    ],
    ['no Slack', { SLACK_API_URL: 'http://127.0.0.1:9/api/' }, /PROBLEM +Slack: does not answer/],
    [
      'a wrong key',
      { ACME_KEY_SECRET: 'fake-wrong-secret' },
      /PROBLEM +control API, organization acme/,
    ],
    ['a missing variable', { ACME_KEY_SECRET: '' }, /PROBLEM +organizations\.acme\.keySecret/],
  ])('finds %s, and says what to do', async (_what, change, words) => {
    expect(await run({ ...world.env, ...change })).toBe(1);
    expect(printed()).toMatch(words);
    expect(printed()).not.toContain('fake-wrong-secret');
  });

  it('finds a file that is no database', async () => {
    const path = `${file()}.text`;
    await writeFile(path, 'This is no database, whatever its name says. '.repeat(100));
    expect(await run({ ...world.env, DATABASE_URL: `sqlite:${path}` })).toBe(1);
    expect(printed()).toMatch(/PROBLEM +database: .*: check DATABASE_URL/);
  });

  it.each([
    ['12/fake-pass', /PROBLEM +DATABASE_URL: .*percent-encoded.*: \/ as %2F/],
    ['fake%2Fpass', /PROBLEM +database: Postgres at 127\.0\.0\.1:1\/steward .*refused/],
  ])('prints no password of a database: %s', async (password, words) => {
    const url = `postgres://steward:${password}@127.0.0.1:1/steward`;
    expect(await run({ ...world.env, DATABASE_URL: url })).toBe(1);
    expect(printed()).toMatch(words);
    const ran = steward(['audit', 'verify'], { DATABASE_URL: url });
    expect(ran.status).not.toBe(0);
    expect(printed() + ran.stdout + ran.stderr).not.toMatch(/fake/);
  });

  it('makes no database before the first start', async () => {
    const none = `${file()}.none`;
    await run({ ...world.env, DATABASE_URL: `sqlite:${none}` });
    expect(printed()).toMatch(/ok +database: none yet; the first start makes/);
    await expect(readFile(none)).rejects.toThrow();
  });

  it('finds channels that the bot cannot use, and a clock that is off', async () => {
    const path = `${world.settingsPath}.elsewhere`;
    const yaml = await readFile(world.settingsPath, 'utf8');
    await writeFile(path, yaml.replace('C0AUDIT', 'C0GONE'));
    const late = { ...systemClock, now: () => systemClock.now().minus({ minutes: 7 }) };
    expect(await run({ ...world.env, STEWARD_CONFIG: path }, late)).toBe(1);
    expect(printed()).toMatch(/PROBLEM +channel audit \(C0GONE\): channel_not_found: check the id/);
    expect(printed()).toMatch(/PROBLEM +clock: 4\d\d s behind Slack/);
  });

  it('finds a journal that somebody changed, as audit verify does', async () => {
    const db = await openHandle(file());
    for (const { name } of db
      .prepare("select name from sqlite_master where type = 'trigger'")
      .all([]) as { name: string }[]) {
      db.exec(`drop trigger "${name}"`);
    }
    db.exec(`update journal_events set body = replace(body, 'U01ANA', 'U02BEN') where seq = 1`);
    db.close();
    expect(await verifyAudit({ env: world.env, logger, output })).toBe(1);
    expect(printed()).toMatch(/does not hold: row 1: its contents were changed/);
    await run();
    expect(printed()).toMatch(/PROBLEM +journal: row 1/);
  });
});
