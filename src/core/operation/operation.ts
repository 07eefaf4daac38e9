import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Card, RawInput, RequesterCard } from '../card/card.ts';
import type { Attributes, Risk, Target } from '../ports/decision.ts';
import type { Actor, Place, Reply } from '../ports/ports.ts';
import type { Follow } from '../ports/sight.ts';
import type { Settings } from '../settings/settings.ts';
import { canonicalJson } from '../text/json.ts';
import { type Piece, say, type Text } from '../text/text.ts';
import { fieldsOf } from './fields.ts';
import type { Issue, Preview, Problem } from './outcome.ts';
import type { OperationInfo, Ports, ReadPorts } from './ports.ts';

/** Who asks, where, and (while it executes) who approved. */
export type Context = {
  readonly actor: Actor;
  readonly place: Place;
  /** The journal number and reference of this request. */
  readonly journal: number;
  readonly reference: string;
  /** The journal number of the request that this one goes on with: a press on its question. */
  readonly continues?: number | undefined;
  /** It was confirmed or approved by somebody who read its question. */
  readonly answered?: boolean | undefined;
  readonly approvedBy?: string | undefined;
};

type Shape<I extends z.ZodObject, P extends object, R> = Omit<
  OperationInfo,
  'risk' | 'slash' | 'fields'
> & {
  readonly slash: {
    readonly words: readonly [string, ...string[]];
    readonly positional: readonly (keyof z.input<I> & string)[];
    readonly also?: string | undefined;
    /** Printed by help, run by the contract test. */
    readonly examples: readonly [string, ...string[]];
  };
  /** Slash text, forms and schedules all parse through it; `.meta()` labels the fields. */
  readonly input: I;
  /** Fills the form beyond what was typed: presets. It never runs anything. */
  readonly prefill?: ((raw: RawInput, settings: Settings) => Prefilled) | undefined;
  /** Finds the name that a refusal speaks of in what was typed: `**scratch** was not stopped`. */
  refused(raw: RawInput): Text;
  /** Reads only. Stable facts only where `binds` is absent: its digest binds the approval. */
  plan(input: z.output<I>, ports: ReadPorts, context: Context): Promise<P | Problem>;
  targets(plan: P): readonly Target[];
  attributes?(plan: P): Attributes;
  /** The name or address of what it makes: the journal finds it by that. */
  makes?(plan: P): string | undefined;
  /** The field that each of them comes from: a limit of the rules is told beside it. */
  readonly limited?:
    | Readonly<Partial<Record<keyof Attributes, keyof z.input<I> & string>>>
    | undefined;
  /** Further permissions on the same targets without which nothing is done, whatever its own rule says. */
  needs?(plan: P): readonly string[];
  /** The message whose button ran it is drawn again by who posted it: the button is not taken away. */
  readonly redraws?: true | undefined;
  /** The part of the plan that a confirmation and an approval are bound to; absent: all of it. */
  binds?(plan: P): unknown;
  execute(plan: P, ports: Ports, context: Context): Promise<Reply<R>>;
  present(result: R, plan: P, context: Context): Card;
  /** For the requester alone, beside a card in the channel. */
  aside?(result: R, plan: P, context: Context): RequesterCard | undefined;
  /** What it set going, where the cloud shows how that ends. Design: §14. */
  follows?(result: R, plan: P, context: Context): Follow | undefined;
};

/** A change without a preview and words for its progress does not compile. */
export type OperationSpec<I extends z.ZodObject, P extends object, R> = Shape<I, P, R> &
  (
    | { readonly risk: 'read' }
    | {
        readonly risk: Exclude<Risk, 'read'>;
        /** `press`: a question first; `form`: only by the form's own button; `none`: at once. */
        readonly confirm: 'none' | 'press' | 'form';
        preview(plan: P): Preview;
        /** `Stopping **scratch** …` */
        running(plan: P): Text;
        /** Once the API has answered, and no more than that: `Asked **scratch** to stop.` */
        asked(plan: P): Text;
        unknown(plan: P): UnknownOutcome;
        /** What exists or was asked for already and looks like the same: it is asked about. */
        doubles?(plan: P): readonly Double[];
        /** The button that goes ahead in spite of them: `Create another one`. */
        readonly again?: string | undefined;
      }
  );

/** `key` says the same thing the same way each time, so that a person is asked about it once. */
export type Double = { readonly key: string; readonly text: Text };

/** What a form opens with, and what is to be said on top of it. */
export type Prefilled = { readonly raw: RawInput; readonly issues: readonly Issue[] };

/** An operation with its types closed over, so that a list of them needs no cast. */
export type Operation = OperationInfo &
  Pick<Shape<z.ZodObject, object, unknown>, 'refused' | 'prefill' | 'limited' | 'redraws'> & {
    readonly confirm: 'none' | 'press' | 'form';
    readonly again: string;
    /** The same operation where clouds take more than the specification; absent: it is no other. */
    readonly inClouds?: Readonly<Record<'clickhouse' | 'both', Operation>> | undefined;
    prepare(raw: RawInput): Prepared | { readonly issues: readonly Issue[] };
  };

export type Prepared = {
  plan(ports: ReadPorts, context: Context): Promise<Planned | Problem>;
};

/** For an answer that never came: `**scratch** may have been stopped`, then what to check. */
export type UnknownOutcome = { readonly state: Text; readonly check: Text };

export type Planned = {
  readonly targets: readonly Target[];
  readonly attributes: Attributes;
  readonly makes: string | undefined;
  readonly needs: readonly string[];
  /** sha256 (hex) over the operation's id and the bound part of the plan. */
  readonly digest: string;
  readonly preview: Preview | undefined;
  readonly running: Text | undefined;
  readonly asked: Text | undefined;
  readonly unknown: UnknownOutcome | undefined;
  readonly doubles: readonly Double[];
  execute(ports: Ports, context: Context): Promise<Executed>;
};

export type Executed = {
  readonly requestId?: string | undefined;
  readonly card: Card;
  readonly aside?: RequesterCard | undefined;
  readonly follow?: Follow | undefined;
};

/** Makes an operation of its declaration. Throws TypeError where a field has no label. */
export function defineOperation<I extends z.ZodObject, P extends object, R>(
  spec: OperationSpec<I, P, R>,
): Operation {
  const { id, summary, title, slash, risk, badge, open, listsServices, atOnce, beside, onlyIn } =
    spec;
  return {
    ...{ id, summary, title, slash, risk, badge, open, listsServices, atOnce, beside, onlyIn },
    prefill: spec.prefill,
    limited: spec.limited,
    redraws: spec.redraws,
    confirm: spec.risk === 'read' ? 'none' : spec.confirm,
    again: (spec.risk === 'read' ? undefined : spec.again) ?? 'Ask again',
    refused: (raw) => spec.refused(raw),
    fields: fieldsOf(spec.input),
    prepare: (raw) => {
      const parsed = spec.input.safeParse(raw);
      if (!parsed.success)
        return { issues: parsed.error.issues.map((issue) => toIssue(issue, raw)) };
      return { plan: (ports, context) => plan(spec, parsed.data, ports, context) };
    },
  };
}

async function plan<I extends z.ZodObject, P extends object, R>(
  spec: OperationSpec<I, P, R>,
  input: z.output<I>,
  ports: ReadPorts,
  context: Context,
): Promise<Planned | Problem> {
  const made = await spec.plan(input, ports, context);
  if ('problem' in made) return made;
  const change = spec.risk === 'read' ? undefined : spec;
  const preview = change?.preview(made);
  const tooLong = preview && tooLongToAsk(preview);
  if (tooLong !== undefined) return tooLong;
  return {
    targets: spec.targets(made),
    attributes: spec.attributes?.(made) ?? {},
    makes: spec.makes?.(made),
    needs: spec.needs?.(made) ?? [],
    digest: digestOf(spec.id, spec.binds?.(made) ?? made),
    preview,
    running: change?.running(made),
    asked: change?.asked(made),
    unknown: change?.unknown(made),
    doubles: change?.doubles?.(made) ?? [],
    execute: async (full, now) => {
      const { result, requestId } = await spec.execute(made, full, now);
      const card = spec.present(result, made, now);
      const aside = spec.aside?.(result, made, now);
      return { card, aside, follow: spec.follows?.(result, made, now), requestId };
    },
  };
}

/** Equal for equal plans, whatever the order of their keys. */
export function digestOf(id: string, bound: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([id, bound]))
    .digest('hex');
}

/** A field that is merely missing gets no words: an empty field of the form says it. */
function toIssue(issue: z.core.$ZodIssue, raw: RawInput): Issue {
  const [field = '', ...rest] = issue.path.map(String);
  if (rest.length === 0 && issue.code !== 'custom' && field !== '' && raw[field] === undefined) {
    return { field, message: '' };
  }
  const where = rest.length === 0 ? '' : `${rest.join('.')}: `;
  return { field, message: `${where}${issue.message}` };
}

/** What one message holds for certain, in characters, with room for who asks, until when, buttons. */
const MOST = 9_000;

/**
 * Who confirms or approves reads all that would be sent, or is not asked at all: a preview that no
 * message can hold is a problem, in words. Undefined for one that fits.
 */
function tooLongToAsk({ ask, question, lines }: Preview): Problem | undefined {
  const size = [ask, question, ...lines].reduce((sum, line) => sum + sizeOf(line) + 1, 0);
  if (size <= MOST) return undefined;
  return {
    field: '',
    problem: say`This is too long to be asked: whoever answers has to read all of it, and a question holds ${count(MOST)} characters. It would have ${count(size)}. Send less at once, or shorten descriptions.`,
  };
}

function count(characters: number): string {
  return characters.toLocaleString('en-US');
}

/** Once it is written out: what is escaped or named needs up to eight, times and mentions more. */
function sizeOf(text: Text): number {
  return text.reduce((sum, piece) => sum + sizeOfPiece(piece), 0);
}

function sizeOfPiece(piece: Piece): number {
  if (typeof piece === 'string') return escapedSize(piece);
  if ('bold' in piece) return escapedSize(piece.bold) + 2;
  if ('code' in piece) return escapedSize(piece.code) + 2;
  if ('link' in piece) return 3 * piece.link.length + escapedSize(piece.label) + 3;
  return 80;
}

function escapedSize(text: string): number {
  return text.replace(/[&<>]/gu, '&amp;').replace(/\p{C}/gu, '⟨U+202E⟩').length;
}
