import { describe, expect, it } from 'vitest';
import type { DirectoryEntry } from '../../../src/core/ports/ports.ts';
import { directoryRead } from '../../../src/operations/directory-read/directory-read.ts';
import { helpRead } from '../../../src/operations/help-read/help-read.ts';
import { operations } from '../../../src/operations/index.ts';
import { menuRead } from '../../../src/operations/menu-read/menu-read.ts';
import { permissionRead } from '../../../src/operations/permission-read/permission-read.ts';
import { validateMessage } from '../../../src/sandbox/workspace/validator/message.ts';
import { expectGolden } from '../../support/golden.ts';
import { type FakePorts, fakePorts } from '../../support/operation-ports.ts';
import { executed, formOf, problemOf, rendered, wordsOf } from '../../support/run-operation.ts';

const entries: readonly DirectoryEntry[] = [
  {
    id: '0b7e1f52-6a0c-4d3b-8e21-100000000001',
    name: 'analytics',
    organization: 'acme',
    tags: ['prod'],
    source: 'configuration',
    state: 'running',
    stateAt: '2026-11-27T09:58:00.000Z',
  },
  {
    id: '77aa3c84-2b5d-4e6f-9a10-100000000002',
    name: '<!channel> *x*',
    organization: 'acme',
    tags: [],
    source: 'costs',
  },
];

/** The policy grants what `allowed` says, by action and target. */
function judged(allowed: (action: string, target: string | undefined) => boolean): FakePorts {
  return {
    ...fakePorts({ entries }),
    catalogue: operations.filter(({ onlyIn }) => onlyIn === undefined),
    policy: {
      decide: async (_actor, _place, { action, targets }) =>
        allowed(action, targets?.[0]?.name)
          ? { allowed: true, rule: 'channels.ops.allow[0]' }
          : { allowed: false, reason: ['you are not in operators.'] },
      allowed: async (_actor, _place, questions) =>
        questions.map(({ action }) => (allowed(action, undefined) ? 'yes' : 'no')),
      isIn: async () => 'yes' as const,
      isOneOf: async () => 'no',
      unsureBecause: () => [],
      limits: async () => ({}),
      hasOthers: async () => 'yes' as const,
      seen: async (_actor, _place, { services, actions }) =>
        new Set(
          services
            .filter(({ name }) => actions.some((action) => allowed(action, name)))
            .map(({ id }) => id),
        ),
    },
  };
}

describe('the directory', () => {
  it('shows each service with its state, its time and where it is known from', async () => {
    const { card } = await executed(
      directoryRead,
      {},
      judged(() => true),
    );
    expectGolden('directory.read/two', rendered(card));
  });

  it('leaves out what the asker has no right on here', async () => {
    const ports = judged((action, target) => target === 'analytics' && action === 'service.stop');
    const { card } = await executed(directoryRead, {}, ports);
    expect(card.rows?.map(({ text: [name] }) => name)).toEqual([{ bold: 'analytics' }]);
    // Not the costs; and a stop, as it was last seen running.
    expect(card.rows?.flatMap(({ actions }) => actions.map(({ label }) => label))).toEqual([
      'Stop',
    ]);
  });

  it.each([
    ['running', ['Stop', 'Costs']],
    ['stopping', ['Start', 'Costs']],
    ['idle', ['Start', 'Stop', 'Costs']],
    [undefined, ['Start', 'Stop', 'Costs']],
  ])('offers on a service that was last %s what makes sense', async (state, labels) => {
    const [entry] = entries;
    const ports = {
      ...judged(() => true),
      directory: fakePorts({ entries: [{ ...entry!, state }] }).directory,
    };
    const { card } = await executed(directoryRead, {}, ports);
    expect(card.rows?.map(({ actions }) => actions.map(({ label }) => label))).toEqual([labels]);
  });

  it.each([10, 11, 40, 41, 300])(
    'stays within what a message holds with %i services',
    async (count) => {
      const many = Array.from({ length: count }, (_, index) => ({
        ...entries[0]!,
        id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        name: `service ${index} ${'<of many> '.repeat(30)}`.slice(0, 100),
        tags: ['one-of-many-tags', 'and-another-one-as-long'],
        source: 'created here' as const,
        state: index % 2 === 0 ? 'running' : 'stopped',
      }));
      const ports = { ...judged(() => true), directory: fakePorts({ entries: many }).directory };
      const seen = new Set<string>();
      for (let page = 1; seen.size < count; page += 1) {
        const { card } = await executed(directoryRead, { page }, ports);
        const message = rendered(card);
        expect(validateMessage(message)).toMatchObject({ ok: true });
        const words = JSON.stringify(message);
        expect(words).not.toMatch(/… and \d+ more/u);
        const shown = many.map(({ name }) => name.split(' ', 2).join(' '));
        const before = seen.size;
        for (const name of shown.filter((one) => words.includes(`*${one} `))) seen.add(name);
        expect(seen.size - before).toBe(Math.min(40, count - before));
        const turns = (card.actions ?? []).filter(({ label }) => /^Next|^Prev/u.test(label));
        expect(turns.map(({ label }) => label)).toEqual([
          ...(seen.size < count ? [`Next ${Math.min(40, count - seen.size)}`] : []),
          ...(page > 1 ? ['Previous 40'] : []),
        ]);
      }
    },
  );

  it.each<[string, string]>([
    ['ana', '1 of 4 services that fits ana'],
    ['PROD', '2 of 4 services that fit PROD'],
    ['tag:prod stopped', '1 of 4 services that fits tag:prod stopped'],
    ['acme', '4 of 4 services that fit acme'],
    [entries[0]!.id, `1 of 4 services that fits ${entries[0]!.id}`],
    ['analytcs', 'No service that you may use here fits analytcs. Did you mean analytics?'],
    [
      'prod runing',
      'No service that you may use here fits prod runing. Did you mean prod running?',
    ],
    ['prod idle', 'No service that you may use here fits prod idle.'],
    ['blah', 'No service that you may use here fits blah.'],
  ])('looks for %s on the server', async (words, headline) => {
    const [one] = entries;
    const known: readonly DirectoryEntry[] = [
      ...entries,
      { ...one!, id: '00000000-0000-4000-8000-000000000001', name: 'core', state: 'stopped' },
      { ...entries[1]!, id: '00000000-0000-4000-8000-000000000002', name: 'edge', state: 'idle' },
    ];
    const ports = { ...judged(() => true), directory: fakePorts({ entries: known }).directory };
    const { card } = await executed(directoryRead, { words }, ports);
    expect(wordsOf(card)[0]?.split(', with')[0]).toBe(headline);
    expect(validateMessage(rendered(card))).toMatchObject({ ok: true });
  });

  it('says so when there is nothing', async () => {
    const { card } = await executed(
      directoryRead,
      {},
      judged(() => false),
    );
    expect(wordsOf(card)[0]).toBe('No service is known that you may use here.');
    expectGolden('directory.read/none', rendered(card));
  });
});

describe('menu and help', () => {
  it('offer what is allowed and nothing else', async () => {
    const ports = judged((action) => action.startsWith('service.') || action === 'help.read');
    const menu = await executed(menuRead, {}, ports);
    expectGolden('menu.read/some', rendered(menu.card));
    expect(menu.card.actions?.map(({ label }) => label)).toEqual([
      'Start a service',
      'Stop a service',
    ]);
    expect(
      menu.card.menu?.groups.map(({ label, actions }) => [label, actions.map((one) => one.label)]),
    ).toEqual([
      ['Services', ['Put a service to sleep for a while', 'Create a service']],
      ['More', ['Help with every command']],
    ]);
    const help = await executed(helpRead, {}, ports);
    expectGolden('help.read/some', rendered(help.card));
  });

  it('offer everything once, the usual ones as at most five buttons, the rest by subject', async () => {
    const ports = judged(() => true);
    const { card } = await executed(menuRead, {}, ports);
    const options = (card.menu?.groups ?? []).flatMap(({ actions }) => actions);
    const offered = [...(card.actions ?? []), ...options].map((each) =>
      'operation' in each.do ? each.do.operation : '',
    );
    const all = ports.catalogue.filter(({ id }) => id !== 'menu.read');
    expect(card.actions).toHaveLength(5);
    expect(offered.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    expectGolden('menu.read/all', rendered(card));
  });

  it('say so when nothing is', async () => {
    const { card } = await executed(
      menuRead,
      {},
      judged(() => false),
    );
    expectGolden('menu.read/none', rendered(card));
  });

  it('explain one command with its fields, and offer what is near', async () => {
    const ports = judged(() => true);
    const { card } = await executed(helpRead, { topic: 'pipe' }, ports);
    expectGolden('help.read/pipe', rendered(card));
    const near = await problemOf(helpRead, { topic: 'pip' }, ports);
    expect(near.suggestion?.input).toEqual({ topic: 'pipe' });
  });
});

describe('can', () => {
  it.each([
    ['yourself', { action: 'stop', service: 'analytics' }],
    ['somebody', { who: '<@U02BEN>', action: 'service.stop' }],
  ])('answers for %s with the rule that decides', async (name, raw) => {
    const yes = await executed(
      permissionRead,
      raw,
      judged(() => true),
    );
    expectGolden(`permission.read/${name}-may`, rendered(yes.card));
    const no = await executed(
      permissionRead,
      raw,
      judged(() => false),
    );
    expectGolden(`permission.read/${name}-may-not`, rendered(no.card));
  });

  it('speaks of others in the third person', async () => {
    const raw = { who: '<@U02BEN>', action: 'stop' };
    const { card } = await executed(
      permissionRead,
      raw,
      judged(() => false),
    );
    expect(wordsOf(card)[0]).toBe(
      '@U02BEN may not use service.stop here: they are not in operators.',
    );
  });
});

describe('every form', () => {
  it.each(
    operations.filter(({ fields }) => fields.length > 0).map((each) => [each.id, each] as const),
  )('of %s is as it was agreed', (id, operation) => {
    expectGolden(`${id}/empty-form`, formOf(operation));
  });
});
