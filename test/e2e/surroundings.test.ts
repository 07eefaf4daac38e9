import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type StewardWorld, startWorld, type WorldOptions } from '../support/steward-world.ts';

let world: StewardWorld;
let port = 0;
afterEach(() => world.close());

const at = (who: string, where = '#ops') => world.as(who).in(where);

async function begin(options: WorldOptions = {}): Promise<void> {
  port = await freePort();
  world = await startWorld({ ...options, env: { HEALTH_PORT: String(port), ...options.env } });
}

async function page(path: string): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}

/** Every place that has to tell of it: `status`, `/healthz`, `/metrics` and the log. */
async function expectTold(kind: string, words: RegExp): Promise<void> {
  // A line of the audit channel follows the message that it tells of.
  await expect.poll(() => page('/healthz')).toContain(`"kind":"${kind}"`);
  await at('ana').command('/db status');
  await at('ana').expectEphemeral(words);
  expect(await page('/metrics')).toMatch(new RegExp(`steward_troubles\\{kind="${kind}"`, 'u'));
  expect(linesOf(kind)).toBe(1);
}

const linesOf = (kind: string): number =>
  world.logs.filter(({ fields }) => fields['event'] === 'trouble' && fields['kind'] === kind)
    .length;

async function expectOver(kind: string): Promise<void> {
  expect(await page('/healthz')).not.toContain(`"kind":"${kind}"`);
  expect(await page('/metrics')).not.toContain(`kind="${kind}"`);
}

/** What was asked before something changed may be answered after it, and be told. */
async function nothingOnItsWay(): Promise<void> {
  let before = -1;
  const isStill = () => {
    const now = world.workspace.traffic().length;
    const same = now === before;
    before = now;
    return same;
  };
  await expect.poll(isStill, { interval: 300 }).toBe(true);
}

describe('what is wrong around Steward is told wherever it matters', () => {
  it('a missing scope: also in the words of each refusal that it causes', async () => {
    await begin();
    world.workspace.admin.takeScope('usergroups:read');
    for (const command of ['/db stop scratch', '/db start scratch', '/db stop analytics']) {
      await at('ana').command(command);
      await at('ana').expectEphemeral(
        /Slack could not say who is in .*The reason: Slack wants the scope usergroups:read: add it to the app and install it again/u,
      );
    }
    await expectTold('scope', /Slack wants the scope usergroups:read/u);
    await nothingOnItsWay();
    world.workspace.admin.giveScope('usergroups:read');
    await at('ana').command('/db stop scratch');
    await at('ana').expectEphemeral(/Stop scratch\?/u);
    await expectOver('scope');
  });

  it.each([1, 2, 3, 4])(
    'a scope that comes back after %i refusals is no trouble any more',
    async (count) => {
      await begin();
      world.workspace.admin.takeScope('usergroups:read');
      for (let n = 0; n < count; n += 1) {
        await at('ana').command('/db stop scratch');
        await at('ana').expectEphemeral(/Slack could not say who is in/u);
        await nothingOnItsWay();
      }
      world.workspace.admin.giveScope('usergroups:read');
      await at('ana').command('/db stop scratch');
      await at('ana').expectEphemeral(/Stop scratch\?/u);
      await expectOver('scope');
    },
  );

  it('a missing scope at the press of an approval', async () => {
    await begin();
    await at('ana').command('/db stop analytics');
    await at('ben').expectMessage(/@ana asks to stop analytics/u);
    world.workspace.admin.takeScope('usergroups:read');
    await at('ben').click('Approve');
    await at('ben').expectEphemeral(/usergroups:read/u);
  });

  it('an archived audit channel, until it is open again', async () => {
    await begin();
    world.workspace.admin.archive('#audit');
    await at('ana').command('/db start reporting');
    await at('ana').expectMessage(/asked reporting to start/u);
    await expectTold('archived', /#audit is archived/u);
    world.workspace.admin.unarchive('#audit');
    await at('ana').command('/db stop reporting');
    await at('ana').click('Stop reporting');
    await at('ana').expectMessage(/asked reporting to stop/u);
    await expect.poll(() => page('/healthz')).not.toContain('archived');
  });

  it('a channel that it is not in, and a summary that could not be posted there', async () => {
    await begin();
    world.workspace.admin.kick('#audit');
    await at('ana').command('/db start reporting');
    await at('ana').expectMessage(/asked reporting to start/u);
    await expectTold('not-in-channel', /Steward is not in #audit: type \/invite @Steward there/u);
  });

  it('no summary is promised where it could not be posted', async () => {
    await begin();
    world.workspace.admin.kick('#ops');
    await at('ana').command('/db digest on 09:00 Europe/Berlin');
    await at('ana').expectEphemeral(
      /Steward is not in this channel, so it could not post here. Type \/invite @Steward first/u,
    );
    world.workspace.admin.add('#ops');
    await at('ana').command('/db digest on 09:00 Europe/Berlin');
    await at('ana').expectMessage(/turned on the cost summary/u);
  });

  it('rules that are refused, until they are mended', async () => {
    await begin();
    await world.rewriteRules((yaml) => `${yaml}\nnonsense: true\n`);
    await expect.poll(() => page('/healthz')).toContain('"kind":"rules"');
    await expectTold('rules', /the changed steward.yaml is refused \(1 problem\)/u);
    await world.rewriteRules((yaml) => yaml.replace('\nnonsense: true\n', '\n'));
    await expect.poll(() => page('/healthz')).not.toContain('"kind":"rules"');
    await expectOver('rules');
  });
});

describe('a change of the rules', () => {
  it('is announced each time, also the same one again within a minute', async () => {
    await begin();
    const narrow = (yaml: string) =>
      yaml.replace(/actions: \[service\.start, service\.stop\]/u, 'actions: [service.start]');
    const wide = (yaml: string) =>
      yaml.replace(/actions: \[service\.start\]/u, 'actions: [service.start, service.stop]');
    const told = () =>
      world.workspace.state('ben').messages.filter(({ text }) => /Settings reloaded/u.test(text))
        .length;
    for (const [round, change] of [narrow, wide, narrow].entries()) {
      await world.rewriteRules(change);
      await expect.poll(told).toBe(round + 1);
    }
  });

  it('ends an open request that no rule allows any more, and says so', async () => {
    await begin();
    await at('ana').command('/db stop analytics');
    await at('ben').expectMessage(/@ana asks to stop analytics/u);
    await world.rewriteRules((yaml) =>
      yaml.replaceAll(/^.*services: \[tag:prod\].*approval.*$\n/gmu, ''),
    );
    await at('ana').expectMessage(
      /analytics was not stopped: the rules were changed, and no rule here allows it/u,
    );
    await at('ana').command('/db approvals');
    await at('ana').expectEphemeral(/none of yours is open/u);
  });
});
