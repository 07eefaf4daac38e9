import type { Card } from '../../core/card/card.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { Ports } from '../../core/operation/ports.ts';
import { organizationTarget, serviceTarget, typedName } from '../../core/operation/resolve.ts';
import { shiftDay } from '../../core/ports/costs.ts';
import type { Place, Reply } from '../../core/ports/ports.ts';
import { say, type Text, time } from '../../core/text/text.ts';
import { SUMMARY_DAYS } from '../../cost/book/range.ts';
import { unitsText } from '../../cost/book/units.ts';
import { chartOf } from './chart.ts';
import { fileOf } from './csv.ts';
import { type Figures, figuresOf, type Reading } from './figures.ts';
import { input, type Plan, planOf } from './plan.ts';
import { tableOf } from './rows.ts';
import { headlineOf, linesOf } from './words.ts';

/**
 * `/db cost 7d --by service`: one service for who may read that one, the whole organization only
 * for a rule that is not limited to services. Spec: Endpoints 8. Design: §9.
 */
export const costRead = defineOperation({
  id: 'cost.read',
  summary: 'Read costs by day, service, metric or tag',
  title: 'Costs',
  risk: 'read',
  beside: { label: 'Costs', fits: () => true },
  slash: {
    words: ['cost'],
    positional: ['range'],
    examples: [
      'cost yesterday',
      'cost 7d --service analytics',
      'cost mtd --by day',
      'cost 2026-11-01..2026-11-20 --csv',
    ],
  },
  input,
  refused: (raw) =>
    say`The costs of ${typedName(raw, 'service', 'the organization')} were not read`,
  plan: planOf,
  targets: ({ entries, organization }) =>
    entries.length === 0 ? [organizationTarget(organization)] : entries.map(serviceTarget),
  execute: (plan: Plan, ports) => read(plan, ports),
  present: (reading, plan, { place }) => present(reading, plan, place),
});

/** Throws the API's own fault where not one day of the range is known. */
async function read(plan: Plan, ports: Ports): Promise<Reply<Reading>> {
  const { organization, range, before } = plan;
  const from = before?.from ?? range.from;
  // What is shared in a warehouse belongs to several services by what a summary's reach has seen.
  const seen = plan.services === undefined ? [] : [shiftDay(range.to, -SUMMARY_DAYS)];
  const reach = { from: [from, ...seen].sort()[0] ?? from, to: range.to };
  const book = await ports.costs.read(organization.key, reach, { priority: 'person' });
  const asked = book.days.filter(({ day }) => day >= range.from);
  const failure = asked.find((day) => day.failure !== undefined)?.failure;
  if (failure !== undefined && asked.every(({ state }) => state === 'missing')) throw failure;
  const entries = await ports.directory.list();
  const settings = ports.settings.get();
  return {
    result: {
      book,
      services: entries.filter((entry) => entry.organization === organization.key),
      currency: settings.currency,
      severalOrganizations: settings.organizations.length > 1,
      asleep: await asleepIn(plan, ports),
    },
  };
}

/** Until the range's end, or now. */
async function asleepIn({ range, by }: Plan, { sleeps, clock }: Ports): Promise<Reading['asleep']> {
  const end = shiftDay(range.to, 1);
  const [until = end] = [clock.now().toISO(), end].sort();
  return { spans: by === 'service' ? await sleeps.slept(range.from, until) : [], until };
}

function present(reading: Reading, plan: Plan, place: Place): Card {
  const figures = figuresOf(reading, plan);
  return {
    audience: 'requester',
    shareable: true,
    tone: isDoubtful(figures, reading) ? 'warning' : 'plain',
    headline: headlineOf(figures, reading, plan),
    lines: [...linesOf(figures, reading, plan), ...fileLines(plan, place)],
    chart: chartOf(figures, plan),
    table: tableOf(figures, reading, plan),
    context: smallPrint(figures),
    file: plan.csv ? fileOf(figures, plan) : undefined,
  };
}

/** A file is never ephemeral, so it does not stand where the answer does. App Home has no files. */
function fileLines({ csv }: Plan, place: Place): readonly Text[] {
  if (!csv || place === 'home') return [];
  return [
    say`The CSV file is in your direct messages from Steward; of a shared answer, in its thread.`,
  ];
}

function isDoubtful({ counts, days }: Figures, { book }: Reading): boolean {
  return (
    counts.missing > 0 || book.skipped > 0 || days.some(({ failure }) => failure !== undefined)
  );
}

function smallPrint({ days, units, provisionalUnits }: Figures): Text {
  const readAt = days
    .filter(({ state }) => state !== 'final')
    .map((day) => day.readAt)
    .filter((at) => at !== undefined)
    .sort()[0];
  const print = say`Days are UTC days.`;
  if (readAt === undefined || units === undefined) return print;
  return say`${print} ${unitsText(provisionalUnits)} units are provisional, as read ${time(readAt)}: the API may still change them.`;
}
