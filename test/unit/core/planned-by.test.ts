import { expect, it } from 'vitest';
import { plannedBy } from '../../../src/core/ports/decision.ts';

it.each([
  [['leads'], ['leads'], ['leads']],
  [['leads', 'owners'], ['operators', 'owners'], ['owners']],
  [['leads'], ['operators'], []],
  [['anyone'], ['leads'], ['leads']],
  [['anyone', 'owners'], ['leads', 'owners'], ['owners']],
  [['anyone'], [], []],
])('an approval by %j, of a plan that %j approved, is given by %j', (by, approved, given) => {
  expect(plannedBy({ by }, approved)).toEqual(given);
});
