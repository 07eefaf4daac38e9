import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownActions } from '../../src/app/app.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { ConfigurationError } from '../../src/config/problems.ts';
import { besiege, expectRefused, type Siege } from '../support/attacks.ts';
import { cpuMs } from '../support/cpu-time.ts';

type Edit = (yaml: string) => string;

const WIDE = '      - { actions: ["*"], who: [anyone] }';
const addAllow =
  (rule: string): Edit =>
  (yaml) =>
    yaml.replace('    allow:\n', `    allow:\n${rule}\n`);
const append =
  (text: string): Edit =>
  (yaml) =>
    `${yaml}${text}\n`;

function aliasBomb(): string {
  const lines = ['b0: &b0 [x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 12; level += 1) {
    const nine = Array.from({ length: 9 }, () => `*b${level - 1}`).join(', ');
    lines.push(`b${level}: &b${level} [${nine}]`);
  }
  return lines.join('\n');
}

/** Each would widen the rules, or bring the process down, if it were taken. */
const FILES: readonly (readonly [string, Edit])[] = [
  ['a mistyped key of a rule', (yaml) => yaml.replace('emailDomains:', 'emailDomain:')],
  ['a mistyped deny', addAllow('    denny:\n      - { actions: ["*"], who: [anyone] }')],
  ['a mistyped key at the top', append('channel: {}')],
  ['a mistyped action', addAllow('      - { actions: [service.strat], who: [anyone] }')],
  ['a mistyped group', addAllow('      - { actions: [service.start], who: [operator] }')],
  [
    'a mistyped service',
    addAllow('      - { actions: [service.start], services: [scrach], who: [leads] }'),
  ],
  ['a name where an id belongs', (yaml) => yaml.replace('id: C0OPS', 'id: "#ops"')],
  ['approvers that do not exist', (yaml) => yaml.replace('by: [leads]', 'by: [lead]')],
  ['an approval without approvers', (yaml) => yaml.replace('by: [leads]', 'by: []')],
  ['a rule for nobody', addAllow('      - { actions: ["*"], who: [] }')],
  ['a channel that stands there twice', append('channels: { ops: { id: C0OPS } }')],
  ['one id for two channels', (yaml) => yaml.replace('id: C0FINANCE', 'id: C0OPS')],
  [
    'one id for two services',
    (yaml) => yaml.replace(/(scratch: \{ id: )[\w-]+/u, `$1${idOf(yaml, 'analytics')}`),
  ],
  [
    'a key twice in a map',
    (yaml) => yaml.replace('{ users: [U02BEN] }', '{ users: [U02BEN], users: [U04GUS] }'),
  ],
  ['a second document', append('---\nchannels: {}')],
  ['a merge key', append(`base: &base { externalPeople: allow }\nmore:\n  <<: *base`)],
  [
    'a merge key in the defaults',
    (yaml) => yaml.replace('defaults: { ', 'defaults: { <<: { guests: allow }, '),
  ],
  ['an anchor without an owner', append('more: *nowhere')],
  ['an alias bomb', append(aliasBomb())],
  ['a tag of JavaScript', append('more: !!js/function "function () { return 1 }"')],
  [
    'a tag of JavaScript for a value',
    (yaml) => yaml.replace('guests: deny', 'guests: !!js/undefined ""'),
  ],
  ['a tag of Python', append('more: !!python/object/apply:os.system ["true"]')],
  ['a binary tag', append('more: !!binary aGk=')],
  ['a directive', (yaml) => `%YAML 1.1\n---\n${yaml}`],
  ['a prototype', append('__proto__: { externalPeople: allow }')],
  [
    'a prototype in a channel',
    (yaml) => yaml.replace('    id: C0OPS', '    __proto__: { guests: allow }\n    id: C0OPS'),
  ],
  ['a constructor', append('constructor: { prototype: { guests: allow } }')],
  ['tabs', append('more:\n\t- x')],
  ['a NUL', append('more: "a\u0000b"')],
  ['a NUL between rules', addAllow(`\u0000${WIDE}`)],
  ['yes for a switch', (yaml) => yaml.replace('guests: deny', 'guests: yes')],
  ['a number for a switch', (yaml) => yaml.replace('guests: deny', 'guests: 1')],
  ['100,000 rules', addAllow(Array.from({ length: 100_000 }, () => WIDE).join('\n'))],
  ['6,000 rules', addAllow(Array.from({ length: 6_000 }, () => WIDE).join('\n'))],
  ['10 MB', append(`# ${'x'.repeat(10_000_000)}`)],
  ['10 MB of one value', append(`more: "${'x'.repeat(10_000_000)}"`)],
  ['100,000 brackets', append(`more: ${'['.repeat(100_000)}`)],
  ['100,000 levels of lists', append(`more:\n  ${'- '.repeat(100_000)}x`)],
  ['a variable that is not set', (yaml) => yaml.replace('KAFKA_PASSWORD', 'KAFKA_PASSWROD')],
  ['a secret in the clear that does not parse', append('more: [fake-secret-in-the-clear')],
  ['nothing', () => ''],
  ['a list', () => '- a\n- b'],
  ['text', () => 'allow everything'],
  ['bytes that are no text', () => '\u0001\u0002\ufffd'],
];

function idOf(yaml: string, service: string): string {
  return new RegExp(`${service}: \\{ id: ([\\w-]+)`, 'u').exec(yaml)?.[1] ?? '';
}

describe('a policy file that would widen the rules or break the process', () => {
  let siege: Siege;
  let good = '';
  beforeAll(async () => {
    siege = await besiege();
    good = await readFile(siege.world.settingsPath, 'utf8');
  });
  afterAll(() => siege.close());

  it.each(FILES)('does not start, with all problems listed: %s', (_name, edit) => {
    const text = edit(good);
    expect(text).not.toBe(good);
    let thrown: unknown;
    const took = cpuMs(() => {
      try {
        loadConfiguration({ env: siege.world.env, knownActions, readFile: () => text });
      } catch (error) {
        thrown = error;
      }
    });
    expect(thrown).toBeInstanceOf(ConfigurationError);
    expect(took).toBeLessThan(4_000);
    const words = String(thrown);
    expect(words.length).toBeLessThan(200_000);
    expect(words).not.toMatch(/fake-kafka-password|fake-key-secret|fake-secret-in-the-clear/);
  });

  /** The same at a reload, for one of each way to refuse. */
  const RELOADED = FILES.filter(([name]) =>
    /mistyped key of|stands there twice|alias bomb|JavaScript$|^100,000 rules|^10 MB$|brackets|nothing/u.test(
      name,
    ),
  );
  it.each(RELOADED)('leaves the old rules in force at a reload: %s', async (_name, edit) => {
    const { logs } = siege.world;
    const refusals = (): number =>
      logs.filter(({ fields }) => fields['event'] === 'settings-refused').length;
    const before = refusals();
    await siege.world.rewriteRules(() => edit(good));
    await expect.poll(refusals, { timeout: 10_000 }).toBe(before + 1);
    const gus = siege.world.as('gus').in('#ops');
    const denied = { operation: 'service.stop', outcome: 'denied' } as const;
    await expectRefused(siege, () => gus.command('/db stop scratch'), denied);
    const confirm = { operation: 'service.stop', outcome: 'confirm' } as const;
    const ana = siege.world.as('ana').in('#ops');
    await expectRefused(siege, () => ana.command('/db stop scratch'), confirm);
  });

  it('takes the good file again', async () => {
    const reloads = (): number =>
      siege.world.logs.filter(({ fields }) => fields['event'] === 'settings-reloaded').length;
    const before = reloads();
    await siege.world.rewriteRules(() => `${good}# again\n`);
    await expect.poll(reloads, { timeout: 10_000 }).toBe(before + 1);
  });
});
