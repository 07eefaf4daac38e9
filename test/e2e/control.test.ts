import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createSettableClock,
  type SettableClock,
} from '../../src/sandbox/control-plane/settable-clock.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
let clock: SettableClock;

async function start(settings?: (yaml: string) => string): Promise<void> {
  clock = createSettableClock({ ticking: true });
  world = await startWorld({ clock, ...(settings === undefined ? {} : { settings }) });
}

afterEach(() => world.close());

const commands = () => world.plane.requests().filter(({ method }) => method === 'PATCH');
const at = (person: string, channel = '#ops') => world.as(person).in(channel);

describe('a request for approval', () => {
  beforeEach(() => start());

  it('is listed for the approver and for the asker, each with what they may press', async () => {
    await at('ana').command('/db stop analytics');
    await at('ana').expectMessage(/asks to stop analytics/);
    await at('ben').command('/db approvals');
    const list = await at('ben').expectEphemeral(
      /1 request for your approval, 0 requests of your own/,
    );
    expect(at('ben').text(list)).toMatch(/@ana asks for \/db stop analytics in #ops, until/);
    await at('ana').command('/db approvals');
    await at('ana').expectEphemeral(
      /You asked for \/db stop analytics in #ops; it waits for leads/,
    );
    await at('fay').command('/db approvals');
    await at('fay').expectEphemeral(/No request waits for you/);
    await at('ben').click('Approve stop analytics');
    await at('ben').expectMessage(/@ana asked analytics to stop, approved by @ben/);
    expect(commands()).toHaveLength(1);
  });

  it('is withdrawn by its asker at once, from the list or the message', async () => {
    await at('ana').command('/db stop analytics');
    await at('ana').expectMessage(/asks to stop analytics/);
    await at('ana').command('/db approvals');
    await at('ana').click('Withdraw stop analytics');
    await at('ben').expectMessage(/analytics was not stopped: withdrawn by @ana at/);
    await at('ana').expectEphemeral(/Withdrawn by @ana at .*; nothing was done/);
    await at('ana').expectNoModal();
    await at('ana').command('/db stop analytics');
    await at('ana').expectMessage(/asks to stop analytics/);
    await at('ana').click('Deny');
    await at('ana').expectNoMessage(/asks to stop/, 300);
    expect(commands()).toEqual([]);
  });

  it('is denied with a reason that the channel, the asker and the audit channel read', async () => {
    await at('ana').command('/db stop analytics');
    await at('ben').expectMessage(/asks to stop analytics/);
    await at('ben').click('Deny');
    await at('ben').expectModal(/Deny this request[\s\S]*@ana asks for \/db stop analytics/);
    await at('ben').fill('Reason', 'The import runs until noon');
    await at('ben').submit();
    const message = await at('ana').expectMessage(/analytics was not stopped: denied by @ben at/);
    expect(at('ana').text(message)).toMatch(
      /Reason: The import runs until noon[\s\S]*Asked by @ana/,
    );
    await at('ana').expectEphemeral(/denied by @ben at .*Reason: The import runs until noon/);
    await at('ben', '#audit').expectMessage(
      /denied service\.stop · analytics was not stopped · asked by @ana in #ops · denied by @ben[\s\S]*Reason: The import/,
    );
    await at('ben').command('/db log --who @ben');
    await at('ben').expectEphemeral(
      /request denied service\.stop · of journal \d+ · @ben in #ops · The import runs/,
    );
    expect(commands()).toEqual([]);
  });

  it('is denied without a reason too, once', async () => {
    await at('ana').command('/db stop analytics');
    await at('ben').click('Deny');
    await at('ben').submit();
    await at('ana').expectMessage(/analytics was not stopped: denied by @ben/);
    await at('ben', '#audit').expectMessage(/denied service\.stop/);
    await world.workspace.redeliver();
    expect(
      at('ben', '#audit').state.messages.filter(
        ({ channel, text }) => channel === 'C0AUDIT' && text.includes('denied'),
      ),
    ).toHaveLength(1);
  });

  it('is denied by nobody else: no modal opens, and a forged one changes nothing', async () => {
    await at('ana').command('/db stop analytics');
    await at('fay').click('Deny');
    await at('fay').expectEphemeral(/Only leads can approve this/);
    await at('fay').expectNoModal();
    await at('ben').click('Deny');
    await at('ben').submit();
    const forged = world.workspace.lastDelivery();
    await at('ana').expectMessage(/denied by @ben/);
    await at('ana').command('/db stop core');
    await at('ana').expectMessage(/asks to stop core/);
    await world.workspace.deliver('interactive', {
      ...forged?.payload,
      user: { id: 'U03FAY', team_id: 'T0ACME' },
      trigger_id: 't.forged',
    });
    await at('ana').expectNoMessage(/denied by @fay/, 200);
  });

  it('is reminded of once, when half of its time is over, and a restart does not repeat it', async () => {
    await at('ana').command('/db stop analytics');
    await at('ana').expectMessage(/asks to stop analytics/);
    clock.advance(14 * 60_000);
    await world.steward.housekeep();
    await at('ana').expectNoMessage(/Still waiting/, 50);
    clock.advance(2 * 60_000);
    await world.steward.housekeep();
    await at('ana').expectThread(
      /asks to stop analytics/,
      /Still waiting for leads: the request of @ana ends at[\s\S]*@ben/,
    );
    await world.restart();
    await world.steward.housekeep();
    const said = at('ana').state.messages.filter(({ text }) => text.includes('Still waiting'));
    expect(said).toHaveLength(1);
    clock.advance(15 * 60_000);
    await world.steward.housekeep();
    await at('ana').expectMessage(/analytics was not stopped: nobody approved it until/);
    await at('ana').expectEphemeral(/nobody approved it until/);
  });
});

describe('the audit channel', () => {
  it('gets one line for each change, whatever became of it, and none for reads', async () => {
    await start();
    const audit = at('ben', '#audit');
    await at('ana').command('/db start reporting');
    await audit.expectMessage(
      /done service\.start · reporting · @ana in #ops · journal \d+ \([0-9a-z]{4}\)/,
    );
    await at('ana').command('/db stop analytics');
    await at('ben').click('Approve');
    await audit.expectMessage(
      /done service\.stop · analytics · @ana in #ops · approved by @ben · journal/,
    );
    world.plane.faults.add({ kind: 'status', status: 403, times: 1 });
    await at('ana').command('/db start scratch');
    await audit.expectMessage(/failed \(\S+\) service\.start · scratch/);
    const lines = audit.state.messages.filter(({ channel }) => channel === 'C0AUDIT').length;
    await at('ana').command('/db services');
    await at('ana').command('/db log');
    await at('ana').expectEphemeral(/rows of the journal/);
    expect(audit.state.messages.filter(({ channel }) => channel === 'C0AUDIT')).toHaveLength(lines);
  });

  it('reads of a broken glass, with its reason', async () => {
    await start((yaml) =>
      yaml.replace(
        "      - { actions: ['*.read'], who: [anyone] }",
        "      - { actions: ['*.read'], who: [anyone] }\n      - { actions: [approval.break-glass], who: [operators] }",
      ),
    );
    await at('ana').command('/db stop analytics --break-glass "disk is full"');
    await at('ben', '#audit').expectMessage(
      /Break-glass, without an approval: done service\.stop · analytics · @ana in #ops[\s\S]*Reason: disk is full/,
    );
    await at('ben').expectMessage(/Break-glass: @ana goes ahead without an approval/);
    await at('ben').command('/db log --action stop');
    await at('ben').expectEphemeral(
      /break-glass allowed by channels\.ops\.allow\[\d+\]: disk is full/,
    );
  });

  it('that cannot be written to hides nothing', async () => {
    await start((yaml) =>
      yaml.replace('audit: { channel: C0AUDIT }', 'audit: { channel: C0GONE }'),
    );
    await at('ana').command('/db start reporting');
    await at('ana').expectMessage(/@ana asked reporting to start/);
    await expect
      .poll(() => world.logs.some(({ message }) => message === 'an audit line was not posted'))
      .toBe(true);
  });
});

describe('a changed steward.yaml', () => {
  beforeEach(() => start());
  const edit = (change: (yaml: string) => string): Promise<void> => world.rewriteRules(change);

  it('is announced with what changed, and journaled', async () => {
    await edit((yaml) =>
      yaml
        .replace('leads: { users: [U02BEN] }', 'leads: { users: [U02BEN, U03FAY] }')
        .replace("      - { actions: ['*.read'], who: [anyone] }\n", ''),
    );
    await at('ben', '#audit').expectMessage(
      /Settings reloaded[\s\S]*channel ops: 0 rules added, 1 removed, now \d+ rules[\s\S]*group changed: leads/,
    );
    expect(await world.dataBytes()).toContain('group changed: leads');
  });

  it('that does not fit is announced as refused, and the old rules stay', async () => {
    await edit((yaml) => yaml.replace('who: [anyone]', 'who: [everyone]'));
    await at('ben', '#audit').expectMessage(/Settings refused[\s\S]*the old rules stay in force/);
    await at('ana').command('/db start reporting');
    await at('ana').expectMessage(/@ana asked reporting to start/);
  });

  it('that takes the audit channel away is announced there', async () => {
    await edit((yaml) => yaml.replace('audit: { channel: C0AUDIT }', ''));
    await at('ben', '#audit').expectMessage(/Settings reloaded[\s\S]*audit changed/);
  });
});

describe('a flood', () => {
  it('is refused with one sentence and one journal row a minute', async () => {
    await start((yaml) => `${yaml}limits: { perPersonPerMinute: 3 }\n`);
    const ana = at('ana');
    for (let count = 0; count < 3; count += 1) await ana.command('/db services');
    await ana.command('/db start reporting');
    await ana.expectEphemeral(
      /Nothing was done: 3 requests a minute is the limit, and yours is used up\. Try again in \d+ s/,
    );
    await ana.command('/db start reporting');
    await ana.command('/db start reporting');
    expect(commands()).toEqual([]);
    clock.advance(61_000);
    await ana.command('/db start reporting');
    await ana.expectMessage(/@ana asked reporting to start/);
    await ana.command('/db log --who @ana --all');
    // Three reads, one refusal that stands for three, and the start.
    await ana.expectEphemeral(
      /^5 rows of the journal[\s\S]*flood: more than 3 a minute of one person/,
    );
  });

  it('counts presses and forms of the person, not of the busy channel', async () => {
    await start((yaml) => `${yaml}limits: { perPersonPerMinute: 10, perChannelPerMinute: 2 }\n`);
    await at('ana').command('/db stop analytics');
    await at('fay').command('/db services');
    await at('fay').expectEphemeral(/7 services/);
    await at('ben').command('/db services');
    await at('ben').expectEphemeral(
      /2 requests a minute is the limit, and this channel is used up/,
    );
    await at('ben').click('Approve');
    await at('ben').expectMessage(/asked analytics to stop, approved by @ben/);
  });
});

describe('status', () => {
  it('says what is known, and when the control API last failed', async () => {
    await start();
    await at('ana').command('/db status');
    await at('ana').expectEphemeral(
      /Steward \d+\.\d+\.\d+ is well[\s\S]*answers[\s\S]*not asked since the start/,
    );
    await at('ana').command('/db start reporting');
    await at('ana').expectMessage(/asked reporting to start/);
    await at('ana').command('/db status');
    await at('ana').expectEphemeral(/Control API[\s\S]*answered/);
  });
});
