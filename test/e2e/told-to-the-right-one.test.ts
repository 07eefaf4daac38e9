import { afterEach, describe, expect, it } from 'vitest';
import { ACTIVITIES, SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { besiege, besiegedRules, expectRow, type Siege, sendCommand } from '../support/attacks.ts';
import { createRunningClock } from '../support/settable-clock.ts';
import type { WorldOptions } from '../support/steward-world.ts';

let siege: Siege;
afterEach(() => siege.close());

const at = (who: string, where = '#ops') => siege.world.as(who).in(where);

async function begin(options: WorldOptions = {}): Promise<void> {
  siege = await besiege(options);
}

const createNeedsApproval = (yaml: string): string =>
  besiegedRules(yaml).replace(
    '{ actions: [service.create], who: [operators, leads], limits: { maxReplicas: 5, maxMemoryGb: 128 } }',
    '{ actions: [service.create], who: [operators], approval: { by: [leads], within: 30m } }',
  );
const glass = (yaml: string): string =>
  besiegedRules(yaml).replace(
    "{ actions: ['*.read'], who: [anyone] }",
    "{ actions: ['*.read'], who: [anyone] }\n      - { actions: [approval.break-glass], who: [operators] }",
  );

async function create(): Promise<void> {
  await at('ana').command('/db create nightly --preset small --ip-access-list 203.0.113.7');
  await at('ana').submit();
}

describe.each(['socket', 'http'] as const)('after an approval, over %s', (mode) => {
  it('the password is for who asked, and who approved gets no button', async () => {
    await begin({ mode, settings: createNeedsApproval });
    await create();
    await at('ben').expectMessage(/@ana asks to create nightly/);
    await at('ben').click('Approve');
    await at('ana').expectEphemeral(/The password of nightly is shown once/);
    expect(
      at('ben')
        .state.messages.map(({ text }) => text)
        .join(),
    ).not.toContain('shown once');
    await at('ana').click('Show password once');
    await at('ana').expectModal(/Copy it now/);
  });

  it('a refusal is told to who asked, and a word of it to who pressed', async () => {
    await begin({ mode });
    await at('ana').command('/db stop analytics');
    await at('ben').expectMessage(/@ana asks to stop analytics/);
    siege.world.workspace.admin.setUserGroup('S0OPS', []);
    await at('ben').click('Approve');
    await at('ana').expectEphemeral(/analytics was not stopped: you are not in leads or operators/);
    await at('ben').expectEphemeral(/Nothing was done for @ana: they are not in/);
    expect(siege.writes()).toBe(0);
  });
});

describe('a password', () => {
  it.each([
    ['a guest', { kind: 'guest' }, /a guest account may not act here/],
    ['a stranger', { flags: { is_stranger: true } }, /people of other workspaces may not act here/],
    ['deactivated', { flags: { deleted: true } }, /a deactivated account may not act here/],
  ] as const)('is not for somebody who is %s by now', async (_name, patch, words) => {
    await begin();
    await create();
    await at('ana').expectEphemeral(/The password of nightly is shown once/);
    siege.world.workspace.admin.change('ana', patch);
    await at('ana').click('Show password once');
    await at('ana').expectModal(words);
    await expectRow(siege, 0, { operation: 'password.reveal', outcome: 'denied' });
    siege.world.workspace.admin.change('ana', { kind: 'member', flags: {} });
    await at('ana').closeModal({ all: true });
    await at('ana').click('Show password once');
    await at('ana').expectModal(/Copy it now/);
  });

  it('waits while Slack does not say who presses', async () => {
    await begin();
    await create();
    await at('ana').expectEphemeral(/The password of nightly is shown once/);
    siege.world.workspace.faults.failNext('users.info', 'fatal_error', 3);
    await at('ana').click('Show password once');
    await at('ana').expectModal(/Slack could not say who you are/);
    siege.world.workspace.faults.reset(true);
    await at('ana').closeModal({ all: true });
    await at('ana').click('Show password once');
    await at('ana').expectModal(/Copy it now/);
  });
});

describe('a command in a channel that was archived', () => {
  it('is told to the asker directly where the channel takes no message any more', async () => {
    await begin();
    siege.world.workspace.admin.archive('#ops');
    await sendCommand(siege, 'start scratch');
    await at('ana', 'dm').expectMessage(/@ana asked scratch to start: it was running already/);
    expect(siege.writes()).toBe(1);
  });

  it('is told by the answer to the command where there is one', async () => {
    await begin();
    await at('ana').command('/db can stop scratch');
    const asked = siege.world.workspace.lastDelivery('slash_commands')?.payload;
    siege.world.workspace.admin.archive('#ops');
    await sendCommand(siege, 'start scratch', { response_url: asked?.['response_url'] });
    await at('ana').expectMessage(/@ana asked scratch to start: it was running already/);
    expect(siege.writes()).toBe(1);
  });
});

describe('what Slack does not say', () => {
  it.each(['users.info', 'usergroups.users.list'])('by %s is not told as no', async (method) => {
    await begin({
      settings: (yaml) =>
        besiegedRules(yaml).replace('{ users: [U02BEN] }', '{ users: [], usergroups: [S0LEADS] }'),
    });
    await at('ana').command('/db stop analytics');
    await at('ben').expectMessage(/@ana asks to stop analytics/);
    siege.world.workspace.faults.failNext(method, { status: 429, retryAfter: 30 }, 20);
    for (const label of ['Approve', 'Deny']) {
      await at('ben').click(label);
      await at('ben').expectEphemeral(/Slack did not say whether you are in leads/);
    }
    expect(siege.writes()).toBe(0);
    expect(
      at('ben')
        .state.messages.map(({ text }) => text)
        .join(),
    ).not.toContain('Only leads');
  });

  it('is not "nothing is allowed to you" on App Home and in the shortcut', async () => {
    await begin();
    for (const method of ['users.conversations', 'conversations.members']) {
      siege.world.workspace.faults.failNext(method, 'fatal_error', 20);
    }
    await at('ana').openHome();
    await at('ana').expectHome(/Slack did not say everything that the rules ask for/);
  });
});

describe('names of what somebody may not know', () => {
  const devOnly = (yaml: string): string =>
    besiegedRules(yaml).replace(
      '  finance:\n    id: C0FINANCE',
      `  random:
    id: C0RANDOM
    allow:
      - { actions: [query-endpoint.read, cost.read, journal.read, directory.read], services: [tag:dev], who: [anyone] }
      - { actions: [activity.read], who: [anyone] }
  finance:
    id: C0FINANCE`,
    );
  const heard = () => at('ana', '#random').state.messages;

  it.each([
    '/db endpoint analytcs',
    '/db cost --service analytcs',
    '/db log analytcs',
    '/db can endpoint analytcs',
    `/db endpoint ${SERVICES.analytics.id}`,
    `/db can endpoint ${SERVICES.analytics.id}`,
    `/db cost --service ${SERVICES.analytics.id}`,
    '/db services',
    `/db activity ${ACTIVITIES.serviceStop}`,
  ])('stay unknown: %s', async (text) => {
    await begin({ settings: devOnly });
    const before = heard().length;
    await at('ana', '#random').command(text);
    await expect.poll(() => heard().length + at('ana').state.views.length).toBeGreaterThan(before);
    const all = JSON.stringify([heard().slice(before), at('ana').state.views]);
    expect(all.replaceAll(text, '')).not.toMatch(/analytics/u);
  });

  it('but those that somebody knows are still suggested', async () => {
    await begin({ settings: devOnly });
    await at('ana', '#random').command('/db endpoint scrathc');
    await at('ana', '#random').expectEphemeral(/Did you mean scratch/);
  });
});

describe('a broken glass', () => {
  const CALL = '/db stop analytics --break-glass the disk is full';

  it('is told before it happens', async () => {
    await begin({ settings: glass });
    siege.world.plane.faults.add({ kind: 'slow', delayMs: 1_000, match: { method: 'PATCH' } });
    await at('ana').command(CALL);
    await at('ben').expectMessage(/Break-glass: @ana goes ahead/);
    await at('ben', '#audit').expectMessage(/Break-glass: @ana goes ahead/);
    expect(
      at('ben')
        .state.messages.map(({ text }) => text)
        .join(),
    ).not.toContain('asked');
  });

  it.each([
    ['archived', () => siege.world.workspace.admin.archive('#audit')],
    ['left by the bot', () => siege.world.workspace.admin.kick('#audit')],
  ])(
    'is told where it is asked when the audit channel is %s, and status says so',
    async (_, break_) => {
      await begin({ settings: glass });
      break_();
      await at('ana').command(CALL);
      await at('ben').expectMessage(/Break-glass: @ana goes ahead/);
      await expect.poll(() => siege.writes()).toBe(1);
      await at('ben').command('/db status');
      await at('ben').expectEphemeral(/not all is well[\s\S]*Audit channel/);
    },
  );

  it('that can be told nowhere does not happen', async () => {
    await begin({ settings: glass });
    for (const name of ['#audit', '#ops']) siege.world.workspace.admin.kick(name);
    const newest = await siege.lastRow();
    await at('ana').command(CALL);
    await expectRow(siege, newest, { operation: 'service.stop', outcome: 'denied' });
    await at('ana').expectEphemeral(
      /Nothing was done: going ahead without an approval has to be announced/,
    );
    expect(siege.writes()).toBe(0);
  });

  it('keeps its reason over a near miss, and over a form', async () => {
    await begin({ settings: glass });
    await at('ana').command('/db stop analytcs --break-glass the disk is full');
    await at('ana').click('Use analytics');
    await at('ben').expectMessage(/Break-glass[\s\S]*Reason: the disk is full/);
    await expect.poll(() => siege.writes()).toBe(1);
    await at('ana').command('/db stop --break-glass the disk is full again');
    await at('ana').select('Service', 'analytics');
    await at('ana').submit();
    await at('ben').expectMessage(/Reason: the disk is full again/);
    await expect.poll(() => siege.writes()).toBe(2);
  });
});

describe('a service that was picked', () => {
  it('is meant by its id, whatever a cost report names a moment later', async () => {
    await begin();
    await at('ana').command('/db stop');
    await at('ana').select('Service', 'scratch');
    await siege.know('99999999-9999-4999-8999-999999999999', 'scratch');
    await at('ana').submit();
    await at('ana').expectEphemeral(/Stop scratch\?/);
    await at('ana').click('Stop scratch');
    await at('ana').expectMessage(/@ana .*scratch/);
    expect(siege.writes()).toBe(1);
  });
});

describe('a request for approval', () => {
  it('does not live longer by a clock that is set back', async () => {
    const clock = createRunningClock();
    await begin({ clock });
    await at('ana').command('/db stop analytics');
    await at('ben').expectMessage(/@ana asks to stop analytics/);
    // 31 minutes pass, and in the middle the clock goes back by 10.
    clock.pass(31 * 60_000);
    clock.turn(-10 * 60_000);
    await at('ben').click('Approve');
    await at('ben').expectEphemeral(/This expired/);
    expect(siege.writes()).toBe(0);
  });
});
