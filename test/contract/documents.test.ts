import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HERE = relative(ROOT, fileURLToPath(import.meta.url));

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function filesUnder(folder: string, ends: RegExp): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ends.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

type Heading = { readonly name: string; readonly body: string };

function headingsOf(page: string): readonly Heading[] {
  return [...page.matchAll(/^#{2,3} (.+)\n((?:(?!#{1,3} ).*(?:\n|$))*)/gmu)].map(
    ([, name = '', body = '']) => ({ name, body }),
  );
}

const DESIGN = headingsOf(read('docs/design.md'));
const PAGES = {
  Spec: headingsOf(read('docs/control-api.md')),
  Facts: headingsOf(read('docs/facts.md')),
};

/** Papers that are not in this repository, or a way of citing that nothing resolves. */
const ELSEWHERE = new RegExp(
  [
    'Lessons?: |Slack: (?:§|facts)|[Ss]tyle:? §?\\d|\\bfacts:? §?\\d|\\bDESIGN\\b|facts/|shared/',
    '(?:workspace|slack|style|lessons-from-the-field|control-api-in-practice)\\.md',
  ].join('|'),
  'u',
);

/** A comment on one line, however it was wrapped. */
function unwrapped(source: string): string {
  return source.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/)[ \t]?/gu, ' ');
}

/** What a text cites and nobody finds, or cites in no way that we have. */
function unresolved(source: string): readonly string[] {
  const text = unwrapped(source);
  const faults = text.split('\n').flatMap((line) => ELSEWHERE.exec(line)?.[0] ?? []);
  for (const [all, sections] of text.matchAll(/Design:((?:,? §\d+(?![\d.]*\d))*)/gu)) {
    const cited = [...(sections ?? '').matchAll(/§(\d+)/gu)].map((match) => `${match[1]}. `);
    const found = cited.every((number) => DESIGN.some(({ name }) => name.startsWith(number)));
    if (cited.length === 0 || !found) faults.push(all);
  }
  for (const { page, part } of citedParts(text)) {
    if (!resolves(part, PAGES[page])) faults.push(`${page}: ${part}`);
  }
  return faults;
}

type Page = keyof typeof PAGES;

function citedParts(text: string): readonly { readonly page: Page; readonly part: string }[] {
  return (['Spec', 'Facts'] as const).flatMap((page) => {
    const citations = text.matchAll(new RegExp(`${page}: (.+?)(?=\\.(?:\\s|$)|\\s*\\*/|$)`, 'gmu'));
    return [...citations].flatMap(([, cited = '']) =>
      cited.split(/;\s*/u).map((part) => ({ page, part: part.trim() })),
    );
  });
}

/** A heading, then nothing, a remark behind a comma or in brackets, or numbers of its rows. */
function resolves(part: string, headings: readonly Heading[]): boolean {
  return headings.some(({ name, body }) => {
    if (!part.startsWith(name)) return false;
    const rest = part.slice(name.length);
    const [, numbers = ''] = /^ (\d+(?:(?:, | to )\d+)*)(?: \(.*\))?$/u.exec(rest) ?? [];
    if (numbers === '') return rest === '' || /^(?:, | \().+/u.test(rest);
    return [...numbers.matchAll(/\d+/gu)].every(([number]) =>
      new RegExp(`^(?:\\| ${number} \\||${number}\\. )`, 'mu').test(body),
    );
  });
}

const SOURCES = ['src', 'scripts', 'test']
  .flatMap((folder) => filesUnder(folder, /\.(?:tsx?|js)$/u))
  .filter((path) => path !== HERE);

describe('what comments cite', () => {
  it('is in docs/design.md, docs/control-api.md or docs/facts.md', () => {
    expect(SOURCES.length).toBeGreaterThan(500);
    const faults = SOURCES.map((path) => ({ path, cites: unresolved(read(path)) }));
    expect(faults.filter(({ cites }) => cites.length > 0)).toEqual([]);
  });

  it('would be missed if it were not', () => {
    const good = [
      '/** Why. Spec: Endpoints 8; Limits. Design: §3, §9. Facts: Drift; Rate limits. */',
      '/**\n * Spec: Service, column Q; States and\n * transitions (nothing is\n * stated).\n */',
      '// (Design: §8), and on. Spec: Endpoints 1 to 9; Errors 1, 2.',
    ];
    expect(good.flatMap(unresolved)).toEqual([]);
    const bad = [
      '/** Design: §99. */',
      '/** Design: §1.4. */',
      '/** Design: the fifth. */',
      '/** Spec: Endpoints 10. */',
      '/** Spec: Limits\n * of all kinds. */',
      '/** Facts: workspace 8. */',
      '/** Facts: 7. */',
      '/** Bounds: facts 7. */',
      '/** Lessons: H1. */',
      '/** Slack: §9 facts. */',
      '/** As DESIGN §4 says. */',
      '/** Words: style §4. */',
    ];
    expect(bad.filter((comment) => unresolved(comment).length === 0)).toEqual([]);
  });

  it('is all that docs/facts.md holds', () => {
    const cited = SOURCES.flatMap((path) => citedParts(unwrapped(read(path))))
      .filter(({ page }) => page === 'Facts')
      .map(({ part }) => part);
    const idle = PAGES.Facts.filter(({ name }) => !cited.includes(name));
    expect(idle.map(({ name }) => name)).toEqual([]);
  });
});

/** As GitHub makes an anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function brokenLinks(path: string): readonly string[] {
  const page = read(path);
  const links = [...page.matchAll(/\]\((?!https?:)([^)\s]+)\)/gu)].map((match) => match[1] ?? '');
  const broken = links.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(ROOT, target))) return true;
    if (anchor === undefined) return false;
    return ![...read(target).matchAll(/^#+ (.+)$/gmu)].some(
      ([, heading = '']) => anchorOf(heading) === anchor,
    );
  });
  const named = [...page.matchAll(/`((?:src|test|scripts|docs)\/[\w./-]+)`/gu)]
    .map((match) => match[1] ?? '')
    .filter((file) => !existsSync(join(ROOT, file)));
  return [...broken, ...named];
}

describe('the documents', () => {
  const pages = ['README.md', ...filesUnder('docs', /\.md$/u)];

  it.each(pages)('%s links and names what exists', (path) => {
    expect(brokenLinks(path)).toEqual([]);
  });

  it('README.md shows rules of schedules as the tested recipe has them', () => {
    const recipe = new Set(read('recipes/dev-nights.yaml').split('\n'));
    const shown = [...read('README.md').matchAll(/^```yaml\n([\s\S]*?)^```$/gmu)];
    expect(shown.length).toBeGreaterThan(0);
    const lines = shown.flatMap(([, block = '']) => block.trimEnd().split('\n'));
    expect(lines.filter((line) => !recipe.has(line))).toEqual([]);
  });
});
