import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runDoctor } from '../../src/cli/doctor.ts';
import { pipeCreate } from '../../src/operations/pipe-create/pipe-create.ts';
import { ACME, CLOUD_DASHBOARDS, GLOBEX, SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import type { Person } from '../support/person.ts';
import { createRunningClock, type RunningClock } from '../support/settable-clock.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** What the cloud shows beside a question; one world for all of it. */
let clock: RunningClock;
let world: StewardWorld;
let ben: Person;

beforeAll(async () => {
  clock = createRunningClock();
  world = await startWorld({ names: 'clickhouse', clock, settings: withApprovedDeletions });
  world.plane.changeSettings({ listLagSeconds: 0 });
  ben = world.as('ben').in('#ops');
});
afterAll(() => world.close());

/** Closed eyes are open again, and the limit is free: what is looked at behind people may go. */
beforeEach(() => {
  world.plane.faults.clear();
  clock.pass(16 * 60_000);
});

function withApprovedDeletions(yaml: string): string {
  return yaml.replace(
    '{ actions: [dashboard.delete], who: [leads] }',
    '{ actions: [dashboard.delete], who: [operators, leads], approval: { by: [leads], within: 30m } }',
  );
}

const looks = (path: RegExp): number =>
  world.plane.requests().filter(({ method, path: at }) => method === 'GET' && path.test(at)).length;

describe('a question', () => {
  it('names the last backup and its age before a stop, and nothing where there is none', async () => {
    await ben.command('/db stop scratch');
    await ben.expectEphemeral(/Stop scratch\?[\s\S]*Last backup: \d+ \w+ ago, /);
    const before = looks(/\/backups$/u);
    await ben.click('Stop scratch');
    await ben.expectMessage(/@ben asked scratch to stop/);
    expect(looks(/\/backups$/u)).toBe(before);
    await ben.command('/db stop staging');
    const none = await ben.expectEphemeral(/Stop staging\?/);
    expect(ben.text(none)).not.toMatch(/backup/u);
    expect(looks(/\/backups$/u)).toBe(before + 1);
  });

  it('says that an address has an open invitation, and until when; one that is over does not count', async () => {
    await ben.command('/db invite gus@example.com');
    await ben.click('Invite gus@example.com');
    await ben.expectMessage(/@ben invited gus@example\.com/);
    clock.pass(60_000);
    await ben.command('/db invite Gus@Example.com');
    await ben.expectEphemeral(/gus@example\.com has an open invitation to acme already, until /);
    await ben.click('Invite again');
    await ben.expectEphemeral(/Invite gus@example\.com to acme\?[\s\S]*has an open invitation/);
    clock.pass(11_000);
    await ben.command('/db invite emil@example.com');
    const over = await ben.expectEphemeral(/Invite emil@example\.com to acme\?/);
    expect(ben.text(over)).not.toMatch(/open invitation/u);
  });

  it('says that a pipe of this name is there, and in which state', async () => {
    const [, example = ''] = pipeCreate.inClouds?.clickhouse.slash.examples ?? [];
    await ben.command(`/db ${example}`);
    await ben.submit();
    await ben.expectEphemeral(/A pipe orders is there on analytics already, Running\./);
    await ben.click('Create another one');
    await ben.expectMessage(/@ben created the pipe orders/);
  });

  it('names a dashboard by its title, to who approves and to who reads that it is gone', async () => {
    const id = CLOUD_DASHBOARDS.unused;
    const ana = world.as('ana').in('#ops');
    await ana.command(`/db dashboard delete ${id} --service analytics`);
    await ana.fill('Type the id again to confirm', id);
    await ana.submit();
    await ana.expectMessage(/delete the dashboard Tried out in spring \(6602\w+\)/);
    clock.pass(11_000);
    await ben.click('Approve');
    await ana.expectMessage(/@ana deleted dashboard Tried out in spring \(6602\w+\) of analytics/);
  });
});

describe('the organization of a key', () => {
  it('is named in the status, and another one than is set is warned about', async () => {
    await ben.command('/db status');
    await ben.expectEphemeral(/is well[\s\S]*the key of acme sees Acme/);
    clock.pass(11_000);
    world.plane.faults.add({
      match: { end: '/v1/organizations' },
      kind: 'result',
      result: [{ id: GLOBEX.id, name: GLOBEX.name }],
      times: 1,
    });
    await ben.command('/db status');
    await ben.expectEphemeral(
      new RegExp(
        `not all is well[\\s\\S]*the key of acme sees Globex \\(${GLOBEX.id}\\), not the organization that is set, ${ACME.id}`,
      ),
    );
  });

  it('is named by doctor, which says what else a cloud shows', async () => {
    const lines: string[] = [];
    const output = { print: (line: string): void => void lines.push(line) };
    const tools = { clock, logger: silentLogger, output };
    await runDoctor({ env: world.env, ...tools });
    expect(lines.join('\n')).toMatch(/ok +the key of acme sees Acme$/mu);
    expect(lines.join('\n')).toMatch(/ok +sight, organization acme, invitations: \d+ seen/);
    world.plane.faults.add({ match: { path: '/backups' }, kind: 'status', status: 403 });
    const settings = `${world.env['STEWARD_CONFIG']}`;
    await world.rewriteRules((yaml) => yaml.replace(ACME.id, GLOBEX.id));
    lines.length = 0;
    await runDoctor({ env: { ...world.env, STEWARD_CONFIG: settings }, ...tools });
    await world.rewriteRules((yaml) => yaml.replace(GLOBEX.id, ACME.id));
    expect(lines.join('\n')).toMatch(
      /PROBLEM +the key of acme sees Acme \(\S+\), not the organization that is set, \S+: set ORGANIZATION_ID/,
    );
    lines.length = 0;
    await runDoctor({ env: world.env, ...tools });
    expect(lines.join('\n')).toMatch(
      /ok +sight, organization acme, backups of \w+: not seen, the key may not \(403\); no command needs it/,
    );
  });
});

describe('an eye', () => {
  it('that answers late is not waited for, neither now nor a minute later, and the status says so', async () => {
    const match = { method: 'GET', end: '/backups' };
    world.plane.faults.add({ match, kind: 'slow', delayMs: 60_000 });
    const before = looks(/\/backups$/u);
    await ben.command('/db stop reporting');
    const question = await ben.expectEphemeral(/Stop reporting\?/);
    expect(ben.text(question)).not.toMatch(/backup/u);
    // Nothing came yet, and nothing will for a minute: the question did not wait.
    expect(world.plane.requests().findLast(({ path }) => /\/backups$/u.test(path))?.status).toBe(
      undefined,
    );
    clock.pass(11_000);
    await world.as('ana').in('#ops').command('/db stop analytics');
    await ben.expectMessage(/asks to stop analytics/);
    expect(looks(/\/backups$/u)).toBe(before + 1);
    await ben.command('/db status');
    await ben.expectEphemeral(
      /Not seen[\s\S]*the backups of acme: the cloud did not answer in time/,
    );
  });

  it('on a list that one service lacks closes for that service alone', async () => {
    const match = { method: 'GET', path: SERVICES.scratch.id, end: '/backups' };
    world.plane.faults.add({ match, kind: 'status', status: 404 });
    await ben.command('/db stop scratch');
    await ben.expectEphemeral(/Stop scratch\?/);
    clock.pass(11_000);
    await ben.command('/db status');
    await ben.expectEphemeral(
      new RegExp(
        `the backups of service ${SERVICES.scratch.id}: the cloud has no such list \\(404\\)`,
      ),
    );
    clock.pass(11_000);
    const before = looks(/\/backups$/u);
    await world.as('ana').in('#ops').command('/db stop core');
    await ben.expectMessage(/asks to stop core[\s\S]*Last backup: \d+ \w+ ago/);
    expect(looks(/\/backups$/u)).toBe(before + 1);
  });
});
