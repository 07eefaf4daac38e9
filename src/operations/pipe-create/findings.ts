import { z } from 'zod';
import { nearest } from '../../core/text/nearest.ts';
import { pipeDefinition } from './pipe-definition.ts';

/** Something at a dotted path of the definition that does not fit, and what would. */
export type Finding = { readonly path: string; readonly message: string };

/** Known from the replies only: said apart, because copies of a reply hold them. Spec: Pipe record. */
const REPORTED_ONLY =
  /^source\.(?:kafka\.(?:type|authentication|format|offset\.strategy)|kinesis\.(?:authentication|format|iteratorType)|objectStorage\.(?:type|authentication|format)|postgres\.(?:type|authentication|settings\.replicationMode|tableMappings\.\d+\.tableEngine))$|^destination\.tableDefinition\.engine\.type$/u;

/** All that does not fit the shape of a definition; empty for one that does. */
export function findingsOf(value: unknown): readonly Finding[] {
  const read = pipeDefinition.safeParse(value);
  return read.success ? [] : read.error.issues.flatMap(toFindings);
}

function toFindings(issue: z.core.$ZodIssue): readonly Finding[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: path.join('.'), message: issue.message }];
  }
  const known = knownKeys(path);
  return issue.keys.map((key) => unknownKey([...path, key].join('.'), key, known));
}

function unknownKey(path: string, key: string, known: readonly string[]): Finding {
  if (REPORTED_ONLY.test(path)) {
    return { path, message: 'reported by the API, not taken in a request.' };
  }
  // A key that is no word may be part of a secret that was pasted by mistake.
  if (!/^\w{1,40}$/u.test(key)) {
    return { path: path.slice(0, -key.length - 1), message: 'holds a key that is not a field.' };
  }
  const near = nearest(key, known);
  return { path, message: `not a field${near === undefined ? '.' : `; did you mean ${near}?`}` };
}

function knownKeys(path: readonly string[]): readonly string[] {
  const at = path.reduce<unknown>(stepInto, pipeDefinition);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function stepInto(schema: unknown, key: string): unknown {
  if (schema instanceof z.ZodArray) return unwrapped(schema.element);
  return schema instanceof z.ZodObject ? unwrapped(schema.shape[key]) : undefined;
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodExactOptional ? schema.unwrap() : schema;
}
