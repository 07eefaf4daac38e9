import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
beforeAll(async () => {
  world = await startWorld({
    settings: (yaml) =>
      `${yaml}limits: { perPersonPerMinute: 10000, perChannelPerMinute: 10000 }\n`,
  });
});
afterAll(() => world.close());

const ana = () => world.as('ana').in('#ops');
const ben = () => world.as('ben').in('#ops');

const seen = new Set<{ readonly sent: unknown }>();

/** Whose Home was published, in order; the workspace keeps only the end of its traffic. */
function published(): readonly string[] {
  for (const record of world.workspace.traffic()) {
    if (record.what === 'views.publish') seen.add(record);
  }
  return [...seen].map(({ sent }) => String(Object(sent)['user_id']));
}

async function ask(service: string, reason = 'restore'): Promise<void> {
  await ana().command(`/db stop ${service} --reason ${reason}`);
  await ben().expectMessage(new RegExp(`asks to stop ${service}[\\s\\S]*${reason}`, 'u'));
}

it('a request that begins or ends is drawn in the open Home of whom it concerns', async () => {
  await ask('analytics');
  // Nobody has opened one yet.
  expect(published()).toEqual([]);
  for (const person of ['ana', 'ben', 'fay']) await world.as(person).openHome();
  await world.as('ana').expectHome(/1 request of yours is open/u);
  await world.as('ben').expectHome(/1 request waits for you/u);
  await ask('core');
  await world.as('ana').expectHome(/2 requests of yours are open/u);
  await world.as('ben').expectHome(/2 requests wait for you/u);
  await ben().click('Approve');
  await world.as('ana').expectHome(/1 request of yours is open/u);
  await world.as('ben').expectHome(/1 request waits for you/u);
  expect(published().filter((id) => id === 'U03FAY')).toHaveLength(1);
});

it('costs a bounded number of calls, however many requests begin and end', async () => {
  for (let count = 10; count < 30; count += 1) {
    await ask('reader', `number ${count}`);
    await ana().click('Deny');
    const over = new RegExp(`reader was not stopped: withdrawn[\\s\\S]*number ${count}`, 'u');
    await ana().expectMessage(over);
    published();
  }
  expect(published().length).toBeLessThanOrEqual(3 + 30);
});
