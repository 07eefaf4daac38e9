import type { z } from 'zod';
import { badField } from '../refusal.ts';

/** A rule over several fields that does not hold. */
export type Problem = { readonly path: string; readonly words: string };

/**
 * The value as the schema reads it. Throws a 400 `Refusal` for the first thing that does not fit,
 * with the dotted path of the field; the value itself is never repeated, it may be a secret.
 */
export function parseRequest<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const problem = issue === undefined ? { path: '', words: 'does not fit' } : describeIssue(issue);
  throw badField(problem.path === '' ? 'body' : problem.path, problem.words);
}

/** Throws a 400 `Refusal` for the first of these rules that is broken. */
export function requireRules<R, C>(
  rules: readonly ((request: R, context: C) => Problem | undefined)[],
  request: R,
  context: C,
): void {
  for (const rule of rules) {
    const problem = rule(request, context);
    if (problem !== undefined) throw badField(problem.path, problem.words);
  }
}

function describeIssue(issue: z.core.$ZodIssue): Problem {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    return { path: [...path, key].join('.'), words: 'is not a field that this request takes' };
  }
  return { path: path.join('.'), words: wordsFor(issue) };
}

function wordsFor(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && isAboutPresence(issue)) return 'is required';
  if (issue.input === null) return 'must not be null, leave it out instead';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KIND_WORDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `must be at least ${issue.minimum}`
        : 'must not be empty, leave it out instead';
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : `must be at most ${issue.maximum}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    default:
      return issue.message;
  }
}

function isAboutPresence(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' || issue.code === 'invalid_value';
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
};
