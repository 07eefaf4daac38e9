import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { circles, importsOf, strayImports } from '../../scripts/check-boundaries.ts';
import { ROOMS } from '../../scripts/rooms.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

describe('the house', () => {
  const imports = importsOf(ROOT);

  it('has no import that its rooms do not allow, and no circle', () => {
    expect(imports.length).toBeGreaterThan(1_000);
    expect(strayImports(imports)).toEqual([]);
    expect(circles(imports)).toEqual([]);
  });

  it('would notice: a way back, a package away from home, a loose file, a circle', () => {
    expect(
      strayImports([
        { from: 'core/text/text.ts', to: 'core/card/card.ts' },
        { from: 'core/text/text.ts', to: 'undici' },
        { from: 'slack/bot.ts', to: 'kysely' },
        { from: 'operations/index.ts', to: 'node:fs' },
        { from: 'loose.ts', to: 'core/text/text.ts' },
      ]),
    ).toHaveLength(5);
    const round = ['a.ts', 'b.ts', 'c.ts'];
    expect(
      circles(round.map((from, index) => ({ from, to: round[(index + 1) % 3] ?? '' }))),
    ).toEqual(['a.ts → b.ts → c.ts → a.ts']);
  });

  it('has one loose file, and folders for its rooms', () => {
    const entries = readdirSync(`${ROOT}src`, { withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual(['main.ts']);
    for (const room of Object.keys(ROOMS)) {
      expect(readdirSync(`${ROOT}src/${room}`).length, room).toBeGreaterThan(0);
    }
  });

  it('has one pipeline, short enough to audit, and nothing else runs an operation', () => {
    const [, most] = /one pipeline of under (\d+) lines/u.exec(read('README.md')) ?? [];
    expect(read('src/core/pipeline/pipeline.ts').split('\n').length).toBeLessThan(Number(most));
    const runners = imports
      .map(({ from }) => from)
      .filter((from, index, all) => all.indexOf(from) === index)
      .filter((from) => /\bplan\.execute\(/u.test(read(`src/${from}`)));
    expect(runners).toEqual(['core/pipeline/pipeline.ts']);
  });

  it('is drawn in docs/architecture.md as it is', () => {
    const drawn = read('docs/architecture.md')
      .split('\n')
      .flatMap((line) => {
        const [, room, , arrows] = /^\| `([\w/-]+)` \| (.*?) \|(.*)\|$/u.exec(line) ?? [];
        if (room === undefined) return [];
        return [[room, [...(arrows ?? '').matchAll(/`([\w/-]+)`/gu)].map((match) => match[1])]];
      });
    expect(Object.fromEntries(drawn)).toEqual(ROOMS);
  });
});
