import { describe, expect, it } from 'vitest';
import type { CostRecord } from '../../../src/core/cloud/records.ts';
import type { DirectoryEntry } from '../../../src/core/ports/ports.ts';
import { indexCosts, unitsWithin } from '../../../src/cost/book/index-of-costs.ts';
import { entitiesIn, servicesOf } from '../../../src/cost/book/scope.ts';
import { bookOf, idOf, serviceRecord, warehouseRecord } from '../../support/cost-books.ts';

const DAY = '2026-11-26';

function entry(name: string, tags: readonly string[], organization = 'acme'): DirectoryEntry {
  return { id: idOf(name), name, organization, tags, source: 'configuration' };
}

const DIRECTORY = [
  entry('analytics', ['prod']),
  entry('core', ['prod']),
  entry('scratch', ['dev', 'eu']),
  entry('other', ['prod'], 'globex'),
];

describe('the services of a scope', () => {
  it.each([
    ['a name, case aside', ['Scratch'], ['scratch']],
    ['a tag', ['tag:prod'], ['analytics', 'core']],
    ['one tag of several', ['tag:DEV'], ['scratch']],
    ['an id', [idOf('core').toUpperCase()], ['core']],
    ['an id that nobody has heard of', [idOf('new')], ['new']],
    ['several', ['scratch', 'tag:prod'], ['analytics', 'core', 'scratch']],
    ['a name of another organization', ['other'], []],
    ['an unknown name', ['nothing'], []],
  ])('by %s', (_, selectors, names) => {
    const services = servicesOf(selectors, DIRECTORY, 'acme');
    expect([...services].sort()).toEqual(names.map(idOf).sort());
  });

  it('are all of them for *', () => {
    expect(servicesOf(['scratch', '*'], DIRECTORY, 'acme')).toBe('all');
  });
});

describe('what belongs to a scope', () => {
  const shared = { dataWarehouseId: idOf('w-core') };
  const { serviceId: _, ...odd } = serviceRecord('odd', DAY, 8, { entityType: 'hologram' });
  const pipe: Partial<CostRecord> = { entityType: 'clickpipe', entityId: idOf('pipe') };
  const index = indexCosts(
    bookOf(DAY, DAY, [
      serviceRecord('core', DAY, 10),
      serviceRecord('reader', DAY, 5, shared),
      warehouseRecord('core', DAY, 2),
      serviceRecord('scratch', DAY, 1),
      warehouseRecord('scratch', DAY, 0.5),
      serviceRecord('scratch', DAY, 0.25, pipe),
      warehouseRecord('orphan', DAY, 4),
      odd,
    ]),
  );

  it.each([
    ['a service, its pipe and its own warehouse', ['scratch'], 1.75],
    ['a service without the warehouse that it shares', ['core'], 10],
    ['both services and their warehouse', ['core', 'reader'], 17],
    ['nothing that has no service', [], 0],
  ])('is %s', (_, names, units) => {
    const entities = entitiesIn(index, new Set(names.map(idOf)));
    expect(unitsWithin(entities, { from: DAY, to: DAY })).toBe(units);
  });

  it('is everything for the whole organization', () => {
    expect(unitsWithin(entitiesIn(index, 'all'), { from: DAY, to: DAY })).toBe(30.75);
  });
});
