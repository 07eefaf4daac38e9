import { describe, expect, it } from 'vitest';
import {
  commandHints,
  isPartial,
  recall,
} from '../../../../../src/sandbox/workspace/page/chat/command-hints.ts';

const db = { command: '/db', description: 'Databases', usageHint: '[start|stop]' };
const dev = { command: '/db-dev', description: 'The same, elsewhere', usageHint: '' };
const commands = [db, dev];

describe('command hints', () => {
  it.each([
    ['/', [db, dev]],
    ['/db', [db, dev]],
    ['/db-', [dev]],
    ['/db stop', [db]],
    ['/x', []],
    ['hello', []],
    [' /db', []],
    ['/db\n', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(commandHints(text, commands)).toEqual(expected);
  });

  it.each([
    ['/d', true],
    ['/db', false],
    ['/db stop', false],
  ])('%j still needs completion: %s', (text, expected) => {
    expect(isPartial(text, db)).toBe(expected);
  });
});

describe('recall', () => {
  const sent = ['first', 'second'];

  it.each([
    [1, { text: 'second', step: 1 }],
    [2, { text: 'first', step: 2 }],
    [3, { text: 'first', step: 2 }],
    [0, { text: '', step: 0 }],
    [-1, { text: '', step: 0 }],
  ])('step %d', (step, expected) => {
    expect(recall(sent, step)).toEqual(expected);
  });

  it('has nothing to give at first', () => {
    expect(recall([], 1)).toEqual({ text: '', step: 0 });
  });
});
