import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createListedJson } from '../../../src/control-api/answers/listed-json.ts';

/** The value, its list put back, and what was handed on. */
function read(
  text: string,
  pieces: number,
  path: readonly string[] = ['result', 'costs'],
): { value: unknown; members: readonly unknown[] } {
  let members: unknown[] = [];
  const listed = createListedJson({
    path,
    restart: () => {
      members = [];
    },
    add: (member) => members.push(member),
  });
  for (let at = 0; at < text.length; at += pieces) listed.feed(text.slice(at, at + pieces));
  return { value: listed.end(), members };
}

describe('JSON with a list that is handed on', () => {
  const member = fc.oneof(
    fc.jsonValue(),
    fc.constant({ name: 'a "quoted\\" {name}, [of] one', list: ['x', { costs: [1, 2] }] }),
  );

  it('has every member in its order, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(member), fc.integer({ min: 1, max: 40 }), (costs, pieces) => {
        const answer = {
          requestId: 'r:"1"',
          result: { costs, grandTotalUnits: 7, more: [1] },
          z: 1,
        };
        const text = JSON.stringify(answer, null, pieces % 3);
        const { value, members } = read(text, pieces);
        expect(members).toEqual(JSON.parse(JSON.stringify(costs)));
        expect(value).toEqual({ ...answer, result: { ...answer.result, costs: [] } });
      }),
    );
  });

  it('may be the result itself', () => {
    fc.assert(
      fc.property(fc.array(member), fc.integer({ min: 1, max: 40 }), (result, pieces) => {
        const answer = { more: [1], other: { result: [2] }, result, z: ['result', [3]] };
        const { value, members } = read(JSON.stringify(answer), pieces, ['result']);
        expect(members).toEqual(JSON.parse(JSON.stringify(result)));
        expect(value).toEqual({ ...answer, result: [] });
      }),
    );
  });

  it.each([
    ['{"costs":[1],"result":{"cost":[2]}}'],
    ['{"result":[{"costs":[1]}]}'],
    ['[{"result":{"costs":[1]}}]'],
    ['{"result":{"a":{"costs":[1]}},"costs":[2]}'],
    ['{"other":{"costs":[1]}}'],
    ['{"result":{"costs":{"a":[1]}}}'],
    ['{"result":{"a":1},"other":{"b":"costs"},"result":{"costs":null}}'],
  ])('takes no other list for it: %s', (text) => {
    expect(read(text, 3)).toEqual({ value: JSON.parse(text), members: [] });
  });

  it.each([
    ['{"result":{"costs":[1,]}}'],
    ['{"result":{"costs":[,1]}}'],
    ['{"result":{"costs":[1,,2]}}'],
    ['{"result":{"costs":[1 2]}}'],
    ['{"result":{"costs":[{"a":1}}}'],
    ['{"result":{"costs":[1,2'],
    ['{"result":{"costs":[1,2]}'],
    ['{"result":{"costs":[1,2]}}]'],
    ['<html>'],
  ])('is no JSON: %s', (text) => {
    for (const pieces of [1, 2, 5, 100]) expect(read(text, pieces).value).toBeUndefined();
  });
});
