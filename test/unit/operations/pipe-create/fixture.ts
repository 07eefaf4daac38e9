import type { AnyCreatePipeRequest } from '../../../../src/core/cloud/clickhouse-pipe.ts';
import type { PipeRecord } from '../../../../src/core/cloud/pipe.ts';
import type { Issue, Problem } from '../../../../src/core/operation/outcome.ts';
import type { JournalEntry } from '../../../../src/core/ports/journal.ts';
import type { DirectoryEntry } from '../../../../src/core/ports/ports.ts';
import { pipeCreate } from '../../../../src/operations/pipe-create/pipe-create.ts';
import { CONTEXT, type FakePorts, fakePorts } from '../../../support/operation-ports.ts';
import { CREDENTIALS } from '../../../support/pipe-fields.ts';

export const ANALYTICS: DirectoryEntry = {
  id: '0b7e1f52-6a0c-4d3b-8e21-100000000001',
  name: 'analytics',
  organization: 'acme',
  tags: ['prod'],
  source: 'configuration',
  state: 'running',
  stateAt: '2026-11-27T10:00:00.000Z',
};

const ARCHIVE: DirectoryEntry = {
  ...ANALYTICS,
  id: 'e41b7a98-0c3d-4f5e-b6a7-100000000004',
  name: 'archive',
  state: 'idle',
  stateAt: '2026-11-27T09:02:00.000Z',
};

export type PipePorts = FakePorts & { readonly sent: AnyCreatePipeRequest[] };

/** Ports that keep what would be sent. */
export function pipePorts(
  journal: readonly JournalEntry[] = [],
  record: PipeRecord = { state: 'Provisioning', facts: {} },
): PipePorts {
  const sent: AnyCreatePipeRequest[] = [];
  const ports = fakePorts({
    entries: [ANALYTICS, ARCHIVE],
    settings: { credentials: CREDENTIALS },
    journal,
    control: {
      createPipe: async (_organization, _serviceId, request) => {
        sent.push(request);
        return { result: record, requestId: 'req-1' };
      },
    },
  });
  return { ...ports, sent };
}

export function issuesOf(raw: Readonly<Record<string, unknown>>): readonly Issue[] {
  const prepared = pipeCreate.prepare({ service: 'analytics', ...raw });
  return 'issues' in prepared ? prepared.issues : [];
}

/** `field: message` of each. */
export function saidOf(raw: Readonly<Record<string, unknown>>): readonly string[] {
  return issuesOf(raw).map(({ field, message }) => `${field}: ${message}`);
}

export async function planOf(raw: Readonly<Record<string, unknown>>, ports = pipePorts()) {
  const prepared = pipeCreate.prepare({ service: 'analytics', ...raw });
  if ('issues' in prepared) throw new TypeError(JSON.stringify(prepared.issues));
  return await prepared.plan(ports, CONTEXT);
}

export async function problemOf(
  raw: Readonly<Record<string, unknown>>,
  ports = pipePorts(),
): Promise<Problem> {
  const plan = await planOf(raw, ports);
  if ('problem' in plan) return plan;
  throw new TypeError('It was planned.');
}

/** The request that a form's input leads to. */
export async function requestOf(raw: Readonly<Record<string, unknown>>) {
  const ports = pipePorts();
  const plan = await planOf(raw, ports);
  if ('problem' in plan) throw new TypeError(JSON.stringify(plan));
  await plan.execute(ports, CONTEXT);
  const [request] = ports.sent;
  if (request === undefined) throw new TypeError('Nothing was sent.');
  return request;
}
