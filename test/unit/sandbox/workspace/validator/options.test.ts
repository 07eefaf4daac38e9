import { describe, expect, it } from 'vitest';
import { validateOptions } from '../../../../../src/sandbox/workspace/validator/options.ts';
import { mrkdwn, option, plain, words } from './samples.ts';

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => option(`option ${index}`));
const group = (...options: readonly object[]) => ({ label: plain('G'), options });

describe('the answer to a block_suggestion', () => {
  it.each([
    ['options', { options: numbered(100) }],
    ['nothing found', { options: [] }],
    ['groups', { option_groups: [group(option('A'))] }],
    ['no groups', { option_groups: [] }],
  ])('takes %s', (_name, answer) => {
    expect(validateOptions(answer)).toEqual({ ok: true, warnings: [] });
  });

  it.each([
    ['nothing', undefined, 'must provide an object', ''],
    ['a list', [], 'must provide an object', ''],
    ['neither', {}, 'must define either `options` or `option_groups`', ''],
    [
      'both',
      { options: [], option_groups: [] },
      'must define only one of `options` or `option_groups`',
      '',
    ],
    ['101 options', { options: numbered(101) }, 'no more than 100 items allowed', '/options'],
    [
      '101 groups',
      { option_groups: Array(101).fill(group(option('A'))) },
      'no more than 100 items allowed',
      '/option_groups',
    ],
    [
      '101 in a group',
      { option_groups: [group(...numbered(101))] },
      'no more than 100 items allowed',
      '/option_groups/0/options',
    ],
    [
      'an empty group',
      { option_groups: [group()] },
      'must provide at least 1 items',
      '/option_groups/0/options',
    ],
    [
      'a long text',
      { options: [{ text: plain(words(76)), value: 'x' }] },
      'must be less than 76 characters',
      '/options/0/text/text',
    ],
    [
      'a long value',
      { options: [{ text: plain('x'), value: words(151) }] },
      'must be less than 151 characters',
      '/options/0/value',
    ],
    [
      'mrkdwn',
      { options: [{ text: mrkdwn('x'), value: 'x' }] },
      'unsupported type: mrkdwn',
      '/options/0/text/type',
    ],
    [
      'a long label',
      { option_groups: [{ label: plain(words(76)), options: [option('A')] }] },
      'must be less than 76 characters',
      '/option_groups/0/label/text',
    ],
    ['more than options', { options: [], cache: 5 }, 'invalid additional property: cache', ''],
  ])('refuses %s', (_name, answer, text, pointer) => {
    expect(validateOptions(answer)).toEqual({
      ok: false,
      error: 'invalid_arguments',
      messages: [`[ERROR] ${text} [json-pointer:${pointer}]`],
      warnings: [],
    });
  });
});
