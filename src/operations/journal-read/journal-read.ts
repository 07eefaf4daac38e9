import type { Card, CardAction } from '../../core/card/card.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { OperationInfo } from '../../core/operation/ports.ts';
import { subjectText } from '../../core/operation/subject.ts';
import type { JournalEntry } from '../../core/ports/journal.ts';
import {
  bold,
  channel,
  code,
  counted,
  joinText,
  link,
  listText,
  say,
  type Text,
  time,
  user,
} from '../../core/text/text.ts';
import { input } from './input.ts';
import { type Plan, planLog } from './plan.ts';
import { lookFor, type VisibleEntries, visibleEntries } from './visible.ts';

/** `/db log`: what was asked, by whom, where, and what became of it, newest first. Design: §10. */
export const journalRead = defineOperation({
  id: 'journal.read',
  summary: 'Read the journal: who did what, where and when',
  title: 'Journal',
  risk: 'read',
  slash: {
    words: ['log'],
    positional: ['words'],
    examples: [
      'log',
      'log scratch failed 7d',
      'log <@U01ANA> stop yesterday',
      'log --service scratch --since 2d --all',
    ],
  },
  input,
  refused: () => say`The journal was not read`,
  plan: planLog,
  targets: ({ targets }) => targets,
  execute: async ({ filter, limit }, ports, context) => {
    const [found, matching] = await Promise.all([
      ports.journal.find({ ...filter, limit: lookFor(limit) }),
      ports.journal.count(filter),
    ]);
    const visible = await visibleEntries(found, limit, ports, context);
    const journals = visible.entries.map(({ number }) => number);
    const parents = visible.entries.flatMap(({ parent }) => parent ?? []);
    const [untold, stand] = await Promise.all([
      ports.outbox.undelivered({ journals }),
      ports.outbox.places([...journals, ...parents]),
    ]);
    const ways = [...stand].map(([number, message]) => [number, ports.permalink(message)] as const);
    const told = new Set(untold.map(({ journal }) => journal));
    const looked = found.findIndex(({ number }) => number === visible.last) + 1;
    const { catalogue } = ports;
    const rest = matching - looked;
    return { result: { ...visible, matching, rest, untold: told, ways: new Map(ways), catalogue } };
  },
  present,
});

type Found = VisibleEntries & {
  /** All that match, shown or not. */
  readonly matching: number;
  /** Of these, older than what was looked at. */
  readonly rest: number;
  /** Rows of which nobody could be told. */
  readonly untold: ReadonlySet<number>;
  /** To their messages. */
  readonly ways: ReadonlyMap<number, string | undefined>;
  readonly catalogue: readonly OperationInfo[];
};

function present(seen: Found, plan: Plan): Card {
  const { entries, hidden, matching, rest } = seen;
  const of = filterText(plan);
  const left =
    hidden === 0 ? [] : say` ${counted(hidden, 'row')} of services that you may not see here.`;
  const context = plan.changesOnly ? CHANGES_ONLY : undefined;
  const actions = rest > 0 ? [older(seen, plan)] : undefined;
  if (entries.length === 0) {
    const headline = say`No row${of} matches.${left}`;
    return { audience: 'requester', tone: 'plain', headline, context, actions };
  }
  const rows = rest > 0 ? `${entries.length} of ${matching} rows` : counted(entries.length, 'row');
  return {
    audience: 'requester',
    shareable: true,
    tone: 'plain',
    headline: say`${rows} of the journal${of}, newest first.${left}`,
    lines: entries.map((entry) => line(entry, seen)),
    context,
    actions,
  };
}

const CHANGES_ONLY = say`Changes only; ${code('--all')} shows reads, forms and questions as well.`;

/** The same question about what is older. */
function older({ last }: Found, { typed }: Plan): CardAction {
  const label = 'Older rows';
  const before = { ...typed, before: last };
  return { label, do: { kind: 'run', operation: 'journal.read', input: before } };
}

/** What was understood: ` of **scratch**: `service.stop`, by @fay, failed`. */
function filterText({ filter, targets, names, outcomes, typed, changesOnly }: Plan): Text {
  const { operations = [], people = [], references = [], since, until } = filter;
  const about = [...targets.map(({ name }) => name), ...names].map(bold);
  const of = about.length === 0 ? [] : say` of ${listText(about)}`;
  const parts: readonly Text[] = [
    ...(changesOnly || operations.length === 0 ? [] : [listText(operations.map(code), 'or')]),
    ...(people.length === 0 ? [] : [say`by ${listText(people.map(user), 'or')}`]),
    ...(outcomes.length === 0 ? [] : [listText(outcomes, 'or')]),
    ...(references.length === 0
      ? []
      : [say`with the reference ${listText(references.map(code), 'or')}`]),
    ...(since === undefined ? [] : [say`since ${time(since)}`]),
    ...(until === undefined ? [] : [say`until ${time(until)}`]),
    ...(typed.before === undefined ? [] : [say`before ${typed.before}`]),
  ];
  return parts.length === 0 ? of : say`${of} (${joinText(parts, ', ')})`;
}

/** What a press that settles a request or a question did, instead of `done`. */
const SETTLED = /^(?:request|question) /u;

/** State first, then what, who, where, which rule, who approved, and the API's own id. */
function line(entry: JournalEntry, { untold, ways, catalogue }: Found): Text {
  const { decision = '', operation, parent } = entry;
  const info = catalogue.find(({ id }) => id === operation) ?? UNKNOWN;
  const settles = SETTLED.test(decision);
  const href = ways.get(entry.number) ?? ways.get(parent ?? 0);
  const state = bold(settles ? decision : entry.outcome);
  const parts: readonly Text[] = [
    say`${entry.number} ${time(entry.openedAt)} ${state} ${code(operation)}`,
    untold.has(entry.number) ? [bold('not delivered')] : [],
    subjectText(info, entry),
    settles ? say`of journal ${parent ?? 0}` : [],
    whoAndWhere(entry),
    ...proofOf(settles ? { ...entry, decision: undefined } : entry),
    href === undefined ? [] : [link(href, 'message')],
  ];
  return joinText(parts.filter(isSaid), ' · ');
}

function isSaid(text: Text): boolean {
  return text.length > 0;
}

/** Who and which rule allowed it, why it was asked for, and what came of it. */
function proofOf({
  approvedBy,
  decision,
  reason,
  detail,
  requestId,
}: JournalEntry): readonly Text[] {
  return [
    approvedBy === undefined ? [] : say`approved by ${user(approvedBy)}`,
    decision === undefined ? [] : [shortened(decision, 120)],
    reason === undefined ? [] : say`reason: ${shortened(reason, 200)}`,
    detail === undefined ? [] : [shortened(detail, 120)],
    requestId === undefined ? [] : say`API ${code(requestId)}`,
  ];
}

/** Whole words, and a sign that there is more. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = text.slice(0, most - 1);
  const end = room.lastIndexOf(' ');
  return `${room.slice(0, end > most / 2 ? end : undefined).trimEnd()} …`;
}

function whoAndWhere({ actor, channelId }: JournalEntry): Text {
  const who = actor.userId === '' ? 'nobody known' : user(actor.userId);
  return say`${who}${channelId === undefined ? [] : say` in ${channel(channelId)}`}`;
}

/** An operation of another version. */
const UNKNOWN = { slash: { words: [], positional: [], examples: [] }, fields: [] };
