import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../../../src/core/ports/journal.ts';
import { plain } from '../../../../src/core/text/text.ts';
import { ANA, CONTEXT, journalEntry } from '../../../support/operation-ports.ts';
import { LEAST, SECRETS } from '../../../support/pipe-fields.ts';
import { ANALYTICS, pipePorts, planOf, problemOf } from './fixture.ts';

const ORDERS = { name: 'orders', sourceKind: 'kafka', ...LEAST.kafka };
const FULL = { ...ORDERS, kafkaCredentials: 'kafka-prod' };
const AZURE = {
  ...LEAST.objectStorage,
  name: 'orders',
  sourceKind: 'objectStorage',
  storageUrl: '',
  storageAzureContainerName: 'orders',
  storagePath: '*.json',
  storageConnectionString: 'azure',
};
const TARGET = { kind: 'service', id: ANALYTICS.id, name: 'analytics' } as const;

async function planned(raw: object, ports = pipePorts()) {
  const plan = await planOf({ ...raw }, ports);
  if ('problem' in plan) throw new TypeError(plain(plan.problem));
  return plan;
}

describe('planning a pipe', () => {
  it('acts on the service and is bound to what is sent', async () => {
    const plan = await planned(FULL);
    expect(plan.targets).toEqual([{ ...TARGET, organization: 'acme', tags: ['prod'] }]);
    const again = await planned({ ...FULL });
    const other = await planned({ ...FULL, kafkaTopics: 'others' });
    expect(again.digest).toBe(plan.digest);
    expect(other.digest).not.toBe(plan.digest);
  });

  it('says to the approver where it reads and where it writes', async () => {
    const { preview } = await planned(FULL);
    expect(plain(preview?.ask ?? [])).toBe(
      'create the pipe orders (Kafka) on analytics (prod, acme)',
    );
    expect(preview?.lines.map(plain)).toEqual([
      'From Kafka orders at broker.example.com:9092 to orders.',
      'Kafka credentials: kafka-prod',
      'Managed table: yes',
      'Columns: id UInt64',
      'Field mappings: id -> id',
      'prod · last reported running, 2026-11-27T10:00:00.000Z. A pipe costs compute while it runs.',
    ]);
  });

  it.each<[object, string]>([
    [
      { ...LEAST.kinesis, name: 'a', sourceKind: 'kinesis' },
      'Kinesis orders (us-east-1) to orders',
    ],
    [
      {
        ...LEAST.objectStorage,
        name: 'a',
        sourceKind: 'objectStorage',
        database: 'raw',
        storageUrl: 'https://x.example.com/a?versionId=3',
      },
      'object storage https://x.example.com/a to raw.orders',
    ],
    [AZURE, 'object storage orders/*.json to orders'],
    [
      { ...LEAST.postgres, name: 'a', sourceKind: 'postgres' },
      'Postgres db.example.com:5432/app (1 table) to raw',
    ],
  ])('tells each source apart', async (raw, words) => {
    expect(plain((await planned(raw)).preview?.lines[0] ?? [])).toBe(`From ${words}.`);
  });

  it('warns where the service was last seen at rest, and goes on', async () => {
    const { preview } = await planned({ ...FULL, service: 'archive' });
    expect(preview?.lines.map(plain).at(-1)).toMatch(
      /^The API refuses pipes unless the service is running; last reported idle, .*2026.*\. Idle is not stopped: .*a query wakes it\.$/u,
    );
  });

  it.each([
    [{ service: 'analytcs' }, 'service', 'Did you mean analytics?', { service: 'analytics' }],
    [
      { kafkaCredentials: 'kafka-prd' },
      'kafkaCredentials',
      'There: kafka-prod, lake or azure.',
      { kafkaCredentials: 'kafka-prod' },
    ],
    [{ kafkaCredentials: 'fake-guess' }, 'kafkaCredentials', 'no entry of that name', undefined],
    [
      { kafkaCredentials: 'lake' },
      'kafkaCredentials',
      'lake holds no username and password',
      undefined,
    ],
    [
      { registryUrl: 'https://r.example.com', registryCredentials: 'azure' },
      'registryCredentials',
      'azure holds no username',
      undefined,
    ],
    [
      { definition: '{source: {kafka: {credentials: fake-guess}}}' },
      'definition',
      'no entry of that name',
      undefined,
    ],
  ])('answers %j with a problem', async (changes, field, words, suggested) => {
    const problem = await problemOf({ ...ORDERS, ...changes });
    expect(problem.field).toBe(field);
    expect(plain(problem.problem)).toContain(words);
    expect(plain(problem.problem)).not.toContain('fake-guess');
    const input = suggested && { ...ORDERS, ...changes, service: 'analytics', ...suggested };
    expect(problem.suggestion?.input).toEqual(input);
  });
});

describe('an equal create before', () => {
  const earlier = journalEntry({
    operation: 'pipe.create',
    openedAt: '2026-11-27T09:55:00.000Z',
    input: { name: 'orders' },
    targets: [TARGET],
  });

  const doublesOf = async (entry: JournalEntry): Promise<readonly string[]> =>
    (await planned(ORDERS, pipePorts([entry]))).doubles.map(({ text }) => plain(text));

  it('is asked about, with its age', async () => {
    expect(await doublesOf(earlier)).toEqual([
      `The pipe orders on analytics was created by @${ANA.userId} 7 minutes ago (journal 812).`,
    ]);
  });

  it('also after an unknown outcome, and by the hash of a pasted definition', async () => {
    expect((await doublesOf({ ...earlier, outcome: 'unknown' }))[0]).toContain(
      'may have been created',
    );
    const { digest } = await planned(ORDERS);
    const pasted = { ...earlier, input: { definition: '[redacted]' }, planHash: digest };
    expect(await doublesOf(pasted)).toHaveLength(1);
  });

  it.each([
    ['another name', { input: { name: 'clicks' } }],
    ['a failed one', { outcome: 'failed' as const }],
    ['one of last month', { openedAt: '2026-10-27T09:51:00.000Z' }],
    ['another service', { targets: [{ ...TARGET, id: 'other' }] }],
    ['another operation', { operation: 'service.create' }],
  ])('not after %s', async (_what, changes) => {
    expect(await doublesOf({ ...earlier, ...changes })).toEqual([]);
  });
});

describe('sending it', () => {
  it('looks credentials up at the last moment and keeps them out of everything else', async () => {
    for (const raw of [FULL, AZURE]) {
      const ports = pipePorts();
      const plan = await planned(raw, ports);
      const executed = await plan.execute(ports, CONTEXT);
      expect(executed.requestId).toBe('req-1');
      const told = JSON.stringify([plan, executed]);
      expect(SECRETS.filter((secret) => told.includes(secret))).toEqual([]);
      expect(SECRETS.some((secret) => JSON.stringify(ports.sent).includes(secret))).toBe(true);
    }
  });

  it('stops where a credential is gone since it was planned', async () => {
    const ports = pipePorts();
    const plan = await planned(FULL, ports);
    const bare = { ...ports, credentials: { ...ports.credentials, values: () => ({}) } };
    await expect(async () => plan.execute(bare, CONTEXT)).rejects.toMatchObject({
      code: 'not-configured',
      changed: 'no',
    });
    expect(ports.sent).toEqual([]);
  });

  it('says what to check when the outcome is unknown', async () => {
    const { unknown, running } = await planned(FULL);
    expect(plain(running ?? [])).toBe('Creating the pipe orders on analytics …');
    expect(plain(unknown?.state ?? [])).toMatch(
      /^The pipe orders may have been created on analytics$/u,
    );
  });
});
