import { describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/core/cloud/errors.ts';
import { readSlash } from '../../../../src/core/slash/slash.ts';
import { plain } from '../../../../src/core/text/text.ts';
import { lengthOf } from '../../../../src/cost/book/range.ts';
import { costRead } from '../../../../src/operations/cost-read/cost-read.ts';
import { input, planOf } from '../../../../src/operations/cost-read/plan.ts';
import { decide } from '../../../../src/policy/decide/decide.ts';
import { bookOf, idOf, serviceRecord } from '../../../support/cost-books.ts';
import { CONTEXT, fakePorts, settingsWith } from '../../../support/operation-ports.ts';
import { executed, issuesOf, planned, problemOf } from '../../../support/run-operation.ts';
import { ANA, asking, channelOf, inChannel, settingsOf } from '../../policy/policy-fixtures.ts';
import { ENTRIES, entry, readerOf } from './fixture.ts';

describe('the input of cost.read', () => {
  it.each([
    ['range', { range: 'this year' }, 'A range is yesterday'],
    ['range', { range: 'scratch 2026-11-1' }, 'A range is yesterday'],
    ['range', { range: 'scratch 900d' }, 'A range is yesterday'],
    ['range', { range: '2026-11-20..2026-11-01' }, 'The first day comes first'],
    ['range', { range: '2026-02-30' }, '2026-02-30 is not a day.'],
    ['range', { range: '900d' }, 'Between 1 and 366 days'],
    ['range', { range: 'x'.repeat(201) }, 'At most 200 characters.'],
    ['service', { service: 'x'.repeat(101) }, 'At most 100 characters.'],
    ['by', { by: 'colour' }, 'One of service, day, metric, tag.'],
  ])('%s: %j', (field, raw, message) => {
    const issues = issuesOf(costRead, raw);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ field, message: expect.stringContaining(message) });
  });

  it.each([
    ['cost', {}],
    ['cost yesterday', { range: 'yesterday' }],
    ['cost 2026-11-01 2026-11-20', { range: '2026-11-01 2026-11-20' }],
    [
      'cost 7d --service analytics --by day --csv',
      { range: '7d', service: 'analytics', by: 'day', csv: true },
    ],
    ['cost --by metric', { by: 'metric' }],
  ])('is read from "%s"', (text, raw) => {
    const reading = readSlash(text, [costRead]);
    expect(reading).toMatchObject({ kind: 'operation', raw, issues: [] });
    expect(issuesOf(costRead, raw)).toEqual([]);
  });
});

describe('the plan of cost.read', () => {
  it.each([
    ['nothing typed', {}, '2026-11-13', '2026-11-26'],
    ['a day', { range: 'yesterday' }, '2026-11-25', '2026-11-26'],
    ['the month', { range: 'mtd' }, '2026-10-01', '2026-11-26'],
    ['the month in a word', { range: 'month' }, '2026-10-01', '2026-11-26'],
    ['the month in two', { range: 'this month' }, '2026-10-01', '2026-11-26'],
    ['a whole month by its days', { range: '2026-10-01..2026-10-31' }, '2026-09-01', '2026-10-31'],
    ['last month', { range: 'last-month' }, '2026-09-01', '2026-10-31'],
    ['too long to compare', { range: '366d' }, '2025-11-26', '2026-11-26'],
  ])('reads the range and the one before at once: %s', async (_, raw, from, to) => {
    const { costs, asked } = readerOf((range) => bookOf(range.from, range.to, []));
    await executed(costRead, raw, fakePorts({ entries: ENTRIES, costs }));
    expect(asked).toEqual([{ organization: 'acme', range: { from, to } }]);
  });

  it.each([
    ['a day that has not begun', { range: '2026-12-01' }, 'range', '2026-12-01 has not begun'],
    ['an unknown service', { service: 'nothing' }, 'service', 'No service named nothing'],
    ['neither', { range: 'sometimes' }, 'range', 'sometimes is neither a service nor a range. A'],
    ['a near miss beside a range', { range: 'analytcs mtd' }, 'service', 'Did you mean analytics?'],
    ['two services', { range: 'scratch', service: 'analytics' }, 'service', 'Two services are'],
    ['a near miss', { service: 'analytcs' }, 'service', 'Did you mean analytics?'],
    [
      'an unknown organization',
      { organization: 'globex' },
      'organization',
      'no organization globex',
    ],
  ])('finds %s', async (_, raw, field, words) => {
    const problem = await problemOf(costRead, raw, fakePorts({ entries: ENTRIES }));
    expect(problem.field).toBe(field);
    expect(plain(problem.problem)).toContain(words);
  });

  it.each([
    ['scratch', ['scratch'], 7, 'day'],
    ['scratch 7d', ['scratch'], 7, 'day'],
    ['7d scratch', ['scratch'], 7, 'day'],
    ['scratch last week', ['scratch'], 7, 'day'],
    ['scratch since 2026-11-20', ['scratch'], 7, 'day'],
    ['scratch yesterday', ['scratch'], 1, 'metric'],
    ['scratch by metric', ['scratch'], 7, 'metric'],
    ['yesterday by tag', [], 1, 'tag'],
    ['by day', [], 7, 'day'],
    ['per services', [], 7, 'service'],
    ['7d scratch, analytics', ['analytics', 'scratch'], 7, 'service'],
  ])('"cost %s" is about %j', async (range, names, length, by) => {
    const plan = await planOf(input.parse({ range }), fakePorts({ entries: ENTRIES }), CONTEXT);
    if ('problem' in plan) throw new TypeError(plain(plan.problem));
    expect(plan.entries.map(({ name }) => name).sort()).toEqual(names);
    expect([lengthOf(plan.range), plan.by]).toEqual([length, by]);
  });

  it('keeps the range and the table when it offers the nearest service', async () => {
    const raw = { range: 'analytcs mtd by metric', csv: true };
    const { suggestion } = await problemOf(costRead, raw, fakePorts({ entries: ENTRIES }));
    expect(suggestion?.input).toMatchObject({
      ...{ range: 'mtd', service: 'analytics', by: 'metric', csv: true },
    });
  });

  it('needs an organization where there are several, unless the service says it', async () => {
    const [acme] = settingsWith().organizations;
    if (acme === undefined) throw new TypeError('no organization');
    const organizations = [acme, { ...acme, key: 'globex', id: idOf('globex') }];
    const ports = fakePorts({
      entries: [...ENTRIES, entry('other', [], 'globex')],
      settings: { organizations },
    });
    expect(await problemOf(costRead, {}, ports)).toMatchObject({ field: 'organization' });
    const plan = await planned(costRead, { service: 'other' }, ports);
    expect(plan.targets).toMatchObject([{ kind: 'service', organization: 'globex' }]);
    const crossed = { service: 'other', organization: 'acme' };
    expect(plain((await problemOf(costRead, crossed, ports)).problem)).toBe(
      'other belongs to the organization globex.',
    );
  });
});

describe('who may read which costs', () => {
  const limited = settingsOf([
    channelOf('ops', [
      { actions: ['cost.read'], services: [idOf('scratch')], who: ['anyone'], deny: false },
    ]),
  ]);

  it.each([
    ['its own service', { service: 'scratch' }, true],
    ['another service', { service: 'analytics' }, false],
    // A rule limited to services never grants the sum over all of them.
    ['the whole organization', {}, false],
  ])('a rule limited to a service, asked for %s', async (_, raw, allowed) => {
    const { targets } = await planned(costRead, raw, fakePorts({ entries: ENTRIES }));
    const question = { ...asking('cost.read'), risk: 'read', targets } as const;
    const decision = decide({ settings: limited, actor: ANA, place: inChannel('ops'), question });
    expect(decision.allowed).toBe(allowed);
  });
});

describe('cost.read when nothing could be read', () => {
  it('fails with the fault of the API rather than showing nothing', async () => {
    const { costs } = readerOf((range) =>
      bookOf(range.from, range.to, [], {
        states: { '2026-11-25': 'missing', '2026-11-26': 'missing' },
        days: { '2026-11-26': { failure: fault() } },
      }),
    );
    const ports = fakePorts({ entries: ENTRIES, costs });
    await expect(executed(costRead, { range: 'yesterday' }, ports)).rejects.toThrow('unavailable');
  });

  it('does not fail for the range before', async () => {
    const { costs } = readerOf((range) =>
      bookOf(range.from, range.to, [serviceRecord('analytics', '2026-11-26', 5)], {
        states: { '2026-11-25': 'missing' },
        days: { '2026-11-25': { failure: fault() } },
      }),
    );
    const ports = fakePorts({ entries: ENTRIES, costs });
    const { card } = await executed(costRead, { range: 'yesterday' }, ports);
    expect(plain(card.headline)).toBe('Thu 26 Nov 2026 (UTC): 5.0 units, final.');
    expect(card.lines?.map(plain)).toContain(
      'Against the day before, Wed 25 Nov 2026: n/a, 1 day cannot be compared yet.',
    );
  });
});

function fault(): AppError {
  return new AppError('unavailable', { userMessage: 'The control API did not answer.' });
}
