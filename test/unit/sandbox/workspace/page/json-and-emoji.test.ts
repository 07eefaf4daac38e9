import { describe, expect, it } from 'vitest';
import {
  bool,
  isJson,
  list,
  num,
  obj,
  objects,
  str,
  strings,
  words,
} from '../../../../../src/sandbox/workspace/page/json.ts';
import { emojiCharacter, withEmoji } from '../../../../../src/sandbox/workspace/page/text/emoji.ts';

describe('reading JSON of which nothing is known', () => {
  const json = {
    text: 'a',
    count: 3,
    yes: true,
    inner: { text: 'b' },
    many: [{ text: 'c' }, null, 'd'],
    nan: Number.NaN,
  };

  it('gives the value of the wanted type, else null', () => {
    expect([str(json, 'text'), str(json, 'count'), str(json, 'missing')]).toEqual([
      'a',
      null,
      null,
    ]);
    expect([num(json, 'count'), num(json, 'text'), num(json, 'nan')]).toEqual([3, null, null]);
    expect([bool(json, 'yes'), bool(json, 'text')]).toEqual([true, null]);
    expect([obj(json, 'inner'), obj(json, 'many')]).toEqual([{ text: 'b' }, null]);
  });

  it('keeps of arrays what fits', () => {
    expect(list(json, 'many')).toEqual([{ text: 'c' }]);
    expect(strings(json.many)).toEqual(['d']);
    expect([objects(null), strings({}), list(json, 'text')]).toEqual([[], [], []]);
  });

  it.each([
    [{}, true],
    [[], false],
    [null, false],
    ['a', false],
  ])('isJson(%j)', (value, expected) => {
    expect(isJson(value)).toBe(expected);
  });

  it('finds the words of a text object or a string', () => {
    expect([words('a'), words({ text: 'b' }), words(null), words({})]).toEqual(['a', 'b', '', '']);
  });
});

describe('emoji', () => {
  it('draws known names, and leaves others as they were typed', () => {
    expect(withEmoji('done :tada: :nope: 10:07:03')).toBe('done 🎉 :nope: 10:07:03');
    expect([emojiCharacter('warning'), emojiCharacter('nope')]).toEqual(['⚠️', ':nope:']);
  });
});
