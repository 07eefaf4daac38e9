import { afterEach, describe, expect, it } from 'vitest';
import type { DigestKey } from '../../src/core/ports/digests.ts';
import type { Settings } from '../../src/core/settings/settings.ts';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import {
  ACME_SETTINGS,
  type DigestWorld,
  type Replica,
  startDigestWorld,
} from '../support/digest-world.ts';
import { settingsWith } from '../support/operation-ports.ts';

const MORNING = '2026-11-27T08:00:00.000Z';
const KEY: DigestKey = {
  channel: 'C0FINANCE',
  organization: 'acme',
  period: 'day',
  day: '2026-11-26',
};

function settings(more: Partial<Settings> = {}): Settings {
  return settingsWith({
    organizations: [ACME_SETTINGS],
    services: Object.values(SERVICES).map(({ id, name, tag }) => ({
      id,
      name,
      organization: 'acme',
      tags: [tag],
    })),
    audit: { channel: 'C0AUDIT' },
    channels: [
      {
        id: 'C0FINANCE',
        name: 'finance',
        rules: [],
        externalPeople: 'deny',
        guests: 'deny',
        digest: { at: '09:00', zone: 'Europe/Berlin', services: ['*'], every: 'day' },
      },
    ],
    ...more,
  });
}

let world: DigestWorld;
const replicas: Replica[] = [];
afterEach(async () => {
  for (const replica of replicas.splice(0)) await replica.close();
  await world.close();
});

async function begin(options: { historyScope?: boolean; settings?: Settings } = {}) {
  world = await startDigestWorld({
    start: MORNING,
    settings: options.settings ?? settings(),
    historyScope: options.historyScope ?? false,
  });
  world.workspace.admin.add('#audit');
  return await replica();
}

async function replica(): Promise<Replica> {
  const made = await world.replica();
  replicas.push(made);
  return made;
}

/** What stands in a channel, threads aside. */
function textsIn(channel: string): readonly string[] {
  const id = world.workspace.channelId(channel);
  return world.workspace
    .state('ana')
    .messages.filter((message) => message.channel === id && message.threadTs === null)
    .map(({ text }) => text);
}

describe('a crash between claim and post, or between post and record', () => {
  it.each(['before-post', 'after-post'] as const)(
    'is told where the bot may not look: %s',
    async (death) => {
      const first = await begin();
      await first.dieAt(death);
      world.clock.advance('PT10M');
      const second = await replica();
      await second.tick();
      await second.tick();
      expect(textsIn('#finance')).toHaveLength(death === 'after-post' ? 1 : 0);
      expect(await second.ledger.find(KEY)).toMatchObject({ state: 'unknown' });
      expect(textsIn('#audit')).toEqual([
        expect.stringMatching(/may be missing: Steward was interrupted.*not posted again/u),
      ]);
    },
  );

  it.each(['before-post', 'after-post'] as const)(
    'ends with one message where it may: %s',
    async (death) => {
      const first = await begin({ historyScope: true });
      await first.dieAt(death);
      world.clock.advance('PT10M');
      const second = await replica();
      await second.tick();
      expect(textsIn('#finance')).toHaveLength(1);
      expect(await second.ledger.find(KEY)).toMatchObject({ state: 'posted' });
      expect(textsIn('#audit')).toEqual([]);
    },
  );
});

describe('Slack answers otherwise than hoped', () => {
  it('pauses a channel after three tries and tells the audit channel once', async () => {
    const runner = await begin();
    world.workspace.admin.kick('#finance');
    for (let tries = 0; tries < 5; tries += 1) {
      await runner.tick();
      world.clock.advance('PT5M');
    }
    expect(await runner.ledger.find(KEY)).toMatchObject({ state: 'failed', attempts: 3 });
    expect(textsIn('#audit')).toEqual([
      expect.stringMatching(/is paused: Slack answered not_in_channel three times/u),
    ]);
  });

  it('tries for as long as it is due, however often it is refused', async () => {
    const runner = await begin();
    for (let tries = 0; tries < 25; tries += 1) {
      world.workspace.faults.failNext('chat.postMessage', 'team_access_not_granted');
      await runner.tick();
      world.clock.advance('PT5M');
    }
    expect(await runner.ledger.find(KEY)).toMatchObject({ state: 'failed', attempts: 25 });
    await runner.tick();
    expect(textsIn('#finance')).toHaveLength(1);
  });

  it('posts plainer blocks where the workspace refuses native ones', async () => {
    const runner = await begin();
    world.workspace.faults.nativeData = false;
    await runner.tick();
    expect(textsIn('#finance')).toHaveLength(1);
  });

  it('does not repeat a post whose answer was lost, and finds it where it may look', async () => {
    const runner = await begin({ historyScope: true });
    world.workspace.faults.failNext('chat.postMessage', 'internal_error');
    await runner.tick();
    expect(await runner.ledger.find(KEY)).toMatchObject({ state: 'unknown' });
    world.clock.advance('PT5M');
    await runner.tick();
    // It was looked for and was not there.
    expect(textsIn('#finance')).toHaveLength(1);
    expect(await runner.ledger.find(KEY)).toMatchObject({ state: 'posted', attempts: 2 });
  });
});

describe('the one gap: Slack took the post, and the answer was lost', () => {
  it.each([
    ['is found by its metadata where the bot may read the channel', true, 'posted'],
    ['stays unknown where it may not, is not repeated, and is told', false, 'unknown'],
  ] as const)('%s', async (_name, historyScope, state) => {
    const runner = await begin({ historyScope });
    runner.loseAnswer();
    for (let ticks = 0; ticks < 4; ticks += 1) {
      await runner.tick();
      world.clock.advance('PT5M');
    }
    expect(textsIn('#finance')).toHaveLength(1);
    expect(await runner.ledger.find(KEY)).toMatchObject({ state, attempts: 1 });
    expect(textsIn('#audit')).toHaveLength(historyScope ? 0 : 1);
  });
});

describe('time', () => {
  it('skips visibly what is older than 12 hours, and posts the rest late', async () => {
    const runner = await begin();
    await runner.tick();
    world.clock.advance('P3DT2H');
    await (await replica()).tick();
    expect(textsIn('#finance').map((text) => text.replace('⚠️ ', '').slice(0, 16))).toEqual([
      'Thu 26 Nov (UTC)',
      'Sun 29 Nov (UTC)',
    ]);
    for (const day of ['2026-11-27', '2026-11-28']) {
      expect(await runner.ledger.find({ ...KEY, day })).toMatchObject({
        state: 'failed',
        reason: expect.stringContaining('skipped'),
      });
    }
  });

  it('posts a week by the same code', async () => {
    const [finance] = settings().channels;
    const digest = { at: '09:00', zone: 'Europe/Berlin', services: ['*'], every: 'week' } as const;
    const channels = finance === undefined ? [] : [{ ...finance, digest }];
    const runner = await begin({ settings: settings({ channels }) });
    world.clock.set('2026-11-30T08:00:00.000Z');
    await runner.tick();
    expect(textsIn('#finance')[0]).toMatch(
      /^⚠️ 23 – 29 Nov 2026 \(UTC\): \*[\d,.]+ units\*, provisional\. .* on the week before · .* on a usual week/u,
    );
  });
});
