import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { stewardFileSchema } from '../../../src/config/file-schema.ts';

type Schema = {
  readonly type?: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
};

function keysWithout(schema: Schema, path: string): readonly string[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([key, one]) => [
    ...(one.description === undefined ? [`${path}${key}`] : []),
    ...keysWithout(one, `${path}${key}.`),
  ]);
  const { additionalProperties: each, items } = schema;
  return [
    ...inside,
    ...(typeof each === 'object' ? keysWithout(each, `${path}*.`) : []),
    ...(items === undefined ? [] : keysWithout(items, `${path}[].`)),
  ];
}

/** As much of JSON Schema as this one uses. */
function complaints(value: unknown, schema: Schema, path = ''): readonly string[] {
  if (typeof value === 'string') {
    const fits = schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(value);
    const listed = schema.enum === undefined || schema.enum.includes(value);
    return fits && listed ? [] : [`${path}: ${value}`];
  }
  if (Array.isArray(value)) {
    return value.flatMap((one, at) => complaints(one, schema.items ?? {}, `${path}[${at}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {}, additionalProperties: each, required = [] } = schema;
  const missing = required.filter((key) => !(key in value)).map((key) => `${path}.${key}: missing`);
  return [
    ...missing,
    ...Object.entries(value).flatMap(([key, one]) => {
      const known = properties[key] ?? (typeof each === 'object' ? each : undefined);
      if (known !== undefined) return complaints(one, known, `${path}.${key}`);
      return each === false ? [`${path}.${key}: unknown`] : [];
    }),
  ];
}

const schema: Schema = stewardFileSchema();
// Its variables are values before they are YAML.
const example: unknown = parse(
  readFileSync('steward.example.yaml', 'utf8').replaceAll(/(?<!["'])\$\{\w+\}/gu, '"$&"'),
);

it('says of every key of steward.yaml what it is for', () => {
  expect(keysWithout(schema, '')).toEqual([]);
});

it('underlines nothing in the example, and what is wrong in another file', () => {
  expect(complaints(example, schema)).toEqual([]);
  expect(complaints({ command: 'db', chanels: {} }, schema)).toEqual([
    '.command: db',
    '.chanels: unknown',
  ]);
});

it('takes a value of the environment wherever an id is', () => {
  const file = { channels: { ops: { id: '${'.concat('OPS_CHANNEL}') } } };
  expect(complaints(file, schema)).toEqual([]);
});
