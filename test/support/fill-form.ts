import type { RawInput } from '../../src/core/card/card.ts';
import { choicesOf, type Field, isShown } from '../../src/core/operation/fields.ts';
import type { Operation } from '../../src/core/operation/operation.ts';
import type { Person } from './person.ts';

/** What a person types or chooses, by the key of the field; `true` ticks. */
export type Typed = Readonly<Record<string, string | true>>;

/**
 * Fills the open form field by field in its own order, unfolding what is folded. Fails where the
 * form has no such field.
 */
export async function fillForm(person: Person, operation: Operation, typed: Typed): Promise<void> {
  const unknown = Object.keys(typed).filter(
    (key) => !operation.fields.some((field) => field.key === key && isShown(field, typed)),
  );
  if (unknown.length > 0) throw new TypeError(`The form cannot set ${unknown.join(', ')}.`);
  const unfolded = new Set<string>();
  for (const field of operation.fields) {
    const value = typed[field.key];
    if (value === undefined) continue;
    if (field.section !== undefined && !unfolded.has(field.section)) {
      await unfold(person, field.section);
      unfolded.add(field.section);
    }
    await fillField(person, field, value, typed);
  }
}

/** Unfolds a section that is folded. */
async function unfold(person: Person, section: string): Promise<void> {
  const shown = JSON.stringify(person.state.views.at(-1)?.blocks ?? []);
  if (shown.includes(`Hide: ${section}`)) return;
  await person.click(`${section} …`);
  await person.expectModal(new RegExp(`Hide: ${section}`, 'u'));
}

async function fillField(
  person: Person,
  field: Field,
  value: string | true,
  raw: RawInput,
): Promise<void> {
  if (field.widget === 'tick') return await person.check(field.label, field.placeholder ?? 'Yes');
  const text = String(value);
  switch (field.widget) {
    case 'select': {
      const choice = choicesOf(field, raw).find((one) => one.value === text);
      return await person.select(field.label, choice?.label ?? text);
    }
    case 'service':
    case 'credential':
    case 'organization':
    case 'person':
      return await person.select(field.label, text);
    default:
      return await person.fill(field.label, text);
  }
}
