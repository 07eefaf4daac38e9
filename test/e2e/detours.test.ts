import { afterEach, expect, it } from 'vitest';
import { besiege, expectRow, type Siege } from '../support/attacks.ts';

let siege: Siege;
afterEach(() => siege.close());

const at = (who: string, where = '#ops') => siege.world.as(who).in(where);

it('what is to be shared is shared also after a near miss', async () => {
  siege = await besiege();
  await at('ana').command('/db endpoint analytcs --share');
  await at('ana').click('Use analytics');
  await at('ben').expectMessage(/The query endpoint of analytics is set up/);
});

it('what is to be shared is shared also after its form', async () => {
  siege = await besiege();
  await at('ana').command('/db endpoint --share');
  await at('ana').select('Service', 'analytics');
  await at('ana').submit();
  await at('ben').expectMessage(/The query endpoint of analytics is set up/);
});

it('a create of unknown outcome is not tried again without a word', async () => {
  siege = await besiege();
  siege.world.plane.faults.add({ kind: 'cut', match: { method: 'POST' }, times: 1 });
  await at('ana').command('/db create nightly --preset small --ip-access-list 203.0.113.7');
  await at('ana').submit();
  await at('ben').expectMessage(/nightly may have been created/);
  await at('ben').click('Try again');
  await at('ben').expectEphemeral(/nightly may have been created by @ana .* ago/);
  expect(siege.writes()).toBe(1);
  await at('ben').click('Create another one');
  await at('ben').expectMessage(/@ben created nightly/);
  expect(siege.writes()).toBe(2);
});

it('Slack that hangs closes before its own deadline, and is not waited for', async () => {
  siege = await besiege();
  const newest = await siege.lastRow();
  siege.world.workspace.faults.delay('usergroups.users.list', 60_000);
  await at('ana').command('/db start scratch');
  await expectRow(siege, newest, { operation: 'service.start', outcome: 'denied' });
  await at('ana').expectEphemeral(/Slack could not say who is in operators/);
  expect(siege.writes()).toBe(0);
});
