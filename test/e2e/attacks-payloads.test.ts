import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DASHBOARDS, SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import type { Json } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import { chosen, formIdOf, submissionOf } from '../support/attack-views.ts';
import {
  besiege,
  expectAlive,
  expectRefused,
  expectRow,
  newestButton,
  newestPending,
  person,
  press,
  pressOf,
  type Row,
  type Siege,
} from '../support/attacks.ts';

const HUGE = 'x'.repeat(1_000_000);
/** Would take a regular expression minutes that looks ahead from every word. */
const SLOW = 'a-'.repeat(500_000);

describe.each(['socket', 'http'] as const)('payloads that were edited, over %s', (mode) => {
  let siege: Siege;
  beforeAll(async () => {
    siege = await besiege({ mode });
  });
  afterAll(() => siege.close());

  const deliver = (payload: Json) => siege.world.workspace.deliver('interactive', payload);
  /** A fresh form of Ana's for stopping a service. */
  const anasForm = async (): Promise<string> => {
    const ana = siege.world.as('ana').in('#ops');
    for (const view of ana.state.views) await ana.closeModal({ all: view.id !== '' });
    await ana.command('/db stop');
    const view = await ana.expectModal(/Stop a service/);
    return formIdOf(siege, view.id);
  };
  const GONE: Row = { outcome: 'denied', detail: /a form that is unknown, too old or somebody/ };

  it("takes nobody else's form", async () => {
    const form = await anasForm();
    await expectRefused(siege, () => deliver(submissionOf({ form }, person('U02BEN'))), {
      ...GONE,
      operation: 'service.stop',
      actor: { userId: 'U02BEN', teamId: 'T0ACME' },
    });
  });

  it.each([
    ['random', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['empty', ''],
    ['of 1 MB', HUGE],
    ['SQL', "' OR '1'='1"],
    ['JSON', '{"operation":"service.stop","raw":{"service":"scratch"},"open":[]}'],
    ['a path', '../../forms'],
  ])('takes no private_metadata that is %s', async (_name, form) => {
    await expectRefused(siege, () => deliver(submissionOf({ form })), GONE);
  });

  it.each([
    ['another operation', 'dashboard.delete'],
    ['an unknown operation', 'service.destroy'],
    ['a prototype', '__proto__.constructor'],
  ])(
    'runs what the form was opened for, though the callback id says %s',
    async (_name, callbackId) => {
      const form = await anasForm();
      await expectRefused(siege, () => deliver(submissionOf({ form, callbackId })), {
        operation: 'service.stop',
        outcome: 'confirm',
      });
    },
  );

  const legacy = SERVICES.legacy.id;
  it.each([
    ['a service that no rule names', chosen('legacy'), 'invalid'],
    ['the id of a service that no rule names', chosen(legacy), 'invalid'],
    [
      'another field than the form has',
      { 'f:id': { id: { value: DASHBOARDS.latency } } },
      'invalid',
    ],
    ['a block that is no field', { evil: { service: { value: 'scratch' } } }, 'invalid'],
    ['a list where text belongs', { 'f:service': { service: { value: ['scratch'] } } }, 'invalid'],
    ['a number where text belongs', { 'f:service': { service: { value: 7 } } }, 'invalid'],
    [
      'several options where one belongs',
      { 'f:service': { service: { selected_options: [{ value: 'scratch' }, { value: 'x' }] } } },
      'invalid',
    ],
    ['a list of blocks', [{ service: 'scratch' }], 'invalid'],
    ['text for all values', 'scratch', 'invalid'],
    ['null', { 'f:service': null }, 'invalid'],
    ['1 MB', chosen(HUGE), 'invalid'],
    ['1 MB that is slow to search', chosen(SLOW), 'invalid'],
    ['a prototype', JSON.parse('{"__proto__":{"service":{"value":"scratch"}}}'), 'invalid'],
  ] as const)('refuses values that hold %s', async (_name, values, outcome) => {
    const form = await anasForm();
    const row = { operation: 'service.stop', outcome };
    await expectRefused(siege, () => deliver(submissionOf({ form, values })), row);
  });

  const RUN = (operation: string, input: unknown) => ({ kind: 'run', operation, input });
  it.each<readonly [string, unknown, Row]>([
    [
      'of an operation that is not allowed',
      RUN('dashboard.delete', { id: 'a1', confirmId: 'a1' }),
      { operation: 'dashboard.delete', outcome: 'denied' },
    ],
    [
      'of an operation that does not exist',
      RUN('service.destroy', {}),
      { operation: 'slack.payload', outcome: 'denied' },
    ],
    ['of a prototype', RUN('constructor', {}), { operation: 'slack.payload', outcome: 'denied' }],
    [
      'with an unknown service',
      RUN('service.stop', { service: legacy }),
      { operation: 'service.stop', outcome: 'denied' },
    ],
    [
      'with a list for a service',
      RUN('service.stop', { service: ['scratch'] }),
      { operation: 'service.stop', outcome: 'denied' },
    ],
    [
      'with a field that is not declared',
      RUN('service.stop', { service: 'scratch', force: true }),
      { operation: 'service.stop', outcome: 'denied' },
    ],
    [
      "with somebody's kept input",
      RUN('service.stop', { '@saved': 'AAAAAAAAAAAAAAAA' }),
      { operation: 'service.stop', outcome: 'denied' },
    ],
    ['of no known kind', { kind: 'approve-all', pending: 'x' }, { operation: 'slack.payload' }],
    [
      'with more than it should have',
      { kind: 'confirm', pending: 'x', force: true },
      { operation: 'slack.payload' },
    ],
    ['of an unknown question', { kind: 'confirm', pending: 'x' }, { operation: 'slack.payload' }],
    ['of an unknown request', { kind: 'approve', pending: 'x' }, { operation: 'slack.payload' }],
    [
      'denying an unknown request',
      { kind: 'deny', pending: "' OR 1=1" },
      { operation: 'slack.payload' },
    ],
    [
      'cancelling an unknown question',
      { kind: 'cancel', pending: '../x' },
      { operation: 'slack.payload' },
    ],
    ['that is rubbish', '{"kind":"confirm', { operation: 'slack.payload' }],
    ['that is empty', '', { operation: 'slack.payload' }],
    ['of 2,000 characters', 'y'.repeat(2_000), { operation: 'slack.payload' }],
    ['nested too deeply', '['.repeat(2_000), { operation: 'slack.payload' }],
    [
      'of 1 MB',
      JSON.stringify(RUN('service.stop', { service: SLOW })),
      { operation: 'service.stop' },
    ],
  ])('refuses a button %s', async (_name, value, row) => {
    const edit = { actions: actionsOf(value) };
    await expectRefused(siege, () => press(siege, value, edit), row);
  });

  it("refuses the password button of somebody else's service, and says no more", async () => {
    const ana = siege.world.as('ana').in('#ops');
    const since = siege.world.workspace.traffic().length;
    await ana.command('/db create nightly --preset small --ip-access-list 203.0.113.7');
    await ana.expectModal(/Create a service/);
    await ana.submit();
    await ana.expectEphemeral(/The password of nightly is shown once/);
    const secret = await newestButton(siege, 'reveal', since);
    // A submitted form leaves its trigger unused: with it Slack opens the modal for Ben.
    const ben = siege.world.as('ben').in('#ops');
    await ben.command('/db stop');
    await ben.select('Service', 'scratch');
    await ben.submit();
    const trigger = siege.world.workspace.lastDelivery('interactive')?.payload['trigger_id'];
    const edit = { ...person('U02BEN'), trigger_id: trigger };
    await expectRefused(siege, () => press(siege, { kind: 'reveal', secret }, edit), {
      operation: 'password.reveal',
      detail: /not-yours/,
    });
    await ben.expectModal(/Only the person who created the service/);
    await ana.click('Show password once');
    await ana.expectModal(/Copy it now/);
  });

  it.each([
    ['without a person', { user: null }],
    ['without actions', { actions: [] }],
    ['with text for actions', { actions: 'confirm' }],
    ['with an id of 1 MB', person(HUGE)],
    ['with an object for a team', { team: { id: { $ne: null } } }],
  ])('outlives a press %s', async (_name, edit) => {
    const send = async () => expect(await press(siege, '', edit)).toMatchObject({ ok: true });
    const detail = /a payload of type block_actions that does not fit/;
    await expectRefused(siege, send, { operation: 'slack.payload', outcome: 'denied', detail });
  });

  it('runs a confirmed question once, whatever is pressed again', async () => {
    const ana = siege.world.as('ana').in('#ops');
    const since = siege.world.workspace.traffic().length;
    await ana.command('/db stop scratch');
    const pending = await newestPending(siege, 'confirm', since);
    const payload = pressOf({ kind: 'confirm', pending });
    const writes = siege.writes();
    await deliver(payload);
    await expect.poll(() => siege.writes()).toBe(writes + 1);
    await expectAlive(siege);
    await expectRefused(siege, () => deliver(payload));
    const again = () => press(siege, { kind: 'confirm', pending });
    await expectRefused(siege, again, { operation: 'service.stop', outcome: 'already' });
    const asApproval = () => press(siege, { kind: 'approve', pending });
    await expectRefused(siege, asApproval, { operation: 'service.stop', outcome: 'already' });
    await expectRefused(siege, () => press(siege, { kind: 'deny', pending }), {
      outcome: 'denied',
    });
    expect(siege.writes()).toBe(writes + 1);
  });

  it('sends what a form holds once, however often the form is sent', async () => {
    const ben = siege.world.as('ben').in('#ops');
    const id = DASHBOARDS.unused;
    await ben.command(`/db dashboard delete ${id}`);
    const view = await ben.expectModal(/Delete a dashboard/);
    const form = formIdOf(siege, view.id);
    const values = {
      'f:id': { id: { type: 'plain_text_input', value: id } },
      'f:confirmId': { confirmId: { type: 'plain_text_input', value: id } },
    };
    const send = () =>
      deliver(
        submissionOf(
          { form, values, viewId: view.id, callbackId: 'dashboard.delete' },
          person('U02BEN'),
        ),
      );
    const writes = siege.writes();
    const newest = await siege.lastRow();
    await Promise.all(Array.from({ length: 10 }, send));
    await expectRow(siege, newest, { detail: /sent already/, outcome: 'denied' });
    await expectAlive(siege);
    expect(siege.writes()).toBe(writes + 1);
    await expectRefused(siege, send, { detail: /sent already/, operation: 'dashboard.delete' });
  });
});

function actionsOf(value: unknown): readonly Json[] {
  const [action] = pressOf(value)['actions'] as readonly Json[];
  const kind = /"kind":"([a-z]+)/u.exec(typeof value === 'string' ? value : '')?.[1];
  const known = typeof value === 'string' ? (kind ?? 'confirm') : undefined;
  const id = known ?? String((value as Json)['kind']);
  // The route goes by the action id: an attacker keeps one that is taken.
  const taken = ['confirm', 'cancel', 'approve', 'deny', 'run', 'open', 'reveal'].includes(id);
  return [{ ...action, action_id: `${taken ? id : 'confirm'}:0-0` }];
}
