import { z } from 'zod';
import type { PageAction } from '../protocol/page-protocol.ts';

const json = z.record(z.string(), z.unknown());
const as = z.string();
const source = z.union([
  z.strictObject({ message: z.strictObject({ channel: z.string(), ts: z.string() }) }),
  z.strictObject({ view: z.string() }),
]);
const element = { as, source, blockId: z.string(), actionId: z.string() };

const actionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    as,
    kind: z.literal('say'),
    channel: z.string(),
    text: z.string().max(40_000),
    threadTs: z.string().exactOptional(),
  }),
  z.strictObject({ ...element, kind: z.literal('act'), state: json.exactOptional() }),
  z.strictObject({ ...element, kind: z.literal('type'), state: json }),
  z.strictObject({ ...element, kind: z.literal('suggest'), value: z.string() }),
  z.strictObject({ as, kind: z.literal('submit'), view: z.string() }),
  z.strictObject({
    as,
    kind: z.literal('close'),
    view: z.string(),
    all: z.boolean().exactOptional(),
  }),
  z.strictObject({ as, kind: z.literal('shortcut'), callbackId: z.string() }),
  z.strictObject({
    as,
    kind: z.literal('messageShortcut'),
    callbackId: z.string(),
    channel: z.string(),
    ts: z.string(),
  }),
  z.strictObject({ as, kind: z.literal('openHome') }),
]);

/** Reads what the page sent, or says what does not fit. */
export function readPageAction(value: unknown): { action: PageAction } | { problem: string } {
  const parsed = actionSchema.safeParse(value);
  return parsed.success ? { action: parsed.data } : { problem: z.prettifyError(parsed.error) };
}
