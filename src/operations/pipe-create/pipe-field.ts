import { z } from 'zod';
import {
  type AccessKey,
  SOURCE_KINDS,
  type SourceKind,
  type UserPassword,
} from '../../core/cloud/pipe.ts';
import { type Choice, type FieldMeta, type Widget, YES_NO } from '../../core/operation/fields.ts';
import { decimalIn } from '../../core/text/typed-text.ts';
import type { Nested } from './definition.ts';
import {
  type Reading,
  readCloudTableMappings,
  readColumns,
  readFieldMappings,
  readTableMappings,
  readTexts,
} from './lines.ts';
import { credential, flag, oneOf, texts, words } from './schema-values.ts';

export const SOURCE_LABELS: Readonly<Record<SourceKind, string>> = {
  kafka: 'Kafka',
  kinesis: 'Kinesis',
  objectStorage: 'Object storage',
  postgres: 'Postgres',
};

export function isSourceKind(value: unknown): value is SourceKind {
  return SOURCE_KINDS.some((kind) => kind === value);
}

/** One field of the form, and where its value stands in the request. */
export type PipeField = Readonly<{
  /** Dotted, as in the specification. */
  path: string;
  /** The kinds of source that have it; absent: all. */
  kinds?: readonly SourceKind[] | undefined;
  meta: FieldMeta;
  /** What fits in a definition. */
  rule: z.ZodType;
  /** Of the name of a credential: the values that it must hold. */
  holds?: readonly string[] | undefined;
  /** The same where it follows from the rest of the pipe. */
  holdsIn?: ((pipe: Nested) => readonly string[]) | undefined;
  read(text: string): Reading;
}>;

export type PipeFields = Readonly<Record<string, PipeField>>;

/** How a value is typed: the widget, and the way from its text to the value. */
type Typing = Readonly<{
  widget: Widget;
  choices?: readonly Choice[] | undefined;
  decimal?: boolean | undefined;
  read(text: string): Reading;
}>;

const TEXT: Typing = { widget: 'text', read: (text) => ({ value: text.trim() }) };
export const LONG_TEXT: Typing = { ...TEXT, widget: 'lines' };
const NUMBER: Typing = { widget: 'number', read: readNumber };
export const DECIMAL: Typing = { ...NUMBER, decimal: true };
const CREDENTIAL: Typing = { ...TEXT, widget: 'credential' };
const TEXTS: Typing = { widget: 'lines', read: readTexts };
export const COLUMNS: Typing = { widget: 'lines', read: readColumns };
export const FIELD_MAPPINGS: Typing = { widget: 'lines', read: readFieldMappings };
export const TABLE_MAPPINGS: Typing = { widget: 'lines', read: readTableMappings };
export const CLOUD_TABLE_MAPPINGS: Typing = { widget: 'lines', read: readCloudTableMappings };

/** Yes, no, or nothing said: an explicit `false` is sent, an unset one is not. */
const FLAG: Typing = {
  widget: 'select',
  choices: YES_NO,
  read: (text) => {
    if (text === 'true') return { value: true };
    return text === 'false' ? { value: false } : { problem: 'Yes (true) or no (false).' };
  },
};

/** What the form says of a field; the rest follows from the kind that the request has there. */
export type Words = Omit<FieldMeta, 'widget' | 'choices' | 'decimal' | 'when'> &
  Partial<Pick<PipeField, 'kinds' | 'rule' | 'holds' | 'holdsIn'>> &
  Readonly<{ as?: Typing | undefined }>;

/** Dotted paths of all fields of a request; lists and credentials are one field each. */
export type Paths<T> = {
  [K in keyof T & string]: NonNullable<T[K]> extends Leaf ? K : `${K}.${Paths<NonNullable<T[K]>>}`;
}[keyof T & string];
type Leaf = string | number | boolean | readonly unknown[] | UserPassword | AccessKey;

/** Where fields stand, and what their keys in the form begin with, by the begin of their path. */
type Group = Readonly<{
  /** Where it is one kind of source; else the whole request. */
  source?: SourceKind | undefined;
  keys: Readonly<Record<string, string>>;
  words: Readonly<Record<string, Words>>;
}>;

/** The form's fields of a part of the request, in the order of their words. */
export function fieldsIn(schema: z.ZodObject, group: Group): PipeFields {
  const { source } = group;
  return Object.fromEntries(
    Object.entries(group.words).map(([path, said]) => {
      const { kinds = source && [source], rule, as, holds: _holds, holdsIn, ...meta } = said;
      const kind = kindOf(schemaAt(schema, path), said);
      const { read, ...widget } = as ?? kind.typing;
      const when = kinds && { field: 'sourceKind', is: kinds };
      const field: PipeField = {
        ...{ path: source === undefined ? path : `source.${source}.${path}`, kinds, read },
        ...{ rule: rule ?? kind.rule, holds: kind.holds, holdsIn },
        meta: when === undefined ? { ...meta, ...widget } : { ...meta, ...widget, when },
      };
      return [keyOf(path, group.keys), field];
    }),
  );
}

/** Fields that share what is said of them: a section, the kinds of source. */
export function all<K extends string>(
  shared: Partial<Words>,
  fields: Readonly<Record<K, Words>>,
): Record<K, Words>;
export function all(shared: Partial<Words>, fields: Readonly<Record<string, Words>>): object {
  return Object.fromEntries(
    Object.entries(fields).map(([path, said]) => [path, { ...shared, ...said }]),
  );
}

/** `settings.engine_max_threads` is `engineMaxThreads`. */
function keyOf(path: string, keys: Group['keys']): string {
  const [begin = '', key = ''] = Object.entries(keys).find(([each]) => path.startsWith(each)) ?? [];
  const [first = '', ...more] = `${key}.${path.slice(begin.length)}`.split(/[._]/u).filter(Boolean);
  return first + more.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('');
}

/** The schema at a dotted path, bare of what makes it optional. */
function schemaAt(schema: unknown, path: string): unknown {
  const at = path === '' ? [] : path.split('.');
  return at.reduce(
    (inner, key) => (inner instanceof z.ZodObject ? bare(inner.shape[key]) : undefined),
    schema,
  );
}

export function bare(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

type Kind = Readonly<{ typing: Typing; rule: z.ZodType; holds?: readonly string[] | undefined }>;

function kindOf(schema: unknown, { rule, holds, holdsIn }: Words): Kind {
  if (holdsIn !== undefined) return { typing: CREDENTIAL, rule: credential };
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : holds;
  if (keys !== undefined) return { typing: CREDENTIAL, rule: credential, holds: keys };
  if (rule instanceof z.ZodEnum) return { typing: choiceOf(rule.options), rule };
  // A closed set of the request itself.
  if (schema instanceof z.ZodEnum) {
    const values = schema.options.map(String);
    return { typing: choiceOf(values), rule: oneOf(values) };
  }
  if (schema instanceof z.ZodNumber) return { typing: NUMBER, rule: rule ?? schema };
  if (schema instanceof z.ZodBoolean) return { typing: FLAG, rule: flag };
  if (schema instanceof z.ZodArray) return { typing: TEXTS, rule: texts };
  return { typing: TEXT, rule: words() };
}

/** One of the values that are known in practice. Facts: Pipes. */
function choiceOf(values: readonly (string | number)[]): Typing {
  const choices = values.map(String).map((value) => ({ value, label: value }));
  return { widget: 'select', choices, read: (text) => ({ value: text }) };
}

function readNumber(text: string): Reading {
  const value = decimalIn(text);
  return value === undefined ? { problem: 'A number.' } : { value };
}
