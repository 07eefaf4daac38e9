import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InvitationRecord } from '../../../src/core/cloud/records.ts';
import { readSlash } from '../../../src/core/slash/slash.ts';
import { invitationRead } from '../../../src/operations/invitation-read/invitation-read.ts';
import { INVITATIONS } from '../../../src/sandbox/control-plane/seed.ts';
import { expectGolden } from '../../support/golden.ts';
import { fakePorts } from '../../support/operation-ports.ts';
import {
  executed,
  formOf,
  issuesOf,
  planned,
  rendered,
  wordsOf,
} from '../../support/run-operation.ts';
import { type SandboxApi, startSandboxApi } from '../../support/sandbox-api.ts';

const ID = INVITATIONS.pending;
const RECORD: InvitationRecord = {
  id: ID,
  email: 'dora@example.com',
  role: 'developer',
  createdAt: '2026-11-25T10:02:00.000Z',
  expireAt: '2026-12-02T10:02:00.000Z',
};

function answering(record: InvitationRecord) {
  return fakePorts({ control: { invitation: async () => ({ result: record }) } });
}

it.each(['', 'dora', '65f1c0a2b3c4d5e6f7080901', `${ID}0`])('takes no %j for an id', (id) => {
  expect(issuesOf(invitationRead, { id })).toEqual([
    { field: 'id', message: 'The id of an invitation: a UUID.' },
  ]);
});

it('is judged as an invitation of its organization', async () => {
  const plan = await planned(invitationRead, { id: ID.toUpperCase() }, fakePorts());
  expect(plan.targets).toEqual([
    { kind: 'invitation', id: ID, name: ID, organization: 'acme', tags: [] },
  ]);
  expect(plan.preview).toBeUndefined();
});

describe('what the asker reads', () => {
  it.each<[string, InvitationRecord, string]>([
    [
      'an open one',
      RECORD,
      'Invitation of dora@example.com as developer, open until 2026-12-02T10:02:00.000Z.',
    ],
    [
      'an expired one, with assigned roles',
      { ...RECORD, assignedRoles: ['Analyst'], expireAt: '2026-11-27T10:01:59Z' },
      'Invitation of dora@example.com as Analyst, expired 2026-11-27T10:01:59Z.',
    ],
    [
      'one whose time cannot be read',
      { ...RECORD, role: 'overlord', expireAt: 'soon' },
      'Invitation of dora@example.com as overlord, open until soon.',
    ],
    ['one of which nothing is left', {}, `Invitation of ${ID}.`],
  ])('%s', async (_, record, words) => {
    const { card } = await executed(invitationRead, { id: ID }, answering(record));
    expect(wordsOf(card)[0]).toBe(words);
    expect(card.audience).toBe('requester');
  });

  it('stays as it is', async () => {
    const { card } = await executed(invitationRead, { id: ID }, answering(RECORD));
    expectGolden('invitation.read/open', rendered(card));
    expectGolden(
      'invitation.read/form',
      formOf(invitationRead, {}, { organizations: ['acme', 'globex'] }),
    );
  });
});

describe('on the stand-in of the API', () => {
  let sandbox: SandboxApi;
  beforeAll(async () => {
    sandbox = await startSandboxApi();
  });
  afterAll(async () => await sandbox.close());

  it('reads its example', async () => {
    const reading = readSlash(invitationRead.slash.examples[0] ?? '', [invitationRead]);
    const raw = reading.kind === 'operation' ? reading.raw : {};
    const { card } = await executed(invitationRead, raw, fakePorts({ control: sandbox.control }));
    expect(wordsOf(card)[0]).toContain('Invitation of dora@example.com as developer');
  });

  it('says what a missing one is', async () => {
    const id = '6e5d4c3b-0009-4eee-8fff-400000000009';
    const run = executed(invitationRead, { id }, fakePorts({ control: sandbox.control }));
    await expect(run).rejects.toMatchObject({ code: 'not-found', changed: 'no' });
  });
});
