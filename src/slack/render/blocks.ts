import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { type CardAction, requestOptions } from '../../core/card/card.ts';
import { cut, plainText } from './mrkdwn.ts';

/** The native chart, newer than the published types. Facts: Blocks. */
export type DataVisualizationBlock = {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart: {
    readonly type: 'bar';
    readonly series: readonly {
      readonly name: string;
      readonly data: readonly { readonly label: string; readonly value: number }[];
    }[];
    readonly axis_config: {
      readonly categories: readonly string[];
      readonly y_label?: string | undefined;
    };
  };
};

export type SlackBlock = KnownBlock | DataVisualizationBlock;

/** What one message consists of; `text` is its fallback and what a screen reader says. */
export type Message = { readonly text: string; readonly blocks: readonly SlackBlock[] };

export function section(text: string): SlackBlock {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

export function context(text: string): SlackBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text }] };
}

export function button(options: {
  readonly label: string;
  readonly spoken?: string | undefined;
  readonly action: string;
  readonly value: string;
  readonly style?: 'primary' | 'danger' | undefined;
}): Button {
  return defined<Button>({
    type: 'button',
    text: { type: 'plain_text', text: cut(plainText(options.label), 75) },
    accessibility_label:
      options.spoken === undefined ? undefined : cut(plainText(options.spoken), 75),
    action_id: options.action,
    value: options.value,
    style: options.style,
  });
}

/** The published types know no `undefined`: what holds nothing is left out of what is sent. */
export function defined<T extends object>(members: Loose<T>): T {
  const held = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(held) as T;
}

/** What may be absent may be undefined. */
type Loose<T> = {
  [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K];
};

/** A button's payload as read back: untrusted, everything in it is judged again. */
export type PressedAction = CardAction['do'];

const offer = {
  operation: z.string().max(100),
  input: z.record(z.string(), z.unknown()),
  options: requestOptions.optional(),
};

const shapes = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('confirm'), pending: z.string().max(100) }),
  z.strictObject({ kind: z.literal('cancel'), pending: z.string().max(100) }),
  z.strictObject({ kind: z.literal('approve'), pending: z.string().max(100) }),
  z.strictObject({ kind: z.literal('deny'), pending: z.string().max(100) }),
  z.strictObject({ kind: z.literal('reveal'), secret: z.string().max(100) }),
  z.strictObject({ kind: z.literal('use'), pending: z.string().max(100) }),
  z.strictObject({ kind: z.literal('open'), ...offer }),
  z.strictObject({ kind: z.literal('run'), ...offer }),
  z.strictObject({
    kind: z.literal('ask'),
    operation: offer.operation,
    input: offer.input,
    in: z.string().max(32).optional(),
  }),
]);

/** Slack takes 2,000 characters of a button's value. */
const VALUE_LIMIT = 2_000;

/**
 * The action's kind as action id and its whole as JSON value. Input too long for a button opens the
 * form without it rather than half of it.
 */
export function packAction(action: CardAction): {
  readonly action: string;
  readonly value: string;
} {
  const value = JSON.stringify(action.do);
  if (value.length <= VALUE_LIMIT) return { action: action.do.kind, value };
  const bare = 'input' in action.do ? { ...action.do, kind: 'open', input: {} } : action.do;
  return { action: 'open', value: JSON.stringify(bare) };
}

/**
 * The same for an option, whose value some clients take no longer than 75 characters: of an `ask`
 * about one thing only the words, as in `service.stop service 0b7e1f52-… C0OPS`.
 */
export function packOption(action: CardAction): string {
  const wanted = action.do;
  const [input, ...more] = 'input' in wanted ? Object.entries(wanted.input) : [];
  if (wanted.kind !== 'ask' || input === undefined || more.length > 0) {
    return packAction(action).value;
  }
  const text = [wanted.operation, ...input, wanted.in ?? ''].join(' ').trim();
  return SHORT_ASK.test(text) ? text : packAction(action).value;
}

const SHORT_ASK = /^([a-z-]+\.[a-z-]+) (\w+) (\S+)(?: ([A-Z0-9]+))?$/u;

function shortAsk(value: string): PressedAction | undefined {
  const [, operation, key, about, named] = SHORT_ASK.exec(value) ?? [];
  if (operation === undefined || key === undefined) return undefined;
  return { kind: 'ask', operation, input: { [key]: about }, in: named };
}

/** Undefined for a value that none of our cards has. */
export function unpackAction(value: string | undefined): PressedAction | undefined {
  if (value === undefined) return undefined;
  const short = shortAsk(value);
  if (short !== undefined) return short;
  try {
    const read = shapes.safeParse(JSON.parse(value));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
