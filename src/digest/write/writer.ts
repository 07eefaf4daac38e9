import type { CostRange } from '../../core/cloud/records.ts';
import type { CostBook, CostRestatement } from '../../core/ports/costs.ts';
import { shiftDay } from '../../core/ports/costs.ts';
import type {
  DigestDraft,
  DigestKey,
  DigestRequest,
  DigestWriter,
} from '../../core/ports/digests.ts';
import type { DirectoryEntry, DirectoryReads } from '../../core/ports/ports.ts';
import type { SleepSpan } from '../../core/ports/sleep.ts';
import type { CurrentSettings } from '../../core/settings/settings.ts';
import { indexCosts, stateWithin } from '../../cost/book/index-of-costs.ts';
import { isWithin, SUMMARY_DAYS } from '../../cost/book/range.ts';
import { entitiesIn, type ScopeServices, servicesOf } from '../../cost/book/scope.ts';
import { dayText, rangeText } from '../../cost/book/words.ts';
import type { BackfillingCostReader } from '../../cost/read/reader.ts';
import type { Anomaly } from '../../cost/summary/anomalies.ts';
import { periodRange, summaryRange } from '../../cost/summary/periods.ts';
import { HISTORY_DAYS } from '../../cost/summary/slept.ts';
import { summarise } from '../../cost/summary/summary.ts';
import { digestCard, digestState } from './card.ts';
import { asPosted, finalCard, readSnapshot, snapshotOf } from './snapshot.ts';

export type DigestWriterDeps = {
  readonly costs: BackfillingCostReader;
  readonly restatements: (
    organization: string,
    range: CostRange,
    since: string,
  ) => Promise<readonly CostRestatement[]>;
  readonly directory: Pick<DirectoryReads, 'list'>;
  readonly settings: CurrentSettings;
  /** What slept between two days, YYYY-MM-DD in UTC. */
  readonly slept: (from: string, to: string) => Promise<readonly SleepSpan[]>;
  /** When these services stood stopped by whoever's command, between two days. */
  readonly stopped: (
    services: readonly string[],
    from: string,
    to: string,
  ) => Promise<readonly SleepSpan[]>;
  /** Whether a channel muted the alerts about an entity. */
  readonly isMuted: (channel: string, entityId: string) => Promise<boolean>;
};

/** Summaries as cards, written of one read of an organization for all channels. */
export function createDigestWriter(deps: DigestWriterDeps): DigestWriter {
  return {
    concerns: async (services, organization) => {
      const scope = servicesOf(services, await deps.directory.list(), organization);
      return scope === 'all' || scope.size > 0;
    },
    write: async (organization, requests) => {
      const asked = requests.map(asPosted);
      if (asked.length === 0) return [];
      // What is not locked is read again here, once for all.
      const book = await deps.costs.read(organization, reachOf(asked), { priority: 'schedule' });
      const entries = await deps.directory.list();
      return await Promise.all(asked.map((request) => draft(deps, { book, entries }, request)));
    },
    lateOf: (snapshot) => readSnapshot(snapshot)?.lateMs,
    // Of a message that was found after a crash nobody knows the numbers either.
    isWithoutData: (snapshot) => (readSnapshot(snapshot)?.state ?? 'no-data') === 'no-data',
    finalReply: (before, after, key) => {
      const was = readSnapshot(before);
      const now = readSnapshot(after.snapshot)?.numbers ?? { certainty: 'final', entities: {} };
      return finalCard(periodName(key), was?.numbers, now);
    },
    backfill: async (organization) =>
      (await deps.costs.backfill(organization)).failure === undefined,
  };
}

/** As far back as days are compared, and one. */
const SLEPT_DAYS = HISTORY_DAYS + 1;

type Costs = { readonly book: CostBook; readonly entries: readonly DirectoryEntry[] };

async function draft(
  deps: DigestWriterDeps,
  { book, entries }: Costs,
  request: DigestRequest,
): Promise<DigestDraft | undefined> {
  const { key, digest, since, lateMs } = request;
  const { budgetPerDay, anomalyFloor, services } = digest;
  const scope = servicesOf(services, entries, key.organization);
  if (!isWorthWriting(book, request, scope)) return undefined;
  const reach = summaryRange(key.period, key.day);
  const full = summarise({
    book,
    period: key.period,
    day: key.day,
    scope,
    services: entries,
    restatements:
      since === undefined ? [] : await deps.restatements(key.organization, reach, since),
    budgetPerDay,
    anomalyFloor,
    ...(await sleepOf(deps, key.day)),
  });
  const summary = { ...full, anomalies: await notMuted(deps, key.channel, full.anomalies) };
  const { currency, organizations } = deps.settings.get();
  const state = digestState(summary);
  return {
    state,
    card: digestCard(summary, {
      severalOrganizations: organizations.length > 1,
      currency,
      services,
      lateMs,
    }),
    snapshot: {
      state,
      numbers: snapshotOf(summary),
      digest: { services: [...services], budgetPerDay, anomalyFloor },
      lateMs,
      since,
    },
  };
}

async function sleepOf({ slept, stopped }: DigestWriterDeps, day: string) {
  const [from, to] = [shiftDay(day, -SLEPT_DAYS), shiftDay(day, 1)];
  const spans = await slept(from, to);
  const services = [...new Set(spans.map(({ service }) => service))];
  return { slept: spans, stopped: await stopped(services, from, to) };
}

async function notMuted(
  { isMuted }: DigestWriterDeps,
  channel: string,
  anomalies: readonly Anomaly[],
): Promise<readonly Anomaly[]> {
  const muted = await Promise.all(anomalies.map(({ entityId }) => isMuted(channel, entityId)));
  return anomalies.filter((_anomaly, index) => muted[index] !== true);
}

/** An update is written when its numbers are final, or when there were none before. */
function isWorthWriting(
  book: CostBook,
  { key, before }: DigestRequest,
  scope: ScopeServices,
): boolean {
  if (before === undefined || (readSnapshot(before)?.state ?? 'no-data') === 'no-data') return true;
  const entities = entitiesIn(indexCosts(book), scope);
  const range = periodRange(key.period, key.day);
  const days = book.days.filter(({ day }) => isWithin(day, range));
  return days.every((day) => stateWithin(entities, day) === 'final');
}

/**
 * From the first day that any of them needs to the last, and always as far back as the longest
 * summary: which warehouse belongs to a scope follows from the services seen in the book, and must
 * not differ between a post and what it becomes.
 */
function reachOf(requests: readonly DigestRequest[]): CostRange {
  const ranges = requests.map(({ key }) => summaryRange(key.period, key.day));
  const to =
    ranges
      .map((range) => range.to)
      .sort()
      .at(-1) ?? '';
  const from = [...ranges.map((range) => range.from), shiftDay(to, -SUMMARY_DAYS)].sort()[0] ?? to;
  return { from, to };
}

/** `26 Nov`, `16 – 22 Nov 2026`. */
function periodName({ period, day }: DigestKey): string {
  if (period === 'day') return dayText(day).split(' ').slice(1).join(' ');
  return rangeText(periodRange(period, day));
}
