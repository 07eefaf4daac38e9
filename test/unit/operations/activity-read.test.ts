import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KNOWN_TYPES, wordsFor } from '../../../src/core/cloud/activity.ts';
import type { ActivityRecord } from '../../../src/core/cloud/records.ts';
import type { JournalEntry } from '../../../src/core/ports/journal.ts';
import type { DirectoryEntry } from '../../../src/core/ports/ports.ts';
import { readSlash } from '../../../src/core/slash/slash.ts';
import { plain } from '../../../src/core/text/text.ts';
import { activityRead } from '../../../src/operations/activity-read/activity-read.ts';
import { SERVICES } from '../../../src/sandbox/control-plane/seed.ts';
import { expectGolden } from '../../support/golden.ts';
import { fakePorts, journalEntry } from '../../support/operation-ports.ts';
import {
  executed,
  formOf,
  planned,
  problemOf,
  rendered,
  wordsOf,
} from '../../support/run-operation.ts';
import { type SandboxApi, startSandboxApi } from '../../support/sandbox-api.ts';

const ID = '65f1c0a2b3c4d5e6f7080901';
const OTHER = '65f1c0a2b3c4d5e6f7080902';
const { analytics } = SERVICES;
const entries: readonly DirectoryEntry[] = [
  {
    id: analytics.id,
    name: 'analytics',
    organization: 'acme',
    tags: ['prod'],
    source: 'configuration',
  },
];

const RECORD: ActivityRecord = {
  id: ID,
  createdAt: '2026-11-27T10:07:00.000Z',
  type: 'service_stop',
  actorType: 'api',
  actorId: 'fake-key-id-steward',
  actorDetails: 'Steward',
  actorIpAddress: '203.0.113.7',
  organizationId: '5f1c2a40-7d3e-4b1a-9c55-0a1b2c3d4e5f',
  serviceId: analytics.id,
  userAgent: 'steward/0.1',
};

const STOP = journalEntry({
  operation: 'service.stop',
  openedAt: '2026-11-27T10:06:58.000Z',
  approvedBy: 'U02BEN',
  targets: [{ kind: 'service', id: analytics.id, name: 'analytics' }],
});

async function linesOf(record: ActivityRecord, journal: readonly JournalEntry[] = []) {
  const ports = fakePorts({
    entries,
    journal,
    control: { activity: async () => ({ result: record }) },
  });
  return wordsOf((await executed(activityRead, { id: ID }, ports)).card);
}

describe('the id in pasted text', () => {
  /** What the form that opens says beside its field. */
  const asked = async (id: string): Promise<string> => {
    const problem = await problemOf(activityRead, { id }, fakePorts());
    expect(problem).toMatchObject({ field: 'id', asksAgain: true });
    return plain(problem.problem);
  };

  it('is asked for where there is none', async () => {
    expect(await asked('who stopped it?')).toBe(
      'An activity id: 24 hex digits, as in 65f1c0a2b3c4d5e6f7080901.',
    );
    expect(await asked('')).toContain('24 hex digits');
  });

  it.each(['2026-11-27', '20261127T100700Z', '27-nov-2026', '1764238020.000100', '123456789012'])(
    'is asked for where there is a date or a number: %s',
    async (id) => {
      expect(await asked(id)).toContain('24 hex digits');
    },
  );

  it('is chosen by the person where there are several', async () => {
    expect(await asked(`${ID} or ${OTHER.toUpperCase()}, not ${ID}`)).toBe(
      `2 activity ids: ${ID} and ${OTHER}. Choose one.`,
    );
  });

  it('is sent in lower case', async () => {
    const plan = await planned(activityRead, { id: ID.toUpperCase() }, fakePorts());
    expect(plan.targets[0]?.id).toBe(ID);
  });

  it('is what the rules judge', async () => {
    const plan = await planned(activityRead, { id: `stopped: ${ID}` }, fakePorts());
    expect(plan.targets).toEqual([
      { kind: 'activity', id: ID, name: ID, organization: 'acme', tags: [] },
    ]);
  });
});

describe('what the asker reads', () => {
  it('stays as it is', async () => {
    const control = { activity: async () => ({ result: RECORD }) };
    const ports = fakePorts({ entries, journal: [STOP], control });
    const { card } = await executed(activityRead, { id: ID }, ports);
    expectGolden('activity.read/matched', rendered(card));
    expectGolden('activity.read/form', formOf(activityRead));
  });

  it.each<[string, ActivityRecord, string]>([
    [
      'a user',
      { ...RECORD, actorType: 'user', actorId: 'Google_1', actorDetails: 'ana@example.com' },
      'service_stop (service stopped) · 2026-11-27T10:07:00.000Z · by user ana@example.com from 203.0.113.7 · analytics',
    ],
    [
      'the system, on a service that nobody knows',
      {
        type: 'service_idle',
        createdAt: RECORD.createdAt!,
        actorType: 'system',
        serviceId: 'e41b',
      },
      'service_idle (service went idle) · 2026-11-27T10:07:00.000Z · by system · service e41b',
    ],
    [
      'a type and an actor of their own',
      { type: 'service_sang', actorType: 'robot', actorId: 'r2' },
      'service_sang · by robot r2',
    ],
    ['only an address', { actorIpAddress: '203.0.113.7' }, 'Activity · from 203.0.113.7'],
    ['a name like one of every object', { type: 'constructor' }, 'constructor'],
    ['nothing', {}, 'Activity'],
  ])('of %s', async (_, record, words) => {
    expect((await linesOf(record))[0]).toBe(words);
  });

  it('knows 53 types', () => {
    expect(KNOWN_TYPES).toHaveLength(53);
    expect(wordsFor('service_stop')).toBe('service stopped');
  });
});

describe('the journal', () => {
  const { serviceId: _, ...serviceless } = RECORD;
  const { actorType: _type, ...actorless } = RECORD;
  const { userAgent: _agent, ...clientless } = RECORD;
  const capital = { ...RECORD, serviceId: analytics.id.toUpperCase() };
  const AWAKE = { ...RECORD, type: 'service_awaken' };
  const WAKE = { ...STOP, operation: 'service.wake' };
  const START = { ...STOP, operation: 'service.start' };
  const created: ActivityRecord = { ...RECORD, type: 'service_create' };
  const creation = journalEntry({
    openedAt: '2026-11-27T10:06:00.000Z',
    input: { name: 'analytics' },
  });
  const invited: ActivityRecord = {
    createdAt: RECORD.createdAt!,
    type: 'organization_invite_create',
    actorType: 'api',
  };
  const invitation = journalEntry({
    operation: 'invitation.create',
    openedAt: '2026-11-27T10:08:00.000Z',
  });
  const MATCH = 'Matches journal 812: @U01ANA, approved by @U02BEN (by time and service).';
  const NONE = 'No matching journal entry: it was done outside Steward.';

  it.each<[string, ActivityRecord, readonly JournalEntry[], string]>([
    ['names the request and its approver', RECORD, [STOP], MATCH],
    [
      'takes the nearest of several',
      RECORD,
      [{ ...STOP, number: 700, openedAt: '2026-11-27T10:05:30.000Z' }, STOP],
      MATCH,
    ],
    ['takes one whose outcome is unknown', RECORD, [{ ...STOP, outcome: 'unknown' }], MATCH],
    ['not one that was refused', RECORD, [{ ...STOP, outcome: 'denied' }], NONE],
    [
      'not one of three minutes before, by another client',
      { ...RECORD, userAgent: 'terraform/1.9' },
      [{ ...STOP, openedAt: '2026-11-27T10:04:00.000Z' }],
      NONE,
    ],
    [
      'one of ten minutes before by its own client, as clocks differ',
      RECORD,
      [{ ...STOP, openedAt: '2026-11-27T09:57:00.000Z' }],
      MATCH,
    ],
    [
      'not one of twenty minutes before',
      RECORD,
      [{ ...STOP, openedAt: '2026-11-27T09:47:00.000Z' }],
      NONE,
    ],
    ['not one on another service', { ...RECORD, serviceId: SERVICES.scratch.id }, [STOP], NONE],
    ['not one of another kind', { ...RECORD, type: 'service_start' }, [STOP], NONE],
    [
      'finds one for a record without its service by the time',
      serviceless,
      [STOP],
      'Matches journal 812: @U01ANA, approved by @U02BEN (by time).',
    ],
    ['finds one for a record that names no actor', actorless, [STOP], MATCH],
    ['finds one by an id in capitals', capital, [STOP], MATCH],
    [
      'one of ten minutes before by a client that is not named',
      clientless,
      [{ ...STOP, openedAt: '2026-11-27T09:57:00.000Z' }],
      MATCH,
    ],
    ['a wake that was a start', { ...RECORD, type: 'service_start' }, [WAKE], MATCH],
    ['a start that was a wake', { ...RECORD, type: 'service_awaken' }, [START], MATCH],
    ['not a wake of another service', { ...AWAKE, serviceId: SERVICES.scratch.id }, [WAKE], NONE],
    ['not for a user', { ...RECORD, actorType: 'user' }, [STOP], NONE],
    [
      'finds a creation by the name',
      created,
      [creation],
      'Matches journal 812: @U01ANA (by time and service).',
    ],
    ['not a creation by another name', created, [{ ...creation, input: { name: 'other' } }], NONE],
    [
      'finds a creation whose name is not known by its time',
      { ...created, serviceId: 'e41b' },
      [creation],
      'Matches journal 812: @U01ANA (by time).',
    ],
    [
      'finds an invitation by its time',
      invited,
      [invitation],
      'Matches journal 812: @U01ANA (by time).',
    ],
    [
      'cannot be asked without a time',
      { type: 'service_stop', actorType: 'api' },
      [STOP],
      'It has no time, so it cannot be looked up in the journal.',
    ],
    [
      'is not asked with a time that cannot be read',
      { ...RECORD, createdAt: 'noon' },
      [STOP],
      NONE,
    ],
  ])('%s', async (_, record, journal, words) => {
    expect((await linesOf(record, journal))[1]).toBe(words);
  });
});

describe('on the stand-in of the API', () => {
  let sandbox: SandboxApi;
  beforeAll(async () => {
    sandbox = await startSandboxApi();
  });
  afterAll(async () => await sandbox.close());

  it('reads its example', async () => {
    const reading = readSlash(activityRead.slash.examples[0] ?? '', [activityRead]);
    const raw = reading.kind === 'operation' ? reading.raw : {};
    const { card } = await executed(activityRead, raw, fakePorts({ control: sandbox.control }));
    expect(wordsOf(card)[0]).toMatch(
      /^service_stop \(service stopped\) · .* · by api key Steward from 203\.0\.113\.20 · service /u,
    );
  });

  it('says what a missing one is', async () => {
    const id = '65f1c0a2b3c4d5e6f7080999';
    const run = executed(activityRead, { id }, fakePorts({ control: sandbox.control }));
    await expect(run).rejects.toMatchObject({ code: 'not-found' });
  });
});
