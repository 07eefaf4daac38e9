import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** What is typed, what the approver reads and what reaches the API are the same. */
describe('what was typed', () => {
  let world: StewardWorld;
  let ana: Person;
  let ben: Person;
  beforeEach(async () => {
    world = await startWorld({ settings });
    ana = world.as('ana').in('#ops');
    ben = world.as('ben').in('#ops');
  });
  afterEach(() => world.close());

  function settings(yaml: string): string {
    const rule = "      - { actions: ['*.read'], who: [anyone] }";
    const more = [
      '{ actions: [service.create], who: [anyone], approval: { by: [leads], within: 30m } }',
      '{ actions: [approval.break-glass], who: [operators] }',
    ];
    const changed = yaml
      .replace(/^.*actions: \[service\.create\].*\n/gmu, '')
      .replace(/service\.create, /gu, '')
      .replace(rule, [rule, ...more.map((one) => `      - ${one}`)].join('\n'));
    expect(changed).not.toBe(yaml);
    return changed;
  }

  const bodies = () =>
    world.plane
      .requests()
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/services'))
      .map(({ body }) => body);

  const CREATE = '/db create reporting2 --provider aws --region us-east-1';
  const TWO = [
    { source: '203.0.113.0/24', description: 'office' },
    { source: '198.51.100.7/32', description: 'home' },
  ];
  const MANY = Array.from({ length: 30 }, (_, index) => ({
    source: `10.0.${index}.0/24`,
    description: `the network of site number ${index}, ${'with a long name '.repeat(2)}end`,
  }));

  it.each<[string, string, readonly { source: string; description: string }[]]>([
    ['a comma', '--ip-access-list "203.0.113.0/24 office, 198.51.100.7/32 home"', TWO],
    ['and', '--ip-access-list “203.0.113.9/24 office and 198.51.100.7/32 home”', TWO],
    [
      'the flag twice',
      '—ip‑access‑list 203.0.113.0/24 office --ip-access-list 198.51.100.7/32 home',
      TWO,
    ],
    [
      'thirty long entries',
      `--ip-access-list ${MANY.map(({ source, description }) => `${source} ${description}`).join('; ')}`,
      MANY,
    ],
  ])('is what Ben approves and what is sent: %s', async (_, flags, list) => {
    await ana.command(`${CREATE} ${flags}`);
    await ana.expectModal(/Create a service/u);
    await ana.submit();
    const request = await ben.expectMessage(/@ana asks to create reporting2/u);
    for (const { source, description } of list) {
      expect(ben.text(request)).toContain(`${source} ${description}`);
    }
    await ben.click('Approve');
    await ben.expectMessage(/@ana created reporting2 .*approved by @ben/u);
    expect(bodies()).toEqual([
      { name: 'reporting2', provider: 'aws', region: 'us-east-1', ipAccessList: list },
    ]);
  });

  it.each<[string, RegExp]>([
    ['--ip-access-list 10.0.0.0 - 10.0.0.255', /write 10\.0\.0\.0\/24/u],
    [
      '--ip-access-list "0.0.0.0/2; 64.0.0.0/2; 128.0.0.0/2; 192.0.0.0/2"',
      /All entries together let everybody in/u,
    ],
    ['--ip-access-list "10.0.0.1 a; 10.0.0.1/32 b"', /10\.0\.0\.1\/32 stands on line 1, entry 1/u],
  ])('and does not fit is told in the form, and nothing is sent: %s', async (flags, words) => {
    await ana.command(`${CREATE} ${flags}`);
    await ana.expectModal(words);
    await ana.submit();
    await ana.expectModal(/Create a service/u);
    expect(bodies()).toEqual([]);
  });

  it.each<[string, RegExp]>([
    [
      '/db create reporting2 --region us-east-1 office',
      /put it in quotes: --region "us-east-1 office"/u,
    ],
    ['/db start --service scratch analytics', /Service is given twice: scratch and analytics/u],
    ['/db stop scratch --share analytics', /not clear what analytics belongs to/u],
    ['/db stop <https://evil.example/x|scratch>', /A link that shows scratch leads to https/u],
  ])('and belongs to nothing is told, and nothing runs: %s', async (command, words) => {
    await ana.command(command);
    await ana.expectModal(words);
    expect(world.plane.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('where there is no form, in words with the command as a button', async () => {
    await ana.command('/db approvals please');
    await ana.expectEphemeral(
      /takes no more words[\s\S]*please: nothing more is expected here[\s\S]*Use approvals/u,
    );
  });

  it.each([
    '/db stop analytics --break-glass the disk is full',
    '/db stop analytics —break‑glass the disk is full',
    '/db stop `analytics` --break-glass=“the disk is full”',
  ])('as a reason runs to the end: %s', async (command) => {
    await ana.command(command);
    await ben.expectMessage(/Break-glass: @ana goes ahead .*\s+Reason: the disk is full$/mu);
    await world
      .as('ben')
      .in('#audit')
      .expectMessage(/Reason: the disk is full/u);
  });
});
