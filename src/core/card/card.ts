import { z } from 'zod';
import type { Piece, Text } from '../text/text.ts';

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
  /** What a screen reader says where the label alone does not tell what it is about. */
  readonly spoken?: string | undefined;
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
    /**
     * The same from a list that stays: a change is always a question first, so it may be pressed again.
     * `in`: the channel in which it is judged, for App Home, which has none.
     */
    | {
        readonly kind: 'ask';
        readonly operation: string;
        readonly input: RawInput;
        readonly in?: string | undefined;
      }
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

/** One of a list, with what can be done about it; no action of it has to be stored. */
export type Row = { readonly text: Text; readonly actions: readonly CardAction[] };

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
  /** How it ended, which a mark says before the words; `plain`: nothing ended. */
  readonly tone: 'plain' | 'good' | 'warning' | 'problem';
  /** One line: state first, then cause, then the way on. */
  readonly headline: Text;
  /** Short lines below the headline. */
  readonly lines?: readonly Text[] | undefined;
  /** Two or three that matter. */
  readonly facts?: readonly Fact[] | undefined;
  readonly chart?: Chart | undefined;
  readonly table?: Table | undefined;
  /** At most 40. */
  readonly rows?: readonly Row[] | undefined;
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

/** What was said beside the input and survives every detour: a question, a form, a button. */
export const requestOptions = z.object({
  /** The reason given for going ahead without an approval. */
  breakGlass: z.string().max(3_000).optional(),
  /** Why it is asked for. */
  reason: z.string().max(3_000).optional(),
  /** Show the answer of a read to the whole channel. */
  share: z.boolean().optional(),
  /** Keys of what the asker was shown to be the same already, and wants all the same. */
  knowing: z.array(z.string().max(100)).max(100).optional(),
  /** Names of what the input means by id, for sentences about it. */
  names: z.record(z.string().max(100), z.string().max(300)).optional(),
  /** The input went through the operation's form. */
  formed: z.boolean().optional(),
  /** The thread in which it was asked, by its root's `ts`. */
  thread: z
    .string()
    .regex(/^\d{1,12}\.\d{1,9}$/u)
    .optional(),
});

export type RequestOptions = {
  readonly [K in keyof z.output<typeof requestOptions>]?: z.output<typeof requestOptions>[K];
};

/** The names of a plan's targets by their ids. */
export function namesOf(
  targets: readonly { readonly id: string; readonly name: string }[],
): NonNullable<RequestOptions['names']> {
  return Object.fromEntries(targets.map(({ id, name }) => [id, name]));
}

/** The input as sentences speak of it: what was chosen by id by its name. */
export function spokenInput(
  raw: Readonly<Record<string, unknown>>,
  names: RequestOptions['names'] = {},
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => {
      const isNamed = typeof value === 'string' && Object.hasOwn(names, value);
      return [key, isNamed ? names[value] : value];
    }),
  );
}
