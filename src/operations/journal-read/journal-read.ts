import type { Card } from '../../core/card/card.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { JournalEntry } from '../../core/ports/journal.ts';
import {
  bold,
  channel,
  code,
  counted,
  joinText,
  link,
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
    positional: [],
    examples: ['log', 'log --service scratch --since 2d', 'log --who <@U01ANA> --action stop'],
  },
  input,
  refused: () => say`The journal was not read`,
  plan: planLog,
  targets: ({ target }) => (target === undefined ? [] : [target]),
  execute: async ({ filter, limit }, ports, context) => {
    const found = await ports.journal.find({ ...filter, limit: lookFor(limit) });
    const visible = await visibleEntries(found, limit, ports, context);
    const journals = visible.entries.map(({ number }) => number);
    const [untold, stand] = await Promise.all([
      ports.outbox.undelivered({ journals }),
      ports.outbox.places(journals),
    ]);
    const ways = [...stand].map(([number, message]) => [number, ports.permalink(message)] as const);
    const told = new Set(untold.map(({ journal }) => journal));
    return { result: { ...visible, untold: told, ways: new Map(ways) } };
  },
  present: (seen, plan) => present(seen, plan),
});

/** `untold`: rows of which nobody could be told. */
type Seen = VisibleEntries & {
  readonly untold: ReadonlySet<number>;
  /** To their messages. */
  readonly ways: ReadonlyMap<number, string | undefined>;
};

function present({ entries, hidden, untold, ways }: Seen, { limit, target }: Plan): Card {
  const of = target === undefined ? [] : say` of ${bold(target.name)}`;
  const left =
    hidden === 0 ? [] : say` ${counted(hidden, 'row')} of services that you may not see here.`;
  if (entries.length === 0) {
    return {
      audience: 'requester',
      tone: 'plain',
      headline: say`No row${of} matches.${left}`,
    };
  }
  const isMore = entries.length === limit && limit < MOST;
  return {
    audience: 'requester',
    shareable: true,
    tone: 'plain',
    headline: say`${counted(entries.length, 'row')} of the journal${of}, newest first.${left}`,
    lines: entries.map((entry) => line(entry, untold.has(entry.number), ways.get(entry.number))),
    context: isMore ? say` More with ${code(`--limit ${MOST}`)}.` : undefined,
  };
}

const MOST = 50;

/** State first, then who, where, which rule, who approved, and the API's own id. */
function line(entry: JournalEntry, isUntold: boolean, href: string | undefined): Text {
  const names = entry.targets.map(({ name }) => bold(name));
  const parts: readonly Text[] = [
    say`${entry.number} ${time(entry.openedAt)} ${bold(entry.outcome)} ${code(entry.operation)}`,
    ...(isUntold ? [[{ bold: 'not delivered' }]] : []),
    ...(names.length === 0 ? [] : [joinText(names, ', ')]),
    say`${entry.actor.userId === '' ? 'nobody known' : user(entry.actor.userId)}${entry.channelId === undefined ? [] : say` in ${channel(entry.channelId)}`}`,
    ...(entry.approvedBy === undefined ? [] : [say`approved by ${user(entry.approvedBy)}`]),
    ...(entry.decision === undefined ? [] : [[entry.decision.slice(0, 120)]]),
    ...(entry.reason === undefined ? [] : [say`reason: ${entry.reason.slice(0, 200)}`]),
    ...(entry.detail === undefined ? [] : [[entry.detail.slice(0, 120)]]),
    ...(entry.requestId === undefined ? [] : [say`API ${code(entry.requestId)}`]),
    ...(href === undefined ? [] : [say`${link(href, 'message')}`]),
  ];
  return joinText(parts, ' · ');
}
