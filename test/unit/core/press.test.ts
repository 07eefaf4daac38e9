import { describe, expect, it } from 'vitest';
import { settledMeanwhile, settledText } from '../../../src/core/pipeline/press.ts';
import type { Pending } from '../../../src/core/ports/pending.ts';
import { plain } from '../../../src/core/text/text.ts';
import { ANA, fakePorts } from '../../support/operation-ports.ts';

const NOW = '2026-11-27T10:02:00.000Z';
const open: Pending = {
  id: 'pending-1',
  kind: 'approval',
  state: 'open',
  operation: 'service.stop',
  input: { service: 'analytics' },
  actor: ANA,
  channelId: 'C0OPS',
  planHash: 'fake-hash',
  approvers: ['leads'],
  createdAt: '2026-11-27T10:00:00.000Z',
  expiresAt: '2026-11-27T10:30:00.000Z',
  journal: 812,
};
const byBen = { decidedBy: 'U02BEN', decidedAt: '2026-11-27T10:01:00.000Z' };

const OVER: readonly [string, Partial<Pending>, string][] = [
  [
    'approved',
    { state: 'claimed', ...byBen },
    'Already approved by @U02BEN at 2026-11-27T10:01:00.000Z.',
  ],
  [
    'confirmed',
    { kind: 'confirm', state: 'claimed', ...byBen },
    'Already confirmed by @U02BEN at 2026-11-27T10:01:00.000Z.',
  ],
  ['denied', { state: 'denied', ...byBen }, 'Denied by @U02BEN at 2026-11-27T10:01:00.000Z.'],
  [
    'cancelled',
    { state: 'cancelled', ...byBen },
    'Cancelled by @U02BEN at 2026-11-27T10:01:00.000Z.',
  ],
  [
    'ended by Steward itself',
    { state: 'cancelled', decidedBy: 'steward', decidedAt: '2026-11-27T10:01:00.000Z' },
    'It ended at 2026-11-27T10:01:00.000Z; nothing was done.',
  ],
  [
    'expired',
    { state: 'expired' },
    'This expired at 2026-11-27T10:30:00.000Z; nothing was done. Type the command again.',
  ],
  [
    'past its time',
    { expiresAt: NOW },
    `This expired at ${NOW}; nothing was done. Type the command again.`,
  ],
];

describe('a question that is over', () => {
  it.each(OVER)('that was %s says so', async (_, change, words) => {
    const pending = { ...open, ...change };
    expect(plain(settledText(pending, NOW) ?? '')).toBe(words);
    // The same to a press that came a moment too late: a lost race against a denial is no approval.
    const late = await settledMeanwhile(open.id, storing(pending));
    expect(plain(late)).toBe(words);
  });

  it('says nothing of an open one, and little of one that is gone', async () => {
    expect(settledText(open, NOW)).toBeUndefined();
    expect(plain(await settledMeanwhile(open.id, storing(undefined)))).toBe(
      'This is no longer open.',
    );
  });
});

function storing(pending: Pending | undefined): Parameters<typeof settledMeanwhile>[1] {
  const refuse = async (): Promise<never> => {
    throw new TypeError('Only asked about.');
  };
  return {
    ports: fakePorts({ now: NOW }),
    pending: {
      create: refuse,
      settle: refuse,
      shownAt: refuse,
      open: refuse,
      ofJournal: refuse,
      get: async () => pending,
    },
  };
}
