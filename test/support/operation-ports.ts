import type { Context } from '../../src/core/operation/operation.ts';
import type { Ports } from '../../src/core/operation/ports.ts';
import type { CostReader } from '../../src/core/ports/costs.ts';
import type { JournalEntry } from '../../src/core/ports/journal.ts';
import type { ControlApi, DirectoryEntry } from '../../src/core/ports/ports.ts';
import type { Night } from '../../src/core/ports/sleep.ts';
import type { ScheduleSettings, Settings } from '../../src/core/settings/settings.ts';
import { createTestClock } from './settable-clock.ts';

export const NOW = '2026-11-27T10:02:00.000Z';
export const ANA = { userId: 'U01ANA', teamId: 'T0ACME' };

/** The request of Ana in #ops that the presentation of a result speaks of. */
export const CONTEXT: Context = {
  actor: ANA,
  place: { channelId: 'C0OPS' },
  journal: 813,
  reference: 'k3f9',
};

const SETTINGS: Settings = {
  command: '/db',
  workspaces: ['T0ACME'],
  organizations: [
    {
      key: 'acme',
      id: '5f1c2a40-7d3e-4b1a-9c55-0a1b2c3d4e5f',
      keyId: 'fake-key-id-steward',
      keySecret: 'fake-key-secret-steward',
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
};

export function settingsWith(changes: Partial<Settings> = {}): Settings {
  return { ...SETTINGS, ...changes };
}

export type FakePortsOptions = {
  readonly settings?: Partial<Settings>;
  readonly entries?: readonly DirectoryEntry[];
  readonly journal?: readonly JournalEntry[];
  readonly control?: Partial<ControlApi>;
  readonly costs?: CostReader;
  readonly digests?: Partial<Ports['digests']>;
  readonly sleeps?: Partial<Ports['sleeps']>;
  readonly now?: string;
};

export type FakePorts = Ports & {
  /** What was noted in the directory and kept as a secret. */
  readonly noted: unknown[];
  readonly kept: string[];
};

/** Ports in memory: what is not given refuses to be called, so that a stray call fails the test. */
export function fakePorts(options: FakePortsOptions = {}): FakePorts {
  const settings = settingsWith(options.settings);
  const noted: unknown[] = [];
  const kept: string[] = [];
  const clock = createTestClock(options.now ?? NOW);
  return {
    noted,
    kept,
    clock,
    settings: { get: () => settings },
    control: controlWith(options.control),
    costs: options.costs ?? { read: refuse },
    directory: {
      list: async () => options.entries ?? [],
      note: async (entry) => noted.push(entry) > 0,
      look: async () => false,
      ask: async () => false,
    },
    sights: { of: () => undefined, organizations: () => [], closed: () => [] },
    journal: {
      find: async (filter) => findIn(options.journal ?? [], filter),
      count: async (filter) => findIn(options.journal ?? [], filter).length,
    },
    credentials: {
      names: () => settings.credentials.map(({ name }) => name),
      values: (name) => settings.credentials.find((each) => each.name === name)?.values ?? {},
    },
    secrets: {
      keep: async (_owner, secret) => {
        kept.push(secret);
        return { id: 'secret-1', expiresAt: clock.now().plus({ minutes: 15 }).toISO() };
      },
      reveal: async () => ({ kind: 'lost' }),
      waiting: async () => [],
    },
    policy: {
      decide: async () => ({ allowed: true, rule: 'channels.ops.allow[0]' }),
      isOneOf: async () => 'yes',
      unsureBecause: () => [],
      hasOthers: async () => 'yes',
      limits: async () => ({}),
      seen: async (_actor, _place, { services }) => new Set(services.map(({ id }) => id)),
      allowed: async (_actor, _place, questions) => questions.map(() => 'yes'),
      isIn: async () => 'yes',
    },
    pending: { open: async () => [] },
    outbox: { undelivered: async () => [], places: async () => new Map() },
    permalink: ({ channelId, ts }) => `https://acme.slack.example/archives/${channelId}/p${ts}`,
    catalogue: [],
    status: STATUS,
    digests: { ...DIGESTS, ...options.digests },
    sleeps: { ...SLEEPS, schedule: scheduleOf(settings), ...options.sleeps },
  };
}

/** A closed row of the journal with what a test cares about. */
export function journalEntry(changes: Partial<JournalEntry> = {}): JournalEntry {
  return {
    number: 812,
    reference: 'a1b2',
    openedAt: '2026-11-27T10:00:00.000Z',
    operation: 'service.create',
    actor: ANA,
    input: {},
    targets: [],
    outcome: 'done',
    ...changes,
  };
}

type Find = Ports['journal']['find'];

function findIn(entries: readonly JournalEntry[], filter: Parameters<Find>[0]) {
  return entries.filter(
    ({ operation, openedAt, targets, reference, input, outcome }) =>
      (filter.operations?.includes(operation) ?? true) &&
      (filter.outcomes?.some((one) => one === outcome) ?? true) &&
      (filter.references?.includes(reference) ?? true) &&
      (filter.since === undefined || openedAt >= filter.since) &&
      (filter.until === undefined || openedAt <= filter.until) &&
      ((filter.services ?? filter.names) === undefined ||
        targets.some(({ id }) => filter.services?.includes(id)) ||
        Object.values(input).some((value) => filter.names?.includes(String(value)))),
  );
}

async function refuse(): Promise<never> {
  throw new TypeError('This call of the control API was not expected.');
}

function controlWith(calls: Partial<ControlApi> | undefined): ControlApi {
  const control: ControlApi = { ...REFUSING, during: () => control, ...calls };
  return control;
}

const REFUSING: ControlApi = {
  invitation: refuse,
  queryEndpoint: refuse,
  activity: refuse,
  usageCost: refuse,
  createService: refuse,
  setServiceState: refuse,
  createInvitation: refuse,
  createPipe: refuse,
  deleteDashboard: refuse,
  deleteCloudDashboard: refuse,
  roles: refuse,
  during: () => REFUSING,
};

const STATUS: Ports['status'] = {
  version: '0.1.0',
  startedAt: '2026-11-27T08:00:00.000Z',
  database: async () => 'answers',
  connections: () => 2,
  others: async () => 0,
  summary: async () => ({}),
  control: () => ({}),
  audit: () => undefined,
  troubles: async () => [],
  closedEyes: () => [],
  botIn: async () => 'yes' as const,
};

/** A channel without a summary, until one is turned on. */
const DIGESTS: Ports['digests'] = {
  find: async () => undefined,
  nextAt: () => '2026-11-28T08:00:00.000Z',
  posted: async () => undefined,
  missed: async () => [],
  muted: async () => [],
  preview: async () => ({
    audience: 'requester',
    shareable: true,
    tone: 'plain',
    headline: ['Thu 26 Nov (UTC): 412.6 units, provisional.'],
  }),
  start: async (channel, { at, zone }, owner) => ({
    channel,
    digest: { at, zone, services: ['*'], every: 'day' },
    enabled: true,
    owner,
  }),
  stop: async () => undefined,
  mute: async () => '2026-12-04T10:02:00.000Z',
  unmute: async () => true,
};

function scheduleOf({ schedules }: Settings): Ports['sleeps']['schedule'] {
  return (wanted) => [...schedules, DEV_NIGHTS].find(({ name }) => name === wanted);
}

/** A channel in which one night is announced. */
const SLEEPS: Omit<Ports['sleeps'], 'schedule'> = {
  coming: async () => [],
  night: async () => undefined,
  nextOpen: async () => TONIGHT,
  setFor: async () => [],
  slept: async () => [],
  zoneOf: async () => 'Europe/Berlin',
  pause: async () => undefined,
  resume: async () => true,
  snooze: async () => 'done',
  set: async () => undefined,
  cancel: async () => true,
};

/** A schedule of #ops, and its night that is announced. */
export const DEV_NIGHTS: ScheduleSettings = {
  name: 'dev-nights',
  services: ['tag:dev'],
  stop: { at: '20:00', days: ['fri'] },
  zone: 'Europe/Berlin',
  channelId: 'C0OPS',
  noticeMs: 1_800_000,
  snooze: { by: ['operators'], mostMs: 10_800_000, times: 2 },
  except: [],
  approved: [],
};

const TONIGHT: Night = {
  schedule: 'dev-nights',
  at: '2026-11-27T19:00:00.000Z',
  state: 'open',
  version: 1,
  plan: {
    channel: 'C0OPS',
    services: [
      { id: '77aa0001-6b2e-4c8d-a5f9-100000000002', name: 'scratch', organization: 'acme' },
    ],
    stopAt: '2026-11-27T19:00:00.000Z',
    endsAt: '2026-11-28T06:30:00.000Z',
    since: '2026-11-27T18:30:00.000Z',
    snoozed: [],
  },
  message: { state: 'none' },
};
