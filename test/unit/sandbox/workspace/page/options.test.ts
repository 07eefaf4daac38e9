import { describe, expect, it } from 'vitest';
import {
  channelLabel,
  choicesOf,
  keyOfValue,
  selectChoices,
} from '../../../../../src/sandbox/workspace/page/elements/options.ts';
import { option, plain, sampleState } from '../../../../support/page-samples.ts';

const state = sampleState();
const keys = (element: Parameters<typeof selectChoices>[0]) =>
  selectChoices(element, state).map((choice) => choice.key);

describe('the choices of a select', () => {
  it('come from its options', () => {
    const element = {
      type: 'static_select',
      options: [option('a', 'Alpha', { description: plain('first') })],
    };
    expect(selectChoices(element, state)).toEqual([
      { key: 'a', label: 'Alpha', description: 'first', group: null, raw: element.options[0] },
    ]);
  });

  it('come from its groups, with their labels', () => {
    const groups = {
      option_groups: [
        { label: plain('dev'), options: [option('a')] },
        { label: plain('prod'), options: [option('b')] },
      ],
    };
    expect(choicesOf(groups).map(({ group, key }) => [group, key])).toEqual([
      ['dev', 'a'],
      ['prod', 'b'],
    ]);
  });

  it.each(['users_select', 'multi_users_select'])('%s: the people by id', (type) => {
    expect(keys({ type })).toEqual(['U01ANA', 'U02BEN', 'U03GIL', 'U0BOT']);
  });

  it.each(['channels_select', 'multi_channels_select'])('%s: public channels only', (type) => {
    expect(keys({ type })).toEqual(['C0OPS', 'C0RANDOM', 'C0PARTNER']);
  });

  it.each([
    [undefined, ['C0OPS', 'C0RANDOM', 'C0FINANCE', 'C0PARTNER', 'D0ANA']],
    [{ include: ['private'] }, ['C0FINANCE']],
    [{ include: ['im'] }, ['D0ANA']],
    [{ include: ['public'], exclude_external_shared_channels: true }, ['C0OPS', 'C0RANDOM']],
  ])('conversations_select with filter %j', (filter, expected) => {
    expect(keys({ type: 'conversations_select', ...(filter ? { filter } : {}) })).toEqual(expected);
  });

  it('know the key of any value', () => {
    expect([option('a'), 'U1', null, 3].map(keyOfValue)).toEqual(['a', 'U1', '', '']);
  });

  it('name a direct message without the sign of a channel', () => {
    expect(state.channels.map(channelLabel)).toEqual([
      '#ops',
      '#random',
      '#finance',
      '#partner',
      'steward',
    ]);
  });
});
