import { DateTime } from 'luxon';
import { afterEach, describe, expect, it } from 'vitest';
import type { DigestEntry, DigestKey } from '../../src/core/ports/digests.ts';
import type { Settings } from '../../src/core/settings/settings.ts';
import { ACME, KEYS, SERVICES, WAREHOUSES } from '../../src/sandbox/control-plane/seed.ts';
import {
  ACME_SETTINGS,
  type DigestWorld,
  type Replica,
  startDigestWorld,
} from '../support/digest-world.ts';
import { settingsWith } from '../support/operation-ports.ts';

/** From late winter on the north to autumn in the south: three zones change their clocks. */
const FIRST_DAY = '2026-03-01';
/** All three change within 37 days; `npm run test:long`: 60. */
const DAYS = Number(process.env['DIGEST_DAYS'] ?? 37);

/** Every channel with its own zone and scope; 02:30 is skipped in spring and repeated in autumn. */
const CHANNELS = {
  C0FINANCE: { at: '02:30', zone: 'Europe/Berlin', services: ['*'] },
  C0OPS: { at: '02:30', zone: 'America/New_York', services: ['scratch', 'staging'] },
  C0RANDOM: { at: '02:30', zone: 'Australia/Sydney', services: ['analytics'] },
  C0AUDIT: { at: '00:30', zone: 'UTC', services: ['analytics', 'core', 'reader'] },
} as const;
type ChannelId = keyof typeof CHANNELS;
const CHANNEL_IDS: readonly ChannelId[] = ['C0FINANCE', 'C0OPS', 'C0RANDOM', 'C0AUDIT'];

/** UTC times at which the replicas look; the four local times fall on some of them. */
const LOOKS = ['00:30', '01:30', '06:30', '07:30', '15:30', '16:30'];

const NEWCOMER = '5e5e5e5e-9999-4aaa-8bbb-100000000099';

const SETTINGS: Settings = settingsWith({
  organizations: [ACME_SETTINGS],
  services: Object.values(SERVICES).map(({ id, name, tag }) => ({
    id,
    name,
    organization: 'acme',
    tags: [tag],
  })),
  channels: CHANNEL_IDS.map((id) => ({
    id,
    name: id.slice(2).toLowerCase(),
    rules: [],
    externalPeople: 'deny',
    guests: 'deny',
    digest: { ...CHANNELS[id], services: [...CHANNELS[id].services], every: 'day' },
  })),
});

type Raw = {
  readonly date: string;
  readonly entityId: string;
  readonly serviceId: string | null;
  readonly dataWarehouseId: string;
  readonly locked: boolean;
  readonly totalUnits: number;
};

let world: DigestWorld | undefined;
let replicas: Replica[] = [];
afterEach(async () => {
  for (const replica of replicas) await replica.close();
  await world?.close();
  replicas = [];
  world = undefined;
});

async function started(historyScope: boolean, start = `${FIRST_DAY}T00:00:00.000Z`) {
  world = await startDigestWorld({ start, settings: SETTINGS, historyScope });
  replicas = [await world.replica(), await world.replica()];
  return world;
}

/** The day's records straight from the API, past everything of Steward. */
async function recordsOf(
  { plane }: DigestWorld,
  from: string,
  to: string,
): Promise<readonly Raw[]> {
  const basic = Buffer.from(`${KEYS.admin.id}:${KEYS.admin.secret}`).toString('base64');
  const url = `${plane.url}/v1/organizations/${ACME.id}/usageCost?from_date=${from}&to_date=${to}`;
  const answer = await fetch(url, { headers: { authorization: `Basic ${basic}` } });
  expect(answer.status).toBe(200);
  const { result } = (await answer.json()) as { result: { costs: readonly Raw[] } };
  return result.costs;
}

/** Written apart from Steward's own reading of scopes: the seed says what belongs where. */
function isInScope(channel: ChannelId, { serviceId, dataWarehouseId }: Raw): boolean {
  if (channel === 'C0FINANCE') return true;
  const names: readonly string[] = CHANNELS[channel].services;
  const within = Object.entries(SERVICES).filter(([name]) => names.includes(name));
  if (serviceId !== null) return within.some(([, one]) => one.id === serviceId);
  const warehouses = new Map<string, string>(Object.entries(WAREHOUSES));
  return within.some(([name]) => warehouses.get(name) === dataWarehouseId);
}

function cents(records: readonly Raw[]): number {
  return records.reduce((sum, { totalUnits }) => sum + Math.round(totalUnits * 100), 0);
}

function unitsOf(entry: DigestEntry): number | undefined {
  const { numbers } = entry.snapshot as { numbers?: { units?: number } };
  return numbers?.units;
}

function dayAt(index: number): string {
  return DateTime.fromISO(FIRST_DAY, { zone: 'utc' }).plus({ days: index }).toFormat('yyyy-MM-dd');
}

/** What the organization and the world do to the summaries, by day and look. */
function happenings({ plane }: DigestWorld): ReadonlyMap<string, () => void> {
  const { analytics } = SERVICES;
  const newcomer = (day: number) => ({
    date: dayAt(day),
    entityId: NEWCOMER,
    entityName: 'newcomer',
    entityType: 'service',
    dataWarehouseId: NEWCOMER.replace('5e5e', '6e6e'),
    serviceId: NEWCOMER,
    locked: true,
    totalUnits: 12.34,
    metrics: { computeUnits: 12.34 },
  });
  const outage = () =>
    plane.faults.add({ kind: 'status', status: 503, match: { path: 'usageCost' } });
  return new Map<string, () => void>([
    ['10 00:30', () => plane.planCosts({ lateHours: 5 })],
    ['12 06:30', () => plane.planCosts({ lateHours: 0 })],
    [
      '15 16:30',
      () => plane.planCosts({ restate: [{ date: dayAt(14), entityId: analytics.id, add: 7.5 }] }),
    ],
    ['18 00:30', () => plane.planCosts({ records: [18, 19, 20, 21, 22].map(newcomer) })],
    ['25 00:30', () => plane.planCosts({ lateHours: 30, lateEntityId: analytics.id })],
    ['27 15:30', () => plane.planCosts({ lateHours: 0 })],
    ['30 00:30', outage],
    ['30 06:30', () => plane.faults.clear()],
  ]);
}

/** The ten hours in which nothing runs, and what there is of that day. */
const DOWN_DAY = 20;
const AFTER_DOWNTIME = ['10:30', '15:30', '16:30'];
const DEATHS = new Map<string, 'before-post' | 'after-post'>([
  ['24 01:30', 'before-post'],
  ['38 00:30', 'after-post'],
]);

type Seen = { readonly units: number | undefined; readonly state: string };

/** Compares each entry that changed at this look with the API's own records at this moment. */
async function compare(
  at: DigestWorld,
  seen: Map<string, Seen>,
  truth: readonly Raw[] | undefined,
): Promise<number> {
  const today = at.clock.now();
  const days = [1, 2, 3, 4, 5].map((days) => today.minus({ days }).toFormat('yyyy-MM-dd'));
  let compared = 0;
  for (const channel of CHANNEL_IDS) {
    for (const day of days) {
      const entry = await ledger().find(keyOf(channel, day));
      if (entry === undefined || !isNews(entry, seen)) continue;
      const own = truth?.filter((one) => one.date === day && isInScope(channel, one)) ?? [];
      const expected = own.length === 0 ? undefined : cents(own) / 100;
      expect(unitsOf(entry), `${channel} ${day} at ${today.toISO()}`).toBe(expected);
      if (entry.state === 'final') expect(own.every(({ locked }) => locked)).toBe(true);
      compared += 1;
    }
  }
  return compared;
}

function isNews(entry: DigestEntry, seen: Map<string, Seen>): boolean {
  if (entry.state !== 'posted' && entry.state !== 'final') return false;
  const key = `${entry.channel} ${entry.day}`;
  const now = { units: unitsOf(entry), state: entry.state };
  const before = seen.get(key);
  seen.set(key, now);
  return before?.units !== now.units || before?.state !== now.state;
}

function keyOf(channel: ChannelId, day: string): DigestKey {
  return { channel, organization: 'acme', period: 'day', day };
}

function ledger() {
  const [first] = replicas;
  if (first === undefined) throw new Error('No replica runs.');
  return first.ledger;
}

type Posted = { readonly ts: string; readonly text: string; readonly key: string };

async function postsIn({ workspace }: DigestWorld, channel: string): Promise<readonly Posted[]> {
  const answer = await fetch(`${workspace.apiUrl}conversations.history`, {
    method: 'POST',
    headers: { authorization: `Bearer ${workspace.botToken}` },
    body: new URLSearchParams({ channel, limit: '500', include_all_metadata: 'true' }),
  });
  const { messages } = (await answer.json()) as {
    messages: readonly {
      ts: string;
      text: string;
      metadata?: { event_payload: { key: string } };
    }[];
  };
  return messages.flatMap(({ ts, text, metadata }) =>
    metadata === undefined ? [] : [{ ts, text, key: metadata.event_payload.key }],
  );
}

function repliesIn({ workspace }: DigestWorld, ts: string): readonly string[] {
  return workspace
    .state('ana')
    .messages.filter((message) => message.threadTs === ts && message.ts !== ts)
    .map(({ text }) => text);
}

async function look(at: DigestWorld, moment: string, seen: Map<string, Seen>, name: string) {
  at.clock.set(moment);
  const death = DEATHS.get(name);
  if (death !== undefined) {
    const [first, second] = replicas;
    await first?.dieAt(death);
    const next = await at.replica();
    replicas = [next, ...(second === undefined ? [] : [second])];
    return 0;
  }
  const isDown = at.plane.faults.list().length > 0;
  const day = at.clock.now();
  const truth = isDown
    ? undefined
    : await recordsOf(
        at,
        day.minus({ days: 9 }).toFormat('yyyy-MM-dd'),
        day.toFormat('yyyy-MM-dd'),
      );
  await Promise.all(replicas.map((replica) => replica.tick()));
  return await compare(at, seen, truth);
}

describe('weeks of cost summaries', () => {
  it('come once each, with the right numbers, and become final', async () => {
    const at = await started(true);
    const plan = happenings(at);
    const seen = new Map<string, Seen>();
    let compared = 0;
    for (let index = 0; index < DAYS; index += 1) {
      for (const time of index === DOWN_DAY ? AFTER_DOWNTIME : LOOKS) {
        const name = `${index} ${time}`;
        plan.get(name)?.();
        compared += await look(at, `${dayAt(index)}T${time}:00.000Z`, seen, name);
      }
    }
    compared += await look(at, `${dayAt(DAYS + 3)}T21:00:00.000Z`, seen, 'the end');
    expect(compared).toBeGreaterThan(DAYS * CHANNEL_IDS.length * 2);
    for (const channel of CHANNEL_IDS) await expectWhole(at, channel);
    expect(at.logs.filter(({ level }) => level === 'error')).toEqual([]);
    await expectStories(at);
  }, 240_000);
});

/** Each day once, final in its text and in the ledger, with one reply in its thread. */
async function expectWhole(at: DigestWorld, channel: ChannelId): Promise<void> {
  const posts = await postsIn(at, channel);
  // In Sydney it is a day later: the summary of its first morning is caught up at the start.
  const first = channel === 'C0RANDOM' ? -2 : -1;
  for (let index = first; index < DAYS - 1; index += 1) {
    const day = dayAt(index);
    const own = posts.filter(({ key }) => key === `acme/day/${day}`);
    expect(
      own.map(({ key }) => key),
      `${channel} ${day}`,
    ).toHaveLength(1);
    const entry = await ledger().find(keyOf(channel, day));
    expect(entry?.state, `${channel} ${day}`).toBe('final');
    const units = unitsOf(entry ?? raise()) ?? 0;
    const shown = units.toLocaleString('en-US', {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
    });
    expect(own[0]?.text, `${channel} ${day}`).toContain(`*${shown} units*, final.`);
    const replies = repliesIn(at, own[0]?.ts ?? '');
    expect(replies, `${channel} ${day}`).toHaveLength(1);
    expect(replies[0]).toMatch(/^Final for \d+ \w+: (?:[+−][\d.]+ units \(.*\)|unchanged)\.$/u);
  }
}

async function expectStories(at: DigestWorld): Promise<void> {
  const posts = await postsIn(at, 'C0FINANCE');
  const textOf = (index: number) =>
    posts.find(({ key }) => key === `acme/day/${dayAt(index)}`)?.text ?? '';
  expect(textOf(18)).toContain('New: *newcomer* 12.3');
  expect(textOf(23)).toContain('No longer reported: *newcomer*');
  const restated = posts.find(({ key }) => key === `acme/day/${dayAt(14)}`);
  expect(repliesIn(at, restated?.ts ?? '')[0]).toMatch(/analytics \+\d/u);
}

function raise(): never {
  throw new Error('There is no such entry.');
}

describe('the other edges, at which clocks change in October and November', () => {
  it.each([
    ['Sydney, forward', '2026-10-02'],
    ['Berlin, back', '2026-10-23'],
    ['New York, back', '2026-10-30'],
  ])(
    '%s',
    async (_name, start) => {
      const at = await started(true, `${start}T00:00:00.000Z`);
      const seen = new Map<string, Seen>();
      const first = at.clock.now();
      for (let index = 0; index < 5; index += 1) {
        const day = first.plus({ days: index }).toFormat('yyyy-MM-dd');
        for (const time of LOOKS) await look(at, `${day}T${time}:00.000Z`, seen, 'an edge');
      }
      for (const channel of CHANNEL_IDS) {
        const caughtUp = channel === 'C0RANDOM' ? [2] : [];
        const due = [...caughtUp, 1, 0, -1, -2, -3].map((back) =>
          first.minus({ days: back }).toFormat('yyyy-MM-dd'),
        );
        const posted = (await postsIn(at, channel)).map(({ key }) => key.split('/')[2]);
        expect([...posted].sort(), channel).toEqual(due);
      }
    },
    60_000,
  );
});
