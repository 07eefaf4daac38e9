import { describe, expect, it } from 'vitest';
import type { OperationInfo } from '../../../src/core/operation/ports.ts';
import {
  resolveService,
  serviceTarget,
  standing,
  typedName,
  type VisibilityPorts,
  visibleServices,
} from '../../../src/core/operation/resolve.ts';
import type { DirectoryEntry } from '../../../src/core/ports/ports.ts';
import { plain } from '../../../src/core/text/text.ts';
import { CONTEXT, fakePorts } from '../../support/operation-ports.ts';

const [A, B, C] = [1, 2, 3].map((n) => `${n}abcabca-1111-4111-8111-111111111111`) as [
  string,
  string,
  string,
];

function entry(id: string, name: string, more: Partial<DirectoryEntry> = {}): DirectoryEntry {
  return { id, name, organization: 'acme', tags: [], source: 'configuration', ...more };
}

/** The services named in `seen` are those that the person may know of; all by default. */
function portsOf(entries: readonly DirectoryEntry[], seen?: readonly string[]): VisibilityPorts {
  const ports = fakePorts({ entries });
  const policy = { ...ports.policy, seen: async () => new Set(seen) };
  return seen === undefined ? ports : { ...ports, policy };
}

async function resolved(typed: string, ports: VisibilityPorts): Promise<string> {
  const raw = { service: typed, size: '8' };
  const found = await resolveService(typed, { raw, field: 'service' }, ports, CONTEXT);
  if (!('problem' in found)) return `${found.id} called ${found.name}`;
  const { problem, field, suggestion } = found;
  const use = suggestion === undefined ? '' : ` ${JSON.stringify(suggestion)}`;
  return `${field}: ${plain(problem)}${use}`;
}

describe('a service', () => {
  const all = [entry(A, 'scratch'), entry(B, 'Analytics'), entry(C, 'double')];
  it.each([
    ['its name', 'scratch', `${A} called scratch`],
    ['its name, whatever the case', ' aNALYTICS ', `${B} called Analytics`],
    ['its id', A, `${A} called scratch`],
    ['its id in capitals', A.toUpperCase(), `${A} called scratch`],
    ['a name in typographic letters', 'scr\u200batch', `${A} called scratch`],
  ])('is found by %s', async (_name, typed, expected) => {
    expect(await resolved(typed, portsOf(all))).toBe(expected);
  });

  it('that the person may do nothing with is found by what they typed and never named', async () => {
    const hidden = portsOf(all, []);
    expect(await resolved('scratch', hidden)).toBe(`${A} called scratch`);
    expect(await resolved(A, hidden)).toBe(`${A} called ${A}`);
    expect(await resolved('scrtch', hidden)).toBe(
      'service: No service named scrtch. services lists those that Steward knows.',
    );
  });

  it('that nobody knows is a problem, with the near one as a suggestion', async () => {
    expect(await resolved('scrtch', portsOf(all))).toBe(
      'service: No service named scrtch. Did you mean scratch? {"label":"Use scratch","input":{"service":"scratch","size":"8"}}',
    );
    const other = '9abcabca-1111-4111-8111-111111111111';
    expect(await resolved(other, portsOf(all))).toBe(
      `service: No service with the id ${other} is known here. services lists those that Steward knows.`,
    );
  });

  it('of which there are two has to be told by its id, or is the one that may be seen', async () => {
    const twins = [entry(A, 'twin'), entry(B, 'Twin')];
    expect(await resolved('twin', portsOf(twins))).toBe(
      `service: twin is the name of several services; type the id: ${A}, ${B}.`,
    );
    expect(await resolved('twin', portsOf(twins, [B]))).toBe(`${B} called Twin`);
    expect(await resolved('twin', portsOf(twins, []))).toMatch(
      /^service: No service named twin\./u,
    );
    expect(await resolved(B, portsOf(twins))).toBe(`${B} called Twin`);
  });
});

describe('the services that somebody may know of', () => {
  function operation(id: OperationInfo['id'], more: Partial<OperationInfo>): OperationInfo {
    const slash = { words: [], positional: [], examples: [] };
    return { id, summary: '', title: '', risk: 'read', slash, fields: [], ...more };
  }
  const field = { key: 'service', widget: 'service' } as unknown as OperationInfo['fields'][number];
  const text = { key: 'name', widget: 'text' } as unknown as OperationInfo['fields'][number];

  it('are those that an operation about services may be done to', async () => {
    const ports = fakePorts({ entries: [entry(A, 'scratch', { tags: ['dev'] }), entry(B, 'b')] });
    const asked: unknown[] = [];
    const found = await visibleServices(
      {
        ...ports,
        catalogue: [
          operation('service.stop', { fields: [text, field] }),
          operation('directory.read', { listsServices: true }),
          operation('help.read', { open: true, listsServices: true, fields: [field] }),
          operation('invitation.create', { fields: [text] }),
        ],
        policy: {
          ...ports.policy,
          seen: async (...about) => {
            asked.push(about);
            return new Set([B]);
          },
        },
      },
      CONTEXT,
    );
    expect(found.map(({ id }) => id)).toEqual([B]);
    expect(asked).toEqual([
      [
        CONTEXT.actor,
        CONTEXT.place,
        {
          services: [
            { kind: 'service', id: A, name: 'scratch', organization: 'acme', tags: ['dev'] },
            { kind: 'service', id: B, name: 'b', organization: 'acme', tags: [] },
          ],
          actions: ['service.stop', 'directory.read'],
        },
      ],
    ]);
  });
});

describe('how a service stands', () => {
  const stateAt = '2026-11-27T10:02:00.000Z';
  it.each([
    [{}, 'acme · no state reported yet'],
    [{ tags: ['dev', 'eu'] }, 'dev, eu · acme · no state reported yet'],
    [{ state: 'running' }, 'last reported running'],
    [{ tags: ['dev'], state: 'running', stateAt }, `dev · last reported running, ${stateAt}`],
  ])('%j', (more, words) => {
    expect(plain(standing(entry(A, 'scratch', more)))).toBe(words);
  });

  it('is no part of a target', () => {
    const { kind, ...rest } = serviceTarget(entry(A, 'scratch', { state: 'running' }));
    expect([kind, rest]).toEqual([
      'service',
      { id: A, name: 'scratch', organization: 'acme', tags: [] },
    ]);
  });
});

describe('a name that was typed', () => {
  it.each([
    [{ service: 'scratch' }, 'scratch'],
    [{ service: 'x'.repeat(61) }, 'x'.repeat(60)],
    [{ service: '' }, 'the service'],
    [{ service: 7 }, 'the service'],
    [{}, 'the service'],
  ])('%j', (raw, words) => {
    expect(plain(typedName(raw, 'service', 'the service'))).toBe(words);
  });
});
