import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServiceRecord, serviceRecord } from '../../../src/core/cloud/service.ts';
import type { JournalEntry } from '../../../src/core/ports/journal.ts';
import type { DirectoryEntry } from '../../../src/core/ports/ports.ts';
import { plain } from '../../../src/core/text/text.ts';
import { serviceCreate } from '../../../src/operations/service-create/service-create.ts';
import { expectGolden } from '../../support/golden.ts';
import {
  ANA,
  CONTEXT,
  type FakePortsOptions,
  fakePorts,
  journalEntry,
} from '../../support/operation-ports.ts';
import {
  executed,
  formOf,
  planned,
  problemOf,
  rendered,
  unknownWords,
  wordsOf,
} from '../../support/run-operation.ts';
import { type SandboxApi, startSandboxApi } from '../../support/sandbox-api.ts';

const PASSWORD = 'fake-generated-password';
const RAW = {
  name: 'reporting',
  provider: 'aws',
  region: 'us-east-1',
  ipAccessList: '203.0.113.0/24 office',
  numReplicas: '3',
  minReplicaMemoryGb: '8',
  maxReplicaMemoryGb: '16',
};

const RECORD: ServiceRecord = {
  id: '0b7e1f52-6a0c-4d3b-8e21-1000000000aa',
  name: 'reporting',
  provider: 'aws',
  region: 'us-east-1',
  state: 'provisioning',
  createdAt: '2026-11-27T10:02:01.000Z',
  engineVersion: '25.10',
  numReplicas: 3,
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 16,
  idleScaling: true,
  idleTimeoutMinutes: 15,
  releaseChannel: 'default',
  dataWarehouseId: 'd0a1b2c3-1111-4aaa-8bbb-2000000000aa',
  ipAccessList: [{ source: '203.0.113.0/24', description: 'office' }],
};

type Sent = { organization: string; request: object };

/** Ports whose API answers a creation with this record. */
function answering(
  service: ServiceRecord,
  options: FakePortsOptions & { readonly password?: string } = { password: PASSWORD },
) {
  const sent: Sent[] = [];
  const { password } = options;
  const ports = fakePorts({
    ...options,
    control: {
      createService: async (organization, request) => {
        sent.push({ organization, request });
        return {
          result: password === undefined ? { service } : { service, password },
          requestId: 'req-1',
        };
      },
    },
  });
  return { ports, sent };
}

const entry: DirectoryEntry = {
  id: '3c9d5e16-8f7a-4b2c-a4d8-100000000003',
  name: 'Reporting',
  organization: 'acme',
  tags: ['dev'],
  source: 'configuration',
};

describe('the plan', () => {
  it('is judged by organization, provider, region, replicas and the most memory', async () => {
    const plan = await planned(serviceCreate, RAW, fakePorts());
    expect(plan.targets).toMatchObject([{ kind: 'organization', name: 'acme' }]);
    expect(plan.attributes).toEqual({
      provider: 'aws',
      region: 'us-east-1',
      replicas: 3,
      memoryGb: 16,
    });
  });

  it.each([
    ['only a minimum leaves it unsaid', { maxReplicaMemoryGb: undefined }, undefined],
    ['the deprecated total counts for three', { maxTotalMemoryGb: '360' }, 120],
  ])('of the memory: %s', async (_, changes, memoryGb) => {
    const raw = Object.fromEntries(
      Object.entries({ ...RAW, ...changes }).filter(([, value]) => value !== undefined),
    );
    const plan = await planned(serviceCreate, raw, fakePorts());
    expect(plan.attributes.memoryGb).toBe(memoryGb);
  });

  it('binds what is sent, not how it was asked', async () => {
    const plain = await planned(serviceCreate, RAW, fakePorts());
    const again = await planned(serviceCreate, RAW, fakePorts({ entries: [entry] }));
    const other = await planned(serviceCreate, { ...RAW, numReplicas: '4' }, fakePorts());
    expect(again.digest).toBe(plain.digest);
    expect(other.digest).not.toBe(plain.digest);
  });

  it('shows the approver everything that is sent, and warns', async () => {
    const raw = {
      ...RAW,
      numReplicas: '1',
      ipAccessList: '0.0.0.0/0',
      anywhere: true,
      releaseChannel: 'fast',
      endpoints: 'false',
      encryptionKey: 'disk',
    };
    const credentials = [{ name: 'disk', values: { value: 'fake-disk-key' } }];
    const plan = await planned(
      serviceCreate,
      raw,
      fakePorts({ entries: [entry], settings: { credentials } }),
    );
    expect(plan.preview?.lines.map(plain)).toEqual([
      '1 replica, 8 to 16 GB for each replica. Billing starts when the service does.',
      'Who may connect: 0.0.0.0/0',
      'Release channel fast · MySQL endpoint no · Disk encryption key by the credential disk',
      'Open to the whole internet: 0.0.0.0/0 may connect.',
      'One replica in a new warehouse: none takes over when it fails, and the API may ask for two.',
    ]);
    expect(plan.doubles.map(({ text }) => plain(text))).toEqual([
      expect.stringMatching(/^A service named reporting is known already \(configuration\): /u),
    ]);
    expect(plain(plan.preview?.ask ?? [])).toBe('create reporting (aws, us-east-1, acme)');
  });

  it('tells what to check when the outcome is unknown', async () => {
    const plan = await planned(serviceCreate, RAW, fakePorts());
    expect(unknownWords(plan)).toBe(
      'reporting may have been created. Check the console, or see whether it appears in tomorrow’s costs.',
    );
  });
});

describe('problems', () => {
  it('an unknown credential, without repeating what was typed', async () => {
    const credentials = [{ name: 'disk', values: { value: 'fake-disk-key' } }];
    const ports = fakePorts({ settings: { credentials } });
    for (const [typed, words] of [
      ['fake-secret-itself', 'No credential has this name.'],
      ['dsk', 'No credential has this name. Did you mean disk?'],
    ]) {
      const problem = await problemOf(serviceCreate, { ...RAW, encryptionKey: typed }, ports);
      expect([problem.field, plain(problem.problem)]).toEqual(['encryptionKey', words]);
    }
  });
});

describe('what looks like the same', () => {
  const said = async (earlier: JournalEntry): Promise<readonly string[]> => {
    const plan = await planned(serviceCreate, RAW, fakePorts({ journal: [earlier] }));
    return plan.doubles.map(({ text }) => plain(text));
  };

  it.each([
    ['done', 'was created', '2026-11-27T10:00:00.000Z', '2 minutes ago'],
    ['unknown', 'may have been created', '2026-11-27T09:31:00.000Z', '31 minutes ago'],
    ['open', 'is being created', '2026-11-24T10:02:00.000Z', '3 days ago'],
  ] as const)('an equal creation that is %s', async (outcome, fate, openedAt, ago) => {
    const earlier = journalEntry({ outcome, openedAt, input: { name: 'REPORTING' } });
    expect(await said(earlier)).toEqual([`reporting ${fate} by @U01ANA ${ago} (journal 812).`]);
  });

  it.each([
    ['another name', journalEntry({ input: { name: 'reports' } })],
    ['a refusal', journalEntry({ outcome: 'denied', input: { name: 'reporting' } })],
    ['a form that was opened', journalEntry({ outcome: 'form', input: { name: 'reporting' } })],
    [
      'this very request',
      journalEntry({ number: CONTEXT.journal, outcome: 'open', input: { name: 'reporting' } }),
    ],
    [
      '31 days ago',
      journalEntry({ openedAt: '2026-10-27T09:51:00.000Z', input: { name: 'reporting' } }),
    ],
  ])('is not %s', async (_, earlier) => {
    expect(await said(earlier)).toEqual([]);
  });

  it('is a request that waits for an approval, but not this one', async () => {
    const waiting = {
      id: 'p',
      kind: 'approval',
      state: 'open',
      operation: 'service.create',
      input: { name: 'Reporting' },
      actor: ANA,
      planHash: 'another',
      approvers: ['leads'],
      createdAt: '2026-11-27T09:57:00.000Z',
      expiresAt: '2026-11-27T10:30:00.000Z',
      journal: 700,
    } as const;
    const ports = { ...fakePorts(), pending: { open: async () => [waiting] } };
    const { doubles } = await planned(serviceCreate, RAW, ports);
    expect(doubles.map(({ text }) => plain(text))).toEqual([
      '@U01ANA asked for the same 5 minutes ago (journal 700); it waits for leads until 2026-11-27T10:30:00.000Z.',
    ]);
    const own = await planned(serviceCreate, RAW, ports, { ...CONTEXT, continues: 700 });
    expect(own.doubles).toEqual([]);
  });

  it('is not in another organization', async () => {
    const acme = fakePorts().settings.get().organizations;
    const globex = { ...acme[0]!, key: 'globex', id: '8d2f6b1c-1e4a-4f0d-8a77-2b3c4d5e6f70' };
    const earlier = journalEntry({ input: { name: 'reporting', organization: 'globex' } });
    const ports = fakePorts({ journal: [earlier], settings: { organizations: [...acme, globex] } });
    const there = await planned(serviceCreate, { ...RAW, organization: 'acme' }, ports);
    expect(there.doubles).toEqual([]);
    const here = await planned(serviceCreate, { ...RAW, organization: 'globex' }, ports);
    expect(here.doubles).toHaveLength(1);
  });
});

describe('the creation', () => {
  it('sends the value of a credential, and keeps it out of everything else', async () => {
    const credentials = [{ name: 'disk', values: { value: 'fake-disk-key' } }];
    const { ports, sent } = answering(RECORD, { password: PASSWORD, settings: { credentials } });
    const plan = await planned(serviceCreate, { ...RAW, encryptionKey: 'disk' }, ports);
    const done = await plan.execute(ports, CONTEXT);
    expect(sent).toMatchObject([
      { organization: 'acme', request: { encryptionKey: 'fake-disk-key' } },
    ]);
    expect(JSON.stringify([plan, done])).not.toContain('fake-disk-key');
  });

  it('refuses a credential without a value before anything is sent', async () => {
    const credentials = [{ name: 'disk', values: { username: 'fake-user' } }];
    const { ports, sent } = answering(RECORD, { password: PASSWORD, settings: { credentials } });
    await expect(
      executed(serviceCreate, { ...RAW, encryptionKey: 'disk' }, ports),
    ).rejects.toMatchObject({
      code: 'not-configured',
      changed: 'no',
    });
    expect(sent).toEqual([]);
  });

  it('notes the service and keeps the password for the asker alone', async () => {
    const { ports } = answering(RECORD);
    const done = await executed(serviceCreate, RAW, ports);
    expect(ports.noted).toEqual([
      {
        id: RECORD.id,
        organization: 'acme',
        name: 'reporting',
        source: 'created here',
        state: 'provisioning',
      },
    ]);
    expect(ports.kept).toEqual([PASSWORD]);
    expect(JSON.stringify(done)).not.toContain(PASSWORD);
    expect(done.requestId).toBe('req-1');
    expectGolden('service.create/created', rendered(done.card));
    expectGolden('service.create/password', rendered(done.aside!));
  });

  it.each([
    [
      'discard',
      PASSWORD,
      'The generated password of reporting was discarded, as steward.yaml asks. Reset it in the console when you need one.',
    ],
    [
      'show-once',
      undefined,
      'The API sent no password for reporting. Reset it in the console when you need one.',
    ],
  ] as const)(
    'says what became of the password: %s, %s',
    async (generatedPassword, password, words) => {
      const { ports } = answering(RECORD, {
        settings: { generatedPassword },
        ...(password === undefined ? {} : { password }),
      });
      const { aside } = await executed(serviceCreate, RAW, ports);
      expect(ports.kept).toEqual([]);
      expect(wordsOf(aside!)).toEqual([words]);
      expect(aside?.actions).toBeUndefined();
    },
  );

  it('is no failure when the store fails after the API has answered', async () => {
    const { ports } = answering(RECORD);
    const broken = {
      ...ports,
      secrets: { ...ports.secrets, keep: () => Promise.reject(new Error('storage')) },
      directory: { ...ports.directory, note: async () => false },
    };
    const { card, aside } = await executed(serviceCreate, RAW, broken);
    expect(wordsOf(card).at(-1)).toBe(
      'Steward could not save it: use its id until it appears in the costs.',
    );
    expect(wordsOf(aside!)[0]).toContain('could not be kept and is lost');
  });
});

describe('what the channel reads', () => {
  it('tells host, port, protocol and user of each endpoint, and all fields but the key', async () => {
    const value = (key: string) => `the ${key}`;
    const texts = Object.keys(serviceRecord.shape).map((key) => [key, value(key)]);
    const record = {
      ...Object.fromEntries(texts),
      ...RECORD,
      isPrimary: true,
      isReadonly: false,
      hasTransparentDataEncryption: true,
      minTotalMemoryGb: 24,
      maxTotalMemoryGb: 48,
      privateEndpointIds: ['pe-1', 'pe-2'],
      availablePrivateEndpointIds: [],
      encryptionKey: 'fake-key',
      encryptionAssumedRoleIdentifier: 'fake-role',
      endpoints: [
        { protocol: 'https', host: 'h.example', port: 8443 },
        { protocol: 'mysql', host: 'h.example', port: 3306, username: 'mysql4h' },
      ],
    } as ServiceRecord;
    const ports = answering(record, {
      password: PASSWORD,
      settings: { credentials: [{ name: 'lake', values: { value: 'fake-value' } }] },
    }).ports;
    const raw = { ...RAW, encryptionAssumedRoleIdentifier: 'lake', encryptionKey: 'lake' };
    const { card } = await executed(serviceCreate, raw, ports);
    expect(wordsOf(card)).toContain('https: h.example:8443, user default as a rule');
    expect(wordsOf(card)).toContain('mysql: h.example:3306, user mysql4h');
    const details = card.details?.map(({ label, value: text }) => `${label}: ${plain(text)}`) ?? [];
    const all = details.join('\n');
    expect(JSON.stringify(card)).not.toMatch(/fake-|encryptionKey/u);
    expect(all).toContain('Disk encryption role: by the credential lake');
    expect(all).toContain('Private endpoint ids: pe-1, pe-2');
    expect(all).toContain('Private endpoint ids to be had: none');
    expect(all).toContain('Read-only: no');
    const untold = texts.filter(([key, text]) => {
      const own = { ...record } as Record<string, unknown>;
      return own[key ?? ''] === text && !all.includes(text ?? '');
    });
    expect(untold).toEqual([]);
  });

  it('says that no endpoint was reported', async () => {
    const { card } = await executed(serviceCreate, RAW, answering(RECORD).ports);
    expect(wordsOf(card)[1]).toMatch(/^The API reported no endpoint yet: the console shows/);
  });

  it('names every difference between what was asked and what the API reports', async () => {
    const { ports } = answering({
      ...RECORD,
      numReplicas: 1,
      releaseChannel: 'default',
      idleScaling: true,
      ipAccessList: [{ source: '0.0.0.0/0' }],
      endpoints: [{ protocol: 'https' }],
    });
    const raw = { ...RAW, releaseChannel: 'fast', idleScaling: 'false', endpoints: 'true' };
    const { card } = await executed(serviceCreate, raw, ports, {
      ...CONTEXT,
      approvedBy: 'U02BEN',
    });
    expect(card.tone).toBe('warning');
    expect(wordsOf(card)).toEqual([
      '@U01ANA created reporting (aws, us-east-1), approved by @U02BEN: the API reports provisioning.',
      'Replicas: asked for 3, the API reports 1.',
      'Scale to zero when idle: asked for false, the API reports true.',
      'Release channel: asked for fast, the API reports default.',
      'Who may connect: asked for 203.0.113.0/24, the API reports 0.0.0.0/0.',
      'MySQL endpoint: asked for enabled, the API reports disabled.',
      'The API reported no endpoint yet: the console shows host and port once the service runs.',
    ]);
    expectGolden('service.create/differs', rendered(card));
  });

  it('takes another order of addresses for the same list', async () => {
    const { ports } = answering({
      ...RECORD,
      ipAccessList: [{ source: '10.0.0.2/32' }, { source: '10.0.0.1' }],
    });
    const { card } = await executed(
      serviceCreate,
      { ...RAW, ipAccessList: '10.0.0.1\n10.0.0.2' },
      ports,
    );
    expect(wordsOf(card).join()).not.toContain('asked for');
  });

  it('bears a record of which next to nothing is left', async () => {
    const { ports } = answering({ state: 'hibernating' });
    const { card } = await executed(serviceCreate, RAW, ports);
    expect(wordsOf(card)).toEqual([
      '@U01ANA created reporting (aws, us-east-1): the API reports hibernating.',
      'The API reported no endpoint yet: the console shows host and port once the service runs.',
      'Steward could not save it: use its id until it appears in the costs.',
    ]);
    expectGolden('service.create/bare-record', rendered(card));
  });

  it('says so when no state came back', async () => {
    const { state: _, ...stateless } = RECORD;
    const { card } = await executed(serviceCreate, RAW, answering(stateless).ports);
    expect(wordsOf(card)[0]).toContain('the API did not say which state it is in');
  });
});

describe('the form', () => {
  it('is drawn from the declaration', () => {
    expectGolden(
      'service.create/form',
      formOf(serviceCreate, { name: 'reporting', provider: 'gcp' }),
    );
  });

  it('unfolds its sections, and offers organizations and credentials by name', () => {
    const more = {
      open: ['More settings', 'Deprecated settings'],
      credentials: ['disk'],
      organizations: ['acme', 'globex'],
      issues: [{ field: 'preset', message: 'There is no preset smal. Did you mean small?' }],
    };
    expectGolden('service.create/form-unfolded', formOf(serviceCreate, {}, more));
  });
});

describe('on the stand-in of the API', () => {
  let sandbox: SandboxApi;
  beforeAll(async () => {
    sandbox = await startSandboxApi();
  });
  afterAll(async () => await sandbox.close());

  it('creates the service, whose password stays in the store', async () => {
    const ports = fakePorts({ control: sandbox.control });
    const { card } = await executed(serviceCreate, RAW, ports);
    expect(wordsOf(card)).toEqual([
      '@U01ANA created reporting (aws, us-east-1): the API reports provisioning.',
      expect.stringMatching(/^https: \w+\.us-east-1\.aws\.db\.example:8443, user default/u),
      expect.stringMatching(/^nativesecure: \w+\.us-east-1\.aws\.db\.example:9440, user/u),
    ]);
    expect(ports.kept).toHaveLength(1);
    expect(JSON.stringify(card)).not.toContain(ports.kept[0]);
  });

  it('tells of the quirk that ignores the release channel', async () => {
    sandbox.plane.changeSettings({ quirks: ['release-channel-ignored'] });
    const ports = fakePorts({ control: sandbox.control });
    const { card } = await executed(serviceCreate, { ...RAW, releaseChannel: 'fast' }, ports);
    expect(wordsOf(card)[1]).toBe('Release channel: asked for fast, the API reports default.');
  });
});
