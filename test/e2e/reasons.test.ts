import { afterEach, describe, expect, it } from 'vitest';
import { openJournalReader } from '../support/journal-reader.ts';
import { type StewardWorld, startWorld, type WorldOptions } from '../support/steward-world.ts';

const required = (yaml: string): string =>
  yaml
    .replace(
      'services: [tag:dev], who: [operators, leads] }',
      'services: [tag:dev], who: [operators, leads], reason: required }',
    )
    .replace('approval: { by: [leads], within: 30m }', '$&, reason: required');

describe.each(['socket', 'http'] as const)('a reason, over %s', (mode) => {
  let world: StewardWorld;
  afterEach(() => world.close());
  const begin = async (options: WorldOptions = {}): Promise<void> => {
    world = await startWorld({ mode, ...options });
  };
  const ana = () => world.as('ana').in('#ops');
  const ben = () => world.as('ben').in('#ops');
  const audit = () => world.as('ben').in('#audit');

  it('is shown in request, outcome, audit line and journal, and where it was refused', async () => {
    await begin();
    await ana().command('/db stop analytics --reason nightly restore --share it');
    await ben().expectMessage(/asks to stop analytics[\s\S]*Reason: nightly restore --share it/);
    await ben().click('Approve');
    await ben().expectMessage(
      /asked analytics to stop, approved by @ben[\s\S]*Reason: nightly restore/,
    );
    await audit().expectMessage(/service\.stop[\s\S]*analytics[\s\S]*Reason: nightly restore/);
    await ana().command('/db log --service analytics');
    await ana().expectEphemeral(/reason: nightly restore --share it/);
    await ana().command('/db stop analytics --reason the second one');
    await ben().click('Deny');
    await ben().submit();
    await ben().expectMessage(/denied by @ben[\s\S]*Asked by @ana[\s\S]*the second one/);
  });

  it('is asked by the form and the question shows it', async () => {
    await begin();
    await ana().command('/db stop');
    await ana().select('Service', 'scratch');
    await ana().fill('Reason', 'too big <!channel> <@U02BEN> *bold*');
    await ana().submit();
    const question = await ana().expectEphemeral(/Stop scratch\?[\s\S]*Reason: too big/);
    expect(JSON.stringify(question.blocks)).not.toMatch(/<!channel>|<@U02BEN>/);
    await ana().click('Stop scratch');
    const told = await ben().expectMessage(/asked scratch to stop[\s\S]*Reason: too big/);
    expect(JSON.stringify(told)).not.toMatch(/<!channel>|<@U02BEN>/);
  });

  it('that holds a secret is kept and shown without it', async () => {
    await begin();
    await ana().command('/db stop analytics --reason key xoxb-1234-fakefakefake goes');
    await ben().expectMessage(/Reason: key \[redacted\] goes/);
    expect(await world.dataBytes()).not.toContain('xoxb-1234-fakefakefake');
    await ana().command('/db stop --reason key xoxb-1234-fakefakefake goes');
    await ana().expectModal(/Stop a service/);
    expect(await world.dataBytes()).not.toContain('xoxb-1234-fakefakefake');
  });

  it('that a rule requires is asked for in the form, which goes on', async () => {
    await begin({ settings: required });
    await ana().command('/db stop scratch');
    await ana().expectModal(/Stop a service[\s\S]*rules here ask for a reason/);
    await ana().submit();
    await ana().expectModalError('Reason', /rules here ask for a reason/);
    await ana().fill('Reason', 'it is late');
    await ana().submit();
    await ana().expectEphemeral(/Stop scratch\?[\s\S]*Reason: it is late/);
    await ana().click('Stop scratch');
    await ben().expectMessage(/asked scratch to stop/);
    await ana().command('/db stop analytics');
    await ana().fill('Reason', 'restore');
    await ana().submit();
    await ben().expectMessage(/asks to stop analytics[\s\S]*Reason: restore/);
    await ana().command('/db can stop analytics');
    await ana().expectEphemeral(/with a reason/);
    const journal = await openJournalReader(world.env['DATABASE_URL'] ?? '');
    const rows = await journal.find({ operations: ['service.stop'] });
    await journal.close();
    expect(rows[0]).toMatchObject({ outcome: 'approval', reason: 'restore' });
  });
});
