/** `npm run boundaries`: imports keep to scripts/rooms.ts, and no files import one another in a circle. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { HOMES, IN_PURE, PURE, ROOMS } from './rooms.ts';

/** Files by their path below `src`; a package by its name. */
export type Import = { readonly from: string; readonly to: string };

/** Every import of the files of `src`, type imports, re-exports and dynamic ones included. */
export function importsOf(root: string): readonly Import[] {
  const source = join(root, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/u.test(name),
  );
  return files.flatMap((from) => {
    const specifiers = specifiersOf(from, readFileSync(join(source, from), 'utf8'));
    return [...new Set(specifiers)]
      .map((to) => ({ from, to: to.startsWith('.') ? posix.join(dirname(from), to) : to }))
      .filter(({ to }) => files.includes(to) || !/\.\w+$/u.test(to));
  });
}

function specifiersOf(file: string, code: string): readonly string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, code).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap((one) => one.moduleRequest?.value ?? []),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => code.slice(start + 1, end - 1)),
  ];
}

/** The deepest room that holds a file; undefined for `main.ts` and any other loose file. */
export function roomOf(file: string): string | undefined {
  const folders = dirname(file).split('/');
  const all = folders.map((_, index) => folders.slice(0, folders.length - index).join('/'));
  return all.find((room) => Object.hasOwn(ROOMS, room));
}

/** One line for each import that the rooms do not allow. `main.ts` may see everything. */
export function strayImports(imports: readonly Import[]): readonly string[] {
  return imports.flatMap(({ from, to }) => {
    if (from === 'main.ts') return [];
    const room = roomOf(from);
    if (room === undefined) return [`${from} is in no room`];
    const allowed = /\.tsx?$/u.test(to) ? mayImport(room, to) : mayUse(from, to);
    return allowed ? [] : [`${room} may not import ${to}: ${from}`];
  });
}

function mayImport(room: string, to: string): boolean {
  const target = roomOf(to);
  if (target === undefined) return false;
  return room === target || (ROOMS[room] ?? []).some((one) => isWithin(target, one));
}

function mayUse(from: string, name: string): boolean {
  const homes = Object.entries(HOMES).find(([home]) => isPackage(name, home))?.[1];
  if (homes !== undefined) return homes.some((home) => from.startsWith(`${home}/`));
  return !PURE.some((room) => from.startsWith(`${room}/`)) || IN_PURE.includes(name);
}

function isPackage(name: string, home: string): boolean {
  return name === home || name.startsWith(home.endsWith('/') ? home : `${home}/`);
}

function isWithin(room: string, outer: string): boolean {
  return room === outer || room.startsWith(`${outer}/`);
}

/** Each circle, as the files on the way round. */
export function circles(imports: readonly Import[]): readonly string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const found = new Set<string>();
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file);
    if (at >= 0) found.add([...way.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const to of next.get(file) ?? []) walk(to, [...way, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return [...found];
}

if (process.argv[1]?.endsWith('check-boundaries.ts') === true) {
  const imports = importsOf('.');
  const problems = [...strayImports(imports), ...circles(imports).map((one) => `circle: ${one}`)];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
