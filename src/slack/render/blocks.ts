import type { Button, KnownBlock } from '@slack/types';
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
  readonly action: string;
  readonly value: string;
  readonly style?: 'primary' | 'danger' | undefined;
}): Button {
  return defined<Button>({
    type: 'button',
    text: { type: 'plain_text', text: cut(plainText(options.label), 75) },
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
