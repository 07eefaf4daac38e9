import type { DateTime } from 'luxon';
import type { Card, CardAction, Row } from '../../core/card/card.ts';
import { actorText, typeText } from '../../core/cloud/activity.ts';
import type { ActivityRecord } from '../../core/cloud/records.ts';
import type { OrganizationRef } from '../../core/operation/resolve.ts';
import { momentOf, spanOf } from '../../core/operation/times.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import type { Look, Span } from '../../core/ports/sight.ts';
import { bold, joinText, plain, say, type Text, time } from '../../core/text/text.ts';

/** What was asked for: a span of time, and words that each have to stand in an activity's line. */
export type ListAsked = {
  readonly span: Span;
  readonly words: readonly string[];
  /** From 1. */
  readonly page: number;
};

export type Listed = {
  readonly asked: ListAsked;
  readonly organization: OrganizationRef;
  readonly look: Look<readonly ActivityRecord[]>;
  /** Those that this person may know of, by id. */
  readonly services: ReadonlyMap<string, DirectoryEntry>;
};

const ROWS = 20;

/** `scratch stop 2d`, `frank since 2026-11-20`: in any order. Without a time the last seven days. */
export function listAsked(typed: string, page: number, now: DateTime<true>): ListAsked {
  const tokens = typed.trim() === '' ? [] : typed.trim().split(/\s+/u);
  const words: string[] = [];
  let found: ReturnType<typeof spanOf>;
  for (let at = 0; at < tokens.length; at += 1) {
    const [token = '', next = ''] = [tokens[at], tokens[at + 1]];
    const pair = spanOf(`${token} ${next}`, now);
    const span = pair ?? spanOf(token, now);
    if (pair !== undefined) at += 1;
    if (span === undefined) words.push(token.toLowerCase());
    else found = { ...found, ...span };
  }
  const since = found?.since ?? momentOf('7d', now, false);
  return { span: { from: since, to: found?.until ?? now.toISO() }, words, page };
}

/** The newest first, each with a button that opens it; what is older is one press away. */
export function listCard(listed: Listed): Card {
  const { asked, organization, look, services } = listed;
  if (look.kind !== 'seen') {
    const because = look.kind === 'unseen' ? look.because : 'the cloud has none';
    return {
      audience: 'requester',
      tone: 'problem',
      headline: say`The activities of ${organization.key} cannot be seen now: ${because}.`,
      lines: [say`One whose id is known can be read all the same.`],
    };
  }
  const lines = look.value
    .filter(({ serviceId }) => serviceId === undefined || services.has(serviceId))
    .map((record) => ({ record, text: lineOf(record, services) }))
    .filter(({ text }) => asked.words.every((word) => plain(text).toLowerCase().includes(word)))
    .toSorted((a, b) => compare(b.record.createdAt, a.record.createdAt));
  const last = Math.max(1, Math.ceil(lines.length / ROWS));
  const page = Math.min(asked.page, last);
  const shown = lines.slice((page - 1) * ROWS, page * ROWS);
  const of = asked.words.length === 0 ? [] : say` with ${joinText(asked.words.map(bold), ' and ')}`;
  const span = say`from ${time(asked.span.from)} to ${time(asked.span.to)}`;
  if (shown.length === 0) {
    return {
      audience: 'requester',
      tone: 'plain',
      headline: say`No activity${of} ${span} that you may see here.`,
    };
  }
  return {
    audience: 'requester',
    shareable: true,
    tone: 'plain',
    headline: say`${countWords(page, shown.length, lines.length)}${of} ${span}, newest first.`,
    rows: shown.map(({ record, text }) => rowOf(record, text, organization)),
    actions: last > 1 ? turns(listed, page, last) : undefined,
  };
}

/** `45 activities`, `20 of 45 activities`, `Activities 21 to 40 of 45`. */
function countWords(page: number, shown: number, all: number): string {
  const first = (page - 1) * ROWS + 1;
  if (page > 1) return `Activities ${first} to ${first + shown - 1} of ${all}`;
  return `${shown === all ? '' : `${shown} of `}${all} ${all === 1 ? 'activity' : 'activities'}`;
}

function lineOf(record: ActivityRecord, services: Listed['services']): Text {
  const { type, createdAt, serviceId } = record;
  const service = serviceId === undefined ? undefined : services.get(serviceId);
  const parts: readonly Text[] = [
    createdAt === undefined ? [] : [time(createdAt)],
    typeText(type),
    service === undefined ? [] : [bold(service.name)],
    actorText(record),
  ];
  return joinText(
    parts.filter((part) => part.length > 0),
    ' · ',
  );
}

function rowOf({ id }: ActivityRecord, text: Text, { key }: OrganizationRef): Row {
  if (id === undefined) return { text, actions: [] };
  const input = { id, organization: key };
  const open: CardAction = {
    label: 'Open',
    spoken: `Open the activity ${id}`,
    do: { kind: 'ask', operation: 'activity.read', input },
  };
  return { text, actions: [open] };
}

/** To the pages before and behind, of the same span: many may have happened at one moment. */
function turns({ asked, organization }: Listed, page: number, last: number): readonly CardAction[] {
  const { words, span } = asked;
  const id = [...words, `since ${span.from}`, `until ${span.to}`].join(' ');
  const to = (label: string, next: number): CardAction => ({
    label,
    do: {
      kind: 'run',
      operation: 'activity.read',
      input: { id, organization: organization.key, page: next },
    },
  });
  return [
    ...(page < last ? [to('Older activities', page + 1)] : []),
    ...(page > 1 ? [to('Newer activities', page - 1)] : []),
  ];
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
