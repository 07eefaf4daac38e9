import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InvitationRecord } from '../../../src/core/cloud/records.ts';
import { readSlash } from '../../../src/core/slash/slash.ts';
import { plain } from '../../../src/core/text/text.ts';
import { invitationCreate } from '../../../src/operations/invitation-create/invitation-create.ts';
import { expectGolden } from '../../support/golden.ts';
import { CONTEXT, fakePorts, journalEntry } from '../../support/operation-ports.ts';
import {
  executed,
  formOf,
  issuesOf,
  planned,
  problemOf,
  rendered,
  unknownWords,
  wordsOf,
} from '../../support/run-operation.ts';
import { type SandboxApi, startSandboxApi } from '../../support/sandbox-api.ts';

const RAW = { email: 'fay@example.com' };
const RECORD: InvitationRecord = {
  id: '6e5d4c3b-0001-4eee-8fff-4000000000aa',
  email: 'fay@example.com',
  role: 'developer',
  createdAt: '2026-11-27T10:02:00.000Z',
  expireAt: '2026-12-04T10:02:00.000Z',
};

function answering(record: InvitationRecord) {
  const sent: string[] = [];
  const ports = fakePorts({
    control: {
      createInvitation: async (organization, email) => {
        sent.push(`${organization} ${email}`);
        return { result: record };
      },
    },
  });
  return { ports, sent };
}

describe('the address', () => {
  it.each(['fay', 'fay@', '@example.com', 'fay@example', 'fay example.com', 'a@b.com c@d.com'])(
    'does not fit: %s',
    (email) => {
      expect(issuesOf(invitationCreate, { email })).toEqual([
        { field: 'email', message: 'An e-mail address, as in ana@example.com.' },
      ]);
    },
  );

  it('is lower case in the request and in what a rule may limit', async () => {
    const { ports, sent } = answering(RECORD);
    const plan = await planned(invitationCreate, { email: ' Fay@Sales.Example.COM ' }, ports);
    await plan.execute(ports, CONTEXT);
    expect(plan.attributes).toEqual({ emailDomain: 'sales.example.com' });
    expect(sent).toEqual(['acme fay@sales.example.com']);
  });

  it('may be what Slack made a link of', () => {
    const reading = readSlash('invite <mailto:fay@example.com|fay@example.com>', [
      invitationCreate,
    ]);
    expect(reading).toMatchObject({ raw: RAW });
  });
});

describe('the question', () => {
  it('says what follows, and is bound to address and organization', async () => {
    const plan = await planned(invitationCreate, RAW, fakePorts());
    expect(plain(plan.preview?.question ?? [])).toBe('Invite fay@example.com to acme?');
    expect(plan.targets).toMatchObject([{ kind: 'organization', name: 'acme' }]);
    const same = await planned(invitationCreate, { email: 'FAY@example.com' }, fakePorts());
    expect(same.digest).toBe(plan.digest);
    expect(unknownWords(plan)).toContain('may have been invited');
  });

  it.each([
    [
      'done',
      'Fay@example.com',
      'fay@example.com was invited by @U01ANA 2 minutes ago (journal 812).',
    ],
    [
      'unknown',
      'fay@example.com',
      'fay@example.com may have been invited by @U01ANA 2 minutes ago (journal 812).',
    ],
    ['denied', 'fay@example.com', undefined],
    ['done', 'gus@example.com', undefined],
  ] as const)('tells of the same address %s for %s', async (outcome, email, words) => {
    const { id } = fakePorts().settings.get().organizations[0]!;
    const targets = [{ kind: 'organization', id, name: 'acme' } as const];
    const ports = fakePorts({
      journal: [
        journalEntry({ operation: 'invitation.create', outcome, input: { email }, targets }),
      ],
    });
    const { doubles } = await planned(invitationCreate, RAW, ports);
    expect(doubles.map(({ text }) => plain(text))[0]).toBe(words);
  });

  it('needs an organization where there are several', async () => {
    const [acme] = fakePorts().settings.get().organizations;
    const organizations = [
      acme!,
      { ...acme!, key: 'globex', id: '8d2f6b1c-1e4a-4f0d-8a77-2b3c4d5e6f70' },
    ];
    const ports = fakePorts({ settings: { organizations } });
    expect(await problemOf(invitationCreate, RAW, ports)).toMatchObject({ field: 'organization' });
    const near = await problemOf(invitationCreate, { ...RAW, organization: 'globx' }, ports);
    expect(near.suggestion?.input).toEqual({ ...RAW, organization: 'globex' });
    const plan = await planned(invitationCreate, { ...RAW, organization: 'globex' }, ports);
    expect(plan.targets).toMatchObject([{ organization: 'globex' }]);
  });
});

describe('what the channel reads', () => {
  it.each<[string, InvitationRecord, string]>([
    [
      'the role that came back',
      RECORD,
      '@U01ANA invited fay@example.com as developer. It can be accepted until 2026-12-04T10:02:00.000Z.',
    ],
    [
      'assigned roles rather than the frozen one',
      { ...RECORD, assignedRoles: ['Analyst', 'Billing'] },
      '@U01ANA invited fay@example.com as Analyst and Billing. It can be accepted until 2026-12-04T10:02:00.000Z.',
    ],
    ['a role of its own', { role: 'overlord' }, '@U01ANA invited fay@example.com as overlord.'],
    ['nothing that did not come back', {}, '@U01ANA invited fay@example.com.'],
  ])('%s', async (_, record, words) => {
    const { card } = await executed(invitationCreate, RAW, answering(record).ports);
    expect(wordsOf(card)).toEqual([words]);
  });

  it('stays as it is', async () => {
    const context = { ...CONTEXT, approvedBy: 'U02BEN' };
    const { card } = await executed(invitationCreate, RAW, answering(RECORD).ports, context);
    expectGolden('invitation.create/invited', rendered(card));
    expectGolden('invitation.create/form', formOf(invitationCreate, RAW));
  });
});

describe('on the stand-in of the API', () => {
  let sandbox: SandboxApi;
  beforeAll(async () => {
    sandbox = await startSandboxApi();
  });
  afterAll(async () => await sandbox.close());

  it('invites', async () => {
    const reading = readSlash(invitationCreate.slash.examples[0] ?? '', [invitationCreate]);
    const raw = reading.kind === 'operation' ? reading.raw : {};
    const { card } = await executed(invitationCreate, raw, fakePorts({ control: sandbox.control }));
    expect(wordsOf(card)[0]).toMatch(
      /^@U01ANA invited fay@example\.com as \w+\. It can be accepted until/u,
    );
  });
});
