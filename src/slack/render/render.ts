import type { Overflow, PlainTextOption, SectionBlock } from '@slack/types';
import type { ActionMenu, Card, CardAction, Fact, Row } from '../../core/card/card.ts';
import type { Text } from '../../core/text/text.ts';
import {
  button,
  context,
  type Message,
  packAction,
  packOption,
  type SlackBlock,
  section,
} from './blocks.ts';
import { cut, plainText, splitLine, toMrkdwn } from './mrkdwn.ts';
import { type Richness, renderChart, renderTable } from './tables.ts';

const SECTION = 3_000;
/** Text of all lines together: Slack refuses a message past about 12,000 over all blocks. */
const LINES_BUDGET = 6_000;

export type Rendered = {
  readonly main: Message;
  /** What stands in the thread below a message in a channel. */
  readonly thread: Message | undefined;
};

/** The one place that writes Block Kit for messages. A signal word goes with every tone. */
export function renderCard(card: Card, richness: Richness): Rendered {
  const details = card.details ?? [];
  const folded = card.audience === 'requester' ? renderDetails(details) : [];
  const blocks: SlackBlock[] = [
    ...renderWords(card),
    ...renderFacts(card.facts ?? []),
    ...(card.chart === undefined ? [] : renderChart(card.chart, richness)),
    ...(card.table === undefined ? [] : renderTable(card.table, richness)),
    ...renderRows(card.rows ?? []),
    ...folded,
    ...renderActions(card.actions ?? []),
    ...(card.menu === undefined ? [] : [renderMenu(card.menu)]),
    ...(card.context === undefined ? [] : [context(cut(toMrkdwn(card.context), SECTION))]),
  ];
  return {
    main: { text: cut(fallback(card), 3_000), blocks: blocks.slice(0, 50) },
    thread:
      card.audience === 'channel' && details.length > 0
        ? { text: fallbackFacts(details), blocks: renderDetails(details) }
        : undefined,
  };
}

/** A sentence alone, as a message. */
export function renderText(text: Text): Message {
  return { text: cut(toMrkdwn(text), SECTION), blocks: [section(cut(toMrkdwn(text), SECTION))] };
}

/** Of a card that asks nothing is hidden: lines that are too long go on in the next section. */
function renderWords(card: Card): readonly SlackBlock[] {
  const { headline, lines = [] } = card;
  const signal = SIGNALS[card.tone];
  if (!asks(card)) return renderLines([signal + toMrkdwn(headline), ...lines.map(toMrkdwn)]);
  const [first = '', ...rest] = [headline, ...lines].flatMap((line) =>
    splitLine(line, SECTION - signal.length),
  );
  return inSections([signal + first, ...rest]).map(section);
}

const SIGNALS = {
  warning: ':warning: ',
  problem: ':no_entry: ',
  plain: '',
  good: ':white_check_mark: ',
} as const;
/** The same where nothing is drawn: on a locked phone, for a screen reader. */
const MARKS = { warning: '⚠️ ', problem: '⛔ ', plain: '', good: '✅ ' } as const;

/** Whether somebody decides by what stands in it. */
function asks({ actions = [] }: Card): boolean {
  return actions.some(({ do: { kind } }) => kind === 'confirm' || kind === 'approve');
}

function fallback(card: Card): string {
  const rows = (card.rows ?? []).map(({ text }) => text);
  const words = [card.headline, ...(card.lines ?? []), ...rows].map(toMrkdwn).join('\n');
  return `${MARKS[card.tone]}${words}`;
}

function renderLines(lines: readonly string[]): readonly SlackBlock[] {
  let used = 0;
  const short = lines.map((text) => cut(text, SECTION)).filter((text) => text !== '');
  const shown = short.filter((line) => {
    used += line.length;
    return used <= LINES_BUDGET;
  });
  const left = short.length - shown.length;
  const more = left === 0 ? [] : [`_… and ${left} more._`];
  return [...inSections(shown), ...more].map(section);
}

/** Lines together while they fit; none is longer than a section. */
function inSections(lines: readonly string[]): readonly string[] {
  const sections: string[] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    if (last === undefined || last.length + line.length + 1 > SECTION) sections.push(line);
    else sections[sections.length - 1] = `${last}\n${line}`;
  }
  return sections;
}

function renderFacts(facts: readonly Fact[]): readonly SlackBlock[] {
  if (facts.length === 0) return [];
  const fields = facts.slice(0, 10).map((fact) => ({
    type: 'mrkdwn' as const,
    text: cut(`*${toMrkdwn([fact.label])}*\n${toMrkdwn(fact.value) || '–'}`, 2_000),
  }));
  return [{ type: 'section', fields }];
}

function renderDetails(details: readonly Fact[]): readonly SlackBlock[] {
  if (details.length === 0) return [];
  const lines = details.map(({ label, value }) => `*${toMrkdwn([label])}:* ${toMrkdwn(value)}`);
  return [{ type: 'divider' }, ...renderLines(lines)];
}

function fallbackFacts(facts: readonly Fact[]): string {
  return cut(
    facts.map(({ label, value }) => `${toMrkdwn([label])}: ${toMrkdwn(value)}`).join('\n'),
    SECTION,
  );
}

/** So many rows of a list stand in a message; with their buttons, or each with a menu of them. */
const ROWS = 40;
const ROWS_WITH_BUTTONS = 10;
/** Text of all rows together. */
const ROWS_BUDGET = 8_000;

function renderRows(rows: readonly Row[]): readonly SlackBlock[] {
  const shown = rows.slice(0, ROWS);
  const left = rows.length - shown.length;
  const as = rows.length <= ROWS_WITH_BUTTONS ? 'buttons' : 'menu';
  const most = Math.min(SECTION, Math.floor(ROWS_BUDGET / ROWS));
  return [
    ...shown.flatMap((row, index) => renderRow(row, { key: String(index), as, most })),
    ...(left === 0 ? [] : [section(`_… and ${left} more._`)]),
  ];
}

export type RowLook = {
  /** Its place in the message or view. */
  readonly key: string;
  readonly as: 'buttons' | 'menu';
  /** Characters of its text. */
  readonly most: number;
};

/** One of a list: two blocks with buttons, one with a menu. Slack takes five of either. */
export function renderRow(
  { text, actions }: Row,
  { key, as, most }: RowLook,
): readonly SlackBlock[] {
  const words = section(cut(toMrkdwn(text), most));
  const [first] = actions;
  if (first === undefined) return [words];
  if (as === 'buttons') return [words, buttonRow(actions, `row-${key}`)];
  const options = actions.slice(0, 5).map(optionOf);
  const accessory: Overflow = {
    type: 'overflow',
    action_id: `${first.do.kind}:row-${key}`,
    options,
  };
  return [{ ...words, accessory } as SectionBlock];
}

function buttonRow(actions: readonly CardAction[], key: string): SlackBlock {
  return {
    type: 'actions',
    block_id: `actions:${key}`,
    elements: actions.slice(0, 5).map((action, at) => {
      const packed = packAction(action);
      return button({
        label: action.label,
        spoken: action.spoken,
        action: `${packed.action}:${key}-${at}`,
        value: packed.value,
        style: action.style,
      });
    }),
  };
}

/** What is chosen from a menu holds what its button would. */
function optionOf(action: CardAction): PlainTextOption {
  return {
    text: { type: 'plain_text', text: cut(plainText(action.label), 75) },
    value: packOption(action),
  };
}

function renderActions(actions: readonly CardAction[]): readonly SlackBlock[] {
  const rows: CardAction[][] = [];
  for (const action of actions.slice(0, 50)) {
    const row = rows.at(-1);
    if (row === undefined || row.length === 5) rows.push([action]);
    else row.push(action);
  }
  return rows.map((row, index) => buttonRow(row, String(index)));
}

/** One select with a group for each subject: Slack takes 100 groups of 100 options. */
function renderMenu({ label, groups }: ActionMenu): SlackBlock {
  return {
    type: 'actions',
    block_id: 'menu',
    elements: [
      {
        type: 'static_select',
        action_id: 'open:menu',
        placeholder: { type: 'plain_text', text: cut(label, 150) },
        option_groups: groups.map((group) => ({
          label: { type: 'plain_text', text: cut(group.label, 75) },
          options: group.actions.map(optionOf),
        })),
      },
    ],
  };
}
