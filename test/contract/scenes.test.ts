import { expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { hasForm, SCENES } from '../browser/scenes.ts';

/** The pictures are of a neutral cloud: what only another has is not there to be seen. */
const HERE = operations.filter(({ onlyIn }) => onlyIn === undefined);

it.each(HERE.map((operation) => [operation.id, operation] as const))(
  '%s has a scene of its card and of its form, to be looked at',
  (id, operation) => {
    const shown = SCENES.filter(({ of }) => of.includes(id)).map(({ shows }) => shows);
    expect(shown).toContain('message');
    if (hasForm(operation)) expect(shown).toContain('form');
  },
);

it('every scene has a name of its own, and shows what there is', () => {
  const names = SCENES.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const ids = new Set(operations.map(({ id }) => id));
  expect(
    SCENES.flatMap(({ of }) => of).filter((id) => !ids.has(id as `${string}.${string}`)),
  ).toEqual([]);
});
