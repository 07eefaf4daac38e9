import { z } from 'zod';
import {
  type AccessKey,
  type CreatePipeRequest,
  createPipeRequest,
  type UserPassword,
} from '../../core/cloud/pipe.ts';
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

export const ALL_FIELDS: PipeFields = { ...NAME_FIELD, ...PIPE_FIELDS };

/** The request with the name of a configured credential in the place of every secret. */
type Named<T> = T extends UserPassword | AccessKey
  ? string
  : T extends readonly (infer U)[]
    ? readonly Named<U>[]
    : T extends object
      ? { readonly [K in keyof T]: Named<T[K]> }
      : T;

export type PipeDefinition = Named<CreatePipeRequest>;

const RULES = new Map(Object.values(ALL_FIELDS).map(({ path, rule }) => [path, rule]));

/**
 * A pipe as a person describes it: the request of the specification, each field with the rule of
 * the form. Rules over several fields are in `findings.ts`. Spec: Pipe.
 */
export const pipeDefinition = definitionOf(createPipeRequest);

function definitionOf(schema: z.ZodObject): z.ZodType<PipeDefinition>;
function definitionOf(schema: z.ZodObject, path?: string): z.ZodType<unknown>;
function definitionOf(schema: z.ZodObject, path = ''): z.ZodType<unknown> {
  const members = Object.entries(schema.shape).map(([key, member]) => {
    const at = `${path}${key}`;
    const inner = bare(member);
    const rule =
      RULES.get(at) ?? (inner instanceof z.ZodObject ? definitionOf(inner, `${at}.`) : undefined);
    if (rule === undefined) throw new TypeError(`The form has no field for ${at}.`);
    return [key, rule.exactOptional()] as const;
  });
  return group(Object.fromEntries(members));
}
