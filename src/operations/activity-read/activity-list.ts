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
export function listAsked(typed: string, now: DateTime<true>): ListAsked {
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
  return { span: { from: since, to: found?.until ?? now.toISO() }, words };
}

/** The newest first, each with a button that opens it; what is older is one press away. */
export function listCard({ asked, organization, look, services }: Listed): Card {
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
  const shown = lines.slice(0, ROWS);
  const of = asked.words.length === 0 ? [] : say` with ${joinText(asked.words.map(bold), ' and ')}`;
  const span = say`from ${time(asked.span.from)} to ${time(asked.span.to)}`;
  if (shown.length === 0) {
    return {
      audience: 'requester',
      tone: 'plain',
      headline: say`No activity${of} ${span} that you may see here.`,
    };
  }
  const left = lines.length - shown.length;
  const noun = lines.length === 1 ? 'activity' : 'activities';
  const count = left > 0 ? `${shown.length} of ${lines.length}` : `${shown.length}`;
  return {
    audience: 'requester',
    shareable: true,
    tone: 'plain',
    headline: say`${count} ${noun}${of} ${span}, newest first.`,
    rows: shown.map(({ record, text }) => rowOf(record, text, organization)),
    actions: left > 0 ? [older(asked, organization, shown.at(-1)?.record)] : undefined,
  };
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

function older(
  { words, span }: ListAsked,
  { key: organization }: OrganizationRef,
  last: ActivityRecord | undefined,
): CardAction {
  const until = last?.createdAt ?? span.to;
  const id = [...words, `since ${span.from}`, `until ${until}`].join(' ');
  return {
    label: 'Older activities',
    do: { kind: 'run', operation: 'activity.read', input: { id, organization } },
  };
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
