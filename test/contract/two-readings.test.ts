import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createPipeRequest, SOURCE_KINDS } from '../../src/core/cloud/pipe.ts';
import { serviceFields, serviceRecord, stateRequest } from '../../src/core/cloud/service.ts';
import { PIPE_FORMS } from '../../src/operations/pipe-create/pipe-definition.ts';
import { startControlPlane } from '../../src/sandbox/control-plane/control-plane.ts';
import {
  pipeRequest,
  SOURCE_KINDS as SANDBOX_KINDS,
} from '../../src/sandbox/control-plane/pipes/pipe-request.ts';
import { ACME, KEYS, SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { commandRequest } from '../../src/sandbox/control-plane/services/command.ts';
import { createServiceRequest } from '../../src/sandbox/control-plane/services/create-request.ts';
import { createTestClock } from '../support/settable-clock.ts';

/** The stand-in reads the specification for itself; what both wrote down has to be the same. */

type Node = z.core.JSONSchema.BaseSchema;
type Facts = Readonly<Record<string, unknown>>;

/** What each field takes, by its dotted path: lists are told by their items. */
function fieldsIn(
  schema: z.ZodType,
  facts: (node: Node) => Facts,
): Readonly<Record<string, Facts>> {
  const root = z.toJSONSchema(schema, { unrepresentable: 'any' });
  return Object.fromEntries(walk(root, '', facts));
}

function walk(
  node: Node,
  path: string,
  facts: (node: Node) => Facts,
): (readonly [string, Facts])[] {
  const members = Object.entries(node.properties ?? {});
  const { items } = node;
  if (isNode(items)) return walk(items, `${path}[]`, facts);
  if (members.length === 0) return [[path, facts(node)]];
  return members.flatMap(([key, member]) =>
    isNode(member) ? walk(member, path === '' ? key : `${path}.${key}`, facts) : [],
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const kindOf = ({ type }: Node): Facts => ({ type: type === 'integer' ? 'number' : type });
const valuesOf = ({ enum: values }: Node): Facts => ({ values });
const boundsOf = ({ minimum, maximum }: Node): Facts => ({ minimum, maximum });

/** The stand-in takes these of a request in ClickHouse's names only. Spec: Pipe record. */
const REPORTED_ONLY =
  /\.(?:type|authentication|format|strategy|iteratorType|replicationMode|tableEngine)$/u;
const REGISTRY = /schemaRegistry\.authentication$|columns\[\]\.type$/u;

function pipeFields(schema: z.ZodType, facts: (node: Node) => Facts) {
  const fields = Object.entries(fieldsIn(schema, facts));
  const asked = fields.filter(([path]) => !REPORTED_ONLY.test(path) || REGISTRY.test(path));
  return Object.fromEntries(asked);
}

describe('both readings of a service’s creation', () => {
  it.each<[string, (node: Node) => Facts]>([
    ['kinds', kindOf],
    ['values', valuesOf],
    ['bounds', boundsOf],
    ['steps and lengths', ({ multipleOf = 1, maxLength }) => ({ multipleOf, maxLength })],
  ])('have the same fields and their %s', (_, facts) => {
    // An address has a check of its own on either side.
    const without = (fields: object) =>
      Object.fromEntries(Object.entries(fields).filter(([path]) => !path.endsWith('[].source')));
    expect(without(fieldsIn(serviceFields, facts))).toEqual(
      without(fieldsIn(createServiceRequest, facts)),
    );
  });

  it('have the same fields, the address of an entry among them', () => {
    const paths = Object.keys(fieldsIn(serviceFields, kindOf));
    expect(paths.sort()).toEqual(Object.keys(fieldsIn(createServiceRequest, kindOf)).sort());
    expect(paths).toContain('ipAccessList[].source');
    expect(paths).toHaveLength(27);
  });
});

describe('both readings of a pipe’s creation', () => {
  it('have the same fields of the same kinds', () => {
    const fields = pipeFields(createPipeRequest, kindOf);
    expect(fields).toEqual(pipeFields(pipeRequest, kindOf));
    expect(Object.keys(fields).length).toBeGreaterThan(70);
  });

  it('have the same values of closed sets, as the form knows them', () => {
    const form = pipeFields(PIPE_FORMS.neutral.definition, valuesOf);
    const standIn = Object.entries(pipeFields(pipeRequest, valuesOf));
    const closed = standIn.filter(([, { values }]) => values !== undefined);
    expect(closed.map(([path]) => path).sort()).toEqual([
      'source.kafka.schemaRegistry.authentication',
      'source.objectStorage.compression',
    ]);
    for (const [path, values] of closed) expect(form[path], path).toEqual(values);
    expect(SOURCE_KINDS).toEqual(SANDBOX_KINDS);
  });

  it('have the same bounds, as the form knows them, but for one that it adds', () => {
    const form = pipeFields(PIPE_FORMS.neutral.definition, boundsOf);
    for (const [path, bounds] of Object.entries(pipeFields(pipeRequest, boundsOf))) {
      if (bounds['minimum'] === undefined) continue;
      const own = path === 'source.kinesis.timestamp' ? { maximum: 99_999_999_999 } : {};
      expect(form[path], path).toEqual({ ...bounds, ...own });
    }
  });
});

it('both know the same commands', () => {
  expect(fieldsIn(stateRequest, valuesOf)).toEqual(fieldsIn(commandRequest, valuesOf));
});

it('every field of the stand-in’s service record is one that is read, but for the key', async () => {
  const clock = createTestClock('2026-11-27T10:00:00Z');
  const plane = await startControlPlane({ clock });
  const { id, secret } = KEYS.admin;
  const path = `/v1/organizations/${ACME.id}/services/${SERVICES.scratch.id}/state`;
  const reply = await fetch(`${plane.url}${path}`, {
    method: 'PATCH',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ command: 'stop' }),
  });
  const answer: unknown = await reply.json();
  await plane.close();
  const { result } = z.object({ result: z.record(z.string(), z.unknown()) }).parse(answer);
  const unread = Object.keys(result).filter((key) => !Object.hasOwn(serviceRecord.shape, key));
  expect(Object.keys(result).length).toBeGreaterThan(15);
  expect(unread.filter((key) => key !== 'encryptionKey')).toEqual([]);
});
