import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../../../src/core/cloud/errors.ts';
import { defineOperation } from '../../../../src/core/operation/operation.ts';
import type { Problem } from '../../../../src/core/operation/outcome.ts';
import { createRegistry } from '../../../../src/core/operation/registry.ts';
import { asksForForm } from '../../../../src/core/pipeline/form-first.ts';
import { run } from '../../../../src/core/pipeline/pipeline.ts';
import type { Request } from '../../../../src/core/pipeline/request.ts';
import { closingOf, effectPorts, factsOf } from '../../../../src/core/pipeline/step.ts';
import type { Decision } from '../../../../src/core/ports/decision.ts';
import { plain, say } from '../../../../src/core/text/text.ts';
import { ANA, settingsWith } from '../../../support/operation-ports.ts';
import {
  ALLOWED,
  APPROVED_BY_LEADS,
  BEN,
  createPipelineWorld,
  DENIED,
  type PipelineWorld,
  pressed,
  toldBy,
} from '../../../support/pipeline-world.ts';

const RESIZE = { service: 'scratch', size: '12' };
const ran = ({ events }: PipelineWorld): readonly string[] =>
  events.filter((event) => /^(?:resize|lay|ring|look)/u.test(event));

describe('where the rules ask for a reason', () => {
  const reasonWorld = (): PipelineWorld => {
    const world = createPipelineWorld();
    world.rules.decide = () => ({ allowed: true, rule: 'r', reason: 'required' });
    return world;
  };

  it.each([undefined, {}, { reason: '' }, { reason: '  ' }])(
    'the form asks for it, with all else filled in: %j',
    async (options) => {
      const world = reasonWorld();
      const outcome = await world.ask('service.resize', RESIZE, { options });
      expect(outcome).toMatchObject({
        kind: 'form',
        raw: RESIZE,
        issues: [{ field: 'reason', message: 'The rules here ask for a reason.' }],
      });
      expect(world.rows[0]?.closing?.outcome).toBe('invalid');
    },
  );

  it.each([{ reason: 'the disk is full' }, { breakGlass: 'the disk is full' }])(
    'one that is there will do: %j',
    async (options) => {
      const outcome = await reasonWorld().ask('service.resize', RESIZE, { options });
      expect(outcome.kind).toBe('confirm');
    },
  );

  it('a read needs none', async () => {
    const outcome = await reasonWorld().ask('service.look', { service: 'scratch' });
    expect(outcome.kind).toBe('done');
  });

  it('nobody else needs one', async () => {
    expect((await createPipelineWorld().ask('service.resize', RESIZE)).kind).toBe('confirm');
  });
});

describe('whether a form comes first is known before anything is looked up', () => {
  const rule = (...actions: string[]) => ({ reason: 'required', actions });
  const { registry, ports } = createPipelineWorld().deps;
  const asks = (rules: readonly object[], more: Partial<Request> = {}): boolean => {
    const channels = [
      { id: 'C0IDLE', rules: [rule('*')] },
      { id: 'C0OPS', rules },
    ] as never;
    const settings = { get: () => settingsWith({ channels }) };
    const request: Request = {
      ...{ operation: 'service.resize', raw: RESIZE, actor: ANA, origin: 'slash' },
      ...{ place: { channelId: 'C0OPS' }, ...more },
    };
    return asksForForm(request, { registry, ports: { ...ports, settings } });
  };

  it.each<[string, boolean, readonly object[], Partial<Request>]>([
    ['no rule', false, [], {}],
    ['a rule that asks for a reason', true, [rule('service.resize')], {}],
    ['one of its actions', true, [rule('service.look', 'service.*')], {}],
    ['another action', false, [rule('service.look')], {}],
    ['one rule of two', true, [{ actions: ['*'] }, rule('*')], {}],
    ['a rule without a reason', false, [{ actions: ['*'] }], {}],
    ['a reason that is there', false, [rule('*')], { options: { reason: 'r' } }],
    ['another channel', false, [rule('*')], { place: { channelId: 'C0ELSE' } }],
    ['no channel', false, [rule('*')], { place: 'home' }],
    ['a read', false, [rule('*')], { operation: 'sign.read', raw: {} }],
    ['a field that is missing', true, [], { raw: {} }],
    ['a wish for the form', true, [], { wantsForm: true }],
    ['a fault of the line', true, [], { issues: [{ field: '', message: 'x' }] }],
  ])('%s: %s', (_name, form, rules, more) => {
    expect(asks(rules, more)).toBe(form);
  });

  it('a form of its own has passed where its button was pressed, and not by a menu', () => {
    const raw = { service: 'scratch', name: 'orders' };
    const pending = (kind: 'run' | 'confirm') => ({ grant: { pending: { kind } } }) as never;
    const lay = (more: object) => asks([], { operation: 'pipe.lay', raw, ...more });
    expect(lay({ origin: 'slash' })).toBe(true);
    expect(lay({ origin: 'form' })).toBe(false);
    expect(lay({ origin: 'button', ...(pending('confirm') as object) })).toBe(false);
    expect(lay({ origin: 'button', ...(pending('run') as object) })).toBe(true);
    expect(lay({ ...(pending('run') as object), options: { formed: true } })).toBe(false);
    expect(lay({ ...(pending('run') as object), options: { formed: false } })).toBe(true);
  });
});

describe('a schedule', () => {
  const asSchedule = (world: PipelineWorld, approvedPlan?: readonly string[]) =>
    world.ask('service.resize', RESIZE, { origin: 'schedule', approvedPlan });
  const needs = (...by: string[]): Decision => ({
    ...{ allowed: true, rule: 'channels.ops.allow[0]' },
    approval: { by, withinMs: 60_000 },
  });

  it('is asked nothing, and judged afresh', async () => {
    const world = createPipelineWorld();
    expect((await asSchedule(world)).kind).toBe('done');
    expect(ran(world)).toEqual(['resize scratch']);
    expect(world.asked.map(({ fresh }) => fresh)).toEqual([false, true]);
  });

  it.each<[readonly string[], readonly string[], string]>([
    [['leads'], ['leads'], 'leads'],
    [['leads', 'dba'], ['ops', 'dba', 'leads'], 'dba, leads'],
    [['anyone'], ['ops', 'dba'], 'ops, dba'],
    [['anyone', 'ops'], ['ops', 'dba'], 'ops'],
  ])('acts where %j would have to approve and %j did', async (by, approved, kept) => {
    const world = createPipelineWorld();
    world.rules.decide = () => needs(...by);
    expect((await asSchedule(world, approved)).kind).toBe('done');
    expect(world.rows[0]?.closing?.decision).toBe(
      `allowed by channels.ops.allow[0], plan approved in steward.yaml by ${kept}`,
    );
  });

  it.each<[readonly string[], readonly string[] | undefined]>([
    [['leads'], undefined],
    [['leads'], []],
    [['leads'], ['ops']],
    [['anyone'], []],
    [['anyone'], undefined],
  ])('is refused where %j would have to approve and %j did', async (by, approved) => {
    const world = createPipelineWorld();
    world.rules.decide = () => needs(...by);
    const outcome = await asSchedule(world, approved);
    expect(outcome).toMatchObject({ kind: 'notice', because: 'denied' });
    expect(toldBy(outcome)).toMatch(
      /^it needs an approval by .*, which nobody can give to a schedule at that moment$/u,
    );
    expect(ran(world)).toEqual([]);
  });

  it('is denied what the rules deny', async () => {
    const world = createPipelineWorld();
    world.rules.decide = () => DENIED;
    expect((await asSchedule(world)).kind).toBe('denied');
  });
});

describe('what leads on to something else', () => {
  /** Whatever a test wants its plan to be. */
  const worldOf = (made: object | Problem): PipelineWorld =>
    createPipelineWorld(() => ({
      registry: createRegistry([
        defineOperation({
          ...{ id: 'night.set', summary: 'Set it', title: 'Set', risk: 'read' },
          slash: { words: ['night'], positional: [], examples: ['night'] },
          input: z.strictObject({}),
          refused: () => say`The night was not set`,
          plan: async () => made,
          targets: () => [],
          needs: () => ['service.stop', 'service.start'],
          execute: async () => ({ result: 1 }),
          present: () => ({ audience: 'channel', tone: 'plain', headline: say`Set.` }),
        }),
      ]),
    }));
  const setNight = (world: PipelineWorld) => world.ask('night.set', {});

  it('is allowed where that is allowed, and asks for each of it', async () => {
    const world = worldOf({});
    expect(toldBy(await setNight(world))).toBe('Set.');
    expect(world.asked.map(({ action }) => action)).toEqual([
      ...['night.set', 'night.set', 'service.stop', 'service.start'],
    ]);
  });

  it('is denied where one of it is denied', async () => {
    const world = worldOf({});
    world.rules.decide = ({ action }) => (action === 'service.start' ? DENIED : ALLOWED);
    expect(toldBy(await setNight(world))).toBe(
      'The night was not set: this channel may not do that',
    );
  });

  it('is refused where one of it would have to be approved', async () => {
    const world = worldOf({});
    world.rules.decide = ({ action }) => (action === 'service.start' ? APPROVED_BY_LEADS : ALLOWED);
    const outcome = await setNight(world);
    expect(outcome).toMatchObject({ kind: 'notice', because: 'denied' });
    expect(toldBy(outcome)).toBe(
      'The night was not set: service.start on it needs an approval by leads, and later nobody is there to ask.',
    );
  });

  it('is a notice where planning finds it over or forbidden', async () => {
    const problem = { problem: say`It is over.`, field: '', because: 'already' } as const;
    const outcome = await setNight(worldOf(problem));
    expect(outcome).toMatchObject({ kind: 'notice', because: 'already', text: ['It is over.'] });
  });

  it('is asked again in the form where planning says so, and else told', async () => {
    const problem = { problem: say`No such night.`, field: 'night' } as const;
    expect(await setNight(worldOf(problem))).toMatchObject({ kind: 'problem', problem });
    expect(await setNight(worldOf({ ...problem, asksAgain: true }))).toMatchObject({
      kind: 'form',
      raw: {},
      issues: [{ field: 'night', message: 'No such night.' }],
    });
  });
});

describe('an effect', () => {
  type Steps = Parameters<typeof effectPorts>[0];
  const GROUPS = {
    digests: ['start', 'stop', 'mute', 'unmute'],
    sleeps: ['pause', 'resume', 'snooze', 'set', 'cancel'],
  } as const;

  const stepOf = (risk: 'read' | 'change', origin: string, did: unknown[]): Steps => {
    const world = createPipelineWorld();
    const spied = (group: keyof typeof GROUPS) =>
      Object.fromEntries(
        GROUPS[group].map((name) => [
          name,
          async (...given: unknown[]) => {
            did.push([name, ...given]);
            return `${name} done`;
          },
        ]),
      );
    const during = (options: object) => {
      did.push(options);
      return world.deps.ports.control;
    };
    const ports = {
      ...world.deps.ports,
      control: { during },
      digests: { ...spied('digests'), find: 'as it was' },
      sleeps: { ...spied('sleeps'), zoneOf: 'as it was' },
    };
    const journal = { started: async () => did.push('started') };
    const request = { origin, actor: ANA, place: 'home', raw: {}, onWait: undefined };
    const deps = { ...world.deps, ports, journal };
    return { operation: { risk }, request, deps, entry: { number: 1 } } as unknown as Steps;
  };

  it.each(
    Object.entries(GROUPS).flatMap(([group, names]) => names.map((name) => [group, name] as const)),
  )('of %s.%s is journaled as begun, once, before it happens', async (group, name) => {
    const did: unknown[] = [];
    const ports = effectPorts(stepOf('change', 'slash', did)) as never as Record<
      string,
      Record<string, (...given: unknown[]) => Promise<unknown>>
    >;
    did.length = 0;
    expect(await ports[group]?.[name]?.('one', 2)).toBe(`${name} done`);
    await ports[group]?.[name]?.('again');
    expect(did).toEqual(['started', [name, 'one', 2], [name, 'again']]);
    expect(ports['digests']?.['find']).toBe('as it was');
    expect(ports['sleeps']?.['zoneOf']).toBe('as it was');
  });

  it.each([
    ['schedule', 'schedule'],
    ['slash', 'person'],
  ])('of %s waits for the API as a %s', (origin, priority) => {
    const did: unknown[] = [];
    effectPorts(stepOf('change', origin, did));
    expect(did).toEqual([expect.objectContaining({ priority })]);
  });

  it('of a read is none', () => {
    const did: unknown[] = [];
    const step = stepOf('read', 'slash', did);
    expect(effectPorts(step)).toBe(step.deps.ports);
    expect(did).toEqual([]);
  });
});

describe('what the journal keeps', () => {
  const received = (whole: boolean) => ({
    ...{ entry: { number: 7, reference: 'ref7' }, whole, closed: false },
  });

  it('is what is asked for, where its payload did not say so alone', async () => {
    const world = createPipelineWorld();
    const as = { operation: 'service.look' };
    const step = (whole: boolean | undefined) =>
      ({
        request: { received: whole === undefined ? undefined : received(whole), raw: {} },
        as,
        deps: world.deps,
        entry: { number: 7 },
      }) as never;
    expect(factsOf(step(false)).as).toBe(as);
    expect(factsOf(step(true)).as).toBeUndefined();
    expect(factsOf(step(undefined)).as).toBeUndefined();
  });

  it('is closed by the request where its row was there before, and is opened once', async () => {
    const world = createPipelineWorld();
    await world.ask('sign.read', {});
    const row = { entry: { number: 1, reference: 'ref1' }, whole: true, closed: false };
    const outcome = await world.ask('sign.read', {}, { received: row });
    expect(outcome.entry).toBe(row.entry);
    expect(row.closed).toBe(true);
    expect(world.rows).toHaveLength(1);
  });

  it('was not counted again where its row was there before', async () => {
    const world = createPipelineWorld();
    world.rules.limits = { perPersonPerMinute: 1, perChannelPerMinute: 1 };
    await world.ask('sign.read', {});
    const row = { entry: { number: 1, reference: 'ref1' }, whole: true, closed: false };
    expect((await world.ask('sign.read', {}, { received: row })).kind).toBe('done');
    expect((await world.ask('sign.read', {})).kind).toBe('notice');
  });

  it('tells twins in words with a blank between them', () => {
    const found = [say`One there.`, say`Another.`];
    const body = { kind: 'repeat', found, knowing: [], label: 'x' } as const;
    expect(closingOf(body, (text) => text)).toEqual({
      outcome: 'confirm',
      detail: 'One there. Another.',
    });
  });

  it('has no parent for a button that belongs to no request, and that of one that does', async () => {
    const world = createPipelineWorld();
    const pending = { kind: 'run', operation: 'sign.read', actor: ANA, approvers: [] };
    const of = (journal: number) =>
      pressed({ ...pending, journal, input: {}, options: {}, state: 'open' } as never, ANA);
    const press = (journal: number) => {
      const request = of(journal);
      const grant = request.grant && {
        ...request.grant,
        pending: { ...request.grant.pending, expiresAt: '2999-01-01T00:00:00.000Z' },
      };
      return run({ ...request, grant }, world.deps);
    };
    await press(0);
    await press(4);
    expect(world.rows.map(({ opening }) => opening.parent)).toEqual([undefined, 4]);
  });
});

describe('a fault', () => {
  it.each([
    ['internal', 'error'],
    ['storage', 'error'],
    ['timeout', 'info'],
  ] as const)('of the kind %s is logged as %s, by its reference', async (code, level) => {
    const world = createPipelineWorld();
    const cause = new Error('fake cause');
    world.facts.fault = new AppError(code, { userMessage: ['In ', 'pieces.'], status: 500, cause });
    const outcome = await world.ask('service.look', { service: 'scratch' });
    expect(plain(outcome.kind === 'failed' ? outcome.headline : [])).toBe(
      'scratch was not looked at: In pieces. Reference ref1.',
    );
    expect(world.logs).toContainEqual(
      expect.objectContaining({
        level,
        message: 'operation failed',
        fields: { reference: 'ref1', operation: 'service.look', code, status: 500, cause },
      }),
    );
  });
});

describe('a press', () => {
  it('on a question that the rules now want approved counts once', async () => {
    const world = createPipelineWorld();
    const question = await world.ask('service.resize', RESIZE);
    world.rules.decide = ({ action }) =>
      action === 'service.resize' ? APPROVED_BY_LEADS : ALLOWED;
    const request = await world.press(question);
    expect(request).toMatchObject({ kind: 'approval' });
    expect((await world.press(request, BEN)).kind).toBe('done');
  });

  it('of who asked is no approval, whoever may approve', async () => {
    const world = createPipelineWorld();
    world.rules.decide = () => ({
      ...{ allowed: true, rule: 'r', approval: { by: ['anyone'], withinMs: 60_000 } },
    });
    world.rules.members['anyone'] = [ANA.userId, BEN.userId];
    const request = await world.ask('service.resize', RESIZE);
    expect(toldBy(await world.press(request))).toMatch(/^You asked for this; somebody else/u);
    expect(ran(world)).toEqual([]);
  });

  it.each([
    [[], 'Slack did not say who you are; nothing was done. Press again in a moment.'],
    [[' Slack is down.'], 'Slack did not say who you are; nothing was done. Slack is down.'],
  ])('of nobody knows whom says why, where that is known', async (because, words) => {
    const world = createPipelineWorld(({ policy }) => ({
      policy: { ...policy, unsureBecause: () => because },
    }));
    const question = await world.ask('service.resize', RESIZE);
    world.rules.members['anyone'] = 'unknown';
    expect(toldBy(await world.press(question, { ...ANA, via: 'T0SISTER' }))).toBe(words);
  });

  it('asks first where what asks for it can be pressed again', async () => {
    const world = createPipelineWorld();
    const question = await world.ask('bell.ring', {}, { asksFirst: true });
    expect(question.kind).toBe('confirm');
    expect((await world.ask('bell.ring', {}, { asksFirst: false })).kind).toBe('done');
    expect((await world.press(question)).kind).toBe('done');
    expect(ran(world)).toEqual(['ring', 'ring']);
  });
});

describe('a request that waits for its approval', () => {
  it('is told where the same is asked for once more, and no other question is', async () => {
    const world = createPipelineWorld();
    const confirm = await world.ask('service.resize', RESIZE);
    expect(confirm.kind).toBe('confirm');
    world.rules.decide = () => APPROVED_BY_LEADS;
    expect((await world.ask('service.resize', RESIZE)).kind).toBe('approval');
    const other = { service: 'archive', size: '12' };
    expect((await world.ask('service.resize', other)).kind).toBe('approval');
    expect((await world.ask('service.resize', RESIZE)).kind).toBe('repeat');
  });
});
