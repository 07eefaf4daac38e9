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
  ['/db services blah', /takes no more words\.\s+blah: nothing more/, 'Use services'],
  ['/db status now', /takes no more words\.\s+now: nothing more/, 'Use status'],
  ['/db can stop scratch now', /Did you mean scratch\?/, 'Use scratch'],
])('%s says what is too much, and its button does the rest', async (line, words, button) => {
  ana().reload();
  await ana().command(line);
  await ana().expectEphemeral(words);
  const since = (await siege.rows())[0]?.number ?? 0;
  await ana().click(button);
  await expect
    .poll(async () => (await siege.rows()).find(({ number }) => number > since)?.outcome)
    .toBe('done');
});

it.each([
  ['/db stop scratch analytics', /One service at a time: .*analytics.* and .*scratch.* are 2/],
  ['/db cost scratch 2d', /26 – 27 Nov 2026 \(UTC\).*scratch|scratch.*26 – 27 Nov 2026/s],
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
