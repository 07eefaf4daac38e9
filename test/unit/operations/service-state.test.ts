import { describe, expect, it } from 'vitest';
import type { Card } from '../../../src/core/card/card.ts';
import type { Pending } from '../../../src/core/ports/pending.ts';
import { plain } from '../../../src/core/text/text.ts';
import { serviceStart, serviceStop } from '../../../src/operations/service-state/service-state.ts';
import { SERVICES } from '../../../src/sandbox/control-plane/seed.ts';
import { approvalCard, confirmCard } from '../../../src/slack/outbound/outcome-cards.ts';
import { expectGolden } from '../../support/golden.ts';
import { ANA, CONTEXT, fakePorts } from '../../support/operation-ports.ts';
import {
  executed,
  planned,
  problemOf,
  rendered,
  unknownWords,
  wordsOf,
} from '../../support/run-operation.ts';

const { id, name } = SERVICES.scratch;
const scratch = { id, name, organization: 'acme', tags: ['dev'], source: 'configuration' } as const;
const UNSEEN = 'Steward cannot see when it is done; the console can.';
const RAW = { service: 'scratch' };

/** The words and the small print. */
function allOf(card: Card): readonly string[] {
  return [...wordsOf(card), ...(card.context === undefined ? [] : [plain(card.context)])];
}

function answering(state: string | undefined) {
  return fakePorts({
    entries: [scratch],
    control: {
      setServiceState: async () => ({
        result: state === undefined ? {} : { state },
        requestId: 'fake-request-id',
      }),
    },
  });
}

const entry = { number: 812, reference: 'k3f9' };
const asked = { entry, requestId: undefined, durationMs: 40 };
const pending: Pending = {
  id: 'pending-1',
  kind: 'confirm',
  state: 'open',
  operation: 'service.stop',
  input: RAW,
  actor: ANA,
  channelId: 'C0OPS',
  planHash: 'fake-hash',
  approvers: ['leads'],
  createdAt: '2026-11-27T10:02:00.000Z',
  expiresAt: '2026-11-27T10:32:00.000Z',
  journal: 812,
};

describe('stopping and starting a service', () => {
  it.each([
    ['stopping', ['the API answered stopping', UNSEEN]],
    ['stopped', ['it was stopped already, as far as the API says']],
    ['running', ['the API answered running']],
    [
      'softdeleting',
      ['the API answered softdeleting', 'It is being deleted: it comes back no more.'],
    ],
    ['degraded', ['the API answered degraded', 'It is degraded: a part of it does not answer.']],
    [
      'idle',
      [
        'the API answered idle',
        'It was idle, which is not stopped: it costs no compute, and a query wakes it.',
      ],
    ],
    [undefined, ['the API did not say which state it is in']],
  ])(
    'tells a stop that was answered with %s as no more than that',
    async (state, [words, ...more]) => {
      const { card } = await executed(serviceStop, RAW, answering(state));
      expect(allOf(card)).toEqual([`@U01ANA asked scratch to stop: ${words}.`, ...more]);
    },
  );

  it.each([
    ['starting', ['the API answered starting', UNSEEN]],
    ['running', ['it was running already, as far as the API says']],
    ['idle', ['the API answered idle', 'An idle service counts as started; a query wakes it.']],
    ['stopped', ['the API answered stopped']],
  ])(
    'tells a start that was answered with %s as no more than that',
    async (state, [words, ...more]) => {
      const { card } = await executed(serviceStart, RAW, answering(state));
      expect(allOf(card)).toEqual([`@U01ANA asked scratch to start: ${words}.`, ...more]);
    },
  );

  it('names the approver, and remembers the state that was reported', async () => {
    const ports = answering('stopping');
    const { card } = await executed(serviceStop, RAW, ports, { ...CONTEXT, approvedBy: 'U02BEN' });
    expect(allOf(card)).toEqual([
      '@U01ANA asked scratch to stop, approved by @U02BEN: the API answered stopping.',
      UNSEEN,
    ]);
    expect(ports.noted).toEqual([
      { id, organization: 'acme', source: 'command', state: 'stopping' },
    ]);
    expectGolden('service.stop/done', rendered(card));
  });

  it('is bound to the service and the command, not to the state it was in', async () => {
    const before = await planned(serviceStop, RAW, fakePorts({ entries: [scratch] }));
    const after = await planned(
      serviceStop,
      { service: id },
      fakePorts({ entries: [{ ...scratch, state: 'running' }] }),
    );
    const start = await planned(serviceStart, RAW, fakePorts({ entries: [scratch] }));
    expect(after.digest).toBe(before.digest);
    expect(start.digest).not.toBe(before.digest);
  });

  it('says what to check when no answer came', async () => {
    const plan = await planned(serviceStop, RAW, fakePorts({ entries: [scratch] }));
    expect(unknownWords(plan)).toBe(
      'scratch may have been stopped. Check its state in the console before trying again.',
    );
  });

  it.each([
    ['scrtach', 'No service named scrtach. Did you mean scratch?', { service: 'scratch' }],
    [
      'warehouse',
      'No service named warehouse. services lists those that Steward knows.',
      undefined,
    ],
    [
      '00000000-0000-4000-8000-000000000000',
      'No service with the id 00000000-0000-4000-8000-000000000000 is known here. services lists those that Steward knows.',
      undefined,
    ],
  ])('answers %s with what is near, and runs nothing', async (typed, words, input) => {
    const found = await problemOf(
      serviceStop,
      { service: typed },
      fakePorts({ entries: [scratch] }),
    );
    expect(plain(found.problem)).toBe(words);
    expect(found.suggestion?.input).toEqual(input);
  });

  it('asks before it stops, and asks the channel where a second person is needed', async () => {
    const plan = await planned(
      serviceStop,
      RAW,
      fakePorts({
        entries: [{ ...scratch, state: 'running', stateAt: '2026-11-27T10:02:00.000Z' }],
      }),
    );
    const preview = plan.preview!;
    const question = confirmCard({ kind: 'confirm', pending, preview, changed: false, ...asked });
    expectGolden('service.stop/question', rendered(question));
    const again = confirmCard({ kind: 'confirm', pending, preview, changed: true, ...asked });
    expect(wordsOf(again)[1]).toBe('What would happen has changed since you were asked.');
    const request = approvalCard({ kind: 'approval', pending, preview, ...asked });
    expectGolden('service.stop/approval', rendered(request));
  });
});
