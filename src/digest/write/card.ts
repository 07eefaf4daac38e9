import type { CardAction, ChannelCard } from '../../core/card/card.ts';
import { lateText } from '../../core/operation/digest-words.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { bold, say, type Text, time } from '../../core/text/text.ts';
import { lengthOf } from '../../cost/book/range.ts';
import { amountText, daysText, dayText, movementLines, rangeText } from '../../cost/book/words.ts';
import type { DailySummary } from '../../cost/summary/summary.ts';
import {
  anomalyLines,
  budgetLines,
  comparisonText,
  doubtLines,
  monthLines,
  outsideLines,
  restatedLines,
  sleptLines,
} from './lines.ts';
import { digestChart, digestTable } from './table.ts';

export type DigestWords = {
  readonly currency: Settings['currency'];
  /** Named where there are several. */
  readonly severalOrganizations: boolean;
  /** Names, ids, `tag:x` or `*`, as in `steward.yaml`: what the summary covers. */
  readonly services: readonly string[];
  /** Milliseconds after the time it was due. */
  readonly lateMs?: number | undefined;
};

export type DigestState = 'no-data' | 'provisional' | 'final';

/** `no-data`: not one day of the period can be told: not read, read before it ended, or empty. */
export function digestState(summary: DailySummary): DigestState {
  if (summary.certainty === 'final') return 'final';
  return summary.units === undefined || toldDays(summary) === 0 ? 'no-data' : 'provisional';
}

/** The summary in exactly the order of the design. Design: §9. */
export function digestCard(summary: DailySummary, words: DigestWords): ChannelCard {
  const state = digestState(summary);
  if (state === 'no-data') return withoutData(summary, words);
  const { movement } = summary;
  return {
    audience: 'channel',
    tone: isAlarming(summary) ? 'warning' : 'plain',
    headline: headlineOf(summary, words, state),
    lines: [
      ...monthLines(summary, words.currency),
      ...(movement === undefined ? [] : movementLines(movement, thenText(summary))),
      ...restatedLines(summary),
      ...budgetLines(summary, words.currency),
      ...anomalyLines(summary),
      ...sleptLines(summary),
      ...outsideLines(summary),
      ...doubtLines(summary),
    ],
    chart: digestChart(summary),
    table: digestTable(summary),
    actions: actionsOf(summary, words),
    context: smallPrint(summary, words, state),
  };
}

/** `on Wed 25 Nov`, `the week before`. */
function thenText({ period, beforeRange }: DailySummary): string {
  return period === 'day' ? `on ${dayText(beforeRange.to)}` : `the ${period} before`;
}

function headlineOf(summary: DailySummary, words: DigestWords, state: DigestState): Text {
  const period = periodText(summary, words);
  if (summary.units === undefined) return say`${period}: ${bold('nothing reported')}, ${state}.`;
  const days = lengthOf(summary.range);
  const gaps = days - toldDays(summary);
  const without = gaps === 0 ? '' : `, without ${gaps} of ${daysText(days)}`;
  const amount = bold(amountText(summary.units, words.currency));
  return say`${period}: ${amount}${without}, ${state}. ${comparisonText(summary)}`;
}

function withoutData(summary: DailySummary, words: DigestWords): ChannelCard {
  const { data } = summary;
  const isEmpty = data.failure === undefined && data.empty.length > 0;
  const what = isEmpty
    ? say`${bold('nothing reported yet')}, which is not zero.`
    : say`${bold('n/a')}, the costs could not be read.`;
  const cause = data.failure?.userMessage;
  return {
    audience: 'channel',
    tone: 'warning',
    headline: say`${periodText(summary, words)}: ${what}`,
    lines: [
      ...(cause === undefined || isEmpty ? [] : [typeof cause === 'string' ? [cause] : cause]),
      say`This message is updated as soon as there are numbers.`,
    ],
    context: smallPrint(summary, words, 'no-data'),
  };
}

function periodText({ range, period, organization }: DailySummary, words: DigestWords): Text {
  const days = period === 'day' ? dayText(range.from) : rangeText(range);
  const of = words.severalOrganizations ? say`${bold(organization)}, ` : [];
  return say`${of}${days} (UTC)`;
}

function isAlarming({ budget, anomalies, data }: DailySummary): boolean {
  return budget?.step === 100 || anomalies.length > 0 || data.state !== 'complete';
}

/** Judged when pressed, as anything that is typed. */
function actionsOf(
  { range, organization, anomalies }: DailySummary,
  { services }: DigestWords,
): readonly CardAction[] {
  const span = range.from === range.to ? range.from : `${range.from}..${range.to}`;
  const [first] = anomalies;
  const unusual = anomalies.find(({ serviceId }) => serviceId !== undefined);
  return [
    {
      label: 'By service',
      do: {
        kind: 'run',
        operation: 'cost.read',
        input: {
          range: span,
          organization,
          by: 'service',
          services: services.includes('*') ? undefined : services.join(', '),
        },
      },
    },
    ...(unusual?.serviceId === undefined
      ? []
      : [
          {
            label: `Log of ${unusual.name}`.slice(0, 75),
            do: {
              kind: 'run',
              operation: 'journal.read',
              input: { service: unusual.serviceId },
            },
          } as const,
        ]),
    ...(first === undefined
      ? []
      : [
          {
            label: `Mute ${first.name} for a week`.slice(0, 75),
            do: {
              kind: 'run',
              operation: 'digest.mute',
              input: { service: first.name.slice(0, 100), entity: first.entityId },
            },
          } as const,
        ]),
  ];
}

function smallPrint({ data }: DailySummary, { lateMs = 0 }: DigestWords, state: DigestState): Text {
  const lateness = lateText(lateMs);
  const late = lateness === undefined ? [] : say`Posted ${lateness} late. `;
  if (state === 'final') return say`${late}Days are UTC days. The API has locked these numbers.`;
  const read = data.readAt === undefined ? [] : say` As read ${time(data.readAt)}.`;
  const open =
    state === 'no-data'
      ? []
      : say` The API may still change these numbers; what changes is said here.`;
  return say`${late}Days are UTC days.${open}${read}`;
}

function toldDays({ range, data }: DailySummary): number {
  return lengthOf(range) - data.missing.length - data.empty.length - data.running.length;
}
