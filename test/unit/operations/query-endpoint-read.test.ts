import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/core/cloud/errors.ts';
import type { QueryEndpointRecord } from '../../../src/core/cloud/records.ts';
import type { DirectoryEntry } from '../../../src/core/ports/ports.ts';
import { plain } from '../../../src/core/text/text.ts';
import { queryEndpointRead } from '../../../src/operations/query-endpoint-read/query-endpoint-read.ts';
import { SERVICES } from '../../../src/sandbox/control-plane/seed.ts';
import { expectGolden } from '../../support/golden.ts';
import { fakePorts } from '../../support/operation-ports.ts';
import {
  executed,
  formOf,
  issuesOf,
  planned,
  problemOf,
  rendered,
  wordsOf,
} from '../../support/run-operation.ts';
import { type SandboxApi, startSandboxApi } from '../../support/sandbox-api.ts';

const entries = [entryOf(SERVICES.analytics), entryOf(SERVICES.scratch)];
const RAW = { service: 'analytics' };

function entryOf({ id, name, tag }: (typeof SERVICES)['analytics' | 'scratch']): DirectoryEntry {
  return { id, name, organization: 'acme', tags: [tag], source: 'configuration' };
}

function answering(record: QueryEndpointRecord) {
  return fakePorts({ entries, control: { queryEndpoint: async () => ({ result: record }) } });
}

describe('the plan', () => {
  it('is the service, with its tags', async () => {
    const { targets } = await planned(
      queryEndpointRead,
      { service: 'Analytics' },
      fakePorts({ entries }),
    );
    expect(targets).toMatchObject([{ kind: 'service', name: 'analytics', tags: ['prod'] }]);
  });

  it('suggests a near miss', async () => {
    const problem = await problemOf(
      queryEndpointRead,
      { service: 'analytcs' },
      fakePorts({ entries }),
    );
    expect(problem.suggestion).toEqual({ label: 'Use analytics', input: RAW });
  });

  it('wants a service', () => {
    expect(issuesOf(queryEndpointRead, {})).toEqual([{ field: 'service', message: '' }]);
    expect(issuesOf(queryEndpointRead, { service: ' ' })[0]?.message).toBe('Choose a service.');
  });
});

describe('what the asker reads', () => {
  it('stays as it is', async () => {
    const { card } = await executed(
      queryEndpointRead,
      RAW,
      answering({
        id: '0c1d2e3f-0001-4abc-9def-600000000001',
        allowedOrigins: 'https://app.example, https://admin.example ,',
        openApiKeys: [
          '1f2e3d4c-0001-4abc-9def-700000000001',
          '1f2e3d4c-0002-4abc-9def-700000000002',
        ],
        roles: ['sql_console_read_only'],
      }),
    );
    expectGolden('query-endpoint.read/set-up', rendered(card));
    expectGolden('query-endpoint.read/form', formOf(queryEndpointRead));
  });

  it.each<[string, QueryEndpointRecord, readonly string[]]>([
    ['roles of its own', { roles: ['overlord'], openApiKeys: [] }, ['overlord', 'none', '0 keys']],
    ['two origins', { allowedOrigins: 'a,b', openApiKeys: ['k'] }, ['none', 'a, b', '1 key']],
    ['empty origins', { allowedOrigins: ' , ', openApiKeys: [] }, ['none', 'none', '0 keys']],
  ])('of a record with %s', async (_, record, [roles, origins, keys]) => {
    const { card } = await executed(queryEndpointRead, RAW, answering(record));
    expect(card.facts?.map(({ value }) => plain(value))).toEqual([roles, origins]);
    expect(wordsOf(card)[0]).toBe(`The query endpoint of analytics is set up: ${keys} may use it.`);
  });
});

describe('a record without keys', () => {
  it('is not one with 0 keys', async () => {
    const { card } = await executed(queryEndpointRead, RAW, answering({ id: 'e1' }));
    expect(wordsOf(card)[0]).toBe(
      'The query endpoint of analytics is set up; the API did not say which keys may use it.',
    );
  });
});

describe('on the stand-in of the API', () => {
  let sandbox: SandboxApi;
  beforeAll(async () => {
    sandbox = await startSandboxApi();
  });
  afterAll(async () => await sandbox.close());

  it('reads the one that is set up', async () => {
    const { card } = await executed(
      queryEndpointRead,
      RAW,
      fakePorts({ entries, control: sandbox.control }),
    );
    expect(wordsOf(card)[0]).toContain('2 keys may use it');
  });

  it('says both of one that is not found', async () => {
    const ports = fakePorts({ entries, control: sandbox.control });
    const thrown: unknown = await executed(queryEndpointRead, { service: 'scratch' }, ports).catch(
      (error: unknown) => error,
    );
    expect(thrown).toMatchObject({ code: 'not-found', status: 404, cause: expect.any(AppError) });
    const words = thrown instanceof AppError ? plain(thrown.userMessage) : '';
    expect(words).toContain('it is not enabled, or the service was not found');
    expect(thrown).toHaveProperty('requestId', expect.any(String));
  });

  it('leaves other faults as they are', async () => {
    const error = new AppError('forbidden', { userMessage: 'the key may not do this' });
    const ports = fakePorts({ entries, control: { queryEndpoint: () => Promise.reject(error) } });
    await expect(executed(queryEndpointRead, RAW, ports)).rejects.toBe(error);
  });
});
