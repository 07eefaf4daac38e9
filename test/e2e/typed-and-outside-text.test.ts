import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { besiege, besiegedRules, type Siege, sendCommand } from '../support/attacks.ts';
import type { Person } from '../support/person.ts';
import { formatting, sentTexts } from '../support/sent-texts.ts';

const LOUD = '11111111-1111-4111-8111-111111111111';
const CURLY = '33333333-3333-4333-8333-333333333333';
const HOSTILE = '*Approved by @ben* _at once_ ~no~ `done` <!channel> :white_check_mark: @here';
const NAME = `> ${HOSTILE} \u202eprod`;

const rules = (yaml: string): string =>
  besiegedRules(yaml).replace(
    "      - { actions: ['*.read'], who: [anyone] }",
    `      - { actions: [service.stop], services: [${LOUD}, ${CURLY}], who: [operators], approval: { by: [leads], within: 30m } }
      - { actions: [approval.break-glass], who: [operators] }
      - { actions: ['*.read'], who: [anyone] }`,
  );

let siege: Siege;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  siege = await besiege({ settings: rules });
  await siege.know(LOUD, NAME);
  await siege.know(CURLY, 'Ana\u2019s\u00a0scratch\u2013pad');
  ana = siege.world.as('ana').in('#ops');
  ben = siege.world.as('ben').in('#ops');
});
afterAll(() => siege.close());

function now(): number {
  return siege.world.workspace.traffic().length;
}

/** Formats that we never ask for, and those of ours that outside text could borrow. */
const FORBIDDEN: readonly RegExp[] = [
  /^(?:broadcast|group|quote|strike|pre) /u,
  // Its own links lead to messages of its own.
  /^link (?!(?:Open it|Open the request|message)$)/u,
  /^emoji (?!warning$|no_entry$|white_check_mark$)/u,
  /^italic (?!… and \d+ more\.$)/u,
  /^bold Approved/u,
  /^code done$/u,
];

/** Whatever was shown since: not one letter of it formats, mentions, rings or hides. */
function expectHarmless(since: number): void {
  const texts = sentTexts(siege.world.workspace, since);
  const hiding = texts.filter(({ text }) => /[\u202a-\u202e\u2066-\u2069\u200b\u2060]/u.test(text));
  expect(hiding).toEqual([]);
  const nodes = texts
    .filter(({ mrkdwn }) => mrkdwn)
    .flatMap(({ text }) => formatting(text).map(({ kind, words }) => `${kind} ${words}`));
  expect(nodes.filter((node) => FORBIDDEN.some((each) => each.test(node)))).toEqual([]);
  expect(nodes.length).toBeGreaterThan(0);
}

describe('a typed name', () => {
  it.each([
    ['a zero-width space', 'scra\u200btch'],
    ['a word joiner in front', '\u2060scratch'],
    ['a soft hyphen', 'scra\u00adtch'],
    ['the other direction', '\u202escratch\u202c'],
    ['a variation selector', 'scratch\ufe0f'],
    ['a tag', 'scratch\u{e0061}'],
    ['backticks', '`scratch`'],
    ['an en quad around it', '\u2000scratch\u2003'],
  ])('is the service that everybody reads, with %s', async (_name, typed) => {
    await ana.command(`/db stop "${typed}"`);
    await ana.expectEphemeral(/Stop scratch\?/);
    await ana.click('Cancel');
    await ana.expectEphemeral(/Cancelled; nothing was done/);
  });

  it.each([
    ['Ana\u2019s scratch\u2013pad'],
    ['ana\u02bcs scratch\u2011pad'],
    ['Ana\u2018s\u2003scratch\u2014pad'],
  ])('finds a service whose own name has such signs: %s', async (typed) => {
    const since = now();
    await ana.command(`/db can stop "${typed}"`);
    await expect
      .poll(() =>
        sentTexts(siege.world.workspace, since)
          .map(({ text }) => text)
          .join(),
      )
      .toMatch(/may use `service\.stop` on \*Ana’s scratch–pad\*/u);
    expectHarmless(since);
  });

  it('is not there where nothing can be seen', async () => {
    await ana.command('/db stop "\u200b\u2060"');
    await ana.expectModal(/Stop a service/);
    await ana.closeModal();
  });

  it('is clean in a form as well, line by line', async () => {
    const before = siege.world.plane.requests().length;
    await ana.command('/db invite');
    await ana.expectModal(/Invite/);
    await ana.fill('E-mail', 'new.\u200bperson@example.com');
    await ana.submit();
    await ana.expectEphemeral(/Invite new\.person@example\.com to acme/);
    const sent = siege.world.plane.requests().slice(before);
    expect(JSON.stringify(sent)).not.toContain('\u200b');
  });
});

describe('text from outside is shown as such', () => {
  it('in a name: question, refusal, approval, denial, lists, menus, buttons and the audit channel', async () => {
    const since = now();
    await ana.command(`/db stop ${LOUD}`);
    await ben.expectMessage(/asks to stop › ∗Approved by @ben∗.*⟨U\+202E⟩prod/);
    await ana.command('/db approvals');
    await ana.expectEphemeral(/Withdraw stop/);
    await ben.click('Deny');
    await ben.expectModal(/Deny this request/);
    await ben.fill('Reason', `${HOSTILE}\n> quoted\n\u202eback`);
    await ben.submit();
    await ana.expectMessage(
      /was not stopped: denied by @ben[\s\S]*Reason: ∗Approved by @ben∗ ˍat onceˍ ∼no∼ ˋdoneˋ <!channel> ∶white_check_mark: ＠here ↵ > quoted ↵ back/,
    );
    await ana.expectEphemeral(/Reason: ∗Approved by @ben∗/);
    await ben.in('#audit').expectMessage(/denied service\.stop[\s\S]*Reason: ∗Approved by @ben∗/);
    await ana.command('/db services');
    await ana.expectEphemeral(/⟨U\+202E⟩prod/);
    await ana.command(`/db can stop ${LOUD}`);
    await ana.expectEphemeral(/may use/);
    await ana.command('/db log');
    await ana.expectEphemeral(/rows of the journal/);
    expectHarmless(since);
  });

  it('in the reason of a broken glass', async () => {
    const since = now();
    await ana.command(`/db stop analytics --break-glass "${HOSTILE} \u202eback"`);
    // Slack writes a typed @ben as <@U02BEN>.
    const reason = 'Reason: ∗Approved by &lt;@U02BEN&gt;∗ ˍat onceˍ ∼no∼ ˋdoneˋ &lt;!channel&gt;';
    await ben.expectMessage(
      new RegExp(`goes ahead without an approval[\\s\\S]*${reason}.* back`, 'u'),
      'markup',
    );
    await ben
      .in('#audit')
      .expectMessage(
        new RegExp(`Break-glass[\\s\\S]*without an approval[\\s\\S]*${reason}`, 'u'),
        'markup',
      );
    await ben.command('/db log --action stop');
    await ben.expectEphemeral(/break-glass allowed by .*Approved by/);
    expectHarmless(since);
  });

  it('in what was not understood', async () => {
    const since = now();
    const typed = NAME.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    for (const text of [`stop "${typed}"`, `stpo ${typed}`, `${typed}`, `stop --${HOSTILE}`]) {
      await sendCommand(siege, text);
    }
    await ana.command('/db stop nothing-like-it');
    await ana.expectEphemeral(/No service named nothing-like-it/);
    expectHarmless(since);
  });

  it('in the options of a form', async () => {
    await ana.command('/db stop');
    await ana.expectModal(/Stop a service/);
    const offered = await ana.suggest('Service', 'approved');
    expect(offered).toEqual([expect.stringMatching(/^> \*Approved by @ben\*/u)]);
    expect(offered.join('')).not.toMatch(/\u202e|:white_check_mark:/u);
    await ana.closeModal();
  });

  it('and an ordinary name looks ordinary', async () => {
    await siege.know('44444444-4444-4444-8444-444444444444', 'kafka_prod 2*3 a~b');
    await ana.command('/db services');
    // Between the marks of bold text a star has to be one that only looks like it.
    await ana.expectEphemeral(/kafka_prod 2∗3 a~b/);
    expect(SERVICES.scratch.name).toBe('scratch');
  });
});
