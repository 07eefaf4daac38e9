import { describe, expect, it } from 'vitest';
import { coversAction } from '../../../src/core/settings/settings.ts';
import { canonicalJson, parseJson } from '../../../src/core/text/json.ts';
import { didYouMean, nearest } from '../../../src/core/text/typed-text.ts';

describe('the nearest name', () => {
  const NAMES = ['scratch', 'Analytics', 'ab', 'reporting'];
  it.each([
    ['a letter left out', 'scrtch', 'scratch'],
    ['two neighbours swapped', 'scartch', 'scratch'],
    ['the last two swapped', 'scrathc', 'scratch'],
    ['a short one swapped', 'ba', 'ab'],
    ['capitals aside', 'ANALYTIX', 'Analytics'],
    ['capitals aside, swapped', 'AANLYTICS', 'Analytics'],
    ['one letter of a short name', 'ax', 'ab'],
    ['two of seven letters', 'scretxh', 'scratch'],
    ['three of seven letters are another word', 'sxxxtch', undefined],
    ['nothing typed', '', undefined],
    ['something else altogether', 'warehouse', undefined],
  ])('%s', (_name, typed, expected) => {
    expect(nearest(typed, NAMES)).toBe(expected);
    expect(didYouMean(typed, NAMES)).toBe(
      expected === undefined ? '' : `; did you mean ${expected}?`,
    );
  });

  it('is none where there are no names', () => {
    expect(nearest('scratch', [])).toBeUndefined();
  });

  it('is the swapped one before one that is as near by letters', () => {
    expect(nearest('abdc', ['abxc', 'abcd'])).toBe('abcd');
    // A swap and one more letter is no swap.
    expect(nearest('bacx', ['abcd'])).toBeUndefined();
    expect(nearest('axcb', ['abcd'])).toBeUndefined();
  });
});

describe('a rule of actions', () => {
  it.each([
    ['*', 'service.stop', true],
    ['service.stop', 'service.stop', true],
    ['service.*', 'service.stop', true],
    ['*.stop', 'service.stop', true],
    ['*.*', 'service.stop', true],
    ['service.*', 'services.stop', false],
    ['service.*', 'pipe.stop', false],
    ['service.start', 'service.stop', false],
    ['*.start', 'service.stop', false],
    ['service.st*', 'service.stop', false],
    ['service.*', 'service.stop.now', false],
    ['service.*.now', 'service.stop', false],
    ['service', 'service.stop', false],
  ])('%s about %s: %s', (pattern, action, covers) => {
    expect(coversAction(pattern, action)).toBe(covers);
  });
});

describe('JSON of equal values', () => {
  it('is equal, in whatever order they were made, to the depth of them', () => {
    const one = { b: [{ y: 1, x: null }], a: { d: true, c: undefined } };
    const other = { a: { d: true }, b: [{ x: null, y: 1 }] };
    expect(canonicalJson(one)).toBe('{"a":{"d":true},"b":[{"x":null,"y":1}]}');
    expect(canonicalJson(other)).toBe(canonicalJson(one));
  });

  it('keeps the order of a list', () => {
    expect(canonicalJson([2, 1])).toBe('[2,1]');
  });

  it('of nothing is null', () => {
    expect([canonicalJson(undefined), canonicalJson(null)]).toEqual(['null', 'null']);
  });

  it('is read back, and what is none is nothing', () => {
    expect([parseJson('{"a":[1]}'), parseJson('{'), parseJson('')]).toEqual([
      { a: [1] },
      undefined,
      undefined,
    ]);
  });
});
