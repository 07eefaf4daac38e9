import type { Json } from '../protocol/page-protocol.ts';
import type { Context } from './types.ts';

/** What a text must look like beyond its length; see `matchesFormat`. */
export type Format = 'url' | 'date' | 'time' | 'zone' | 'number' | 'color';

/** A rule that no single field can state: which fields exclude, need or equal one another. */
export type Rule = (value: Json, at: string, context: Context) => void;

export type Field = { readonly shape: Shape; readonly required: boolean };

export type Fields = Readonly<Record<string, Field>>;

/** The tables of this folder are made of these; `check` reads them. */
export type Shape =
  /** Checked by other means. */
  | { readonly kind: 'any' }
  | {
      readonly kind: 'string';
      readonly min: number;
      readonly max: number;
      readonly format: Format | null;
    }
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'number';
      readonly min: number;
      readonly max: number;
      readonly integer: boolean;
    }
  | { readonly kind: 'enum'; readonly values: readonly (string | number)[] }
  | { readonly kind: 'list'; readonly of: Shape; readonly min: number; readonly max: number }
  | { readonly kind: 'object'; readonly fields: Fields; readonly rules: readonly Rule[] }
  | { readonly kind: 'oneOf'; readonly table: ShapeTable; readonly allowed: readonly string[] };

/** By the value of `type`. */
export type ShapeTable = Readonly<Record<string, Shape>>;

/** A field that Slack asks for. */
export function must(shape: Shape): Field {
  return { shape, required: true };
}

/** A field that may be left out; null is not leaving it out. */
export function may(shape: Shape): Field {
  return { shape, required: false };
}

export const anything: Shape = { kind: 'any' };
export const boolean: Shape = { kind: 'boolean' };

/** Bounds are inclusive and count code points. */
export function string(min: number, max: number, format: Format | null = null): Shape {
  return { kind: 'string', min, max, format };
}

export const anyString: Shape = string(0, Number.POSITIVE_INFINITY);
export const someString: Shape = string(1, Number.POSITIVE_INFINITY);
export const identifier: Shape = string(1, 255);

/** An absolute address of at most so many code points. */
export function url(max: number): Shape {
  return string(1, max, 'url');
}

/** Bounds are inclusive. */
export function integer(min: number, max: number): Shape {
  return { kind: 'number', min, max, integer: true };
}

export const anyNumber: Shape = {
  kind: 'number',
  min: Number.NEGATIVE_INFINITY,
  max: Number.POSITIVE_INFINITY,
  integer: false,
};

/** One of a few fixed words or numbers. */
export function oneWord(...values: readonly (string | number)[]): Shape {
  return { kind: 'enum', values };
}

/** Bounds are inclusive and count items. */
export function list(of: Shape, min: number, max: number): Shape {
  return { kind: 'list', of, min, max };
}

/** An object without a `type`; any property outside the fields is a fault. */
export function object(fields: Fields, ...rules: readonly Rule[]): Shape {
  return { kind: 'object', fields, rules };
}

/** An object whose `type` says what it is. */
export function typed(type: string, fields: Fields, ...rules: readonly Rule[]): Shape {
  return { kind: 'object', fields: { type: must(oneWord(type)), ...fields }, rules };
}

/** One of the table's members, by its `type`. */
export function oneOf(table: ShapeTable, allowed: readonly string[] = Object.keys(table)): Shape {
  return { kind: 'oneOf', table, allowed };
}
