import { z } from 'zod';
import type { CardAction } from '../../core/card/card.ts';
import { requestOptions } from '../../core/card/request-options.ts';

/** A button's payload as read back: untrusted, everything in it is judged again. */
export type PressedAction = CardAction['do'];

const offer = {
  operation: z.string().max(100),
  input: z.record(z.string(), z.unknown()),
  options: requestOptions.optional(),
};

const shapes = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('confirm'), pending: z.string().max(100) }),
  z.strictObject({ kind: z.literal('cancel'), pending: z.string().max(100) }),
  z.strictObject({ kind: z.literal('approve'), pending: z.string().max(100) }),
  z.strictObject({ kind: z.literal('deny'), pending: z.string().max(100) }),
  z.strictObject({ kind: z.literal('reveal'), secret: z.string().max(100) }),
  z.strictObject({ kind: z.literal('use'), pending: z.string().max(100) }),
  z.strictObject({ kind: z.literal('open'), ...offer }),
  z.strictObject({ kind: z.literal('run'), ...offer }),
]);

/** Slack takes 2,000 characters of a button's value. */
const VALUE_LIMIT = 2_000;

/**
 * The action's kind as action id and its whole as JSON value. Input too long for a button opens the
 * form without it rather than half of it.
 */
export function packAction(action: CardAction): {
  readonly action: string;
  readonly value: string;
} {
  const value = JSON.stringify(action.do);
  if (value.length <= VALUE_LIMIT) return { action: action.do.kind, value };
  const bare = 'input' in action.do ? { ...action.do, kind: 'open', input: {} } : action.do;
  return { action: 'open', value: JSON.stringify(bare) };
}

/** Undefined for a value that none of our cards has. */
export function unpackAction(value: string | undefined): PressedAction | undefined {
  if (value === undefined) return undefined;
  try {
    const read = shapes.safeParse(JSON.parse(value));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
