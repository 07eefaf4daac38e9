import { z } from 'zod';
import type { RawInput } from '../../core/card/card.ts';
import { fieldsOf, YES_NO } from '../../core/operation/fields.ts';
import type { Prefilled } from '../../core/operation/operation.ts';
import type { Issue } from '../../core/operation/outcome.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { listText, plain } from '../../core/text/text.ts';
import { nearest } from '../../core/text/typed-text.ts';
import { writeAccessList } from './access-list.ts';
import { anyServiceInput, writeTags } from './clickhouse-input.ts';
import { asWord } from './field-kinds.ts';

const FIELDS = fieldsOf(anyServiceInput);

/** Never by a preset: what a person has to say each time. */
const PERSONAL = ['anywhere', 'preset'];

/**
 * The values of the preset that was asked for, below what was typed; what the preset does not fit
 * is told on top of the form. Design: §4 (`presets:`).
 */
export function prefill(raw: RawInput, settings: Settings): Prefilled {
  const { preset: name, ...typed } = raw;
  if (typeof name !== 'string' || name === '') return { raw: asRaw(typed), issues: [] };
  const preset = Object.hasOwn(settings.presets, name) ? settings.presets[name] : undefined;
  if (preset === undefined) {
    return { raw: asRaw(typed), issues: [unknownPreset(name, Object.keys(settings.presets))] };
  }
  const fitting = Object.entries(preset).filter(([key]) => isPresettable(key));
  const issues = Object.keys(preset)
    .filter((key) => !isPresettable(key))
    .map((key) => ({
      field: 'preset',
      message: `${name} sets ${key}, which a preset cannot set.`,
    }));
  return { raw: asRaw({ ...Object.fromEntries(fitting), ...typed }), issues };
}

/** Values as the form holds them: text for lists, the choice's value for yes and no. */
export function asRaw(values: RawInput): RawInput {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      const text = rawValue(key, value);
      return text === undefined ? [] : [[key, text]];
    }),
  );
}

const tagList = z.array(z.object({ key: z.string(), value: z.string().optional() }));
const entries = z.array(z.object({ source: z.string(), description: z.string().optional() }));

function rawValue(key: string, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  const field = FIELDS.find((each) => each.key === key);
  if (field?.choices?.[0]?.value === YES_NO[0]?.value) return asWord(value) ?? value;
  if (field?.widget !== 'lines' || !Array.isArray(value)) return value;
  const tags = tagList.safeParse(value);
  if (key === 'tags' && tags.success) return writeTags(tags.data);
  const list = entries.safeParse(value);
  return list.success ? writeAccessList(list.data) : value.map(String).join('\n');
}

function isPresettable(key: string): boolean {
  return FIELDS.some((field) => field.key === key) && !PERSONAL.includes(key);
}

function unknownPreset(name: string, known: readonly string[]): Issue {
  const near = nearest(name, known);
  const way =
    known.length === 0
      ? 'None stands under presets in steward.yaml.'
      : near === undefined
        ? `Choose ${plain(listText(known, 'or'))}.`
        : `Did you mean ${near}?`;
  return { field: 'preset', message: `There is no preset ${name.slice(0, 60)}. ${way}` };
}
