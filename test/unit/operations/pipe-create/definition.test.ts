import { describe, expect, it } from 'vitest';
import { LEAST } from '../../../support/pipe-fields.ts';
import { requestOf, saidOf } from './fixture.ts';

const KAFKA = `
name: orders
source:
  kafka:
    brokers: broker.example.com:9092
    topics: orders
    credentials: kafka-prod
destination:
  table: orders
  managedTable: true
  columns: [{ name: id, type: UInt64 }]
fieldMappings:
  - { sourceField: id, destinationField: id }
`;

function withLine(line: string): string {
  return `${KAFKA}\n${line}\n`;
}

function withKafka(line: string): string {
  return KAFKA.replace('    topics: orders', `    topics: orders\n    ${line}`);
}

const NAME_ONLY = 'The name of an entry under credentials: in steward.yaml; never the secret.';

describe('a pasted definition', () => {
  it('is a pipe without any other field', async () => {
    expect(await requestOf({ definition: KAFKA })).toMatchObject({
      name: 'orders',
      source: { kafka: { credentials: { username: 'fake-user' } } },
    });
  });

  it.each<[string, string, string]>([
    [
      'an unknown key',
      withKafka('broker: a:1'),
      'source.kafka.broker: not a field; did you mean brokers?',
    ],
    ['an unknown key on top', withLine('service: analytics'), 'service: not a field.'],
    [
      'a key of a list entry',
      withLine('').replace('type: UInt64', 'typ: UInt64'),
      'destination.columns.0.typ: not a field; did you mean type?',
    ],
    [
      'a field of replies',
      withKafka('format: JSONEachRow'),
      'source.kafka.format: reported by the API, not taken in a request.',
    ],
    [
      'a key that may be a secret',
      withKafka('"user:fake@host": 1'),
      'source.kafka: holds a key that is not a field.',
    ],
    [
      'text for a number',
      withLine('scaling: { replicas: "3" }'),
      'scaling.replicas: A whole number from 1 to 40.',
    ],
    ['a number for text', withLine('').replace('name: orders', 'name: 7'), 'name: Text.'],
    [
      'text for a flag',
      withLine('').replace('managedTable: true', 'managedTable: yes'),
      'destination.managedTable: true or false.',
    ],
    ['a list for fields', withLine('settings: [1]'), 'settings: Fields with their values.'],
    ['nothing', withLine('scaling:'), 'scaling: Fields with their values.'],
    ['no fields', withLine('scaling: {}'), 'scaling: Filled in, or left out.'],
    ['an empty text', withKafka('iamRole: ""'), 'source.kafka.iamRole: Text, or left out.'],
    [
      'bounds',
      withLine('settings: { engine_max_threads: 65 }'),
      'settings.engine_max_threads: A whole number from 0 to 64.',
    ],
    [
      'a login',
      withKafka(
        'schemaRegistry: { url: "https://r.example.com", credentials: { username: u, password: fake } }',
      ),
      `source.kafka.schemaRegistry.credentials: ${NAME_ONLY}`,
    ],
    [
      'a secret in an address',
      withKafka('schemaRegistry: { url: "https://u:fake@r.example.com" }'),
      'source.kafka.schemaRegistry.url: Holds a secret. Name it under credentials: in steward.yaml and choose that name.',
    ],
    [
      'a second source',
      withLine('').replace('source:', 'source:\n  kinesis: { streamName: a, region: b }'),
      'source: exactly one of kafka, kinesis, objectStorage, postgres.',
    ],
    [
      'what is missing',
      KAFKA.replace('table: orders', ''),
      'destination.table: The name of the table.',
    ],
    ['a key twice', withLine('name: again'), 'Line 15: a key stands there twice.'],
    [
      'a tag',
      withLine('scaling: !!map { replicas: 1 }'),
      'Tags (!…) are not taken: write plain values.',
    ],
    [
      'an unknown tag',
      withLine('scaling: !foo { replicas: 1 }'),
      'Tags (!…) are not taken: write plain values.',
    ],
    [
      'an alias',
      KAFKA.replace('topics: orders', 'topics: &t orders\n    iamRole: *t'),
      'Anchors and aliases (& and *) are not taken: write the values out.',
    ],
    ['a key of objects', withLine('__proto__: { replicas: 1 }'), 'A key is a plain word.'],
    ['a key that is a list', withLine('? [a]\n: b'), 'A key is a plain word.'],
    [
      'two documents',
      `${KAFKA}---\nname: b\n`,
      'Line 14: a second document begins; give one pipe.',
    ],
    ['an open bracket', withLine('scaling: { replicas: 1'), 'it cannot be read as YAML or JSON'],
    ['too much', withLine(`# ${'x'.repeat(3_000)}`), 'At most 3,000 characters.'],
  ])('refuses %s', (_what, definition, said) => {
    const found = saidOf({ definition });
    expect(
      found.some((line) => line.startsWith('definition: ') && line.includes(said)),
      `${found}`,
    ).toBe(true);
    expect(found.join()).not.toContain('fake');
  });

  it.each([
    ['brackets', '['.repeat(2_900)],
    ['brackets after as many closing ones', `${']'.repeat(1_400)}${'['.repeat(1_400)}`],
    ['braces', '{a: '.repeat(700)],
    ['dashes', '- '.repeat(1_400)],
    ['question marks', '? '.repeat(1_400)],
  ])('ends quickly on deep nesting by %s', (_how, text) => {
    for (const definition of [text, `name: ${text}`]) {
      expect(saidOf({ definition })[0]).toBe('definition: Nested too deeply for a pipe.');
    }
  });

  it('reads 70 levels of indentation without harm', () => {
    const text = Array.from({ length: 70 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n');
    for (const definition of [text, `name: ${text}`]) {
      expect(saidOf({ definition })[0]).toMatch(/^definition: /u);
    }
  });

  it('does not grow by aliases', () => {
    const bomb = ['a: &a [x,x,x]', 'b: &b [*a,*a,*a]', 'c: &c [*b,*b,*b]', 'd: [*c,*c,*c]'];
    expect(saidOf({ definition: bomb.join('\n') })[0]).toMatch(/Anchors and aliases/u);
  });

  it.each(['just text', '- a\n- b', '7', 'null'])('is fields with values, not %s', (definition) => {
    expect(saidOf({ definition })[0]).toMatch(/^definition: Fields with their values/u);
  });

  it('agrees with the source that is chosen', () => {
    expect(saidOf({ ...LEAST.kinesis, sourceKind: 'kinesis', definition: KAFKA })).toEqual([
      'definition: source.kafka: the source chosen above is Kinesis; a pipe has one.',
    ]);
  });

  it('never mixes with fields that the form does not show', () => {
    expect(saidOf({ kafkaTopics: 'other', definition: KAFKA })).toEqual([
      'sourceKind: Choose Kafka here too: some of its fields are filled in.',
    ]);
  });

  it('tells a rule beside the definition, unless its field was typed', () => {
    const definition = KAFKA.replace('{ name: id,', '{ name: key,');
    const said = 'Every column needs one; missing: key.';
    expect(saidOf({ definition })[0]).toBe(`definition: fieldMappings: ${said}`);
    const typed = { sourceKind: 'kafka', definition, fieldMappings: 'id -> id' };
    expect(saidOf(typed)[0]).toBe(`fieldMappings: ${said}`);
  });

  it('refuses for Postgres what makes its own tables', () => {
    const definition = JSON.stringify({
      name: 'orders',
      destination: { database: 'raw', table: 't', tableDefinition: { primaryKey: 'id' } },
      scaling: { replicas: 1 },
      source: {
        postgres: {
          host: 'db.example.com',
          port: 5432,
          database: 'app',
          tableMappings: [{ sourceSchemaName: 'public', sourceTable: 'a', targetTable: 'a' }],
        },
      },
    });
    const words = 'A Postgres pipe makes its own tables: give a database and table mappings only.';
    expect(saidOf({ definition })).toEqual(
      ['destination.table', 'destination.tableDefinition', 'scaling'].map(
        (path) => `definition: ${path}: ${words}`,
      ),
    );
  });
});
