import { z } from 'zod';
import {
  type AnyCreatePipeRequest,
  clickhousePipeFields,
  type KafkaCredentials,
} from '../../core/cloud/clickhouse-pipe.ts';
import {
  CLICKHOUSE_PIPE_RULES,
  type ClickhousePipeRule,
} from '../../core/cloud/clickhouse-pipe-rules.ts';
import { type AccessKey, createPipeRequest, type UserPassword } from '../../core/cloud/pipe.ts';
import type { NamesMode } from '../../core/settings/settings.ts';
import { CLICKHOUSE_FIELDS } from './clickhouse-fields.ts';
import { bare, fieldsIn, type PipeFields } from './pipe-field.ts';
import { REQUEST_FIELDS } from './request-fields.ts';
import { group, words } from './schema-values.ts';
import { SOURCE_FIELDS } from './source-fields.ts';

/** Above the choice of a source; no field is marked required, because the definition may hold it. */
export const NAME_FIELD: PipeFields = fieldsIn(createPipeRequest, {
  keys: { '': '' },
  words: {
    name: {
      rule: words(200),
      label: 'Name of the pipe',
      placeholder: 'orders',
      hint: 'Here or in the definition, as everything that the source needs.',
    },
  },
});

/** Every other field of the request, in the form's order. Spec: Pipe. */
export const PIPE_FIELDS: PipeFields = { ...SOURCE_FIELDS, ...REQUEST_FIELDS };

/** The request with the name of a configured credential in the place of every secret. */
type Named<T> = T extends UserPassword | AccessKey | KafkaCredentials
  ? string
  : T extends readonly (infer U)[]
    ? readonly Named<U>[]
    : T extends object
      ? { readonly [K in keyof T]: Named<T[K]> }
      : T;

export type PipeDefinition = Named<AnyCreatePipeRequest>;

/** A pipe as a person describes it, where an organization's cloud takes it so. */
export type PipeForm = Readonly<{
  names: NamesMode;
  /** Every field but the name, in the form's order. */
  fields: PipeFields;
  /** With the name. */
  all: PipeFields;
  /**
   * The request, each field with the rule of the form. Rules over several fields are in
   * `findings.ts`, and those that only ClickHouse Cloud has in `core/cloud`.
   */
  definition: z.ZodType<PipeDefinition>;
  rules: readonly ClickhousePipeRule[];
}>;

function formOf(
  names: NamesMode,
  fields: PipeFields,
  request: z.ZodObject,
  rules: readonly ClickhousePipeRule[],
): PipeForm {
  const all = { ...NAME_FIELD, ...fields };
  const ruleAt = new Map(Object.values(all).map(({ path, rule }) => [path, rule]));
  return { names, fields, all, definition: definitionOf(request, ruleAt), rules };
}

/** By what the cloud takes. Spec: Pipe; ClickHouse spellings. */
export const PIPE_FORMS: Readonly<Record<NamesMode, PipeForm>> = {
  neutral: formOf('neutral', PIPE_FIELDS, createPipeRequest, []),
  clickhouse: formOf(
    'clickhouse',
    { ...SOURCE_FIELDS, ...CLICKHOUSE_FIELDS, ...REQUEST_FIELDS },
    clickhousePipeFields,
    CLICKHOUSE_PIPE_RULES,
  ),
};

type RuleAt = ReadonlyMap<string, z.ZodType>;

function definitionOf(schema: z.ZodObject, rules: RuleAt): z.ZodType<PipeDefinition>;
function definitionOf(schema: z.ZodObject, rules: RuleAt, path?: string): z.ZodType<unknown>;
function definitionOf(schema: z.ZodObject, rules: RuleAt, path = ''): z.ZodType<unknown> {
  const members = Object.entries(schema.shape).map(([key, member]) => {
    const at = `${path}${key}`;
    const inner = bare(member);
    const nested = inner instanceof z.ZodObject;
    const rule = rules.get(at) ?? (nested ? definitionOf(inner, rules, `${at}.`) : undefined);
    if (rule === undefined) throw new TypeError(`The form has no field for ${at}.`);
    return [key, rule.exactOptional()] as const;
  });
  return group(Object.fromEntries(members));
}
