import { describe, expect, it } from 'vitest';
import { validateOptions } from '../../../src/sandbox/workspace/validator/options.ts';
import { fieldBlock } from '../../../src/slack/form/fields.ts';
import { answerOf, type Findables } from '../../../src/slack/form/findable.ts';

const COUNTS = [0, 1, 99, 100, 101, 300, 2_720] as const;

function choices(count: number, prefix = '') {
  return Array.from({ length: count }, (_, index) => {
    const label = `${prefix}choice ${String(index).padStart(4, '0')}`;
    return { value: `v-${label}`, label, words: label };
  });
}

/** 40 groups of 68 are 2,720. */
function grouped(count: number): Findables {
  const all = choices(count);
  return Array.from({ length: 40 }, (_, index) => ({
    label: `In #${'team'.repeat(20)} ${index}`,
    choices: all.filter((_one, at) => at % 40 === index),
  }));
}

function shown(answer: ReturnType<typeof answerOf>) {
  const groups = answer.option_groups ?? [];
  return {
    count: (answer.options ?? groups.flatMap(({ options }) => options)).length,
    note: groups[0]?.label.text ?? '',
  };
}

describe.each([
  ['in one list', (count: number): Findables => [{ choices: choices(count) }]],
  ['in 40 groups', grouped],
] as const)('%s', (_name, listOf) => {
  it.each(COUNTS)('%i choices are never cut without a word', (count) => {
    const answer = answerOf(listOf(count), '');
    expect(validateOptions(answer)).toMatchObject({ ok: true });
    const { count: offered, note } = shown(answer);
    expect(offered).toBe(Math.min(count, 100));
    expect(note.includes(`100 of ${count}: type to find the others`)).toBe(count > 100);
  });

  it.each(COUNTS.filter((count) => count > 0))('of %i each is found', (count) => {
    const all = listOf(count);
    const wanted = all.flatMap((group) => group.choices);
    for (const { label, value } of [wanted[0], wanted.at(-1)].flatMap((one) => one ?? [])) {
      for (const typed of [label, label.toUpperCase(), `  ${label}  `, value]) {
        expect(JSON.stringify(answerOf(all, typed))).toContain(`"value":"${value}"`);
      }
    }
    expect(shown(answerOf(all, 'nothing like it')).count).toBe(0);
  });
});

describe('a field', () => {
  const field = { key: 'key', label: 'Key', widget: 'credential', required: false } as const;
  it.each(COUNTS)('of %i choices offers all of them', (count) => {
    const credentials = choices(count).map(({ label }) => label);
    const raw = { key: credentials.at(-1) };
    const block = JSON.stringify(fieldBlock(field, { raw, dispatch: false, credentials }));
    if (count === 0) return expect(block).toContain('nothing to choose from');
    expect(block).toContain(count > 100 ? '"external_select"' : '"static_select"');
    expect(block).toContain(`"initial_option":{"text":{"type":"plain_text","text":"${raw.key}"`);
  });
});
