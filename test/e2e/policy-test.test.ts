import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { checkPolicy } from '../../src/cli/policy-check.ts';
import { testPolicy } from '../../src/cli/policy-test.ts';

const KEYS = ['ACME_KEY_ID', 'ACME_KEY_SECRET', 'GLOBEX_KEY_ID', 'GLOBEX_KEY_SECRET'];
const env = Object.fromEntries(KEYS.map((name) => [name, 'fake-value']));
const folder = mkdtempSync(join(tmpdir(), 'steward-rules-'));
const RULES = 'recipes/platform-team.yaml';
let lines: string[] = [];
const output = { print: (line: string): void => void lines.push(line) };
const printed = (): string => lines.join('\n');
beforeEach(() => {
  lines = [];
});
afterAll(() => rmSync(folder, { recursive: true }));

function expecting(text: string, rules = RULES): number {
  const path = join(folder, 'expectations.yaml');
  writeFileSync(path, text);
  return testPolicy([path], rules, env, output);
}

describe('recipes', () => {
  const recipes = readdirSync('recipes').filter((name) => !name.endsWith('.test.yaml'));

  it('are six', () => expect(recipes).toHaveLength(6));

  it.each(recipes)('%s is valid, points editors to the schema and does as it says', (name) => {
    const path = join('recipes', name);
    expect(readFileSync(path, 'utf8')).toMatch(/^# yaml-language-server: \$schema=\.\.\/docs\//);
    expect(checkPolicy(path, env, output)).toBe(0);
    const code = testPolicy([path.replace('.yaml', '.test.yaml')], path, env, output);
    expect(printed()).not.toMatch(/FAILED|cannot be used/);
    expect(code).toBe(0);
  });
});

describe('policy test', () => {
  it('tells what differs, with the rule that decided, and goes on', () => {
    const code = expecting(`expect:
  - { who: operators, in: ops, do: stop, service: analytics, is: allowed }
  - { who: operators, in: ops, do: stop, service: analytics, is: approval, by: [operators] }
  - { who: anyone, in: C0OPS, do: service.stop, service: scratch, is: allowed }
  - { who: leads, in: ops, do: dashboard.delete, is: refused, because: no rule }
  - { who: leads, in: ops, do: start, service: scratch, is: allowed }
`);
    expect(code).toBe(1);
    expect(lines[0]).toMatch(
      /^FAILED .*expected allowed, is approval by leads\. Decided by: channels\.ops\.allow\[2\]/,
    );
    expect(lines[1]).toMatch(/expected approval by operators, is approval by leads/);
    expect(lines[2]).toMatch(/is refused \(you are not in .*\)\. Decided by: no rule\.$/);
    expect(lines[3]).toMatch(/because "no rule".*forbids it.*Decided by: channels\.ops\.deny\[0\]/);
    expect(lines[4]).toBe('ok      leads start scratch in ops: allowed');
    expect(lines[5]).toMatch(/1 as expected, 4 not\.$/);
  });

  it.each([
    ['whoo: ana', /expect\[0\]\.whoo \(line 2\): is no key that fits here; did you mean who\?/],
    ['who: leeds', /no person or group leeds\. Did you mean leads\?/],
    ['in: opps', /no channel opps\. Did you mean ops\?/],
    ['service: scrtach', /no service scrtach\. Did you mean scratch\?/],
    ['do: stpo', /no action stpo/],
    ['with: { replica: 3 }', /did you mean replicas\?/],
    ['by: [leads]', /expect\[0\]\.by \(line 2\): stands only with is: approval/],
  ])('names what does not fit: %s', (change, words) => {
    const [key = ''] = change.split(':');
    const rest = ['who: leads', 'in: ops', 'do: stop', 'service: scratch', 'is: allowed'];
    const others = rest.filter((one) => !one.startsWith(`${key}:`));
    expect(expecting(`expect:\n  - { ${[change, ...others].join(', ')} }\n`)).toBe(2);
    expect(printed()).toMatch(words);
  });

  it('knows no group or person that neither file has', () => {
    const text = `people: { ana: ana }
groups: { operator: [anna] }
expect: [{ who: leads, in: ops, do: cost, is: allowed }]
`;
    expect(expecting(text)).toBe(2);
    expect(printed()).toMatch(/no group operator\. Did you mean operators\?/);
    expect(printed()).toMatch(/no person anna\. Did you mean ana\?/);
    expect(printed()).toMatch(/people\.ana \(line 1\): must be a user id/);
  });

  it('wants a service where the command does', () => {
    expect(expecting('expect: [{ who: leads, in: ops, do: stop, is: allowed }]')).toBe(2);
    expect(printed()).toMatch(/service\.stop needs a service/);
  });

  it('takes the file beside the rules, and ends with 2 without one', () => {
    const rules = join(folder, 'steward.yaml');
    writeFileSync(rules, readFileSync(RULES, 'utf8'));
    const run = () => testPolicy([], undefined, { ...env, STEWARD_CONFIG: rules }, output);
    expect(run()).toBe(2);
    expect(printed()).toMatch(/no file can be read/);
    const tests = readFileSync('recipes/platform-team.test.yaml', 'utf8');
    writeFileSync(join(folder, 'steward.test.yaml'), tests);
    expect(run()).toBe(0);
  });
});
