import { DateTime } from 'luxon';
import type { ChannelCard, Fact } from '../../core/card/card.ts';
import type { PipeRecord } from '../../core/cloud/pipe.ts';
import type { Context } from '../../core/operation/operation.ts';
import { bold, code, say, type Text, time, user } from '../../core/text/text.ts';
import { isSourceKind, SOURCE_LABELS } from './pipe-field.ts';
import type { PipePlan } from './plan.ts';
import { destinationWords, sourceWords } from './words.ts';

/** States in which nothing is loaded; every other one, also one unknown here, is told plainly. */
const TROUBLED: readonly string[] = ['Failed', 'InternalError', 'Degraded', 'Stopped', 'Unknown'];

/** The channel's card: only what the API reported, and of that only what may be shown. */
export function present(record: PipeRecord, plan: PipePlan, context: Context): ChannelCard {
  const { state } = record;
  const approved =
    context.approvedBy === undefined ? [] : say`, approved by ${user(context.approvedBy)}`;
  const name = filled(record.name) ?? plan.name;
  return {
    audience: 'channel',
    tone: state !== undefined && TROUBLED.includes(state) ? 'warning' : 'good',
    headline: say`${user(context.actor.userId)} created the pipe ${bold(name)} on ${bold(plan.entry.name)}${approved}: ${reported(state)}.`,
    facts: [
      { label: 'Source', value: sourceWords(plan.pipe) },
      { label: 'Destination', value: destinationWords(plan.pipe) },
    ],
    details: details(record, plan),
  };
}

function reported(state: string | undefined): Text {
  return filled(state) === undefined
    ? say`the API did not say which state it is in`
    : say`the API reports ${code(state ?? '')}`;
}

function details(record: PipeRecord, { entry, kind }: PipePlan): readonly Fact[] {
  const reportedKind = record.sourceKind ?? kind;
  const label = isSourceKind(reportedKind) ? SOURCE_LABELS[reportedKind] : reportedKind;
  return [
    ...fact('Pipe id', record.id, code),
    { label: 'Service id', value: [code(entry.id)] },
    { label: 'Organization', value: [entry.organization] },
    { label: 'Source kind', value: [label] },
    ...fact('Created', record.createdAt, moment),
    ...Object.entries(record.facts).flatMap(([key, value]) => fact(words(key), value, code)),
  ];
}

type Piece = Text[number];

function fact(label: string, value: string | undefined, as: (value: string) => Piece): Fact[] {
  const shown = filled(value);
  return shown === undefined ? [] : [{ label, value: [as(shown)] }];
}

/** A time that cannot be read is shown as it came. */
function moment(text: string): Piece {
  return DateTime.fromISO(text).isValid ? time(text) : code(text);
}

/** `schemaRegistryUrl` → `Schema registry url` */
function words(key: string): string {
  const spaced = key.replace(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
  return `${spaced[0]?.toUpperCase() ?? ''}${spaced.slice(1)}`;
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}
