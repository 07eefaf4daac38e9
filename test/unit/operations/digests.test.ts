import { describe, expect, it } from 'vitest';
import type { DigestEntry, ScheduledDigest } from '../../../src/core/ports/digests.ts';
import { plain, type Text } from '../../../src/core/text/text.ts';
import { digestRead } from '../../../src/operations/digest-read/digest-read.ts';
import { digestSend } from '../../../src/operations/digest-send/digest-send.ts';
import { digestStart } from '../../../src/operations/digest-start/digest-start.ts';
import { digestStop } from '../../../src/operations/digest-stop/digest-stop.ts';
import { renderCard } from '../../../src/slack/render/render.ts';
import { expectGolden } from '../../support/golden.ts';
import { CONTEXT, fakePorts, settingsWith } from '../../support/operation-ports.ts';
import { executed, planned } from '../../support/run-operation.ts';

const ON: ScheduledDigest = {
  channel: 'C0OPS',
  digest: {
    at: '09:00',
    zone: 'Europe/Berlin',
    services: ['tag:prod'],
    every: 'day',
    budgetPerDay: 400,
  },
  enabled: true,
  owner: 'U03FAY',
};

const POSTED: DigestEntry = {
  channel: 'C0OPS',
  organization: 'acme',
  period: 'day',
  day: '2026-11-26',
  state: 'posted',
  owner: 'i1',
  attempts: 1,
  claimedAt: '2026-11-27T08:00:00.000Z',
  postedAt: '2026-11-27T08:00:02.000Z',
  ts: '1.1',
};

const text = (value: Text): string => plain(value);

describe('digest on', () => {
  it.each([
    ['at', { at: '25:00' }, 'A time of day such as 09:00.'],
    ['at', { at: 'nine' }, 'A time of day such as 09:00.'],
    ['zone', { zone: 'Berlin' }, 'A time zone such as Europe/Berlin.'],
  ])('says what fits for %s', (field, raw, message) => {
    expect(digestStart.prepare(raw)).toEqual({ issues: [{ field, message }] });
  });

  it('takes what is not typed from what was, and is judged on every organization', async () => {
    const ports = fakePorts({ digests: { find: async () => ON } });
    const { targets, preview } = await planned(digestStart, { at: '7:05' }, ports);
    expect(targets).toEqual([expect.objectContaining({ kind: 'organization', name: 'acme' })]);
    expect(text(preview?.ask ?? [])).toBe(
      'turn on the cost summary of this channel at 07:05 Europe/Berlin',
    );
    const { card } = await executed(digestStart, { at: '7:05' }, ports);
    expect(text(card.headline)).toBe(
      '@U01ANA turned on the cost summary of #C0OPS: every day at 07:05 Europe/Berlin. The next one comes 2026-11-28T08:00:00.000Z.',
    );
  });

  it.each([digestStart, digestStop, digestSend, digestRead])(
    'belongs to a channel: $id',
    async (operation) => {
      const prepared = operation.prepare({});
      if ('issues' in prepared) throw new Error('It needs nothing.');
      const plan = await prepared.plan(fakePorts(), { ...CONTEXT, place: 'home' });
      expect('problem' in plan && text(plan.problem)).toBe(
        'A cost summary belongs to a channel: ask there.',
      );
    },
  );
});

describe('digest off', () => {
  it('says so in the channel, and to the asker alone where there was none', async () => {
    const on = fakePorts({ digests: { find: async () => ON } });
    expect((await executed(digestStop, {}, on)).card).toMatchObject({ audience: 'channel' });
    const { card } = await executed(digestStop, {}, fakePorts());
    expect(card).toMatchObject({ audience: 'requester' });
    expect(text(card.headline)).toMatch(/^No cost summary is turned on in this channel\./u);
  });
});

describe('digest now', () => {
  it('asks which organization where there are several', async () => {
    const [acme] = settingsWith().organizations;
    if (acme === undefined) throw new Error('There is no organization.');
    const organizations = [acme, { ...acme, key: 'globex', id: 'other' }];
    await expect(
      planned(digestSend, {}, fakePorts({ settings: { organizations } })),
    ).rejects.toThrow('Choose an organization: acme or globex.');
  });
});

describe('digest status', () => {
  const seen = async (digests: Parameters<typeof fakePorts>[0]) =>
    (await executed(digestRead, {}, fakePorts(digests))).card;

  it.each<[string, ScheduledDigest | undefined, RegExp]>([
    ['none', undefined, /^This channel has no cost summary\. digest on/u],
    ['off', { ...ON, enabled: false }, /^The cost summary is off\. digest on turns it on\./u],
    [
      'paused',
      { ...ON, paused: { at: '2026-11-27T08:10:00.000Z', reason: 'is_archived' } },
      /^The cost summary is paused since .*: Slack answered is_archived three times\./u,
    ],
    ['on', ON, /^The cost summary comes every day at 09:00 Europe\/Berlin\. Next: 2026-11-28T08/u],
  ])('%s', async (name, scheduled, headline) => {
    const card = await seen({
      digests: { find: async () => scheduled, posted: async () => POSTED },
    });
    expect(text(card.headline)).toMatch(headline);
    expectGolden(`digest.read/${name}`, renderCard(card, 'native').main);
  });

  it.each([
    [
      'unknown',
      /^Nobody knows whether the one for 2026-11-26 \(UTC\) was posted: no answer\. It is not repeated\.$/u,
    ],
    ['failed', /^The one for 2026-11-26 \(UTC\) was not posted: no answer\.$/u],
    ['failed', /^Skipped: 2026-11-26 \(UTC\), no answer\.$/u, 'skipped: no answer'],
  ] as const)('says what became of the last ones: %s', async (state, words, why?: string) => {
    const reason = why ?? 'no answer';
    const missed = async () => [{ ...POSTED, state, reason }];
    const card = await seen({ digests: { find: async () => ON, missed } });
    expect(card.tone).toBe('warning');
    expect(card.lines?.map(text)).toEqual([expect.stringMatching(words)]);
  });

  it('says how late the last post was, and that it has no numbers yet', async () => {
    const last = async (how: { lateMs?: number; withoutData?: boolean }) => {
      const posted = async () => ({ ...POSTED, state: 'posted' as const, ...how });
      const card = await seen({ digests: { find: async () => ON, posted } });
      return text(card.facts?.find(({ label }) => label === 'Last post')?.value ?? []);
    };
    expect(await last({ lateMs: 7_200_000, withoutData: true })).toMatch(
      /\(UTC\), without numbers yet, .*, 2 h late$/,
    );
    expect(await last({ lateMs: 60_000 })).toMatch(/\(UTC\), provisional, [^,]*$/);
  });

  it('lists what is muted, each with a button that undoes it', async () => {
    const muted = async () => [
      { entityId: 'e-1', name: 'scratch', until: '2026-12-04T10:02:00.000Z' },
    ];
    const card = await seen({ digests: { find: async () => ON, muted } });
    expect(card.lines?.map(text)).toEqual([expect.stringMatching(/^scratch is muted until 2026/)]);
    const input = { service: 'scratch', entity: 'e-1', off: true };
    expect(card.actions).toEqual([
      { label: 'Unmute scratch', do: { kind: 'run', operation: 'digest.mute', input } },
    ]);
  });
});
