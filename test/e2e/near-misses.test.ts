import { afterAll, beforeAll, expect, it } from 'vitest';
import { besiege, type Siege } from '../support/attacks.ts';

let siege: Siege;
beforeAll(async () => {
  siege = await besiege();
});
afterAll(() => siege.close());
const ana = () => siege.world.as('ana').in('#ops');

it.each([
  ['/db digest', /no command digest\. Choose .*digest on.*digest status/s, 'Use digest status'],
  ['/db please can stop scratch', /Did you mean \/db can stop scratch/, 'Use can'],
  ['/db services blah', /No service that you may use here fits blah\./, 'Show all 7'],
  ['/db services prd runing', /Did you mean prod running\?|fits prd runing\./, 'Show all 7'],
  ['/db status now', /takes no more words\.\s+now: nothing more/, 'Use status'],
  ['/db can stop scratch now', /Did you mean scratch\?/, 'Use scratch'],
])('%s says what is too much, and its button does the rest', async (line, words, button) => {
  ana().reload();
  await ana().command(line);
  await ana().expectEphemeral(words);
  const since = await siege.lastRow();
  await ana().click(button);
  await expect.poll(async () => (await siege.rows(since)).at(-1)?.outcome).toBe('done');
});

it.each([
  ['/db stop scratch analytics', /One service at a time: .*analytics.* and .*scratch.* are 2/],
  ['/db cost scratch 2d', /^scratch, \d+ (?:\w+ )?(?:\d{4} )?– \d+ \w+ \d{4} \(UTC\)/u],
  ['/db cost sometimes', /sometimes.* is neither a service nor a range/],
])('%s is understood, or says what is too much', async (line, words) => {
  ana().reload();
  await ana().command(line);
  await ana().expectEphemeral(words);
});

it.each([
  ['/db invite @fay', /Slack does not tell Steward the e-mail address of a person/],
  ['/db invite fay@example.com developer', /Only an e-mail address, without developer/],
])('%s opens the form, which says so', async (line, words) => {
  await ana().command(line);
  await ana().expectModal(words);
  await ana().closeModal({ all: true });
});

it('an answer that cannot be shared says so', async () => {
  await ana().command('/db can stop scratch --share');
  await ana().expectEphemeral(/cannot be shared: --share was left out/);
});

it('a person whom Slack does not know opens the form, which says so', async () => {
  await ana().command('/db can @zoe stop scratch');
  await ana().expectModal(/Choose a person from the list that Slack opens after @/);
  await ana().closeModal({ all: true });
});

it('can says by whom an approval is needed, also where that depends on the service', async () => {
  ana().reload();
  await ana().command('/db can stop');
  await ana().expectEphemeral(
    /You may use service\.stop here\.[\s\S]*With an approval by leads: [\s\S]*analytics[\s\S]*Without an approval: [\s\S]*scratch/,
  );
  await ana().command('/db can stop scratch');
  await ana().expectEphemeral(/You may use service\.stop on scratch here\./);
  await ana().command('/db can stop analytics');
  await ana().expectEphemeral(/on analytics here, with an approval by leads\./);
  await ana().command('/db can dashboard.delete');
  const refused = await ana().expectEphemeral(/may not use dashboard\.delete/);
  expect(refused.text).toMatch(/^⛔ You may not/u);
});

/** What a screen reader and a locked phone say, and what is drawn. */
it.each([
  ['/db stop analytics --break-glass "no"', /was not stopped/, '⛔', 'no_entry'],
  ['/db start scratch', /asked scratch to start/, '✅', 'white_check_mark'],
])('%s ends with a mark that reads without colour', async (line, words, mark, emoji) => {
  ana().reload();
  await ana().command(line);
  const all = () => ana().state.messages.filter(({ text }) => words.test(text.replaceAll('*', '')));
  await expect.poll(() => all().length).toBeGreaterThan(0);
  const [message] = all().slice(-1);
  expect(message?.text.startsWith(`${mark} `)).toBe(true);
  expect(JSON.stringify(message?.blocks)).toContain(`:${emoji}: `);
});

it('a shared answer says who shared it', async () => {
  await ana().command('/db endpoint analytics --share');
  await siege.world
    .as('ben')
    .in('#ops')
    .expectMessage(/Shared by @ana\./);
});
