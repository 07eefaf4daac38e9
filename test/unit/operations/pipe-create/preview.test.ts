import { describe, expect, it } from 'vitest';
import { SOURCE_KINDS } from '../../../../src/core/cloud/pipe.ts';
import { readSlash } from '../../../../src/core/slash/slash.ts';
import { plain } from '../../../../src/core/text/text.ts';
import { asFormText } from '../../../../src/operations/pipe-create/draft.ts';
import { pipeCreate } from '../../../../src/operations/pipe-create/pipe-create.ts';
import { LEAST, PIPE_FIELD_SAMPLES } from '../../../support/pipe-fields.ts';
import { planOf, problemOf, requestOf } from './fixture.ts';

async function linesOf(raw: Readonly<Record<string, unknown>>): Promise<string> {
  const plan = await planOf(raw);
  if ('problem' in plan) throw new TypeError(plain(plan.problem));
  return (plan.preview?.lines ?? []).map(plain).join('\n');
}

describe('what the approver of a pipe reads', () => {
  it.each(SOURCE_KINDS)('holds every value of a %s pipe that is sent', async (kind) => {
    const samples = PIPE_FIELD_SAMPLES.filter((sample) => sample.kind === kind);
    const typed = Object.fromEntries(samples.map(({ key, typed: text }) => [key, text]));
    const also = Object.assign({}, ...samples.map((sample) => sample.also ?? {}));
    const raw = { name: 'most', sourceKind: kind, ...LEAST[kind], ...also, ...typed };
    const lines = await linesOf(raw);
    const words = { true: 'yes', false: 'no' };
    for (const { key, typed: text } of samples.filter((sample) => sample.key !== 'name')) {
      for (const line of text.split('\n')) {
        const shown = line in words ? Object.entries(words).find(([of]) => of === line)?.[1] : line;
        expect(lines, key).toContain(shown?.replaceAll('`', '').replace(/\?.*$/u, ''));
      }
    }
  });

  it('is long where it has to be', async () => {
    const many = Array.from({ length: 80 }, (_, index) => `column_number_${index}`);
    const raw = {
      name: 'orders',
      sourceKind: 'kafka',
      ...LEAST.kafka,
      columns: many.map((name) => `${name} UInt8`).join('\n'),
      fieldMappings: many.map((name) => `${name.slice(-4)}x -> ${name}`).join('\n'),
    };
    const lines = await linesOf(raw);
    for (const name of many) expect(lines).toContain(`${name} UInt8`);
    for (const name of many) expect(lines).toContain(`${name.slice(-4)}x -> ${name}`);
  });

  it('tells that a query is there, and not what is in it', async () => {
    const storageUrl = 'https://lake.example.com/a?versionId=3&plain#part';
    const raw = { name: 'a', sourceKind: 'objectStorage', ...LEAST.objectStorage, storageUrl };
    expect(await linesOf(raw)).toContain('https://lake.example.com/a?versionId=…&…#…');
  });

  it('does not exist where no message could hold it', async () => {
    const raw = {
      name: 'orders',
      sourceKind: 'kafka',
      ...LEAST.kafka,
      roles: '&'.repeat(500),
      sortingKey: Array.from({ length: 5 }, () => '<'.repeat(480)).join('\n'),
    };
    expect(plain((await problemOf(raw)).problem)).toMatch(
      /^This is too long to be asked: .* 9,000 characters\. It would have 1\d,\d{3}\. /u,
    );
  });
});

describe('lists of a pipe', () => {
  const START = 'pipe analytics --name orders --source-kind kafka --kafka-topics orders --table t';
  const REST = '--kafka-brokers broker.example.com:9092 --managed-table true';
  it.each([
    '--columns "id UInt64; note String" --field-mappings "id -> id; note -> note" --roles "a; b"',
    '--columns id UInt64; note String --field-mappings id -> id; note -> note --roles a; b',
    '--columns id UInt64 --columns note String --field-mappings "id -> id" --field-mappings note -> note --roles a --roles b',
    '--columns "id UInt64\nnote String" --field-mappings "id -> id\nnote -> note" --roles "a\nb"',
    '--columns "id UInt64" --columns "note String" --field-mappings "id -> id; note -> note" --roles "a;" --roles b',
  ])('come from %s', async (flags) => {
    const reading = readSlash(`${START} ${flags} ${REST}`, [pipeCreate]);
    if (reading.kind !== 'operation') throw new TypeError(flags);
    expect(reading.issues).toEqual([]);
    for (const raw of [reading.raw, asFormText(reading.raw)]) {
      expect(await requestOf(raw)).toMatchObject({
        destination: {
          roles: ['a', 'b'],
          columns: [
            { name: 'id', type: 'UInt64' },
            { name: 'note', type: 'String' },
          ],
        },
        fieldMappings: [
          { sourceField: 'id', destinationField: 'id' },
          { sourceField: 'note', destinationField: 'note' },
        ],
      });
    }
  });

  it('take a definition in parts', async () => {
    const definition = ['name: orders', 'destination: { database: raw }'];
    const raw = { sourceKind: 'kafka', ...LEAST.kafka, definition };
    expect(await requestOf(raw)).toMatchObject({
      name: 'orders',
      destination: { database: 'raw' },
    });
    expect(asFormText({ definition })).toEqual({ definition: definition.join('\n') });
  });
});
