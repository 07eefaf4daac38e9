import { isObject } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';
import { matchesFormat } from './elements/formats.ts';
import type { Shape } from './shape.ts';
import { type Context, fail, lengthOf } from './types.ts';

type Of<K extends Shape['kind']> = Extract<Shape, { kind: K }>;

/**
 * Compares a value with a shape and adds what Slack would refuse to `context.problems`, each with its
 * JSON pointer. Wordings are those seen in public; where none is known, one in the same manner.
 */
export function check(shape: Shape, value: unknown, at: string, context: Context): void {
  switch (shape.kind) {
    case 'list':
      checkList(shape, value, at, context);
      break;
    case 'object':
      checkObject(shape, value, at, context);
      break;
    case 'oneOf':
      checkOneOf(shape, value, at, context);
      break;
    default: {
      const fault = faultOf(shape, value);
      if (fault !== null) fail(context, at, fault);
    }
  }
}

function faultOf(shape: Exclude<Shape, Of<'list' | 'object' | 'oneOf'>>, value: unknown) {
  switch (shape.kind) {
    case 'any':
      return null;
    case 'string':
      return stringFault(shape, value);
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must provide a boolean';
    case 'number':
      return numberFault(shape, value);
    case 'enum':
      return shape.values.some((one) => one === value) ? null : 'must be a valid enum value';
  }
}

function stringFault(shape: Of<'string'>, value: unknown): string | null {
  if (typeof value !== 'string') return 'must provide a string';
  const length = lengthOf(value);
  if (length < shape.min) return `must be more than ${shape.min - 1} characters`;
  if (length > shape.max) return `must be less than ${shape.max + 1} characters`;
  if (shape.format === null || matchesFormat(shape.format, value)) return null;
  return shape.format === 'url' ? 'invalid url' : `must be a valid ${shape.format}`;
}

function numberFault(shape: Of<'number'>, value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must provide a number';
  if (shape.integer && !Number.isInteger(value)) return 'must provide an integer';
  if (value < shape.min) return `must be greater than ${shape.min - 1}`;
  return value > shape.max ? `must be less than ${shape.max + 1}` : null;
}

function checkList(shape: Of<'list'>, value: unknown, at: string, context: Context): void {
  if (!Array.isArray(value)) {
    fail(context, at, 'must provide an array');
    return;
  }
  if (value.length < shape.min) fail(context, at, `must provide at least ${shape.min} items`);
  if (value.length > shape.max) fail(context, at, `no more than ${shape.max} items allowed`);
  for (const [index, item] of value.entries()) check(shape.of, item, `${at}/${index}`, context);
}

function checkObject(shape: Of<'object'>, value: unknown, at: string, context: Context): void {
  if (!isObject(value)) {
    fail(context, at, 'must provide an object');
    return;
  }
  checkKeys(shape, value, at, context);
  for (const [name, field] of Object.entries(shape.fields)) {
    if (value[name] !== undefined) check(field.shape, value[name], `${at}/${name}`, context);
  }
  for (const rule of shape.rules) rule(value, at, context);
}

function checkKeys(shape: Of<'object'>, value: Json, at: string, context: Context): void {
  for (const [name, field] of Object.entries(shape.fields)) {
    if (field.required && value[name] === undefined) {
      fail(context, at, `missing required field: ${name}`);
    }
  }
  for (const name of Object.keys(value)) {
    // What is undefined never reaches Slack: JSON drops it.
    if (value[name] !== undefined && !Object.hasOwn(shape.fields, name)) {
      fail(context, at, `invalid additional property: ${name}`);
    }
  }
}

function checkOneOf(shape: Of<'oneOf'>, value: unknown, at: string, context: Context): void {
  if (!isObject(value)) {
    fail(context, at, 'must provide an object');
    return;
  }
  const type = value['type'];
  const member = shape.allowed.find((name) => name === type);
  const inner = member === undefined ? undefined : shape.table[member];
  if (inner !== undefined) check(inner, value, at, context);
  else if (type === undefined) fail(context, at, 'missing required field: type');
  else if (typeof type !== 'string') fail(context, `${at}/type`, 'must provide a string');
  else fail(context, `${at}/type`, `unsupported type: ${type}`);
}
