import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../../src/core/operation/outcome.ts';
import { run } from '../../../../src/core/pipeline/pipeline.ts';
import { BREAK_GLASS } from '../../../../src/core/ports/decision.ts';
import { plain } from '../../../../src/core/text/text.ts';
import { ANA, NOW } from '../../../support/operation-ports.ts';
import {
  ALLOWED,
  APPROVED_BY_LEADS,
  BEN,
  createPipelineWorld,
  DENIED,
  EVE,
  type PipelineWorld,
  pressed,
  SECRET,
  toldBy,
} from '../../../support/pipeline-world.ts';

const RESIZE = { service: 'scratch', size: '12' };
const resize = (world: PipelineWorld) => world.ask('service.resize', RESIZE);
const ran = ({ events }: PipelineWorld): readonly string[] =>
  events.filter((event) => /^(?:resize|lay|ring)/u.test(event));

function approvedWorld(): PipelineWorld {
  const world = createPipelineWorld();
  world.rules.decide = ({ action }) => (action === BREAK_GLASS ? ALLOWED : APPROVED_BY_LEADS);
  return world;
}

describe('a question', () => {
  it('is asked for ten minutes, and nothing runs before it is answered', async () => {
    const world = createPipelineWorld();
    const question = await resize(world);
    expect(question).toMatchObject({ kind: 'confirm', changed: false });
    expect(toldBy(question)).toBe('Resize scratch? From 8 to 12 GB.');
    expect(ran(world)).toEqual([]);
    expect(await world.pending(question)).toMatchObject({
      kind: 'confirm',
      operation: 'service.resize',
      input: RESIZE,
      options: { names: { 's-1': 'scratch' } },
      actor: ANA,
      channelId: 'C0OPS',
      approvers: [],
      expiresAt: '2026-11-27T10:12:00.000Z',
      journal: 1,
    });
    expect(world.rows[0]?.closing?.outcome).toBe('confirm');
  });

  it('runs on the press of the one who asked, once', async () => {
    const world = createPipelineWorld();
    const question = await resize(world);
    const presses = await Promise.all([1, 2, 3].map(() => world.press(question)));
    expect(presses.map(({ kind }) => kind).sort()).toEqual(['done', 'notice', 'notice']);
    expect(ran(world)).toEqual(['resize scratch']);
    expect(toldBy(await world.press(question))).toBe(
      'Already confirmed by @U01ANA at 2026-11-27T10:02:00.000Z.',
    );
    expect(
      world.rows
        .slice(1)
        .map(({ closing }) => closing?.outcome)
        .sort(),
    ).toEqual(['already', 'already', 'already', 'done']);
  });

  it('is nobody else’s to answer, and stays open', async () => {
    const world = createPipelineWorld();
    const question = await resize(world);
    const outcome = await world.press(question, EVE);
    expect(toldBy(outcome)).toBe('Only @U01ANA can answer this question.');
    expect(world.rows[1]).toMatchObject({
      opening: { actor: EVE, parent: 1 },
      closing: { outcome: 'denied', detail: 'Only @U01ANA can answer this question.' },
    });
    expect((await world.pending(question)).state).toBe('open');
    expect(ran(world)).toEqual([]);
  });

  it('of a plan that is another by now is asked again, and the old one answers nothing', async () => {
    const world = createPipelineWorld();
    const question = await resize(world);
    world.facts.services['scratch'] = { id: 's-1', size: 10 };
    const again = await world.press(question);
    expect(again).toMatchObject({ kind: 'confirm', changed: true });
    expect(toldBy(again)).toBe('Resize scratch? From 10 to 12 GB.');
    expect(ran(world)).toEqual([]);
    expect((await world.press(again)).kind).toBe('done');
    expect(ran(world)).toEqual(['resize scratch']);
  });

  it('is not the asker’s in another workspace, nor while Slack does not say who presses', async () => {
    const world = createPipelineWorld();
    const question = await resize(world);
    const sister = await world.press(question, { ...ANA, teamId: 'T0SISTER' });
    expect(toldBy(sister)).toBe('Only @U01ANA can answer this question.');
    world.rules.members['anyone'] = 'unknown';
    const via = await world.press(question, { ...ANA, via: 'T0SISTER' });
    expect(via).toMatchObject({ kind: 'notice', because: 'denied' });
    expect(toldBy(via)).toMatch(/^Slack did not say who you are; nothing was done\./u);
    expect(ran(world)).toEqual([]);
  });

  it('that is over is told as that to everybody, in the reader’s own time', async () => {
    const world = createPipelineWorld();
    const question = await resize(world);
    await world.press(question);
    const late = await world.press(question, EVE);
    expect(late).toMatchObject({ kind: 'notice', because: 'already' });
    expect(late.kind === 'notice' && late.text).toContainEqual({ time: NOW, style: 'time' });
    const expired = await resize(world);
    await world.clock.advance(10 * 60_000);
    const text = await world.press(expired, EVE);
    expect(text.kind === 'notice' && text.text).toContainEqual({
      time: '2026-11-27T10:12:00.000Z',
      style: 'time',
    });
  });

  it('past its time runs nothing', async () => {
    const world = createPipelineWorld();
    const question = await resize(world);
    await world.clock.advance(10 * 60_000);
    const outcome = await world.press(question);
    expect(toldBy(outcome)).toMatch(
      /^This expired at 2026-11-27T10:12:00.000Z; nothing was done\./u,
    );
    expect(ran(world)).toEqual([]);
  });

  it('that the rules forbid by now runs nothing', async () => {
    const world = createPipelineWorld();
    const question = await resize(world);
    world.rules.decide = () => DENIED;
    expect((await world.press(question)).kind).toBe('denied');
    expect(ran(world)).toEqual([]);
    expect((await world.pending(question)).state).toBe('open');
  });

  it('that the rules want approved by now becomes a request', async () => {
    const world = createPipelineWorld();
    const question = await resize(world);
    world.rules.decide = () => APPROVED_BY_LEADS;
    expect((await world.press(question)).kind).toBe('approval');
    expect(ran(world)).toEqual([]);
  });

  it('at home has no channel', async () => {
    const world = createPipelineWorld();
    const question = await world.ask('service.resize', RESIZE, { place: 'home' });
    expect((await world.pending(question)).channelId).toBeUndefined();
  });
});

describe('a request for approval', () => {
  it('waits as long as its rule says, for those it names', async () => {
    const world = approvedWorld();
    const request = await resize(world);
    expect(request.kind).toBe('approval');
    expect(await world.pending(request)).toMatchObject({
      kind: 'approval',
      approvers: ['leads'],
      expiresAt: '2026-11-27T10:32:00.000Z',
    });
    expect(world.rows[0]?.closing?.outcome).toBe('approval');
  });

  it.each([
    ['the asker', ANA, 'You asked for this; somebody else from leads has to approve.'],
    ['somebody else', EVE, 'Only leads can approve this.'],
  ])('is not approved by %s', async (_, presser, words) => {
    const world = approvedWorld();
    const request = await resize(world);
    const outcome = await world.press(request, presser);
    expect(toldBy(outcome)).toBe(words);
    expect(outcome).toMatchObject({ kind: 'notice', because: 'denied' });
    expect(ran(world)).toEqual([]);
    expect((await world.press(request, BEN)).kind).toBe('done');
  });

  it('is not approved by the asker in another workspace', async () => {
    const world = approvedWorld();
    world.rules.members['leads'] = [ANA.userId, BEN.userId];
    const request = await resize(world);
    const outcome = await world.press(request, { ...ANA, teamId: 'T0SISTER' });
    expect(toldBy(outcome)).toMatch(/^You asked for this/u);
    expect(ran(world)).toEqual([]);
  });

  it('is not asked for where nobody else could approve it', async () => {
    const world = approvedWorld();
    world.rules.members['leads'] = [ANA.userId];
    expect(toldBy(await resize(world))).toBe(
      'scratch was not resized: nobody but you is in leads, so nobody could approve it.',
    );
    expect(ran(world)).toEqual([]);
    world.rules.members['leads'] = 'unknown';
    expect((await resize(world)).kind).toBe('approval');
  });

  it('is not approved while Slack does not say who leads are', async () => {
    const world = approvedWorld();
    const request = await resize(world);
    world.rules.members['leads'] = 'unknown';
    expect(toldBy(await world.press(request, BEN))).toBe(
      'Slack did not say whether you are in leads; nothing was done. Press again in a moment.',
    );
    expect((await world.pending(request)).state).toBe('open');
  });

  it('needs an approver of the rule as it is at the press, not as it was', async () => {
    const world = approvedWorld();
    world.rules.members['owners'] = [EVE.userId];
    const request = await resize(world);
    world.rules.decide = () => ({ ...ALLOWED, approval: { by: ['owners'], withinMs: 60_000 } });
    const outcome = await world.press(request, BEN);
    expect(outcome).toMatchObject({ kind: 'notice', because: 'denied' });
    expect(toldBy(outcome)).toBe('Only owners can approve this.');
    expect(ran(world)).toEqual([]);
  });

  it('runs on an approval though the rule wants none by now', async () => {
    const world = approvedWorld();
    const request = await resize(world);
    world.rules.decide = () => ALLOWED;
    expect((await world.press(request, BEN)).kind).toBe('done');
    expect((await world.press(request, BEN)).kind).toBe('notice');
    expect(ran(world)).toEqual(['resize scratch']);
  });

  it('of a plan that is another by now has to be approved anew', async () => {
    const world = approvedWorld();
    const request = await resize(world);
    world.facts.services['scratch'] = { id: 's-1', size: 10 };
    const again = await world.press(request, BEN);
    expect(again.kind).toBe('approval');
    expect(await world.pending(again)).toMatchObject({ actor: ANA });
    expect(ran(world)).toEqual([]);
  });

  it('of another plan asks the asker, where the rule wants no approval by now', async () => {
    const world = approvedWorld();
    const raw = { service: 'scratch', name: 'orders' };
    const request = await world.ask('pipe.lay', raw, { origin: 'form' });
    world.facts.services['scratch'] = { id: 's-1', size: 10 };
    world.rules.decide = () => ALLOWED;
    expect(await world.press(request, BEN)).toMatchObject({ kind: 'confirm', changed: true });
    expect(ran(world)).toEqual([]);
  });

  it('runs once when two approve at once', async () => {
    const world = approvedWorld();
    world.rules.members['leads'] = [BEN.userId, EVE.userId];
    const request = await resize(world);
    const both = await Promise.all([world.press(request, BEN), world.press(request, EVE)]);
    expect(both.map(({ kind }) => kind).sort()).toEqual(['done', 'notice']);
    expect(ran(world)).toEqual(['resize scratch']);
  });

  it('that waits already is pointed out before a second one', async () => {
    const world = approvedWorld();
    await resize(world);
    await world.clock.advance(12 * 60_000);
    const second = await resize(world);
    expect(second).toMatchObject({ kind: 'repeat', knowing: ['request:1'], label: 'Resize again' });
    expect(toldBy(second)).toBe(
      '@U01ANA asked for the same 12 minutes ago (journal 1); it waits for leads until 2026-11-27T10:32:00.000Z.',
    );
    const options = { knowing: ['request:1'] };
    const third = await world.ask('service.resize', RESIZE, { options });
    expect(third.kind).toBe('approval');
  });

  it('for something else, or a question, is not the same', async () => {
    const world = approvedWorld();
    await resize(world);
    const other = await world.ask('service.resize', { service: 'archive', size: '12' });
    expect(other.kind).toBe('approval');
    const confirmed = createPipelineWorld();
    await resize(confirmed);
    confirmed.rules.decide = () => APPROVED_BY_LEADS;
    expect((await resize(confirmed)).kind).toBe('approval');
  });
});

describe('what is running', () => {
  function held(world: PipelineWorld): () => void {
    let release = (): void => undefined;
    world.facts.held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }
  const lay = (world: PipelineWorld, name: string): Promise<Outcome> =>
    world.ask('pipe.lay', { service: 'scratch', name }, { origin: 'form' });

  it('is not started a second time', async () => {
    const world = createPipelineWorld();
    const release = held(world);
    const first = lay(world, 'orders');
    await world.clock.advance(0);
    expect(toldBy(await lay(world, 'orders'))).toBe(
      'Already running on scratch since 2026-11-27T10:02:00.000Z, asked by @U01ANA.',
    );
    release();
    expect((await first).kind).toBe('done');
    expect((await lay(world, 'orders')).kind).toBe('done');
    expect(world.rows.map(({ closing }) => closing?.outcome)).toEqual(['done', 'already', 'done']);
  });

  it('does not stand in the way of another plan on the same service: two pipes at once', async () => {
    const world = createPipelineWorld();
    const release = held(world);
    const first = lay(world, 'orders');
    await world.clock.advance(0);
    const second = lay(world, 'clicks');
    await world.clock.advance(0);
    expect(ran(world)).toEqual(['lay orders', 'lay clicks']);
    release();
    expect((await Promise.all([first, second])).map(toldBy)).toEqual([
      'orders was laid.',
      'clicks was laid.',
    ]);
  });

  it('does not stand in the way of a read', async () => {
    const world = createPipelineWorld();
    const release = held(world);
    const reads = [1, 2].map(() => world.ask('service.look', { service: 'scratch' }));
    await world.clock.advance(0);
    expect(world.events.filter((event) => event === 'look scratch')).toHaveLength(2);
    release();
    expect((await Promise.all(reads)).map(({ kind }) => kind)).toEqual(['done', 'done']);
  });
});

describe('what looks like something that was done before', () => {
  const TWO = [
    { key: 'journal:7', text: ['It was resized a minute ago.'] },
    { key: 'journal:8', text: ['And before that.'] },
  ];

  it('is asked about once, and each new one again', async () => {
    const world = createPipelineWorld();
    world.facts.doubles = TWO.slice(0, 1);
    const first = await resize(world);
    expect(first).toMatchObject({ kind: 'repeat', knowing: ['journal:7'], label: 'Resize again' });
    world.facts.doubles = TWO;
    const options = { knowing: ['journal:7'] };
    const second = await world.ask('service.resize', RESIZE, { options });
    expect(second).toMatchObject({ kind: 'repeat', knowing: ['journal:7', 'journal:8'] });
    expect(toldBy(second)).toBe('And before that.');
    expect(world.rows[1]?.closing).toMatchObject({
      outcome: 'confirm',
      detail: 'And before that.',
    });
    const knowing = ['journal:7', 'journal:8'];
    const third = await world.ask('service.resize', RESIZE, { options: { knowing } });
    expect(toldBy(third)).toBe(
      'Resize scratch? From 8 to 12 GB. It was resized a minute ago. And before that.',
    );
    expect(third.kind === 'confirm' && third.pending.options?.knowing).toEqual(knowing);
  });

  it('goes by the usual words where an operation has none', async () => {
    const world = createPipelineWorld();
    world.facts.doubles = TWO;
    const raw = { service: 'scratch', name: 'orders' };
    const outcome = await world.ask('pipe.lay', raw, { origin: 'form' });
    expect(outcome).toMatchObject({ kind: 'repeat', label: 'Ask again' });
    expect(ran(world)).toEqual([]);
  });
});

describe('a button that runs something', () => {
  async function button(world: PipelineWorld, approvers: readonly string[], operation: string) {
    return world.deps.pending.create({
      ...{ kind: 'run', operation, actor: ANA, channelId: 'C0OPS', planHash: '', approvers },
      ...{ expiresAt: '2026-11-28T10:00:00.000Z', journal: 0 },
      input: operation === 'bell.ring' ? {} : RESIZE,
    });
  }
  async function use(world: PipelineWorld, by = ANA, operation = 'bell.ring', anyone = false) {
    const pending = await button(world, anyone ? ['anyone'] : [], operation);
    return { pending, outcome: await run(pressed(pending, by), world.deps) };
  }

  it('runs once for its owner', async () => {
    const world = createPipelineWorld();
    const { pending, outcome } = await use(world);
    expect(outcome.kind).toBe('done');
    expect((await world.deps.pending.get(pending.id))?.state).toBe('claimed');
    expect(ran(world)).toEqual(['ring']);
  });

  it('is nobody else’s, unless it is for anyone', async () => {
    const world = createPipelineWorld();
    expect(toldBy((await use(world, BEN)).outcome)).toBe('Only @U01ANA can answer this question.');
    expect((await use(world, BEN, 'bell.ring', true)).outcome.kind).toBe('done');
    expect(ran(world)).toEqual(['ring']);
  });

  it('that was pressed a moment ago by somebody else says so', async () => {
    const world = createPipelineWorld();
    const pending = await button(world, ['anyone'], 'bell.ring');
    const both = await Promise.all([ANA, BEN].map((by) => run(pressed(pending, by), world.deps)));
    expect(both.map(toldBy).sort()).toEqual([
      'Already pressed by @U01ANA at 2026-11-27T10:02:00.000Z.',
      'The bell was rung.',
    ]);
    expect(ran(world)).toEqual(['ring']);
  });

  it('may go ahead without an approval, and is used up by it', async () => {
    const world = approvedWorld();
    const pending = await button(world, [], 'service.resize');
    const press = () => run(pressed(pending, ANA, { breakGlass: 'the disk is full' }), world.deps);
    expect((await press()).kind).toBe('done');
    expect((await press()).kind).toBe('notice');
    expect(ran(world)).toEqual(['resize scratch']);
  });

  it('of a change that asks first asks first', async () => {
    const world = createPipelineWorld();
    const { outcome } = await use(world, ANA, 'service.resize');
    expect(outcome).toMatchObject({ kind: 'confirm', changed: false });
    expect(ran(world)).toEqual([]);
  });
});

describe('going ahead without an approval', () => {
  const breaking = (world: PipelineWorld, breakGlass: string) =>
    world.ask('service.resize', RESIZE, { options: { breakGlass } });

  it('runs at once, is announced before, and journaled with its reason', async () => {
    const world = approvedWorld();
    const outcome = await breaking(world, ' the disk is full ');
    expect(outcome.kind).toBe('done');
    expect(world.events).toEqual(['announce', 'started 1', 'resize scratch', 'closed 1']);
    const [card] = world.announced;
    expect(plain(card?.headline ?? '')).toBe(
      'Break-glass: @U01ANA goes ahead without an approval: resize scratch.',
    );
    expect(card).toMatchObject({ audience: 'channel', tone: 'warning' });
    expect(card?.lines?.map(plain)).toEqual(['Reason: the disk is full']);
    expect(card?.facts).toEqual([{ label: 'On', value: [{ bold: 'scratch' }] }]);
    const decision = 'break-glass allowed by channels.ops.allow[0]: the disk is full';
    expect(world.rows[0]?.started?.decision).toBe(decision);
    expect(world.rows[0]?.closing?.decision).toBe(decision);
    expect(world.finished[0]?.brokeGlass).toBe('the disk is full');
  });

  it('asks its own permission afresh on the target', async () => {
    const world = approvedWorld();
    await breaking(world, 'the disk is full');
    expect(world.asked.slice(1)).toMatchObject([
      { action: 'service.resize', fresh: true },
      { action: BREAK_GLASS, risk: 'change', fresh: true, targets: [{ id: 's-1' }] },
    ]);
  });

  it('never shows or keeps a secret of the reason', async () => {
    const world = approvedWorld();
    const outcome = await breaking(world, `key ${SECRET} is gone`);
    expect(world.announced[0]?.lines?.map(plain)).toEqual(['Reason: key [redacted] is gone']);
    const all = [outcome, world.rows, world.announced, world.finished, world.logs];
    expect(JSON.stringify(all)).not.toContain(SECRET);
  });

  it('keeps 500 characters of a reason', async () => {
    const world = approvedWorld();
    await breaking(world, 'x'.repeat(501));
    expect(world.finished[0]?.brokeGlass).toBe('x'.repeat(500));
  });

  it.each(['', '  '])('needs a reason, and %j is none', async (reason) => {
    const world = approvedWorld();
    const outcome = await breaking(world, reason);
    expect(outcome).toMatchObject({ kind: 'problem', problem: { field: '' } });
    expect(toldBy(outcome)).toMatch(/^Going ahead without an approval needs its reason/u);
    expect(ran(world)).toEqual([]);
  });

  it('is refused to those who may not', async () => {
    const world = approvedWorld();
    world.rules.decide = ({ action }) => (action === BREAK_GLASS ? DENIED : APPROVED_BY_LEADS);
    const outcome = await breaking(world, 'the disk is full');
    expect(toldBy(outcome)).toBe('scratch was not resized: this channel may not do that');
    expect(world.rows[0]?.closing).toMatchObject({
      outcome: 'denied',
      decision: 'denied by channels.ops.deny[0]',
    });
    expect([ran(world), world.announced]).toEqual([[], []]);
  });

  it('does not happen where nobody can be told', async () => {
    const world = approvedWorld();
    world.rules.canAnnounce = false;
    const outcome = await breaking(world, 'the disk is full');
    expect(outcome).toMatchObject({ kind: 'notice', because: 'denied' });
    expect(toldBy(outcome)).toMatch(
      /^Nothing was done: going ahead without an approval has to be/u,
    );
    expect(world.events).toEqual(['announce', 'closed 1']);
  });

  it('means nothing where no approval is wanted', async () => {
    const world = createPipelineWorld();
    const outcome = await breaking(world, 'the disk is full');
    expect(outcome.kind).toBe('confirm');
    expect([world.announced, ran(world)]).toEqual([[], []]);
  });

  it('behind a question runs once, however often it is pressed', async () => {
    const world = createPipelineWorld();
    const question = await breaking(world, 'the disk is full');
    world.rules.decide = () => APPROVED_BY_LEADS;
    const presses = await Promise.all([1, 2].map(() => world.press(question)));
    expect(presses.map(({ kind }) => kind).sort()).toEqual(['done', 'notice']);
    expect(ran(world)).toEqual(['resize scratch']);
    expect(world.announced).toHaveLength(1);
  });
});
