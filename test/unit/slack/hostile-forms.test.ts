import { beforeAll, describe, expect, it } from 'vitest';
import type { Card, RawInput } from '../../../src/core/card/card.ts';
import { choicesOf, type Field, sectionsOf } from '../../../src/core/operation/fields.ts';
import type { Operation } from '../../../src/core/operation/operation.ts';
import type { CostBook } from '../../../src/core/ports/costs.ts';
import type { Pending } from '../../../src/core/ports/pending.ts';
import type { ControlApi, DirectoryEntry } from '../../../src/core/ports/ports.ts';
import { readSlash } from '../../../src/core/slash/slash.ts';
import { operations } from '../../../src/operations/index.ts';
import {
  ACTIVITIES,
  DASHBOARDS,
  INVITATIONS,
  SERVICES,
} from '../../../src/sandbox/control-plane/seed.ts';
import { validateMessage } from '../../../src/sandbox/workspace/validator/message.ts';
import { validateView } from '../../../src/sandbox/workspace/validator/view.ts';
import { approvalCard, confirmCard } from '../../../src/slack/outbound/outcome-cards.ts';
import { renderCard } from '../../../src/slack/render/render.ts';
import type { Richness } from '../../../src/slack/render/tables.ts';
import { ANA, fakePorts, journalEntry, NOW, settingsWith } from '../../support/operation-ports.ts';
import { executed, formOf, planned } from '../../support/run-operation.ts';
import { startSandboxApi } from '../../support/sandbox-api.ts';

/** 50 characters that ping, format, break out of code, and are wider than they look. */
const HOSTILE = '<!channel> <@U01ANA> *b* _i_ `c` ~s~ &amp; |🚀👩‍👩‍👧'
  .padEnd(50, '🚀')
  .slice(0, 50);
const LONG = `${HOSTILE} ${'<!here> 🚀 '.repeat(500)}`;
const PINGS = /<!(?:channel|here|everyone)|<@U09EVE>/u;

const CREDENTIALS = Array.from({ length: 100 }, (_, index) => `${index} ${HOSTILE}`);
const ORGANIZATIONS = CREDENTIALS.map((name) => `organization ${name}`);
const ADDRESSES = Array.from({ length: 60 }, (_, index) => `10.0.0.${index} ${HOSTILE}`).join('\n');

/** Text by the widget it is typed into; slash text puts anything into any of them. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  number: ['-1e308', '0x10', '1.5', 'NaN', '9'.repeat(400), LONG],
  email: ['fay', HOSTILE, `${'a'.repeat(60)}@${'example.'.repeat(20)}com`, '@', '.', LONG],
};

/** What a field may be opened with; `round` picks another one. */
function hostileValue(field: Field, raw: RawInput, round: number): unknown {
  switch (field.widget) {
    case 'number':
    case 'email':
      return TYPED[field.widget]?.[round];
    case 'tick':
      return true;
    case 'select':
      return choicesOf(field, raw)[0]?.value ?? HOSTILE;
    case 'lines':
      return `${ADDRESSES}\n${LONG}`;
    case 'person':
      return '<!channel>';
    case 'credential':
      return CREDENTIALS[99];
    case 'organization':
      return ORGANIZATIONS[99];
    case 'text':
    case 'service':
      return LONG;
  }
}

function rawsFor(operation: Operation): readonly RawInput[] {
  const filled = (start: RawInput, round = 0): RawInput => {
    const raw: Record<string, unknown> = { ...start };
    for (const field of operation.fields) raw[field.key] ??= hostileValue(field, raw, round);
    return raw;
  };
  const drivers = new Set(operation.fields.flatMap(({ when }) => (when ? [when.field] : [])));
  const variants = [...drivers].flatMap((key) => {
    const driver = operation.fields.find((field) => field.key === key);
    return (driver?.choices ?? []).map(({ value }) => filled({ [key]: value }));
  });
  return [{}, ...[0, 1, 2, 3, 4, 5].map((round) => filled({}, round)), ...variants];
}

const FORMS = operations.filter(({ fields }) => fields.length > 0);

describe.each(FORMS.map((operation) => [operation.id, operation] as const))(
  'the form of %s',
  (_id, operation) => {
    const issues = operation.fields.map(({ key }) => ({ field: key, message: LONG }));

    it.each([0, 1, 100])('is taken by Slack with %i credentials, folded and not', (count) => {
      for (const raw of rawsFor(operation)) {
        for (const open of [[], sectionsOf(operation.fields)]) {
          const view = formOf(operation, raw, {
            open,
            issues,
            credentials: CREDENTIALS.slice(0, count),
            organizations: ORGANIZATIONS.slice(0, count),
          });
          expect(faultsOf(validateView(view, 'modal'))).toEqual([]);
          expect(pingsIn(view)).toEqual([]);
        }
      }
    });

    it('shows each field in one block, whatever the other values are', () => {
      for (const raw of rawsFor(operation)) {
        const { blocks } = formOf(operation, raw, { open: sectionsOf(operation.fields) });
        const ids = blocks.map(({ block_id: id }) => id).filter((id) => id !== undefined);
        expect(new Set(ids).size).toBe(ids.length);
        expect(blocks.length).toBeLessThanOrEqual(100);
      }
    });
  },
);

type Replies = {
  readonly [K in Exclude<keyof ControlApi, 'during'>]: Awaited<ReturnType<ControlApi[K]>>['result'];
};
let replies: Replies;

/** What the API really answers, once: the client's pace is 10 requests in 10 s. */
beforeAll(async () => {
  const { control, close } = await startSandboxApi();
  const { analytics, scratch } = SERVICES;
  const range = { from: '2026-11-24', to: '2026-11-26' };
  replies = {
    createService: (await control.createService('acme', SERVICE)).result,
    createPipe: (await control.createPipe('acme', analytics.id, PIPE)).result,
    setServiceState: (await control.setServiceState('acme', scratch.id, 'stop')).result,
    createInvitation: (await control.createInvitation('acme', 'fay@example.com')).result,
    invitation: (await control.invitation('acme', INVITATIONS.pending)).result,
    queryEndpoint: (await control.queryEndpoint('acme', analytics.id)).result,
    activity: (await control.activity('acme', ACTIVITIES.serviceStop)).result,
    usageCost: (await control.usageCost('acme', range)).result,
    deleteDashboard: (await control.deleteDashboard(DASHBOARDS.unused)).result,
    deleteCloudDashboard: {},
    roles: [{ id: 'fake-role-1', name: 'Analyst', type: 'custom' }],
  };
  await close();
});

const SERVICE = { name: 'reporting', provider: 'aws', region: 'us-east-1' };
const PIPE = {
  name: 'orders',
  source: { kafka: { brokers: 'b.example.com:9092', topics: 'orders' } },
  destination: { table: 't', managedTable: true, columns: [{ name: 'id', type: 'UInt64' }] },
  fieldMappings: [{ sourceField: 'id', destinationField: 'id' }],
};

/** Every text that the API returns is hostile, ids and times included. */
function hostileApi(text: string): ControlApi {
  const calls = Object.entries(replies).map(([call, reply]) => [
    call,
    async () => ({ result: spoil(reply, text), requestId: text }),
  ]);
  // One answer for each call, as the type of the replies says.
  const control = { ...Object.fromEntries(calls), during: () => control } as unknown as ControlApi;
  return control;
}

function spoil<T>(value: T, text: string): T {
  const spoilt: unknown = JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    typeof member === 'string' ? text : member,
  );
  // The same shape with other texts.
  return spoilt as T;
}

function hostileBook(text: string, entities: number): CostBook {
  const days = ['2026-11-24', '2026-11-25', '2026-11-26'];
  return {
    organization: 'acme',
    range: { from: '2026-11-24', to: '2026-11-26' },
    days: days.map((day) => ({
      day,
      state: 'provisional',
      readAt: NOW,
      records: Array.from({ length: entities }, (_, index) => ({
        date: day,
        entityId: `${index} ${text}`,
        entityName: `${text} ${index}`,
        entityType: text,
        serviceId: index === 0 ? SERVICES.analytics.id : `${index} ${text}`,
        locked: false,
        totalUnits: index === 1 ? 1e12 : index / 3,
        metrics: { computeUnits: index / 3, [text]: 1 },
      })),
    })),
    skipped: 3,
    differences: [],
  };
}

/** 300 services of the same hostile name; the seeded ones keep their ids. */
function entriesNamed(text: string, count: number): readonly DirectoryEntry[] {
  const seeded = Object.values(SERVICES).map(({ id }) => id);
  return Array.from({ length: count }, (_, index) => ({
    id: seeded[index] ?? `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    name: index === 0 ? text : `${index} ${text}`,
    organization: 'acme',
    tags: [text, 'prod'],
    source: 'configuration',
    state: text,
    stateAt: index % 2 === 0 ? NOW : text,
  }));
}

/** Where only one cloud has an operation, the organization is of that one. */
function settingsFor({ onlyIn: names = 'neutral' }: Operation) {
  const { organizations } = settingsWith();
  return { organizations: organizations.map((one) => ({ ...one, names })) };
}

function portsWith(text: string, count: number, operation: Operation) {
  const pending: readonly Pending[] = Array.from({ length: count }, (_, index) => ({
    ...pendingNamed(text),
    id: `pending-${index}`,
  }));
  const entries = entriesNamed(text, count);
  return {
    ...fakePorts({
      settings: settingsFor(operation),
      entries: count === 0 ? entriesNamed(text, 1) : entries,
      control: hostileApi(text),
      costs: { read: async () => hostileBook(text, count) },
      journal: Array.from({ length: count }, (_, index) =>
        journalEntry({
          number: index,
          input: { service: text, name: text },
          targets: [{ kind: 'service', id: text, name: text, organization: text }],
          detail: text,
          decision: text,
          requestId: text,
        }),
      ),
    }),
    catalogue: operations,

    pending: { open: async () => pending },
  };
}

function pendingNamed(text: string): Pending {
  return {
    id: 'pending-1',
    kind: 'approval',
    state: 'open',
    operation: 'service.stop',
    input: { service: text },
    actor: ANA,
    channelId: 'C0OPS',
    planHash: 'hash',
    approvers: ['leads', text],
    createdAt: NOW,
    expiresAt: NOW,
    journal: 7,
    note: text,
  };
}

/** The first complete example, on the service with the hostile name where it names one. */
function rawOf(operation: Operation, text: string): RawInput {
  const readings = operation.slash.examples.map((example) => readSlash(example, operations));
  const raws = readings.flatMap((reading) => (reading.kind === 'operation' ? [reading.raw] : []));
  const complete = raws.find((raw) => !('issues' in operation.prepare(raw)));
  if (complete === undefined) throw new TypeError(`${operation.id} has no complete example.`);
  const service = operation.fields.find(({ widget }) => widget === 'service');
  return service === undefined || complete[service.key] === undefined
    ? complete
    : { ...complete, [service.key]: text };
}

/** A service's name is stated to be short; everything else may be as long as it likes. */
const CASES = operations.flatMap((operation) =>
  [0, 1, 300].map((count) => [operation.id, count, operation] as const),
);

describe.each(CASES)('the cards of %s with %i of everything', (_id, count, operation) => {
  it('are taken by Slack and ping nobody', async () => {
    const ports = portsWith(HOSTILE, count, operation);
    const raw = rawOf(operation, HOSTILE);
    const { preview } = await planned(operation, raw, ports);
    if (preview !== undefined) {
      const pending = pendingNamed(HOSTILE);
      const outcome = { pending, preview, entry: { number: 1, reference: 'k3f9' } };
      const about = { ...outcome, requestId: undefined, durationMs: 0 };
      expectFit(confirmCard({ kind: 'confirm', changed: true, ...about }));
      expectFit(approvalCard({ kind: 'approval', ...about }));
    }
    const { card, aside } = await executed(operation, raw, ports);
    expectFit(card);
    if (aside !== undefined) expectFit(aside);
    const { refused } = operation;
    expectFit({ audience: 'requester', tone: 'warning', headline: refused(raw) });
  });
});

it.each(operations.map((operation) => [operation.id, operation] as const))(
  'the card of %s is cut to what Slack takes where the API says too much',
  async (_id, operation) => {
    const ports = { ...portsWith(HOSTILE, 3, operation), control: hostileApi(LONG) };
    const { card, aside } = await executed(operation, rawOf(operation, HOSTILE), ports);
    expectFit(card);
    if (aside !== undefined) expectFit(aside);
  },
);

const RICHNESS: readonly Richness[] = ['native', 'table', 'text'];

function expectFit(card: Card): void {
  for (const richness of RICHNESS) {
    const { main, thread } = renderCard(card, richness);
    for (const message of [main, ...(thread === undefined ? [] : [thread])]) {
      expect(faultsOf(validateMessage(message))).toEqual([]);
      expect(pingsIn(message)).toEqual([]);
      expect(message.text).not.toMatch(PINGS);
    }
  }
}

function faultsOf(verdict: ReturnType<typeof validateView>): readonly string[] {
  return verdict.ok ? [] : [verdict.error, ...verdict.messages];
}

/** Texts that Slack would read as markup, with a mention of the hostile name in them. */
function pingsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(pingsIn);
  if (typeof node !== 'object' || node === null) return [];
  const { type, text } = { type: undefined, text: undefined, ...node };
  if (type === 'mrkdwn') return typeof text === 'string' && PINGS.test(text) ? [text] : [];
  return Object.values(node).flatMap(pingsIn);
}
