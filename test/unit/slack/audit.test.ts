import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/cloud/errors.ts';
import type { Finished, Settlement } from '../../../src/core/pipeline/request.ts';
import type { Pending } from '../../../src/core/ports/pending.ts';
import { say } from '../../../src/core/text/text.ts';
import { directoryRead } from '../../../src/operations/directory-read/directory-read.ts';
import { pipeCreate } from '../../../src/operations/pipe-create/pipe-create.ts';
import { serviceStop } from '../../../src/operations/service-state/service-state.ts';
import { changeLine, denialLine } from '../../../src/slack/outbound/audit.ts';
import { closedRequestCard } from '../../../src/slack/outbound/outcome-cards.ts';
import { reminderCard } from '../../../src/slack/outbound/requests.ts';
import { expectGolden } from '../../support/golden.ts';
import { ANA, NOW, settingsWith } from '../../support/operation-ports.ts';
import { rendered } from '../../support/run-operation.ts';

const BEN = { userId: 'U02BEN', teamId: 'T0ACME' };
const ENTRY = { number: 813, reference: 'k3f9' };

const DONE: Finished = {
  operation: serviceStop,
  request: {
    operation: 'service.stop',
    raw: { service: 'analytics' },
    actor: ANA,
    place: { channelId: 'C0OPS' },
    origin: 'slash',
  },
  outcome: {
    kind: 'done',
    card: { audience: 'channel', tone: 'good', headline: say`done` },
    entry: ENTRY,
    requestId: 'req-1',
    durationMs: 5,
  },
  journaled: 'done',
  makes: undefined,
  targets: [{ kind: 'service', id: 'x', name: 'analytics', tags: [] }],
  approvedBy: undefined,
  brokeGlass: undefined,
  reason: undefined,
  running: undefined,
  asked: undefined,
};

const PENDING: Pending = {
  id: 'pending-1',
  kind: 'approval',
  state: 'open',
  operation: 'service.stop',
  input: { service: '<!channel>' },
  actor: ANA,
  channelId: 'C0OPS',
  planHash: 'aa',
  approvers: ['leads', 'U09EVE'],
  createdAt: NOW,
  expiresAt: '2026-11-27T10:32:00.000Z',
  journal: 812,
};

function line(changes: Partial<Finished>) {
  const card = changeLine({ ...DONE, ...changes });
  return card === undefined ? undefined : rendered(card);
}

function failing(changed: 'no' | 'maybe'): Finished['outcome'] {
  const error = new AppError('timeout', { userMessage: 'No answer.', changed });
  const base = { entry: ENTRY, requestId: undefined, durationMs: 5 };
  return { kind: 'failed', headline: say`failed`, error, ...base };
}

describe('changeLine', () => {
  it.each<[string, Partial<Finished>]>([
    ['done', {}],
    ['approved', { approvedBy: 'U02BEN' }],
    ['failed', { outcome: failing('no'), journaled: 'failed' }],
    ['unknown', { outcome: failing('maybe'), journaled: 'unknown' }],
    ['break-glass', { brokeGlass: 'the disk is full' }],
    ['schedule', { request: { ...DONE.request, place: 'home', origin: 'schedule' }, targets: [] }],
  ])('says %s in one line', (name, changes) => {
    const shown = line(changes);
    if (shown === undefined) throw new TypeError('There is no line.');
    expectGolden(`audit/${name}`, shown);
  });

  it('names what a pasted definition makes', () => {
    const shown = JSON.stringify(line({ operation: pipeCreate, makes: 'orders' }));
    expect(shown).toMatch(/pipe\.create.*\*orders\* on \*analytics\*/u);
  });

  it('is silent about reads and about steps on the way', () => {
    expect(line({ operation: directoryRead })).toBeUndefined();
    for (const journaled of [
      'form',
      'confirm',
      'approval',
      'denied',
      'invalid',
      'already',
    ] as const)
      expect(line({ journaled })).toBeUndefined();
  });
});

describe('a request that ended', () => {
  const settlement: Settlement = {
    operation: serviceStop,
    pending: PENDING,
    by: BEN,
    to: 'denied',
    text: ['Denied.'],
    note: 'not <@U1> today',
    at: NOW,
    entry: ENTRY,
  };
  it('is denied in one line, and no name or reason mentions anybody', () => {
    const shown = rendered(denialLine(settlement));
    expectGolden('audit/denied', shown);
    expect(JSON.stringify(shown)).not.toMatch(/<!channel>|<@U1>/);
  });

  it.each([
    ['denied', { how: 'denied', by: BEN, at: NOW, text: ['Denied.'], note: 'not today' }],
    ['withdrawn', { how: 'withdrawn', by: ANA, at: NOW }],
    ['expired', { how: 'expired' }],
  ] as const)('shows that it was %s', (name, closing) => {
    expectGolden(`approval/${name}`, rendered(closedRequestCard(PENDING, serviceStop, closing)));
  });

  it('is reminded of by the groups’ names and the people in the settings, never the asker', () => {
    const groups = { leads: { users: ['U02BEN', ANA.userId], usergroups: ['S0LEADS'] } };
    expectGolden('approval/reminder', rendered(reminderCard(PENDING, settingsWith({ groups }))));
  });
});
