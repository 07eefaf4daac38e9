import { describe, expect, it } from 'vitest';
import { readYaml } from '../../../src/config/yaml-text.ts';

function problemsOf(text: string): readonly string[] {
  return readYaml(text, 'steward.yaml').problems.map(
    ({ line, message }) => `${line ?? '-'} ${message}`,
  );
}

describe('readYaml', () => {
  it('gives plain data and the line of each part', () => {
    const { value } = readYaml('a:\n  b:\n    - x\n    - { c: 1 }\n', 'steward.yaml');
    expect(value?.value).toEqual({ a: { b: ['x', { c: 1 }] } });
    expect(value?.lineOf(['a', 'b', 1, 'c'])).toBe(4);
    expect(value?.lineOf(['a', 'missing'])).toBe(1);
    expect(value?.lineOf(['a', 'b', 9])).toBe(2);
  });

  it('takes a few aliases and looks through them for lines', () => {
    const { value } = readYaml('a: &x\n  k: 1\nb: *x\n', 'steward.yaml');
    expect(value?.value).toEqual({ a: { k: 1 }, b: { k: 1 } });
    expect(value?.lineOf(['b', 'k'])).toBe(2);
  });

  it('reads times and yes as text, as YAML 1.2 does', () => {
    expect(readYaml('at: 09:00\nyes: no\n', 'f').value?.value).toEqual({ at: '09:00', yes: 'no' });
  });

  it.each([
    ['a repeated key', 'a: 1\nb: 2\na: 3', '3 this key stands here twice'],
    ['a tag', 'a: !secret x', '1 holds a YAML tag (!…); write plain values'],
    ['a tag of YAML', 'a: !!set { x }', '1 holds a YAML tag (!…); write plain values'],
    ['two documents', 'a: 1\n---\nb: 2', '2 is a second document; one file holds one'],
    ['a directive', '%YAML 1.1\n---\na: yes', '- holds a %YAML directive'],
    ['a list as key', '? [a]\n: b', '1 a key must be a plain word'],
    ['a key that objects inherit', 'a: { __proto__: { b: 1 } }', '1 a key must be a plain word'],
    ['an alias from nowhere', 'a: *x', '1 an alias has no anchor before it'],
    ['an open quote', 'a: "x', '1 a quote, a bracket or a colon is missing'],
    ['a tab', 'a:\n\tb: 1', '2 is indented with a tab; use spaces'],
  ])('refuses %s', (_name, text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  it('refuses an alias bomb', () => {
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 9; i += 1) {
      bomb.push(`a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(', ')}]`);
    }
    expect(problemsOf(bomb.join('\n'))).toEqual(['- repeats itself too often by aliases']);
  });

  it.each([
    ['lists', '['.repeat(100_000)],
    ['lists after as many closing brackets', `${']'.repeat(100)}${'['.repeat(100)}`],
    ['maps', '{a: '.repeat(51)],
    ['compact lists', '- '.repeat(100_000)],
    ['compact maps', '? '.repeat(1_000)],
    [
      'lists one below the other',
      Array.from({ length: 450 }, (_, i) => `${' '.repeat(i)}-`).join('\n'),
    ],
  ])('refuses bottomless nesting of %s, before the parser falls into it', (_name, text) => {
    expect(problemsOf(text)).toEqual(['- is nested too deeply']);
  });

  it('takes nesting that a person would write, and brackets in text', () => {
    const text = `a: ${'['.repeat(50)}${']'.repeat(50)}\n${'# [[[\n'.repeat(60)}b: "${'['.repeat(60)}"\n`;
    expect(problemsOf(text)).toEqual([]);
  });

  it('refuses more than 1 MB', () => {
    expect(problemsOf(`# ${'x'.repeat(1_000_000)}`)).toEqual(['- is larger than 1 MB']);
  });

  it('never quotes the source', () => {
    const text = 'a: { p: fake-secret }fake-secret, : "\n\t@fake-secret: `';
    expect(problemsOf(text).length).toBeGreaterThan(0);
    expect(problemsOf(text).join('\n')).not.toContain('fake-secret');
  });
});
