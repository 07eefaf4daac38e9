import type { Choice } from '../../core/operation/fields.ts';

export function choicesFrom(values: readonly string[]): readonly Choice[] {
  return values.map((value) => ({ value, label: value }));
}

export const YES_NO: readonly Choice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
