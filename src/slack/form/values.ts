import { z } from 'zod';
import type { RawInput } from '../../core/card/card.ts';
import { choicesOf, type Field, REASON_FIELD } from '../../core/operation/fields.ts';
import type { Operation } from '../../core/operation/operation.ts';
import { cleanTyped } from '../../core/text/typed-text.ts';
import { blockIdOf, fieldKeyOf } from './fields.ts';

const option = z.looseObject({
  value: z.string(),
  text: z.looseObject({ text: z.string() }).optional(),
});
const element = z.looseObject({
  type: z.string().optional(),
  value: z.string().nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).nullish(),
  selected_user: z.string().nullish(),
});
const values = z.record(z.string(), z.record(z.string(), element));

/**
 * What was typed, from a view's `state.values` laid over what the form knew: fields in folded
 * sections keep their value, an emptied field loses it.
 */
export function readValues(state: unknown, fields: readonly Field[], before: RawInput): RawInput {
  const raw: Record<string, unknown> = { ...before };
  const read = values.safeParse(state);
  for (const [blockId, actions] of Object.entries(read.success ? read.data : {})) {
    const key = fieldKeyOf(blockId);
    const field = fields.find((candidate) => candidate.key === key);
    if (field === undefined) continue;
    const value = typedValue(field, Object.values(actions)[0] ?? {});
    if (value === undefined) delete raw[field.key];
    else raw[field.key] = value;
  }
  return dropForeignChoices(raw, fields);
}

/**
 * What was picked in each block whose choices follow another field: what belonged to one provider is
 * there again when the provider is.
 */
export function readPicks(
  state: unknown,
  fields: readonly Field[],
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const read = values.safeParse(state);
  const picks = Object.entries(read.success ? read.data : {}).flatMap(([blockId, actions]) => {
    const follows = fields.find(({ key }) => key === fieldKeyOf(blockId))?.choicesBy;
    const { selected_option: one } = Object.values(actions)[0] ?? {};
    return follows === undefined ? [] : [[blockId, one?.value ?? ''] as const];
  });
  return { ...before, ...Object.fromEntries(picks) };
}

/** What is empty now and was picked before, where it is offered again. */
export function withPicks(
  raw: RawInput,
  fields: readonly Field[],
  picks: Readonly<Record<string, string>>,
): RawInput {
  const again = fields.flatMap((field) => {
    const picked = field.choicesBy && raw[field.key] === undefined && picks[blockIdOf(field, raw)];
    return picked ? [[field.key, picked] as const] : [];
  });
  return { ...raw, ...Object.fromEntries(again) };
}

/** What a person read beside each value that they picked: an id by itself tells nobody anything. */
export function readLabels(state: unknown): Readonly<Record<string, string>> {
  const read = values.safeParse(state);
  const picked = Object.values(read.success ? read.data : {})
    .flatMap((actions) => Object.values(actions))
    .flatMap(({ selected_option: one }) => (one?.text === undefined ? [] : [one]));
  return Object.fromEntries(picked.map(({ value, text }) => [value, text?.text ?? value]));
}

/** What is sent, and why. */
export function withoutReason(
  typed: RawInput,
  { risk }: Operation,
): { readonly raw: RawInput; readonly reason?: string | undefined } {
  if (risk === 'read') return { raw: typed };
  const { [REASON_FIELD.key]: reason, ...raw } = typed;
  return { raw, reason: typeof reason === 'string' ? reason.slice(0, 3_000) : undefined };
}

function typedValue(field: Field, state: z.output<typeof element>): unknown {
  if (field.widget === 'tick') return (state.selected_options?.length ?? 0) > 0 || undefined;
  const several = state.selected_options?.map(({ value }) => value);
  if (several !== undefined && several.length > 0) return several;
  return (
    nonEmpty(cleanTyped(state.value ?? '')) ??
    nonEmpty(state.selected_option?.value) ??
    nonEmpty(state.selected_user)
  );
}

function nonEmpty(text: string | null | undefined): string | undefined {
  return text === null || text === undefined || text === '' ? undefined : text;
}

/** A choice that belonged to another provider is gone once the provider changes. */
function dropForeignChoices(
  raw: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
): RawInput {
  const foreign = fields.filter(
    (field) =>
      field.choicesBy !== undefined &&
      raw[field.key] !== undefined &&
      !choicesOf(field, raw).some(({ value }) => value === raw[field.key]),
  );
  return Object.fromEntries(
    Object.entries(raw).filter(([key]) => !foreign.some((field) => field.key === key)),
  );
}
