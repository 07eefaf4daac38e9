import type { Choice, FieldMeta, Widget } from '../../core/operation/fields.ts';
import type { SourceKind } from './kinds.ts';
import {
  type Reading,
  readColumns,
  readFieldMappings,
  readTableMappings,
  readTexts,
} from './lines.ts';

/** One field of the form, and where its value stands in the request. */
export type PipeField = {
  /** Dotted, as in the specification. */
  readonly path: string;
  /** The kinds of source that have it; absent: all. */
  readonly kinds?: readonly SourceKind[] | undefined;
  readonly meta: FieldMeta;
  read(text: string): Reading;
};

export type PipeFields = Readonly<Record<string, PipeField>>;

/** How a value is typed: the widget, and the way from its text to the value. */
type Typing = {
  readonly widget: Widget;
  readonly choices?: readonly Choice[] | undefined;
  readonly decimal?: boolean | undefined;
  read(text: string): Reading;
};

export const TEXT: Typing = { widget: 'text', read: (text) => ({ value: text.trim() }) };
export const LONG_TEXT: Typing = { widget: 'lines', read: (text) => ({ value: text.trim() }) };
export const NUMBER: Typing = { widget: 'number', read: readNumber };
export const DECIMAL: Typing = { widget: 'number', decimal: true, read: readNumber };
export const CREDENTIAL: Typing = {
  widget: 'credential',
  read: (text) => ({ value: text.trim() }),
};
export const TEXTS: Typing = { widget: 'lines', read: readTexts };
export const COLUMNS: Typing = { widget: 'lines', read: readColumns };
export const FIELD_MAPPINGS: Typing = { widget: 'lines', read: readFieldMappings };
export const TABLE_MAPPINGS: Typing = { widget: 'lines', read: readTableMappings };

/** Yes, no, or nothing said: an explicit `false` is sent, an unset one is not. */
export const YES_NO: Typing = {
  widget: 'select',
  choices: [
    { value: 'true', label: 'Yes' },
    { value: 'false', label: 'No' },
  ],
  read: (text) => {
    if (text === 'true') return { value: true };
    return text === 'false' ? { value: false } : { problem: 'Yes (true) or no (false).' };
  },
};

/** One of the values that are known in practice. Facts: Pipes. */
export function choiceOf(values: readonly string[]): Typing {
  const choices = values.map((value) => ({ value, label: value }));
  return { widget: 'select', choices, read: (text) => ({ value: text }) };
}

type Words = Omit<FieldMeta, 'widget' | 'choices' | 'decimal' | 'when'>;

/** Declares fields of these kinds of source; of every kind where none is named. */
export function fieldsFor(
  ...kinds: readonly SourceKind[]
): (path: string, typing: Typing, words: Words) => PipeField {
  const shown = kinds.length === 0 ? {} : { kinds };
  const when = kinds.length === 0 ? {} : { when: { field: 'sourceKind', is: kinds } };
  return (path, { read, ...widget }, words) => ({
    path,
    ...shown,
    read,
    meta: { ...words, ...widget, ...when },
  });
}

function readNumber(text: string): Reading {
  const value = Number(text);
  return text.trim() !== '' && Number.isFinite(value) ? { value } : { problem: 'A number.' };
}
