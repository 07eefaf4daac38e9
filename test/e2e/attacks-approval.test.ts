import { afterEach, describe, expect, it } from 'vitest';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { submissionOf } from '../support/attack-views.ts';
import {
  besiege,
  besiegedRules,
  expectAlive,
  expectRefused,
  expectRow,
  newestPending,
  person,
  press,
  pressOf,
  type Siege,
} from '../support/attacks.ts';
import { createRunningClock } from '../support/settable-clock.ts';
import type { WorldOptions } from '../support/steward-world.ts';

const SISTER = 'T0SISTER';
const BEN = person('U02BEN');

let siege: Siege;
afterEach(() => siege.close());

async function begin(options: WorldOptions = {}): Promise<void> {
  siege = await besiege(options);
}

/** Ana asks for something in #ops; returns the id of the question. */
async function ask(text: string, kind: 'confirm' | 'approve', where = '#ops'): Promise<string> {
  const since = siege.world.workspace.traffic().length;
  await siege.world.as('ana').in(where).command(text);
  return await newestPending(siege, kind, since);
}

const stopAnalytics = (where?: string) => ask('/db stop analytics', 'approve', where);
const stopScratch = () => ask('/db stop scratch', 'confirm');

/** Rewrites the rules and waits until they are in force. */
async function rewrite(change: (yaml: string) => string): Promise<void> {
  const { logs } = siege.world;
  const count = (): number =>
    logs.filter(({ fields }) => fields['event'] === 'settings-reloaded').length;
  const before = count();
  await siege.world.rewriteRules((yaml) => {
    const changed = change(yaml);
    expect(changed).not.toBe(yaml);
    return changed;
  });
  await expect.poll(count).toBe(before + 1);
}

const groupApprovers = (yaml: string): string =>
  besiegedRules(yaml).replace('{ users: [U02BEN] }', '{ users: [], usergroups: [S0LEADS] }');
const anaLeads = (yaml: string): string =>
  besiegedRules(yaml)
    .replace('leads: { users: [U02BEN] }', 'leads: { users: [U02BEN, U01ANA] }')
    .replace('workspaces: [T0ACME]', `workspaces: [T0ACME, ${SISTER}]`);

describe.each(['socket', 'http'] as const)('approvals, over %s', (mode) => {
  it('run once under 20 presses at once and any number of replays', async () => {
    await begin({ mode });
    const pending = await stopAnalytics();
    const payloads = Array.from({ length: 20 }, () => pressOf({ kind: 'approve', pending }, BEN));
    const newest = await siege.lastRow();
    const { workspace } = siege.world;
    await Promise.all(payloads.map((payload) => workspace.deliver('interactive', payload)));
    await expect.poll(async () => (await answers(newest)).length).toBe(20);
    const outcomes = await answers(newest);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    // Where Slack takes over 2 s to say who pressed, as on a busy machine, nobody may.
    const unsaid = (await siege.rows(newest)).filter(
      ({ outcome, detail, decision }) =>
        outcome === 'denied' && /Slack (?:did|could) not say/u.test(`${detail} ${decision}`),
    );
    const already = outcomes.filter((outcome) => outcome === 'already');
    expect(already.length + unsaid.length).toBe(19);
    expect(siege.writes()).toBe(1);
    for (const payload of payloads.slice(0, 3)) {
      await expectRefused(siege, () => workspace.deliver('interactive', payload));
    }
    const again = () => press(siege, { kind: 'approve', pending }, BEN);
    await expectRefused(siege, again, { operation: 'service.stop', outcome: 'already' });
    expect(siege.writes()).toBe(1);
  });

  async function answers(since: number): Promise<readonly string[]> {
    return (await siege.rows(since))
      .filter(({ outcome }) => outcome !== 'open')
      .map(({ outcome }) => outcome);
  }

  it('end one way when somebody approves and somebody denies at the same moment', async () => {
    await begin({ mode });
    for (let round = 0; round < 5; round += 1) {
      siege.world.plane.reset();
      siege.world.plane.changeSettings({ rateLimit: { limit: 10_000 } });
      const pending = await stopAnalytics();
      const { workspace } = siege.world;
      const newest = await siege.lastRow();
      const denial = submissionOf({ form: pending, callbackId: 'deny', values: {} }, BEN);
      const approval = pressOf({ kind: 'approve', pending }, BEN);
      const both = round % 2 === 0 ? [approval, denial] : [denial, approval];
      await Promise.all(both.map((payload) => workspace.deliver('interactive', payload)));
      await expect.poll(async () => (await answers(newest)).length).toBe(2);
      await expectAlive(siege);
      const rows = await siege.rows(newest);
      const denied = rows.some(({ decision }) => decision === 'request denied');
      expect(siege.writes()).toBe(denied ? 0 : 1);
    }
  });

  it('are not given by the asker: in this channel, by a copied payload, from another team', async () => {
    await begin({ mode, settings: anaLeads });
    const pending = await stopAnalytics();
    const own = { operation: 'service.stop', outcome: 'denied' } as const;
    const ana = siege.world.as('ana').in('#ops');
    await expectRefused(siege, () => ana.click('Approve'), own);
    await ana.expectEphemeral(/You asked for this; somebody else from leads has to approve/);
    const elsewhere = {
      channel: { id: 'C0RANDOM', name: 'random' },
      container: { type: 'message', message_ts: '1.0', channel_id: 'C0RANDOM' },
    };
    const approve = { kind: 'approve', pending };
    await expectRefused(siege, () => press(siege, approve, elsewhere), own);
    await expectRefused(siege, () => press(siege, approve, person('U01ANA', SISTER)), own);
    const through = { ...person('U01ANA', SISTER), team: { id: SISTER, domain: 'sister' } };
    await expectRefused(siege, () => press(siege, approve, through), own);
    await expectRefused(siege, () => press(siege, { kind: 'confirm', pending }), own);
    await expectRefused(siege, () => press(siege, approve, person('U02BEN', 'T0OTHER')), own);
  });
});

describe('approvals', () => {
  it('are not given by whoever has left the group since', async () => {
    await begin({ settings: groupApprovers });
    const pending = await stopAnalytics();
    siege.world.workspace.admin.setUserGroup('S0LEADS', []);
    const row = { operation: 'service.stop', outcome: 'denied', detail: /Only leads/ } as const;
    await expectRefused(siege, () => press(siege, { kind: 'approve', pending }, BEN), row);
  });

  it.each([
    ['a guest', { kind: 'guest' }],
    ['deactivated', { kind: 'deleted' }],
    ['of another workspace', { kind: 'outsider', teamId: 'T0OTHER' }],
  ] as const)('are not given by a lead who is %s by now', async (_name, change) => {
    await begin();
    const pending = await stopAnalytics();
    siege.world.workspace.admin.change('ben', change);
    const newest = await siege.lastRow();
    await press(siege, { kind: 'approve', pending }, BEN);
    await expectRow(siege, newest, { outcome: 'denied', detail: /Only leads/ });
    expect(siege.writes()).toBe(0);
  });

  it('are worth nothing once the asker has lost the right', async () => {
    await begin();
    const pending = await stopAnalytics();
    await rewrite((yaml) => yaml.replaceAll('who: [operators, leads]', 'who: [leads]'));
    // The request ends by itself, and says so; a press that comes later finds it over.
    const { as } = siege.world;
    await as('ana')
      .in('#ops')
      .expectMessage(/analytics was not stopped: the rules were changed, and no rule here allows/);
    const row = { operation: 'service.stop', outcome: 'already' } as const;
    await expectRefused(siege, () => press(siege, { kind: 'approve', pending }, BEN), row);
  });

  it('are worth nothing once the asker is deactivated', async () => {
    await begin();
    const pending = await stopAnalytics();
    siege.world.workspace.admin.change('ana', { kind: 'deleted' });
    const row = { operation: 'service.stop', outcome: 'denied' } as const;
    await expectRefused(siege, () => press(siege, { kind: 'approve', pending }, BEN), row);
  });

  it('are not given by whom the rules no longer name', async () => {
    await begin();
    const pending = await stopAnalytics();
    await rewrite((yaml) => yaml.replaceAll('by: [leads]', 'by: [finance]'));
    const row = { operation: 'service.stop', outcome: 'denied' } as const;
    await expectRefused(siege, () => press(siege, { kind: 'approve', pending }, BEN), row);
  });

  it('do not hold for another service of the same name', async () => {
    await begin();
    const pending = await stopAnalytics();
    await rewrite((yaml) => yaml.replace(SERVICES.analytics.id, SERVICES.legacy.id));
    const row = { operation: 'service.stop', outcome: 'approval' } as const;
    await expectRefused(siege, () => press(siege, { kind: 'approve', pending }, BEN), row);
  });

  it('expire', async () => {
    const clock = createRunningClock();
    await begin({ clock });
    const pending = await stopAnalytics();
    clock.turn(30 * 60_000 + 1);
    const row = { operation: 'service.stop', outcome: 'already', detail: /expired/ } as const;
    await expectRefused(siege, () => press(siege, { kind: 'approve', pending }, BEN), row);
    const denied = { outcome: 'denied' } as const;
    await expectRefused(siege, () => press(siege, { kind: 'deny', pending }, BEN), denied);
  });

  it('are denied by approvers alone, also through the modal for a reason', async () => {
    await begin();
    const pending = await stopAnalytics();
    const { workspace } = siege.world;
    const modal = (edit: Parameters<typeof submissionOf>[1]) =>
      workspace.deliver(
        'interactive',
        submissionOf({ form: pending, callbackId: 'deny', values: {} }, edit),
      );
    const row = { operation: 'service.stop', outcome: 'denied' } as const;
    for (const edit of [
      person('U03FAY'),
      person('U04GUS'),
      person('U05OLA', 'T0OTHER'),
      person('U02BEN', 'T0OTHER'),
      { ...BEN, team: { id: 'T0OTHER', domain: 'x' } },
    ]) {
      await expectRefused(siege, () => modal(edit), row);
    }
    const stranger = submissionOf({ form: 'x', callbackId: 'deny', values: {} }, BEN);
    await expectRefused(siege, () => workspace.deliver('interactive', stranger), {
      operation: 'slack.payload',
      outcome: 'denied',
    });
    await siege.world.as('ben').in('#ops').click('Approve');
    await siege.world
      .as('ben')
      .in('#ops')
      .expectMessage(/asked analytics to stop, approved by @ben/);
  });
});

describe('confirmations', () => {
  it('are worth nothing once the rule is gone', async () => {
    await begin();
    const pending = await stopScratch();
    await rewrite((yaml) => yaml.replace('[service.start, service.stop]', '[service.start]'));
    const row = { operation: 'service.stop', outcome: 'denied' } as const;
    await expectRefused(siege, () => press(siege, { kind: 'confirm', pending }), row);
    await siege.world
      .as('ana')
      .in('#ops')
      .expectEphemeral(/scratch was not stopped/);
  });

  it('become requests once the rule asks for a second person', async () => {
    await begin();
    const pending = await stopScratch();
    await rewrite((yaml) =>
      yaml
        .replace('scratch: {', 'scratch: {')
        .replace(/(scratch: \{[^}]*tags: )\[dev\]/u, '$1[prod]'),
    );
    const row = { operation: 'service.stop', outcome: 'approval' } as const;
    await expectRefused(siege, () => press(siege, { kind: 'confirm', pending }), row);
  });

  it('are refused where others read the channel by now', async () => {
    await begin();
    const pending = await stopScratch();
    siege.world.workspace.admin.share('#ops', 'T0OTHER');
    const newest = await siege.lastRow();
    await press(siege, { kind: 'confirm', pending });
    await expectRow(siege, newest, { operation: 'service.stop', outcome: 'denied' });
    expect(siege.writes()).toBe(0);
  });

  it('are refused while Slack cannot say who presses', async () => {
    await begin();
    const pending = await stopScratch();
    siege.world.workspace.faults.usersInfoDown = true;
    const newest = await siege.lastRow();
    await press(siege, { kind: 'confirm', pending });
    await expectRow(siege, newest, { operation: 'service.stop', outcome: 'denied' });
    expect(siege.writes()).toBe(0);
  });

  it('expire', async () => {
    const clock = createRunningClock();
    await begin({ clock });
    const pending = await stopScratch();
    clock.turn(10 * 60_000 + 1);
    const row = { operation: 'service.stop', outcome: 'already', detail: /expired/ } as const;
    await expectRefused(siege, () => press(siege, { kind: 'confirm', pending }), row);
  });

  it('stay answered over a restart', async () => {
    await begin();
    const pending = await stopScratch();
    const payload = pressOf({ kind: 'confirm', pending });
    const { workspace } = siege.world;
    await workspace.deliver('interactive', payload);
    await expect.poll(() => siege.writes()).toBe(1);
    await siege.world.restart();
    await expectRefused(siege, () => workspace.deliver('interactive', payload));
    const row = { operation: 'service.stop', outcome: 'already' } as const;
    await expectRefused(siege, () => press(siege, { kind: 'confirm', pending }), row);
  });
});

describe('break-glass', () => {
  it.each(['', ' "real emergency"'])(
    'is refused without its permission (reason:%s)',
    async (why) => {
      await begin();
      const ana = siege.world.as('ana').in('#ops');
      const row = {
        operation: 'service.stop',
        outcome: why === '' ? 'invalid' : 'denied',
      } as const;
      await expectRefused(siege, () => ana.command(`/db stop analytics --break-glass${why}`), row);
    },
  );
});
