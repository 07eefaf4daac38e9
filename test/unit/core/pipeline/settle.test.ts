import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../../src/core/operation/outcome.ts';
import { settlePending } from '../../../../src/core/pipeline/settle.ts';
import { plain } from '../../../../src/core/text/text.ts';
import { ANA, NOW } from '../../../support/operation-ports.ts';
import {
  APPROVED_BY_LEADS,
  BEN,
  createPipelineWorld,
  EVE,
  type PipelineWorld,
  SECRET,
} from '../../../support/pipeline-world.ts';

const RESIZE = { service: 'scratch', size: '12' };

async function asked(kind: 'confirm' | 'approval') {
  const world = createPipelineWorld();
  if (kind === 'approval') world.rules.decide = () => APPROVED_BY_LEADS;
  const outcome = await world.ask('service.resize', RESIZE);
  expect(outcome.kind).toBe(kind);
  return { world, outcome };
}

async function settle(
  world: PipelineWorld,
  outcome: Outcome,
  ...[kind, by, note]: ['cancel' | 'deny', typeof ANA, string?]
): Promise<string> {
  const settled = await world.settle(outcome, kind, by, note);
  return `${settled.ok ? settled.to : 'refused'}: ${plain(settled.text)}`;
}

describe('a question', () => {
  it('is cancelled by the one who asked, with a row of its own', async () => {
    const { world, outcome } = await asked('confirm');
    expect(await settle(world, outcome, 'cancel', ANA)).toBe(
      'cancelled: Cancelled; nothing was done.',
    );
    expect((await world.pending(outcome)).state).toBe('cancelled');
    expect(world.rows[1]).toEqual({
      number: 2,
      openedAt: NOW,
      opening: {
        operation: 'service.resize',
        actor: ANA,
        input: { cancel: 'pending-1' },
        origin: 'button',
        parent: 1,
        channelId: 'C0OPS',
      },
      closing: {
        outcome: 'done',
        decision: 'question cancelled',
        planHash: (await world.pending(outcome)).planHash,
      },
    });
    expect(world.settled).toMatchObject([
      { to: 'cancelled', by: ANA, text: ['Cancelled; nothing was done.'] },
    ]);
  });

  it('is nobody else’s to cancel', async () => {
    const { world, outcome } = await asked('confirm');
    expect(await settle(world, outcome, 'cancel', BEN)).toBe(
      'refused: Only @U01ANA can answer this question.',
    );
    expect(world.rows[1]?.closing).toMatchObject({ outcome: 'denied', detail: 'refused' });
    expect((await world.pending(outcome)).state).toBe('open');
  });

  it('that was cancelled runs no more, and that ran is not cancelled', async () => {
    const { world, outcome } = await asked('confirm');
    await settle(world, outcome, 'cancel', ANA);
    expect((await world.press(outcome)).kind).toBe('notice');
    const other = await world.ask('service.resize', RESIZE);
    await world.press(other);
    expect(await settle(world, other, 'cancel', ANA)).toBe(
      'refused: Already confirmed by @U01ANA at 2026-11-27T10:02:00.000Z.',
    );
  });

  it('that was answered in the same moment says how', async () => {
    const { world, outcome } = await asked('confirm');
    const both = await Promise.all([
      settle(world, outcome, 'cancel', ANA),
      settle(world, outcome, 'cancel', ANA),
    ]);
    expect(both).toEqual([
      'cancelled: Cancelled; nothing was done.',
      'refused: Cancelled by @U01ANA at 2026-11-27T10:02:00.000Z.',
    ]);
  });
});

describe('a request', () => {
  it('is denied by an approver, with the reason for those who watch', async () => {
    const { world, outcome } = await asked('approval');
    expect(await settle(world, outcome, 'deny', BEN, ' not on a Friday ')).toBe(
      'denied: Denied by @U02BEN at 2026-11-27T10:02:00.000Z; nothing was done.',
    );
    expect(await world.pending(outcome)).toMatchObject({
      state: 'denied',
      decidedBy: BEN.userId,
      note: 'not on a Friday',
    });
    expect(world.rows[1]?.closing).toMatchObject({
      outcome: 'denied',
      decision: 'request denied',
      detail: 'not on a Friday',
    });
    expect(world.settled).toEqual([
      expect.objectContaining({ to: 'denied', by: BEN, note: 'not on a Friday' }),
    ]);
    expect(world.settled[0]?.entry.number).toBe(2);
    expect((await world.press(outcome, BEN)).kind).toBe('notice');
  });

  it.each([undefined, '', '   '])('is denied without a reason too: %j', async (note) => {
    const { world, outcome } = await asked('approval');
    await settle(world, outcome, 'deny', BEN, note);
    expect(world.rows[1]?.closing?.decision).toBe('request denied');
    expect(world.settled[0]?.note).toBeUndefined();
  });

  it('keeps no secret of the reason, and 500 characters of it', async () => {
    const { world, outcome } = await asked('approval');
    const settled = await world.settle(outcome, 'deny', BEN, `${SECRET} ${'x'.repeat(600)}`);
    expect(settled).toMatchObject({ note: `[redacted] ${'x'.repeat(489)}` });
    const all = [await world.pending(outcome), world.rows, world.settled, world.logs, settled];
    expect(JSON.stringify(all)).not.toContain(SECRET);
  });

  it.each(['cancel', 'deny'] as const)('is withdrawn by its asker, by %s', async (kind) => {
    const { world, outcome } = await asked('approval');
    expect(await settle(world, outcome, kind, ANA)).toBe(
      'cancelled: Withdrawn by @U01ANA at 2026-11-27T10:02:00.000Z; nothing was done.',
    );
    expect(world.rows[1]?.closing?.decision).toBe('request withdrawn');
    expect(world.settled).toMatchObject([{ to: 'cancelled' }]);
  });

  it('is denied by an approver, whatever the press calls it', async () => {
    const { world, outcome } = await asked('approval');
    expect(await settle(world, outcome, 'cancel', BEN)).toMatch(/^denied: Denied by @U02BEN/u);
  });

  it('that is over says so to everybody, in the reader’s own time', async () => {
    const { world, outcome } = await asked('approval');
    const denied = await world.settle(outcome, 'deny', BEN);
    expect(denied.text).toContainEqual({ time: NOW, style: 'time' });
    expect(await settle(world, outcome, 'deny', EVE)).toBe(
      'refused: Denied by @U02BEN at 2026-11-27T10:02:00.000Z.',
    );
  });

  it('is not denied by somebody else, nor past its time', async () => {
    const { world, outcome } = await asked('approval');
    expect(await settle(world, outcome, 'deny', EVE)).toBe('refused: Only leads can approve this.');
    expect(world.settled).toEqual([]);
    await world.clock.advance(30 * 60_000);
    expect(await settle(world, outcome, 'deny', BEN)).toMatch(/^refused: This expired at /u);
  });

  it('is not withdrawn through a workspace that Slack does not vouch for', async () => {
    const { world, outcome } = await asked('approval');
    const via = { ...ANA, via: 'T0SISTER' };
    world.rules.members['anyone'] = 'unknown';
    expect(await settle(world, outcome, 'deny', via)).toBe(
      'refused: Slack did not say who you are; nothing was done. Press again in a moment.',
    );
    world.rules.members['anyone'] = [ANA.userId];
    expect(await settle(world, outcome, 'deny', via)).toMatch(/^cancelled: Withdrawn/u);
  });

  it('at home has no channel in its row', async () => {
    const world = createPipelineWorld();
    const outcome = await world.ask('service.resize', RESIZE, { place: 'home' });
    await settle(world, outcome, 'cancel', ANA);
    expect(world.rows[1]?.opening.channelId).toBeUndefined();
  });

  it('for an operation that is gone is denied all the same, and nobody is told', async () => {
    const { world, outcome } = await asked('approval');
    const pending = { ...(await world.pending(outcome)), operation: 'service.gone' };
    const settled = await settlePending({ kind: 'deny', pending, by: BEN }, world.deps);
    expect(settled.ok).toBe(true);
    expect(world.settled).toEqual([]);
  });
});
