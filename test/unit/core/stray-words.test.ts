import { describe, expect, it } from 'vitest';
import { readSlash } from '../../../src/core/slash/slash.ts';
import { operations } from '../../../src/operations/index.ts';

/** Nothing typed ends in nothing: what a command does not take is named, and the nearest is offered. */

const read = (text: string) => readSlash(text, operations);
const words = operations.map(({ slash }) => slash.words.join(' ')).filter((each) => each !== '');

describe.each(words)('%s', (command) => {
  it.each([
    ['--blah 3', /blah/],
    ['"zz zz" --help=perhaps', /perhaps/],
  ])('with %s names it', (stray, named) => {
    const reading = read(`${command} ${stray}`);
    expect(reading).toMatchObject({ kind: 'operation' });
    expect(JSON.stringify(reading.kind === 'operation' && reading.issues)).toMatch(named);
  });

  it('with --blah 3 leaves the 3 out aloud, and never takes it for a name', () => {
    const reading = read(`${command} --blah 3`);
    if (reading.kind === 'unknown') throw new Error('It is a command.');
    expect(Object.values(reading.raw)).toEqual([]);
    expect(JSON.stringify(reading.issues)).toContain('3 was left out with --blah.');
  });

  it('keeps every word that stands behind it, in the input or in an issue', () => {
    const reading = read(`${command} zebra yak xerus`);
    if (reading.kind === 'unknown') throw new Error('It is a command.');
    const kept = JSON.stringify([reading.raw, reading.issues]);
    for (const word of ['zebra', 'yak', 'xerus']) expect(kept).toContain(word);
  });

  it.each(['please', 'hey please', 'can you please'])('after %s is offered', (before) => {
    const reading = read(`${before} ${command} scratch`);
    // `can` is a command of its own: its words are in its input.
    if (before.startsWith('can')) return expect(reading.kind).toBe('operation');
    expect(reading).toMatchObject({
      kind: 'unknown',
      suggestion: { words: command, text: `${command} scratch` },
    });
  });
});

it.each(['digest', 'digest blah', 'dashboard', 'Dashboard'])('%s lists what begins so', (text) => {
  const [first] = text.toLowerCase().split(' ');
  const expected = operations.filter(({ slash }) => slash.words[0] === first);
  const reading = read(text);
  expect(reading.kind === 'unknown' && reading.among).toEqual(expected);
});

it.each([
  ['create --replicas 3', /Did you mean --num-replicas/],
  ['pipe x --brokers b', /Did you mean --kafka-brokers/],
])('%s names the options that have the word', (text, hint) => {
  const reading = read(text);
  expect(JSON.stringify(reading.kind === 'operation' && reading.issues)).toMatch(hint);
});

it.each([
  ['yes', 'true'],
  ['No', 'false'],
  ['true', 'true'],
  ['perhaps', 'perhaps'],
])('a choice of Yes and No takes %s', (said, value) => {
  expect(read(`pipe analytics --managed-table ${said}`)).toMatchObject({
    raw: { managedTable: value },
  });
});

it('a name that Slack did not know is taken for a person, not for an action', () => {
  expect(read('can @zoe stop scratch')).toMatchObject({
    raw: { who: '@zoe', action: 'stop', service: 'scratch' },
  });
});
