import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { knownActions, startSteward } from '../../src/app/app.ts';
import { systemClock } from '../../src/app/clock.ts';
import { runDoctor } from '../../src/cli/doctor.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { operations } from '../../src/operations/index.ts';
import type { PersonaSeed } from '../../src/sandbox/workspace/state/options.ts';
import { startWorkspace } from '../../src/sandbox/workspace/workspace.ts';
import { createManifest } from '../../src/slack/manifest.ts';
import { besiege, expectRow, type Siege } from '../support/attacks.ts';
import { createRunningClock } from '../support/settable-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';

/** Enterprise Grid: W ids, sister workspaces, an app for all of them, channels that change their id. */

const GRID = 'E0GRID';
const SISTER = 'T0SISTER';

function gridPerson(id: string, name: string, teams: readonly string[], team = 'T0ACME') {
  const enterprise_user = { id, enterprise_id: GRID, enterprise_name: 'Grid', teams };
  const seed: PersonaSeed = {
    ...{ id, name, realName: name, kind: 'member', zone: 'Etc/UTC' },
    ...{ teamId: team, flags: { enterprise_user, team_id: team } },
  };
  return seed;
}

const PERSONAS = [
  gridPerson('W01ANA', 'ana', ['T0ACME']),
  gridPerson('W02BEN', 'ben', ['T0ACME', SISTER]),
  // At home in the sister workspace, and a member of ours as well.
  gridPerson('W03FAY', 'fay', [SISTER, 'T0ACME'], SISTER),
  // Of the sister workspace alone.
  gridPerson('W04SIS', 'sis', [SISTER], SISTER),
];
const members = PERSONAS.map(({ id }) => id);
const WORKSPACE = {
  enterprise: { id: GRID, orgWide: false },
  personas: PERSONAS,
  channels: [
    { id: 'C0OPS', name: 'ops', members },
    { id: 'C0FINANCE', name: 'finance', kind: 'private', members },
    { id: 'C0AUDIT', name: 'audit', members },
    { id: 'C0RANDOM', name: 'random', members },
  ],
  userGroups: [{ id: 'S0OPS', handle: 'ops', name: 'Operators', users: ['W01ANA', 'W03FAY'] }],
} as const;

const rules = (yaml: string): string =>
  yaml
    .replace('users: [U02BEN]', 'users: [W02BEN]')
    .replace('users: [U03FAY]', 'users: [W03FAY]')
    .replace('who: [anyone] }', 'who: [anyone, W01ANA] }');

const clock = createRunningClock();

describe.each(['socket', 'http'] as const)('in one workspace of a grid, over %s', (mode) => {
  let siege: Siege;
  const in_ = (who: string) => siege.world.as(who).in('#ops');
  beforeAll(async () => {
    siege = await besiege({ mode, settings: rules, clock, workspace: WORKSPACE });
  });
  afterAll(() => siege.close());
  beforeEach(() => clock.pass(10 * 60_000));

  it('people with W ids ask, are named, and approve', async () => {
    await in_('ana').command('/db can @ben stop analytics');
    await in_('ana').expectEphemeral(/@ben/);
    await in_('ana').command('/db stop analytics');
    await in_('ben').expectMessage(/@ana asks to stop analytics.*/);
    await in_('ben').click('Approve');
    await in_('ben').expectMessage(/@ana asked analytics to stop, approved by @ben/);
  });

  it('a mention of a W id works in a message too', async () => {
    const since = await siege.lastRow();
    await in_('ana').say('@Steward can @ben start scratch');
    const row = await expectRow(siege, since, { operation: 'permission.read', outcome: 'done' });
    expect(row.input).toMatchObject({ who: '<@W02BEN>' });
  });

  it('a member who is at home in a sister workspace is one of ours', async () => {
    const since = await siege.lastRow();
    await in_('fay').command('/db start scratch');
    await expectRow(siege, since, { operation: 'service.start', outcome: 'done' });
  });

  it('a member of a sister workspace alone is not, and is told', async () => {
    const [since, writes] = [await siege.lastRow(), siege.writes()];
    await in_('sis').command('/db start scratch');
    await expectRow(siege, since, { outcome: 'denied', decision: /other workspaces/ });
    expect(siege.writes()).toBe(writes);
  });
});

describe('a grid of which all is served', () => {
  it('takes members of every workspace, by the id of the organization', async () => {
    const settings = (yaml: string) =>
      rules(yaml)
        .replace('workspaces: [T0ACME]', `workspaces: [T0ACME, ${GRID}]`)
        .replace('leads: { users: [W02BEN] }', 'leads: { users: [W04SIS] }');
    const siege = await besiege({ settings, clock, workspace: WORKSPACE });
    await siege.world.as('sis').in('#ops').command('/db start scratch');
    await expectRow(siege, 0, { operation: 'service.start', decision: /^allowed/ });
    await siege.close();
  });
});

describe('a channel whose id has changed its first letter', () => {
  let siege: Siege;
  let lines: string[] = [];
  const doctor = async () => {
    lines = [];
    const output = { print: (line: string) => void lines.push(line) };
    await runDoctor({ env: siege.world.env, clock: systemClock, logger: silentLogger, output });
    return lines.join('\n');
  };
  beforeAll(async () => {
    siege = await besiege({ clock, workspace: WORKSPACE, settings: rules });
  });
  afterAll(() => siege.close());

  it.each([
    ['C0FINANCE', 'G0FINANCE', false],
    ['G0FINANCE', 'C0FINANCE', true],
  ])('the file says %s, Slack %s: refused, with both ids', async (file, slack, oldIdAnswers) => {
    const { world } = siege;
    if (file === 'G0FINANCE') {
      await world.rewriteRules((yaml) => yaml.replace('id: C0FINANCE', 'id: G0FINANCE'));
      await expect
        .poll(() => world.logs.some((line) => JSON.stringify(line).includes('reload')))
        .toBe(true);
      // Back to a world in which the channel bears the letter that the file had.
    }
    world.workspace.admin.convert('#finance', { oldIdAnswers });
    const since = await siege.lastRow();
    await world.as('ana').in('#finance').command('/db cost yesterday');
    const words = new RegExp(`says ${file}, and Slack now calls this channel ${slack}`);
    await world.as('ana').in('#finance').expectEphemeral(words);
    await expectRow(siege, since, { outcome: 'denied', decision: words });
    expect(world.logs.map((line) => JSON.stringify(line)).join('\n')).toMatch(
      new RegExp(`"file":"${file}","slack":"${slack}"`),
    );
    expect(await doctor()).toMatch(
      new RegExp(`PROBLEM +channel finance \\(${file}\\): Slack now calls this channel ${slack}`),
    );
  });
});

describe('an app for all workspaces of a grid', () => {
  it('is refused at the start and by doctor, in words', async () => {
    const siege = await besiege({ clock });
    const grid = await startWorkspace({
      clock,
      mode: 'socket',
      manifest: createManifest({ command: '/db', operations, mode: 'socket' }),
      enterprise: { id: GRID, orgWide: true },
    });
    const { env } = siege.world;
    const there = {
      ...env,
      SLACK_API_URL: grid.apiUrl,
      DATABASE_URL: `${env['DATABASE_URL']}-grid`,
    };
    const configuration = loadConfiguration({ env: there, knownActions });
    await expect(startSteward({ configuration, clock, logger: silentLogger })).rejects.toThrow(
      /SLACK_BOT_TOKEN: belongs to an app that is installed for a whole Enterprise Grid/,
    );
    const lines: string[] = [];
    const output = { print: (line: string) => void lines.push(line) };
    await runDoctor({ env: there, clock: systemClock, logger: silentLogger, output });
    expect(lines.join('\n')).toMatch(/PROBLEM +Slack: the app is installed for a whole Enterprise/);
    await grid.close();
    await siege.close();
  });
});

describe('the request address', () => {
  it('answers the check of Slack, and nobody who cannot sign it', async () => {
    const siege = await besiege({ mode: 'http', clock });
    const body = JSON.stringify({ type: 'url_verification', token: 'x', challenge: 'c0ffee' });
    const check = { contentType: 'application/json', body };
    const { workspace } = siege.world;
    const answered = await workspace.deliverBody(check);
    expect(answered.status).toBe(200);
    expect(JSON.parse(answered.body)).toEqual({ challenge: 'c0ffee' });
    const forged = await workspace.deliverBody(check, { secret: 'another' });
    expect(forged).toMatchObject({ status: 401, body: '' });
    await siege.close();
  });
});
