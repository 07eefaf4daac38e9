import { describe, expect, it } from 'vitest';
import {
  ANALYTICS_ID,
  ORGANIZATION_ID,
  problemsOf,
  readFile,
  SCRATCH_ID,
} from './config-fixtures.ts';

const HEAD = `services:
  analytics: { id: ${ANALYTICS_ID}, tags: [prod] }
  scratch: { id: ${SCRATCH_ID}, tags: [dev] }
groups:
  operators: { users: [U01ANA], usergroups: [S0OPS] }
channels:
  ops:
    id: C0OPS
    allow:
`;

function withRule(rule: string): string {
  return `${HEAD}      - ${rule}\n`;
}

describe('a valid file', () => {
  it('becomes settings, with every default', () => {
    expect(readFile('channels: {}').value).toEqual({
      command: '/db',
      workspaces: [],
      organizations: [
        {
          key: 'default',
          id: ORGANIZATION_ID,
          keyId: 'fake-key-id',
          keySecret: 'fake-key-secret',
          names: 'neutral',
        },
      ],
      services: [],
      groups: {},
      credentials: [],
      presets: {},
      channels: [],
      defaults: { directMessages: 'deny', externalPeople: 'deny', guests: 'deny' },
      audit: {},
      schedules: [],
      generatedPassword: 'show-once',
      passwordForMs: 14_400_000,
      limits: { perPersonPerMinute: 30, perChannelPerMinute: 120 },
    });
  });

  it('keeps every part of a rule', () => {
    const { value, problems } = readFile(
      withRule(
        `{ actions: ['service.*'], services: [tag:dev, analytics, '*'], who: [operators, U0X, anyone],
           approval: { by: [operators], within: 90s }, emailDomains: [Example.COM],
           limits: { providers: [aws], regions: [eu-1], maxReplicas: 3, maxMemoryGb: 64 } }`,
      ),
    );
    expect(problems).toEqual([]);
    expect(value?.channels[0]?.rules).toEqual([
      {
        effect: 'allow',
        actions: ['service.*'],
        services: ['tag:dev', 'analytics', '*'],
        who: ['operators', 'U0X', 'anyone'],
        approval: { by: ['operators'], withinMs: 90_000 },
        emailDomains: ['example.com'],
        limits: { providers: ['aws'], regions: ['eu-1'], maxReplicas: 3, maxMemoryGb: 64 },
        path: 'channels.ops.allow[0]',
      },
    ]);
    expect(value?.services[0]?.organization).toBe('default');
  });

  it('lets a channel override the defaults for guests and external people', () => {
    const { value } = readFile(
      `defaults: { guests: allow }
channels: { a: { id: C01, guests: deny, externalPeople: allow }, b: { id: C02 } }`,
    );
    expect(value?.channels.map(({ guests, externalPeople }) => [guests, externalPeople])).toEqual([
      ['deny', 'allow'],
      ['allow', 'deny'],
    ]);
  });

  it('reads digests, presets, currency and the rest', () => {
    const { value, problems } = readFile(
      `
presets: { small: { provider: aws, numReplicas: 2 } }
currency: { name: EUR, perUnit: 0.31 }
generatedPassword: discard
credentials: { kafka: { username: a, password: '\${PASS}' } }
channels:
  finance: { id: C0FIN, digest: { at: 09:00, zone: Europe/Berlin, anomalyFloor: 5, every: week } }
`,
      { PASS: 'fake-pass' },
    );
    expect(problems).toEqual([]);
    expect(value).toMatchObject({
      presets: { small: { provider: 'aws', numReplicas: 2 } },
      currency: { name: 'EUR', perUnit: 0.31 },
      generatedPassword: 'discard',
      credentials: [{ name: 'kafka', values: { username: 'a', password: 'fake-pass' } }],
    });
    expect(value?.channels[0]?.digest).toEqual({
      at: '09:00',
      zone: 'Europe/Berlin',
      services: ['*'],
      every: 'week',
      anomalyFloor: 5,
    });
  });
});

describe('rules', () => {
  it.each([
    [
      'an unknown action',
      `{ actions: [service.stpo], who: [anyone] }`,
      'actions[0]:10 matches no operation; did you mean service.stop?',
    ],
    [
      'a glob without match',
      `{ actions: ['svc.*'], who: [anyone] }`,
      'actions[0]:10 matches no operation',
    ],
    [
      'an unknown group',
      `{ actions: ['*'], who: [operatros] }`,
      'who[0]:10 no group under groups: has this name; did you mean operators?',
    ],
    [
      'a user group in who',
      `{ actions: ['*'], who: [S0OPS] }`,
      'who[0]:10 no group under groups: has this name',
    ],
    [
      'an unknown service',
      `{ actions: ['*'], services: [analytcs], who: [anyone] }`,
      'services[0]:10 no service under services: has this name; did you mean analytics?',
    ],
    [
      'an unused tag',
      `{ actions: ['*'], services: ['tag:prd'], who: [anyone] }`,
      'services[0]:10 no service has this tag; did you mean prod?',
    ],
    ['a rule without actions', `{ who: [anyone] }`, 'actions:10 is missing'],
    ['empty actions', `{ actions: [], who: [anyone] }`, 'actions:10 must not be empty'],
    ['a rule without who', `{ actions: ['*'] }`, 'who:10 is missing'],
    ['an empty who', `{ actions: ['*'], who: [] }`, 'who:10 must not be empty'],
    ['who as text', `{ actions: ['*'], who: anyone }`, 'who:10 must be a list, as in [a, b]'],
    [
      'guests as approvers',
      `{ actions: ['*'], who: [anyone], approval: { by: [guests], within: 1m } }`,
      'approval.by[0]:10 no group under groups: has this name',
    ],
    [
      'no time limit',
      `{ actions: ['*'], who: [anyone], approval: { by: [operators] } }`,
      'approval.within:10 is missing',
    ],
    [
      'a bare number',
      `{ actions: ['*'], who: [anyone], approval: { by: [operators], within: '30' } }`,
      'approval.within:10 must be a duration such as 30m, 8h or 2d',
    ],
    [
      'an address as domain',
      `{ actions: ['*'], who: [anyone], emailDomains: [a@example.com] }`,
      'emailDomains[0]:10 must be a domain such as example.com',
    ],
    [
      'too many replicas',
      `{ actions: ['*'], who: [anyone], limits: { maxReplicas: 21 } }`,
      'limits.maxReplicas:10 must be at most 20',
    ],
    [
      'an unknown key',
      `{ actions: ['*'], who: [anyone], service: [scratch] }`,
      'service:10 is no key that fits here; did you mean services?',
    ],
    [
      'break-glass with an approval',
      `{ actions: [approval.break-glass], who: [anyone], approval: { by: [operators], within: 1m } }`,
      'actions[0]:10 runs at once: it needs a rule of its own, without approval',
    ],
  ])('refuse %s', (_name, rule, problem) => {
    expect(problemsOf(withRule(rule))).toEqual([`channels.ops.allow[0].${problem}`]);
  });

  it('refuse approval in a deny, where it would mean nothing', () => {
    expect(
      problemsOf(`channels:
  ops:
    id: C0OPS
    deny:
      - actions: ['*']
        who: [anyone]
        approval: { by: [U01], within: 1m }`),
    ).toEqual(['channels.ops.deny[0].approval:7 is no key that fits here: actions, services, who']);
  });

  it('are at most 5,000', () => {
    const rules = `      - { actions: ['*'], who: [anyone] }\n`.repeat(5_001);
    expect(problemsOf(HEAD + rules)).toEqual(['channels:6 hold 5001 rules; at most 5000 fit']);
  });
});

describe('shapes and references', () => {
  it.each([
    [
      'a mistyped section',
      'chanels: {}',
      'chanels:1 is no key that fits here; did you mean channels?',
    ],
    [
      'a channel by name',
      "channels: { ops: { id: '#ops' } }",
      'channels.ops.id:1 must be a channel id such as C0OPS',
    ],
    [
      'a person by name',
      'groups: { ops: { users: [ana] } }',
      'groups.ops.users[0]:1 must be a user id such as U01ANA',
    ],
    [
      'a user group by name',
      'groups: { ops: { usergroups: [ops] } }',
      'groups.ops.usergroups[0]:1 must be a user group id such as S0OPS',
    ],
    [
      'a workspace by name',
      'slack: { workspaces: [acme] }',
      'slack.workspaces[0]:1 must be a workspace id such as T0ACME',
    ],
    ['a service by name', 'services: { a: { id: a } }', 'services.a.id:1 must be a UUID'],
    [
      'an unknown organization',
      `services: { a: { id: ${SCRATCH_ID}, organization: acme } }`,
      'services.a.organization:1 no organization has this name; there is default',
    ],
    [
      'a zone by offset',
      "channels: { a: { id: C01, digest: { at: '09:00', zone: CEST } } }",
      'channels.a.digest.zone:1 must be an IANA time zone such as Europe/Berlin',
    ],
    [
      'an impossible time',
      "channels: { a: { id: C01, digest: { at: '24:00', zone: UTC } } }",
      "channels.a.digest.at:1 must be a time such as '09:00'",
    ],
    [
      'a digest of an unknown service',
      "channels: { a: { id: C01, digest: { at: '09:00', zone: UTC, services: [x] } } }",
      'channels.a.digest.services[0]:1 no service under services: has this name',
    ],
    [
      'a command of Slack',
      'command: /remind',
      'command:1 is a command of Slack itself; choose another',
    ],
    [
      'a command without slash',
      'command: db',
      'command:1 must begin with / and have at most 32 lower-case letters, digits, _ or -',
    ],
    [
      'an upper-case command',
      'command: /DB',
      'command:1 must begin with / and have at most 32 lower-case letters, digits, _ or -',
    ],
    ['a maybe', 'defaults: { guests: maybe }', 'defaults.guests:1 must be one of allow, deny'],
    [
      'a group called anyone',
      'groups: { anyone: { users: [] } }',
      'groups.anyone:1 a group must not be named like a person or like anyone, guests, external',
    ],
    [
      'a group named like a person',
      'groups: { U01ANA: {} }',
      'groups.U01ANA:1 a group must not be named like a person or like anyone, guests, external',
    ],
    ['a credential without values', 'credentials: { a: {} }', 'credentials.a:1 holds no value'],
    [
      'a Cyrillic service name',
      `services: { "\u0430nalytics": { id: ${SCRATCH_ID} } }`,
      'services["\u0430nalytics"]:1 a name has at most 50 letters, digits, spaces or . _ - and begins with a letter or digit',
    ],
    [
      'a service named like an id',
      `services: { ${SCRATCH_ID}: { id: ${SCRATCH_ID} } }`,
      `services.${SCRATCH_ID}:1 a name must not look like an id`,
    ],
    [
      'a free service',
      'currency: { name: EUR, perUnit: 0 }',
      'currency.perUnit:1 must be more than 0',
    ],
    [
      'an organization named default',
      `organizations: { default: { id: ${SCRATCH_ID}, keyId: a, keySecret: b } }`,
      'organizations.default:1 the name is taken, here or by ORGANIZATION_ID (named default)',
    ],
    [
      'the same organization twice',
      `organizations: { acme: { id: ${ORGANIZATION_ID}, keyId: a, keySecret: b } }`,
      'organizations.acme.id:1 is already given, here or by ORGANIZATION_ID',
    ],
  ])('refuse %s', (_name, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
  });

  it('want an organization for each service when there are two', () => {
    expect(
      problemsOf(`organizations: { acme: { id: ${ANALYTICS_ID}, keyId: a, keySecret: b } }
services: { a: { id: ${SCRATCH_ID} } }`),
    ).toEqual(['services.a.organization:2 is missing: one of default, acme']);
  });

  it.each([
    ['analytics', 'Analytics'],
    ['prod-1', 'prod-l'],
    ['db0', 'dbo'],
    ['web 1', 'web_1'],
  ])('refuse the look-alikes %s and %s', (first, second) => {
    const problems = problemsOf(`services:
  ${first}: { id: ${ANALYTICS_ID} }
  ${second}: { id: ${SCRATCH_ID} }`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/:3 is too easily taken for services/u);
  });

  it('refuse one id under two names', () => {
    expect(
      problemsOf(`services:
  one: { id: ${SCRATCH_ID} }
  two: { id: ${SCRATCH_ID.toUpperCase()} }
channels:
  a: { id: C01 }
  b: { id: C01 }`),
    ).toEqual([
      'channels.b.id:6 is already the id of channels.a.id',
      'services.two.id:3 is already the id of services.one.id',
    ]);
  });

  it('refuse a file that is no map, or holds nothing', () => {
    expect(problemsOf('- a')).toEqual(['steward.yaml:1 must be a map of keys and values']);
    expect(problemsOf('# later\n')[0]).toContain('holds nothing');
  });
});

describe('variables', () => {
  const file = `organizations:
  acme: { id: \${ACME_ID}, keyId: \${ACME_KEY}, keySecret: "x-\${ACME_SECRET}" }`;

  it('are filled in, also inside { } without quotes', () => {
    const { value } = readFile(file, {
      ACME_ID: SCRATCH_ID,
      ACME_KEY: 'fake-key: {',
      ACME_SECRET: 'fake-secret',
    });
    expect(value?.organizations[1]).toEqual({
      key: 'acme',
      id: SCRATCH_ID,
      keyId: 'fake-key: {',
      keySecret: 'x-fake-secret',
      names: 'neutral',
    });
  });

  it('that are missing are named once, with path and line', () => {
    expect(problemsOf(file, { ACME_KEY: '' })).toEqual([
      'organizations.acme.id:2 the variable ACME_ID is not set',
      'organizations.acme.keyId:2 the variable ACME_KEY is not set',
      'organizations.acme.keySecret:2 the variable ACME_SECRET is not set',
    ]);
  });

  it('that are misspelt never become a value', () => {
    expect(problemsOf(`credentials: { a: { password: "\${my pass}" } }`)).toEqual([
      'credentials.a.password:1 holds ${ without a variable name of letters, digits or _',
    ]);
  });

  it('never show their values in a problem', () => {
    const secret = 'fake-planted-secret';
    const text = `command: \${S}
slack: { workspaces: [\${S}] }
generatedPassword: \${S}
services: { a: { id: \${S}, tags: [\${S}] } }
groups: { g: { users: [\${S}] } }
channels:
  ops:
    id: C0OPS
    allow:
      - { actions: [\${S}], services: [\${S}], who: [\${S}] }`;
    const all = [
      ...problemsOf(text, { S: secret }),
      ...problemsOf(text.slice(text.indexOf('channels')), { S: secret }),
    ];
    expect(all.length).toBeGreaterThan(7);
    expect(all.join('\n')).not.toContain(secret);
  });
});
