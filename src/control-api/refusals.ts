import type { z } from 'zod';
import { AppError } from '../core/cloud/errors.ts';
import { fieldsOf } from './lenient.ts';
import { CLIENT_ROUTES, type ClientOperation } from './routes.ts';

const MOST_ISSUES = 5;

/**
 * Parses a request strictly before it is sent: unset keys are dropped, a chosen `false` stays.
 * Throws AppError `invalid` naming the path of each field, never its value. Design: §8.
 */
export function parseRequest<S extends z.ZodType>(
  operation: ClientOperation,
  schema: S,
  request: unknown,
): z.output<S> {
  const parsed = schema.safeParse(withoutUnset(request));
  if (parsed.success) return parsed.data;
  throw new AppError('invalid', {
    userMessage: `${CLIENT_ROUTES[operation].notDone}: ${listed(parsed.error.issues)}.`,
    because: { cause: listed(parsed.error.issues), way: 'Nothing was sent.' },
    cause: parsed.error,
  });
}

function listed(issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, MOST_ISSUES).map(described);
  const rest = issues.length - shown.length;
  return shown.join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

function described(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys')
    return `${place || 'the request'} has to be ${issue.message}`;
  const keys = issue.keys.map((key) => (place === '' ? key : `${place}.${key}`));
  return `${keys.join(', ')} is not a field of this request`;
}

function withoutUnset(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnset);
  const fields = fieldsOf(value);
  if (fields === undefined) return value;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [key, withoutUnset(item)]),
  );
}
