import { isObject, parseJson, textOf } from '../protocol/json.ts';
import type { Json } from '../protocol/page-protocol.ts';
import { invalidArguments } from './api-error.ts';

/** What an argument holds; `!` marks a required one. */
type ArgumentKind = `${'text' | 'json' | 'flag' | 'integer' | 'list'}${'' | '!'}`;

export type ArgumentTable = Readonly<Record<string, ArgumentKind>>;

/** Arguments that any method takes. */
const everywhere: readonly string[] = ['token', 'team_id', 'pretty'];

/** The arguments of one call, read by name and kind. */
export class Arguments {
  private readonly values: Json;

  constructor(values: Json) {
    this.values = values;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'number' ? String(value) : textOf(value);
  }

  /** A required text; the table has made sure that it is there. */
  need(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw invalidArguments(`missing required field: ${name}`);
    return value;
  }

  flag(name: string): boolean {
    const value = this.values[name];
    return value === true || value === 'true' || value === '1' || value === 1;
  }

  integer(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined || text === '') return undefined;
    if (!/^-?\d+$/.test(text)) throw invalidArguments(`must be an integer: ${name}`);
    return Number(text);
  }

  /** JSON in a form, or the value itself in a JSON body. */
  json(name: string): unknown {
    const value = this.values[name];
    if (typeof value !== 'string') return value;
    const parsed = parseJson(value);
    if (parsed === undefined) throw invalidArguments(`must be valid JSON [json-pointer:/${name}]`);
    return parsed;
  }

  /** `a,b,c`, a JSON list, or a list. */
  list(name: string): readonly string[] {
    const value = this.values[name];
    const parsed = typeof value === 'string' && value.startsWith('[') ? parseJson(value) : value;
    if (Array.isArray(parsed)) return parsed.filter((item) => typeof item === 'string');
    return (textOf(parsed) ?? '').split(',').flatMap((item) => item.trim() || []);
  }

  has(name: string): boolean {
    return this.values[name] !== undefined && this.values[name] !== null;
  }
}

/**
 * Reads a request body (form or JSON) against the table. Throws `invalid_arguments` for a missing
 * argument, and for an unknown one, which the real service may ignore: here it is a mistake.
 */
export function readArguments(values: Json, table: ArgumentTable): Arguments {
  for (const name of Object.keys(values)) {
    if (table[name] === undefined && !everywhere.includes(name)) {
      throw invalidArguments(`no such argument: ${name}`);
    }
  }
  const read = new Arguments(values);
  for (const [name, kind] of Object.entries(table)) {
    if (kind.endsWith('!') && !read.has(name)) {
      throw invalidArguments(`missing required field: ${name}`);
    }
  }
  return read;
}

/** The fields of a body, by its content type. Throws when it is neither a form nor JSON. */
export function parseBody(contentType: string, body: string): Json {
  if (contentType.includes('application/json')) {
    const parsed = body === '' ? {} : parseJson(body);
    if (!isObject(parsed)) throw invalidArguments('the body is not a JSON object');
    return parsed;
  }
  return Object.fromEntries(new URLSearchParams(body));
}
