import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Operation, Planned } from '../../src/core/operation/operation.ts';
import type { Ports } from '../../src/core/operation/ports.ts';
import type { DirectoryEntry } from '../../src/core/ports/ports.ts';
import { readSlash } from '../../src/core/slash/slash.ts';
import { plain } from '../../src/core/text/text.ts';
import { operations } from '../../src/operations/index.ts';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { CONTEXT, DEV_NIGHTS, type FakePorts, fakePorts } from '../support/operation-ports.ts';
import { type SandboxApi, startSandboxApi } from '../support/sandbox-api.ts';

/** Every seeded service as `steward.yaml` would list it. */
const ENTRIES: readonly DirectoryEntry[] = Object.values(SERVICES).map(({ id, name, tag }) => ({
  id,
  name,
  organization: 'acme',
  tags: [tag],
  source: 'configuration',
}));

let sandbox: SandboxApi;
let ports: FakePorts;

beforeAll(async () => {
  sandbox = await startSandboxApi();
});
afterAll(() => sandbox.close());
beforeEach(() => {
  sandbox.plane.reset();
  const settings = {
    services: Object.values(SERVICES).map(({ tag, ...one }) => ({
      ...{ id: one.id, name: one.name, organization: 'acme', tags: [tag] },
    })),
    schedules: [DEV_NIGHTS],
  };
  const fake = fakePorts({ entries: ENTRIES, control: sandbox.control, settings });
  ports = { ...fake, catalogue: operations };
});

type Case = readonly [id: string, example: string, operation: Operation];

const COMPLETE: readonly Case[] = operations.flatMap((operation) =>
  operation.slash.examples
    .filter((example) => !('issues' in operation.prepare(rawOf(example))))
    .map((example): Case => [operation.id, example, operation]),
);

function rawOf(example: string) {
  const reading = readSlash(example, operations);
  if (reading.kind !== 'operation') throw new TypeError(`Nobody understands ${example}.`);
  return reading.raw;
}

/** Where only one cloud has an operation, the organization is of that one. */
function inItsCloud({ onlyIn }: Operation, given: Ports): Ports {
  const now = given.settings.get();
  const names = onlyIn ?? 'neutral';
  const organizations = now.organizations.map((one) => ({ ...one, names }));
  return { ...given, settings: { get: () => ({ ...now, organizations }) } };
}

async function planOf(operation: Operation, example: string, given: Ports): Promise<Planned> {
  const prepared = operation.prepare(rawOf(example));
  if ('issues' in prepared) throw new TypeError(JSON.stringify(prepared.issues));
  const plan = await prepared.plan(inItsCloud(operation, given), CONTEXT);
  if ('problem' in plan) throw new TypeError(plain(plan.problem));
  return plan;
}

it('every operation has an example that is complete', () => {
  expect(new Set(COMPLETE.map(([id]) => id))).toEqual(new Set(operations.map(({ id }) => id)));
});

describe.each(COMPLETE)('%s, as in %j', (_id, example, operation) => {
  it('only reads while it plans', async () => {
    await planOf(operation, example, ports);
    const methods = sandbox.plane.requests().map(({ method }) => method);
    expect(methods.filter((method) => method !== 'GET')).toEqual([]);
    expect(ports.noted).toEqual([]);
    expect(ports.kept).toEqual([]);
  });

  it('plans the same for the same question, and binds to it', async () => {
    const [one, other] = [
      await planOf(operation, example, ports),
      await planOf(operation, example, ports),
    ];
    expect(one.digest).toMatch(/^[0-9a-f]{64}$/u);
    expect(other.digest).toBe(one.digest);
    expect(other.targets).toEqual(one.targets);
  });

  it('says what would happen, what happens and what may have happened, if it changes anything', async () => {
    const { preview, running, unknown, targets } = await planOf(operation, example, ports);
    if (operation.risk === 'read') {
      expect([preview, running, unknown]).toEqual([undefined, undefined, undefined]);
      return;
    }
    // The summary of a channel is the channel's own: the place is judged, nothing else.
    if (!operation.id.startsWith('digest.')) expect(targets.length).toBeGreaterThan(0);
    expect(plain(preview?.question ?? [])).toMatch(/\?$/u);
    expect(plain(preview?.ask ?? [])).toMatch(/^[a-z]/u);
    expect(preview?.lines.length).toBeGreaterThan(0);
    expect(preview?.button).toMatch(/^.{1,75}$/u);
    expect(plain(running ?? [])).toMatch(/ …$/u);
    expect(plain(unknown?.state ?? [])).toMatch(/ may have /u);
    expect(plain(unknown?.check ?? [])).toMatch(/\.$/u);
  });

  it('is found in the journal by the name of what it makes', async () => {
    const { makes } = await planOf(operation, example, ports);
    if (operation.id.endsWith('.create')) expect(makes).toMatch(/\S/u);
    else expect(makes).toBeUndefined();
  });

  it('names its object when it is refused', () => {
    expect(plain(operation.refused(rawOf(example)))).toMatch(/ (?:was|were) not \w+$/u);
    expect(plain(operation.refused({}))).toMatch(/^\S.* (?:was|were) not \w+$/u);
  });
});
