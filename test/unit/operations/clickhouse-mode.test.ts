import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/core/operation/operation.ts';
import { createRegistry } from '../../../src/core/operation/registry.ts';
import type { DirectoryEntry } from '../../../src/core/ports/ports.ts';
import type { NamesMode } from '../../../src/core/settings/settings.ts';
import { plain } from '../../../src/core/text/text.ts';
import { operations } from '../../../src/operations/index.ts';
import { CLOUD_CREDENTIALS } from '../../support/cloud-inputs.ts';
import { CONTEXT, fakePorts, settingsWith } from '../../support/operation-ports.ts';
import { problemOf } from '../../support/run-operation.ts';

const [FIRST] = settingsWith().organizations;

function organizations(...spoken: readonly NamesMode[]) {
  if (FIRST === undefined) throw new TypeError('There is no organization.');
  return spoken.map((names) => ({ ...FIRST, key: names, names }));
}

/** The operation as it is where organizations speak so. */
function operationIn(id: string, ...spoken: readonly NamesMode[]): Operation {
  const settings = settingsWith({ organizations: organizations(...spoken) });
  return createRegistry(operations, { get: () => settings }).get(id);
}

function portsWith(...spoken: readonly NamesMode[]) {
  return fakePorts({
    settings: { organizations: organizations(...spoken), credentials: CLOUD_CREDENTIALS },
    entries: spoken.map(serviceOf),
    control: {
      roles: async () => ({
        result: [
          { id: 'r-1', name: 'Analyst', type: 'custom' },
          { id: 'r-2', name: 'Admin', type: 'system' },
        ],
      }),
    },
  });
}

function serviceOf(names: NamesMode): DirectoryEntry {
  const id = `${names === 'neutral' ? '0' : '1'}b7e1f52-6a0c-4d3b-8e21-100000000001`;
  return { id, name: `on ${names}`, organization: names, tags: [], source: 'configuration' };
}

const keysOf = (operation: Operation) => operation.fields.map(({ key }) => key);

const OFFERED = [
  ['service.create', ['autoscalingMode', 'minReplicas', 'maxReplicas', 'tags', 'enableCoreDumps']],
  ['pipe.create', ['kafkaType', 'kinesisIteratorType', 'storageServiceAccountKey', 'engineType']],
  ['invitation.create', ['roles']],
  ['dashboard.delete', ['service']],
] as const;

describe.each(OFFERED)('%s', (id, own) => {
  it('is by the specification where no organization is of ClickHouse Cloud', () => {
    const neutral = operationIn(id, 'neutral');
    expect(keysOf(neutral).filter((key) => own.some((each) => each === key))).toEqual([]);
    expect(neutral.fields).toEqual(operations.find((one) => one.id === id)?.fields);
  });

  it('offers what that cloud takes where one is, and all of the specification’s fields', () => {
    const all = keysOf(operationIn(id, 'neutral'));
    for (const cloud of [operationIn(id, 'clickhouse'), operationIn(id, 'clickhouse', 'neutral')]) {
      expect(keysOf(cloud)).toEqual(expect.arrayContaining([...own, ...all]));
    }
  });
});

describe('where organizations of both kinds are configured', () => {
  const SERVICE = {
    ...{ name: 'x', provider: 'aws', region: 'us-east-1' },
    ipAccessList: '203.0.113.0/24 office',
  };
  const said = async (id: string, raw: Readonly<Record<string, unknown>>) => {
    const both = operationIn(id, 'neutral', 'clickhouse');
    const { field, problem } = await problemOf(both, raw, portsWith('neutral', 'clickhouse'));
    return `${field}: ${plain(problem)}`;
  };

  it.each([
    [{ tags: 'team=data' }, 'neutral', 'tags'],
    [{ region: 'ca-central-1' }, 'neutral', 'region'],
    [{ region: 'me-central-1' }, 'clickhouse', 'region'],
    [{ profile: 'v1-highcpu-s' }, 'clickhouse', 'profile'],
  ])('a creation with %j is not for %s', async (more, organization, field) => {
    expect(await said('service.create', { ...SERVICE, ...more, organization })).toBe(
      `${field}: The cloud of this organization does not take this.`,
    );
  });

  it('a pipe is read by the cloud of its service', async () => {
    const least = {
      ...{ name: 'orders', sourceKind: 'kafka', kafkaBrokers: 'b-1:9092', kafkaTopics: 't' },
      ...{ database: 'd', table: 't', managedTable: 'true' },
      ...{ columns: 'id UInt64', fieldMappings: 'id -> id' },
    };
    const both = operationIn('pipe.create', 'neutral', 'clickhouse');
    const prepared = both.prepare({ ...least, service: 'on neutral' });
    if ('issues' in prepared) throw new TypeError(JSON.stringify(prepared.issues));
    const plan = await prepared.plan(portsWith('neutral', 'clickhouse'), CONTEXT);
    expect(plan).not.toHaveProperty('problem');
    expect(await said('pipe.create', { ...least, service: 'on clickhouse' })).toBe(
      'kafkaType: Needed by ClickHouse Cloud.',
    );
  });

  it('neither roles nor dashboards of a service are for the specification’s API', async () => {
    const invited = { email: 'ana@example.com', roles: 'Analyst', organization: 'neutral' };
    expect(await said('invitation.create', invited)).toBe(
      'roles: The cloud of neutral takes no roles.',
    );
    const id = '6601aa00bb11cc22dd33ee03';
    expect(await said('dashboard.delete', { id, confirmId: id, service: 'on neutral' })).toBe(
      'service: The cloud of on neutral has no dashboards of its own.',
    );
  });
});

describe('in clickhouse mode', () => {
  it('a role that is not known is answered with those that are', async () => {
    const invite = operationIn('invitation.create', 'clickhouse');
    const raw = { email: 'ana@example.com', roles: 'Analyst\nOwner' };
    const { problem } = await problemOf(invite, raw, portsWith('clickhouse'));
    expect(plain(problem)).toBe('There is no role Owner in clickhouse. There: Analyst or Admin.');
  });

  it.each([
    [{ kafkaType: 'warpstream', kafkaAuthentication: 'MUTUAL_TLS' }, 'kafkaAuthentication'],
    [{ kafkaAuthentication: 'IAM_ROLE', kafkaType: 'msk' }, 'kafkaIamRole'],
    [{ kafkaIamRole: 'arn:x' }, 'kafkaIamRole'],
    [{ kafkaOffsetStrategy: 'from_timestamp' }, 'kafkaOffsetTimestamp'],
    [{ engineType: 'MergeTree', engineColumnIds: 'a' }, 'engineColumnIds'],
  ])('%j is told beside its field', (more, field) => {
    const prepared = operationIn('pipe.create', 'clickhouse').prepare({
      ...{ service: 'on clickhouse', name: 'orders', sourceKind: 'kafka', kafkaTopics: 't' },
      ...{ kafkaBrokers: 'b-1:9092', kafkaFormat: 'Avro', kafkaType: 'kafka' },
      ...{ kafkaAuthentication: 'PLAIN', kafkaCredentials: 'login', engineType: 'MergeTree' },
      ...{ database: 'd', table: 't', managedTable: 'true' },
      ...{ columns: 'id UInt64', fieldMappings: 'id -> id' },
      ...more,
    });
    const issues = 'issues' in prepared ? prepared.issues : [];
    expect(issues.map((issue) => issue.field)).toContain(field);
  });

  it('tags are typed and kept as key=value, and told before they are sent', async () => {
    const create = operationIn('service.create', 'clickhouse');
    const raw = {
      ...{ name: 'x', provider: 'azure', region: 'centralus', ipAccessList: '203.0.113.0/24' },
      tags: 'team=data prod',
    };
    const prepared = create.prepare(raw);
    if ('issues' in prepared) throw new TypeError(JSON.stringify(prepared.issues));
    const plan = await prepared.plan(portsWith('clickhouse'), CONTEXT);
    if ('problem' in plan) throw new TypeError(plain(plan.problem));
    const lines = plan.preview?.lines.map(plain).join('\n');
    expect(lines).toContain('tag team=data');
    expect(lines).toContain('tag prod');
    const wrong = create.prepare({ ...raw, tags: 'ok\nteam=a/b' });
    expect('issues' in wrong && wrong.issues).toEqual([
      { field: 'tags', message: expect.stringMatching(/^Entry 2: letters, digits/u) },
    ]);
  });
});
