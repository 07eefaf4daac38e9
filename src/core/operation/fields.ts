import { z } from 'zod';
import { decimalIn } from '../text/typed-text.ts';

export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly hint?: string | undefined;
};

export type Widget =
  | 'text'
  | 'lines'
  | 'number'
  | 'email'
  | 'select'
  | 'tick'
  | 'service'
  | 'credential'
  /** A key of `organizations:`; shown only where there are several. */
  | 'organization'
  | 'person';

/** What `.meta()` of an input field says about it; forms, help and slash text read it. Design: §3. */
export type FieldMeta = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly widget?: Widget | undefined;
  readonly choices?: readonly Choice[] | undefined;
  /** Choices that follow another field's value. */
  readonly choicesBy?: {
    readonly field: string;
    readonly choices: Readonly<Record<string, readonly Choice[]>>;
  };
  /** Shown only while another field has one of these values. */
  readonly when?: { readonly field: string; readonly is: readonly string[] };
  /** The section of the form it stands in; absent is the first. */
  readonly section?: string | undefined;
  readonly badge?: 'Beta' | 'Experimental' | 'Deprecated' | undefined;
  /** A positional word that does not match is left to the next position. */
  readonly only?: RegExp | undefined;
  /** A number with a fraction may be typed. */
  readonly decimal?: boolean | undefined;
  /** A form starts with this value; slash text does not. */
  readonly prefill?: string | undefined;
  /** Never written to the journal. */
  readonly secret?: boolean | undefined;
  /** Cannot be set in the form. */
  readonly slashOnly?: boolean | undefined;
};

declare module 'zod' {
  interface GlobalMeta {
    readonly field?: FieldMeta | undefined;
  }
}

export type Field = Omit<FieldMeta, 'widget'> & {
  readonly key: string;
  readonly widget: Widget;
  readonly required: boolean;
};

/** The form fields of an input schema, in its order. Throws TypeError for one without a label. */
export function fieldsOf(input: z.ZodObject): readonly Field[] {
  return Object.entries(input.shape).map(([key, schema]) => toField(key, schema));
}

/** Of every change, beside its own fields: it is no part of what is sent. */
export const REASON_FIELD: Field = {
  key: 'reason',
  label: 'Reason',
  hint: 'Shown in the request and in the outcome, and kept in the journal.',
  widget: 'text',
  required: false,
};

/** `numReplicas` → `num-replicas`, the way it is typed after `--`. */
export function flagOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The sections of a form in order of first use; fields without one stand in `''`. */
export function sectionsOf(fields: readonly Field[]): readonly string[] {
  return [...new Set(fields.map((field) => field.section ?? ''))];
}

/** Whether a field is shown, given what is typed so far. */
export function isShown(field: Field, raw: Readonly<Record<string, unknown>>): boolean {
  if (field.slashOnly === true) return false;
  if (field.when === undefined) return true;
  return field.when.is.includes(String(raw[field.when.field] ?? ''));
}

/** The choices of a field, given what is typed so far. */
export function choicesOf(field: Field, raw: Readonly<Record<string, unknown>>): readonly Choice[] {
  if (field.choicesBy === undefined) return field.choices ?? [];
  const chosen = String(raw[field.choicesBy.field] ?? '');
  return field.choicesBy.choices[chosen] ?? Object.values(field.choicesBy.choices).flat();
}

/** Fields whose value changes what else the form shows. */
export function driversOf(fields: readonly Field[]): ReadonlySet<string> {
  return new Set(
    fields.flatMap((field) => [field.when?.field, field.choicesBy?.field]).filter(isPresent),
  );
}

function isPresent(value: string | undefined): value is string {
  return value !== undefined;
}

function toField(key: string, schema: z.core.$ZodType): Field {
  const meta = metaOf(schema);
  if (meta === undefined) throw new TypeError(`The input field ${key} has no label: add .meta().`);
  return {
    ...meta,
    key,
    widget: meta.widget ?? (meta.choices || meta.choicesBy ? 'select' : 'text'),
    required: !accepts(schema, undefined),
  };
}

function metaOf(schema: z.core.$ZodType): FieldMeta | undefined {
  return 'meta' in schema && typeof schema.meta === 'function' ? schema.meta()?.field : undefined;
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  return (
    'safeParse' in schema &&
    typeof schema.safeParse === 'function' &&
    schema.safeParse(value).success === true
  );
}

/** Yes, no, or nothing said, as a form asks for it. */
export const YES_NO: readonly Choice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

const YES = ['true', 'yes', 'on'];
const NO = ['false', 'no', 'off'];

/** What a person's word for yes or no means; undefined for another word, and for numbers. */
export function yesOrNo(typed: unknown): boolean | undefined {
  const word = String(typed).trim().toLowerCase();
  if (YES.includes(word)) return true;
  return NO.includes(word) ? false : undefined;
}

export function oneOf<const V extends readonly string[]>(values: V) {
  return z.enum(values, { error: `One of ${values.join(', ')}.` });
}

/** A whole number within bounds, both included, typed or given by a preset. */
export function whole(bounds: { min: number; max: number; step?: number }, error: string) {
  const schema = z
    .number({ error })
    .int({ error })
    .min(bounds.min, { error })
    .max(bounds.max, { error })
    .multipleOf(bounds.step ?? 1, { error });
  return typedNumber(schema);
}

/** A number, or its text in decimals: neither `true` nor `0x10` is one. */
export function typedNumber(schema: z.ZodNumber) {
  return z.preprocess(
    (typed) => (typeof typed === 'string' ? (decimalIn(typed) ?? typed) : typed),
    schema,
  );
}

/** The service that an operation is about: its name or id. */
export const serviceField = z
  .string()
  .trim()
  .min(1, 'Choose a service.')
  .max(100, 'At most 100 characters.')
  .meta({ field: { label: 'Service', widget: 'service', placeholder: 'Choose a service' } });

/** A mention, as Slack writes it, or an id; or a schedule, which acts as well. */
export const personField = z
  .string()
  .trim()
  .regex(
    /^<@[UW][A-Z0-9]+>$|^[UW][A-Z0-9]+$|^schedule:[\w.-]{1,40}$/u,
    'Choose a person from the list that Slack opens after @: it did not know this name.',
  )
  .optional();

/** The id of a person as `personField` took it. */
export function personId(typed: string | undefined): string | undefined {
  return typed?.replace(/^<@|>$/gu, '');
}
