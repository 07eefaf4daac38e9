import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/core/cloud/errors.ts';
import { plain } from '../../../../src/core/text/text.ts';
import { ANA, NOW } from '../../../support/operation-ports.ts';
import {
  ALLOWED,
  APPROVED_BY_LEADS,
  apiFault,
  BEN,
  createPipelineWorld,
  DENIED,
  pressed,
  SECRET,
  toldBy,
} from '../../../support/pipeline-world.ts';

const SCRATCH = { service: 'scratch' };
const RESIZE = { service: 'scratch', size: '12' };

describe('a read', () => {
  it('is judged twice, run, told and journaled', async () => {
    const world = createPipelineWorld();
    const outcome = await world.ask('service.look', SCRATCH);
    expect(outcome).toMatchObject({
      kind: 'done',
      requestId: 'fake-request-id',
      entry: { number: 1 },
      aside: { headline: ['For you alone.'] },
    });
    expect(toldBy(outcome)).toBe('scratch is here.');
    expect(world.asked).toEqual([
      { action: 'service.look', risk: 'read', actor: ANA, fresh: false },
      {
        ...{ action: 'service.look', risk: 'read', actor: ANA, fresh: false, attributes: {} },
        targets: [{ kind: 'service', id: 's-1', name: 'scratch', organization: 'acme', tags: [] }],
      },
    ]);
    expect(world.events).toEqual(['look scratch', 'closed 1']);
    expect(world.rows).toEqual([
      {
        number: 1,
        openedAt: NOW,
        opening: {
          operation: 'service.look',
          actor: ANA,
          input: SCRATCH,
          origin: 'slash',
          channelId: 'C0OPS',
        },
        closing: expect.objectContaining({
          outcome: 'done',
          decision: 'allowed by channels.ops.allow[0]',
          requestId: 'fake-request-id',
          approvedBy: undefined,
          targets: [{ kind: 'service', id: 's-1', name: 'scratch', organization: 'acme' }],
        }),
      },
    ]);
    const { notifications: _, recorded: __, ...ended } = outcome;
    expect(world.finished).toEqual([
      expect.objectContaining({ outcome: ended, journaled: 'done', approvedBy: undefined }),
    ]);
    expect(world.finished[0]?.targets.map(({ name }) => name)).toEqual(['scratch']);
  });

  it('takes as long as the clock says', async () => {
    const world = createPipelineWorld();
    world.facts.held = world.clock.sleep(250);
    const asked = world.ask('service.look', SCRATCH);
    await world.clock.advance(250);
    expect((await asked).durationMs).toBe(250);
  });

  it('that is open to all says so to the rules, and has nothing for the asker alone', async () => {
    const world = createPipelineWorld();
    const outcome = await world.ask('sign.read', {});
    expect(world.asked.map(({ open }) => open)).toEqual([true, true]);
    expect(outcome).toMatchObject({ kind: 'done', aside: undefined });
  });

  it('is never asked about, whatever the rule wants', async () => {
    const world = createPipelineWorld();
    world.rules.decide = () => APPROVED_BY_LEADS;
    expect((await world.ask('service.look', SCRATCH)).kind).toBe('done');
  });

  it('at home has no channel in the journal', async () => {
    const world = createPipelineWorld();
    await world.ask('service.look', SCRATCH, { place: 'home' });
    expect(world.rows[0]?.opening.channelId).toBeUndefined();
  });
});

describe('what is not allowed', () => {
  it('is refused before anything is planned, whatever is missing', async () => {
    const world = createPipelineWorld();
    world.rules.decide = () => DENIED;
    const outcome = await world.ask('service.resize', {});
    expect(outcome.kind).toBe('denied');
    expect(world.asked).toHaveLength(1);
    expect(world.rows[0]?.closing).toMatchObject({
      outcome: 'denied',
      decision: 'denied by channels.ops.deny[0]',
    });
  });

  it('is refused on the target that was found, and named by it', async () => {
    const world = createPipelineWorld();
    world.rules.decide = ({ targets }) => (targets === undefined ? ALLOWED : DENIED);
    const outcome = await world.ask('service.resize', RESIZE);
    expect(toldBy(outcome)).toBe('scratch was not resized: this channel may not do that');
    expect(world.rows[0]?.closing?.targets).toHaveLength(1);
    expect(world.finished[0]).toMatchObject({ journaled: 'denied' });
  });

  it('without a rule that says so keeps the reason', async () => {
    const world = createPipelineWorld();
    world.rules.decide = () => ({ allowed: false, reason: ['no rule here'] });
    await world.ask('service.look', SCRATCH);
    expect(world.rows[0]?.closing?.decision).toBe('no rule here');
  });
});

describe('what does not fit', () => {
  it('opens the form with what was understood', async () => {
    const world = createPipelineWorld();
    const outcome = await world.ask('service.resize', { service: 'scratch' });
    expect(outcome).toMatchObject({
      kind: 'form',
      raw: SCRATCH,
      issues: [{ field: 'size' }],
    });
    expect(world.rows[0]?.closing).toMatchObject({ outcome: 'invalid' });
    expect(world.events).toEqual(['closed 1']);
  });

  it('opens it too for what the reader of the line could not make sense of', async () => {
    const world = createPipelineWorld();
    const issues = [{ field: 'size', message: `What is ${SECRET}?` }];
    const outcome = await world.ask('service.resize', RESIZE, { issues });
    expect(outcome).toMatchObject({
      kind: 'form',
      issues: [{ field: 'size', message: 'What is [redacted]?' }],
    });
  });

  it('opens it when asked for, with nothing to complain about', async () => {
    const world = createPipelineWorld();
    const outcome = await world.ask('service.resize', RESIZE, { wantsForm: true });
    expect(outcome).toMatchObject({ kind: 'form', issues: [] });
    expect(world.rows[0]?.closing).toMatchObject({ outcome: 'form' });
  });

  it('is a problem where planning finds it', async () => {
    const world = createPipelineWorld();
    const outcome = await world.ask('service.look', { service: 'scrtach' });
    expect(toldBy(outcome)).toBe('No service named scrtach.');
    expect(world.rows[0]?.closing).toMatchObject({
      outcome: 'invalid',
      detail: 'No service named scrtach.',
    });
  });
});

describe('a change by its form', () => {
  const PIPE = { service: 'scratch', name: 'orders' };

  it.each(['slash', 'button', 'shortcut', 'schedule'] as const)(
    'shows the form first to a %s',
    async (origin) => {
      const world = createPipelineWorld();
      const outcome = await world.ask('pipe.lay', PIPE, { origin });
      expect(outcome).toMatchObject({ kind: 'form', raw: PIPE, issues: [] });
      expect(world.events).toEqual(['closed 1']);
    },
  );

  it('runs by the form, without another question', async () => {
    const world = createPipelineWorld();
    expect(toldBy(await world.ask('pipe.lay', PIPE, { origin: 'form' }))).toBe('orders was laid.');
  });

  it.each([
    [false, 'form'],
    [true, 'done'],
  ])('behind a button runs where the button came of the form (%s)', async (formed, kind) => {
    const world = createPipelineWorld();
    const button = await world.deps.pending.create({
      kind: 'run',
      operation: 'pipe.lay',
      input: PIPE,
      actor: ANA,
      channelId: 'C0OPS',
      planHash: '',
      approvers: [],
      expiresAt: '2026-11-28T10:00:00.000Z',
      journal: 0,
      options: { formed },
    });
    const outcome = await world.ask('pipe.lay', PIPE, {
      ...pressed(button, ANA),
      ...{ operation: 'pipe.lay', raw: PIPE },
    });
    expect(outcome.kind).toBe(kind);
    expect(world.rows[0]?.opening.parent).toBeUndefined();
  });

  it('keeps no secret field in the journal, and nothing that was not declared', async () => {
    const world = createPipelineWorld();
    const raw = { ...PIPE, password: 'hunter2', name: 'orders\u0000', more: 'x' };
    await world.ask('pipe.lay', raw, { origin: 'form' });
    expect(world.rows[0]?.opening.input).toEqual({ ...PIPE, password: '[redacted]' });
  });
});

describe('an effect', () => {
  it('is asked of the rules afresh, journaled as started, told as running, then run', async () => {
    const world = createPipelineWorld();
    const told: string[] = [];
    const onRunning = (text: Parameters<typeof plain>[0]): void => {
      told.push(`${plain(text)} after ${world.events.join(', ')}`);
    };
    const outcome = await world.ask('bell.ring', {}, { onRunning });
    expect(toldBy(outcome)).toBe('The bell was rung.');
    expect(told).toEqual(['Ringing … after ']);
    expect(world.events).toEqual(['started 1', 'ring', 'closed 1']);
    expect(world.asked.map(({ fresh }) => fresh)).toEqual([false, true]);
    expect(world.rows[0]?.started).toMatchObject({
      decision: 'allowed by channels.ops.allow[0]',
      planHash: expect.stringMatching(/^[0-9a-f]{64}$/u),
    });
  });

  it('that only asks does not need the rules afresh; its press does', async () => {
    const world = createPipelineWorld();
    const question = await world.ask('service.resize', RESIZE);
    expect(world.asked.map(({ fresh }) => fresh)).toEqual([false, false]);
    expect(world.asked[1]?.attributes).toEqual({ memoryGb: 12 });
    await world.press(question);
    expect(world.asked.map(({ fresh }) => fresh).slice(2)).toEqual([false, true]);
  });

  it('does not happen where it cannot be journaled as started', async () => {
    const noDisk = new AppError('storage', { userMessage: 'No disk.' });
    const broken = createPipelineWorld(({ journal }) => ({
      journal: { ...journal, started: () => Promise.reject(noDisk) },
    }));
    const outcome = await broken.ask('bell.ring', {});
    expect(outcome.kind).toBe('failed');
    expect(broken.events).not.toContain('ring');
    expect(broken.logs).toMatchObject([{ level: 'error', fields: { code: 'storage' } }]);
  });

  it('does not happen, nor anything else, where no row can be opened', async () => {
    const noDisk = new AppError('storage', { userMessage: 'No disk.' });
    const broken = createPipelineWorld(({ journal }) => ({
      journal: { ...journal, open: () => Promise.reject(noDisk) },
    }));
    await expect(broken.ask('bell.ring', {})).rejects.toBe(noDisk);
    expect([broken.events, broken.asked, broken.finished]).toEqual([[], [], []]);
  });

  it('is told all the same where its row cannot be closed, and says so', async () => {
    const broken = createPipelineWorld(({ journal }) => ({
      journal: { ...journal, close: async () => false },
    }));
    const outcome = await broken.ask('service.look', SCRATCH);
    expect(toldBy(outcome)).toBe('scratch is here.');
    expect(outcome.recorded).toBe(false);
  });
});

describe('a fault', () => {
  it('that changed nothing is told as that, with its reference', async () => {
    const world = createPipelineWorld();
    world.facts.fault = apiFault();
    const outcome = await world.ask('bell.ring', {});
    expect(outcome).toMatchObject({ kind: 'failed', requestId: 'fake-request-id' });
    expect(toldBy(outcome)).toBe('The bell was not rung: No answer within 30 s. Reference ref1.');
    expect(world.rows[0]?.closing).toMatchObject({
      outcome: 'failed',
      detail: 'timeout: No answer within 30 s.',
      requestId: 'fake-request-id',
    });
    expect(world.logs).toMatchObject([
      { level: 'info', fields: { operation: 'bell.ring', code: 'timeout', status: 504 } },
    ]);
  });

  it('whose outcome nobody knows is never told as a failure', async () => {
    const world = createPipelineWorld();
    world.facts.fault = apiFault('maybe');
    expect(toldBy(await world.ask('bell.ring', {}))).toBe(
      'The bell may have been rung: No answer within 30 s. It was not sent again. Listen. Reference ref1.',
    );
    expect(world.rows[0]?.closing?.outcome).toBe('unknown');
    expect(world.finished[0]?.journaled).toBe('unknown');
  });

  it('of a read is a failure, though nobody knows what became of it', async () => {
    const world = createPipelineWorld();
    world.facts.fault = apiFault('maybe');
    expect(toldBy(await world.ask('service.look', SCRATCH))).toBe(
      'scratch was not looked at: No answer within 30 s. Reference ref1.',
    );
    expect(toldBy(await faultBeforeThePlan())).toMatch(/^The bell was not rung: /u);
  });

  it('may be told with names in it', async () => {
    const world = createPipelineWorld();
    world.facts.fault = new AppError('conflict', {
      userMessage: [{ bold: 'scratch' }, ' is busy.'],
    });
    expect(toldBy(await world.ask('bell.ring', {}))).toBe(
      'The bell was not rung: scratch is busy. Reference ref1.',
    );
  });

  it('with a cause and a way on says both', async () => {
    const world = createPipelineWorld();
    const because = { cause: 'the key is read-only', way: 'Give it more rights.' };
    world.facts.fault = new AppError('forbidden', { userMessage: 'not shown', because });
    expect(toldBy(await world.ask('bell.ring', {}))).toBe(
      'The bell was not rung: the key is read-only. Give it more rights. Reference ref1.',
    );
  });

  it('of our own is logged as one, and no secret of it is kept', async () => {
    const world = createPipelineWorld();
    const cause = new TypeError('undefined is not a function');
    world.facts.fault = cause;
    await world.ask('bell.ring', {});
    expect(world.logs).toMatchObject([{ level: 'error', fields: { code: 'internal', cause } }]);
    world.facts.fault = new AppError('invalid', { userMessage: `Bad key ${SECRET}.` });
    await world.ask('bell.ring', {});
    expect(world.rows[1]?.closing?.detail).toBe('invalid: Bad key [redacted].');
  });
});

/** The rules cannot be asked: nothing is planned yet. */
function faultBeforeThePlan() {
  const decide = () => Promise.reject(apiFault('maybe'));
  return createPipelineWorld(({ policy }) => ({ policy: { ...policy, decide } })).ask(
    'bell.ring',
    {},
  );
}

describe('an observer', () => {
  it('that fails is logged, and neither the next one nor the request notices', async () => {
    const seen: string[] = [];
    const cause = new Error('deaf');
    const deaf = (): never => {
      throw cause;
    };
    const world = createPipelineWorld(() => ({
      observers: [{ finished: deaf }, {}, { finished: ({ outcome }) => seen.push(outcome.kind) }],
    }));
    expect((await world.ask('service.look', SCRATCH)).kind).toBe('done');
    expect(seen).toEqual(['done']);
    expect(world.logs).toEqual([
      { level: 'error', fields: { cause }, message: 'an observer failed' },
    ]);
  });

  it('is told only after the row was closed', async () => {
    const before: string[] = [];
    const world = createPipelineWorld(() => ({
      observers: [{ finished: () => before.push(...world.events) }],
    }));
    await world.ask('bell.ring', {});
    expect(before).toEqual(['started 1', 'ring', 'closed 1']);
  });
});

describe('what is typed', () => {
  it('where a name belongs and is a secret is neither planned with nor kept', async () => {
    const world = createPipelineWorld();
    const outcome = await world.ask('service.look', { service: SECRET });
    expect(outcome).toMatchObject({ kind: 'form', raw: {} });
    expect(toldBy(outcome)).toContain('service: This looks like a secret');
    expect(JSON.stringify([outcome, world.rows, world.finished])).not.toContain(SECRET);
  });

  it('is cleaned to the depth of it', async () => {
    const world = createPipelineWorld();
    const raw = { service: 'scr\u200batch', deep: [{ more: 'a\u200bb' }], yes: true, none: null };
    const outcome = await world.ask('service.look', raw, { wantsForm: true });
    expect(outcome).toMatchObject({
      raw: { service: 'scratch', deep: [{ more: 'ab' }], yes: true, none: null },
    });
  });
});

describe('an approved request', () => {
  it('by a form needs no form a second time', async () => {
    const world = createPipelineWorld();
    world.rules.decide = () => APPROVED_BY_LEADS;
    const raw = { service: 'scratch', name: 'orders' };
    const request = await world.ask('pipe.lay', raw, { origin: 'form' });
    expect(request.kind).toBe('approval');
    expect(toldBy(await world.press(request, BEN))).toBe('orders was laid.');
  });

  it('runs for the one who asked, names the approver and its parent', async () => {
    const world = createPipelineWorld();
    world.rules.decide = () => APPROVED_BY_LEADS;
    const request = await world.ask('service.resize', RESIZE);
    const outcome = await world.press(request, BEN);
    expect(toldBy(outcome)).toBe('scratch was resized, approved by U02BEN.');
    expect(world.rows[1]?.opening).toMatchObject({ actor: ANA, parent: 1, origin: 'button' });
    expect(world.rows[1]?.closing).toMatchObject({ outcome: 'done', approvedBy: BEN.userId });
    expect(world.finished[1]).toMatchObject({ approvedBy: BEN.userId });
    expect(new Set(world.asked.map(({ actor }) => actor))).toEqual(new Set([ANA]));
  });
});
