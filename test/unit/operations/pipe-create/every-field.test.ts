import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { createPipeRequest } from '../../../../src/core/cloud/pipe.ts';
import { fieldsOf, flagOf } from '../../../../src/core/operation/fields.ts';
import {
  isNested,
  type Nested,
  valueAt,
  withValueAt,
} from '../../../../src/operations/pipe-create/definition.ts';
import { input } from '../../../../src/operations/pipe-create/pipe-create.ts';
import { PIPE_FIELDS } from '../../../../src/operations/pipe-create/pipe-definition.ts';
import { LEAST, PIPE_FIELD_SAMPLES, type PipeFieldSample } from '../../../support/pipe-fields.ts';
import { requestOf } from './fixture.ts';

const LEAVES: ReadonlySet<string> = new Set(PIPE_FIELD_SAMPLES.map(({ path }) => path));

/** Dotted paths of the specification's fields that an object sets. */
function pathsOf(value: unknown, path = ''): readonly string[] {
  if (LEAVES.has(path) || !isNested(value)) return [path];
  return Object.entries(value).flatMap(([key, member]) =>
    pathsOf(member, path === '' ? key : `${path}.${key}`),
  );
}

/** The same of a schema: lists and credentials are one field each. */
function pathsIn(schema: unknown, path = ''): readonly string[] {
  if (schema instanceof z.ZodOptional) return pathsIn(schema.unwrap(), path);
  if (!(schema instanceof z.ZodObject) || LEAVES.has(path)) return [path];
  return Object.entries(schema.shape).flatMap(([key, member]) =>
    pathsIn(member, path === '' ? key : `${path}.${key}`),
  );
}

function typedLeast({ kind, also }: PipeFieldSample): Record<string, string> {
  return { name: 'orders', sourceKind: kind, ...LEAST[kind], ...also };
}

/** The same as a nested definition, by the fields' own paths. */
async function definedLeast(sample: PipeFieldSample): Promise<Nested> {
  return { ...(await requestOf(typedLeast(sample))) };
}

async function expectExactly(sample: PipeFieldSample, request: object): Promise<void> {
  const before = await requestOf(typedLeast(sample));
  const expected = new Set([...pathsOf(before), sample.path]);
  expect(new Set(pathsOf(request))).toEqual(expected);
  expect(valueAt({ ...request }, sample.path)).toEqual(sample.sent ?? sample.defined);
  expect(createPipeRequest.safeParse(request).error).toBeUndefined();
}

describe('every field of the specification', () => {
  it('is in the list of samples, and each field of the form with it', () => {
    expect(new Set(pathsIn(createPipeRequest))).toEqual(LEAVES);
    const sampled = new Map(PIPE_FIELD_SAMPLES.map(({ key, path }) => [key, path]));
    const declared = Object.entries(PIPE_FIELDS).map(([key, { path }]) => [key, path] as const);
    expect(sampled).toEqual(new Map([...declared, ['name', 'name']]));
  });

  it.each(PIPE_FIELD_SAMPLES)('$path is set by typing it', async (sample) => {
    await expectExactly(
      sample,
      await requestOf({ ...typedLeast(sample), [sample.key]: sample.typed }),
    );
  });

  it.each(PIPE_FIELD_SAMPLES)('$path is set by a definition', async (sample) => {
    const definition = withValueAt(await definedLeast(sample), sample.path, sample.defined);
    for (const text of [stringify(definition), JSON.stringify(definition)]) {
      await expectExactly(sample, await requestOf({ definition: text }));
    }
  });

  it.each(PIPE_FIELD_SAMPLES)('$path typed wins over the definition', async (sample) => {
    const definition = JSON.stringify(await definedLeast(sample));
    const typed = { sourceKind: sample.kind, [sample.key]: sample.typed };
    await expectExactly(sample, await requestOf({ ...typed, definition }));
  });

  it('has a flag of its own that no reserved word takes', () => {
    const flags = fieldsOf(input).map(({ key }) => flagOf(key));
    expect(new Set(flags).size).toBe(flags.length);
    expect(flags.filter((flag) => ['share', 'help', 'break-glass'].includes(flag))).toEqual([]);
  });

  it('has a label of its own in the form of its kind', () => {
    const labels = fieldsOf(input).map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
  });
});
