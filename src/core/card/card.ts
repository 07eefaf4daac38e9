import type { Piece, Text } from '../text/text.ts';
import type { RequestOptions } from './request-options.ts';

/** A labelled value: `State` `running`. */
export type Fact = { readonly label: string; readonly value: Text };

/** A fact as plain text or, say, code; none where there is no value. */
export function fact(
  label: string,
  value: string | undefined,
  as: (value: string) => Piece = (plain) => plain,
): readonly Fact[] {
  return value === undefined ? [] : [{ label, value: [as(value)] }];
}

export type Cell = string | { readonly number: number; readonly text: string };

export type Table = {
  /** Read out by screen readers and shown above the rows. */
  readonly caption: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

export type Chart = {
  /** At most 50 characters. */
  readonly title: string;
  readonly unit: string;
  readonly categories: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
};

/** What a button does; the route of each kind is in `slack/`. */
export type CardAction = {
  readonly label: string;
  readonly style?: 'primary' | 'danger' | undefined;
  readonly do:
    | { readonly kind: 'confirm'; readonly pending: string }
    | { readonly kind: 'cancel'; readonly pending: string }
    | { readonly kind: 'approve'; readonly pending: string }
    | { readonly kind: 'deny'; readonly pending: string }
    | { readonly kind: 'reveal'; readonly secret: string }
    /** Opens the form of an operation with this raw input. */
    | ({ readonly kind: 'open' } & Offer)
    /** Runs it where nothing is missing; a change, or for one person, by one press of one person. */
    | ({ readonly kind: 'run' } & Offer)
    /** The same once it is stored as a question of its own. */
    | { readonly kind: 'use'; readonly pending: string };
};

/** Actions to choose from by subject, where a row of buttons would be too many. */
export type ActionMenu = {
  /** What stands on it while nothing is chosen. */
  readonly label: string;
  readonly groups: readonly {
    /** At most 75 characters. */
    readonly label: string;
    readonly actions: readonly CardAction[];
  }[];
};

export type Offer = {
  readonly operation: string;
  readonly input: RawInput;
  readonly options?: RequestOptions | undefined;
};

/** Raw input as typed or chosen, before it is parsed: field name → text, list or flag. */
export type RawInput = Readonly<Record<string, unknown>>;

export type CardFile = {
  readonly name: string;
  readonly title: string;
  readonly content: string;
};

type CardBody = {
  readonly tone: 'plain' | 'good' | 'warning';
  /** One line: state first, then cause, then the way on. */
  readonly headline: Text;
  /** Short lines below the headline. */
  readonly lines?: readonly Text[] | undefined;
  /** Two or three that matter. */
  readonly facts?: readonly Fact[] | undefined;
  readonly chart?: Chart | undefined;
  readonly table?: Table | undefined;
  readonly actions?: readonly CardAction[] | undefined;
  /** Below the buttons. */
  readonly menu?: ActionMenu | undefined;
  /** Small print. */
  readonly context?: Text | undefined;
  /** Folded: in the message's thread in a channel, below a divider for one person. */
  readonly details?: readonly Fact[] | undefined;
  readonly file?: CardFile | undefined;
};

/**
 * A message before it is anything of Slack's. A card that carries a password, a key or a link that
 * grants something has audience `requester`; delivery's types refuse it to a channel. Design: §3.
 */
export type Card = RequesterCard | ChannelCard;
export type RequesterCard = CardBody & {
  readonly audience: 'requester';
  /** A read without secrets, which `--share` may show to the channel. */
  readonly shareable?: boolean | undefined;
};
export type ChannelCard = CardBody & { readonly audience: 'channel' };
