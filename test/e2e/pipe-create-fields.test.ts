import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPipeRequest, SOURCE_KINDS, type SourceKind } from '../../src/core/cloud/pipe.ts';
import { isNested, valueAt } from '../../src/operations/pipe-create/definition.ts';
import { pipeCreate } from '../../src/operations/pipe-create/pipe-create.ts';
import { fillForm, type Typed } from '../support/fill-form.ts';
import { allowEverything } from '../support/permissive.ts';
import type { Person } from '../support/person.ts';
import { CREDENTIALS, LEAST, PIPE_FIELD_SAMPLES, SECRETS } from '../support/pipe-fields.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

const KAFKA = CREDENTIALS[0].values;
const LAKE = CREDENTIALS[1].values;
const AZURE = CREDENTIALS[2].values;

let world: StewardWorld;
let ana: Person;
beforeEach(async () => {
  world = await startWorld({
    settings,
    env: {
      KAFKA_PASSWORD: KAFKA.password,
      LAKE_SECRET_KEY: LAKE.secretKey,
      AZURE_CONNECTION: AZURE.connectionString,
    },
  });
  ana = world.as('ana').in('#ops');
});
afterEach(() => world.close());

/** The credentials of the samples, with their secrets in the environment. */
function settings(yaml: string): string {
  const credentials = `credentials:
  lake: { accessKeyId: ${LAKE.accessKeyId}, secretKey: \${LAKE_SECRET_KEY} }
  azure: { connectionString: \${AZURE_CONNECTION} }
`;
  return allowEverything(yaml)
    .replace('credentials:\n', () => credentials)
    .replace('username: steward', `username: ${KAFKA.username}`);
}

function samplesOf(kind: SourceKind) {
  return PIPE_FIELD_SAMPLES.filter((sample) => sample.kind === kind);
}

/** Columns and mappings of the sample go together; what else is least stays. */
function typedFor(kind: SourceKind): Typed {
  const samples = samplesOf(kind);
  const also = Object.assign({}, ...samples.map((sample) => sample.also ?? {}));
  const most = Object.fromEntries(samples.map(({ key, typed }) => [key, typed]));
  const name = { service: 'analytics', name: 'most', sourceKind: kind };
  return { ...name, ...LEAST[kind], ...also, ...most };
}

const LEAVES: ReadonlySet<string> = new Set(PIPE_FIELD_SAMPLES.map(({ path }) => path));

/** Dotted paths of the specification's fields that a body sets. */
function pathsOf(value: unknown, path = ''): readonly string[] {
  if (LEAVES.has(path) || !isNested(value)) return [path];
  return Object.entries(value).flatMap(([key, member]) =>
    pathsOf(member, path === '' ? key : `${path}.${key}`),
  );
}

/** The one body that reached the API. */
function sentBody(): Readonly<Record<string, unknown>> {
  const bodies = world.plane
    .requests()
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/pipes'))
    .map(({ body }) => body);
  expect(bodies).toHaveLength(1);
  const [body] = bodies;
  if (!isNested(body)) throw new TypeError('Nothing was sent.');
  return body;
}

describe.each(SOURCE_KINDS)('a %s pipe', (kind) => {
  it('sends every field of the specification exactly as it was typed', async () => {
    await ana.command('/db pipe');
    await ana.expectModal(/Create a pipe/u);
    await fillForm(ana, pipeCreate, typedFor(kind));
    await ana.submit();
    await ana.expectMessage(/@ana created the pipe \w+ on analytics/u);
    const body = sentBody();
    for (const { path, sent, defined } of samplesOf(kind)) {
      expect(valueAt(body, path), path).toEqual(sent ?? defined);
    }
    const expected = new Set(samplesOf(kind).map(({ path }) => path));
    const set = pathsOf(body);
    expect([...expected].filter((path) => !set.includes(path))).toEqual([]);
    expect(set.filter((path) => !LEAVES.has(path))).toEqual([]);
    expect(createPipeRequest.safeParse(body).error).toBeUndefined();
  });

  it('keeps its secrets off Slack, logs and disk', async () => {
    await ana.command('/db pipe');
    await fillForm(ana, pipeCreate, typedFor(kind));
    await ana.submit();
    await ana.expectMessage(/@ana created the pipe/u);
    const places = [
      JSON.stringify(world.workspace.traffic().map(({ sent, answered }) => [sent, answered])),
      JSON.stringify(world.logs),
      await world.dataBytes(),
    ];
    for (const secret of SECRETS) {
      expect(places.map((place) => place.includes(secret))).toEqual([false, false, false]);
    }
  });
});
