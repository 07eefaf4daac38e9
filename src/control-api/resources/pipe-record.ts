import type { PipeRecord } from '../../core/cloud/pipe.ts';
import { type Fields, fieldsOf, pick, text } from '../lenient.ts';

type Fact = { readonly name: string; readonly path: readonly string[] };

/** By source kind: all that may be shown of it. Whatever is not listed here is never read. */
const SOURCE_FACTS: Readonly<Record<string, readonly Fact[]>> = {
  kafka: [
    fact('type'),
    fact('brokers'),
    fact('topics'),
    fact('consumerGroup'),
    fact('format'),
    fact('authentication'),
    fact('offsetStrategy', 'offset', 'strategy'),
    fact('offsetTimestamp', 'offset', 'timestamp'),
    fact('schemaRegistryUrl', 'schemaRegistry', 'url'),
  ],
  kinesis: [
    fact('streamName'),
    fact('region'),
    fact('format'),
    fact('authentication'),
    fact('iteratorType'),
    fact('useEnhancedFanOut'),
  ],
  objectStorage: [
    fact('type'),
    fact('url'),
    fact('path'),
    fact('azureContainerName'),
    fact('format'),
    fact('compression'),
    fact('delimiter'),
    fact('authentication'),
    fact('isContinuous'),
  ],
  postgres: [
    fact('type'),
    fact('host'),
    fact('port'),
    fact('sourceDatabase', 'database'),
    fact('authentication'),
    fact('replicationMode', 'settings', 'replicationMode'),
    fact('publicationName', 'settings', 'publicationName'),
  ],
};

const DESTINATION_FACTS: readonly Fact[] = [
  fact('database'),
  fact('table'),
  fact('managedTable'),
  fact('engine', 'tableDefinition', 'engine', 'type'),
];

const SCALING_FACTS: readonly Fact[] = [
  fact('replicas'),
  fact('concurrency'),
  fact('replicaCpuMillicores'),
  fact('replicaMemoryGb'),
];

/**
 * The pipe record, reduced to what is safe to show: a cloud may echo a connection string or a
 * signed address. An unknown kind of source is named and nothing of it is read. Spec: Pipe record.
 */
export function readPipe(value: unknown): PipeRecord | undefined {
  const record = fieldsOf(value);
  if (record === undefined) return undefined;
  const source = fieldsOf(record['source']) ?? {};
  const sourceKind = kindOf(source);
  const facts = Object.fromEntries([
    ...read(SOURCE_FACTS[sourceKind ?? ''] ?? [], source[sourceKind ?? '']),
    ...read(DESTINATION_FACTS, record['destination']),
    ...read(SCALING_FACTS, record['scaling']),
  ]);
  return {
    ...pick<Omit<PipeRecord, 'facts' | 'sourceKind'>>(record, {
      id: text,
      serviceId: text,
      name: text,
      state: text,
      createdAt: text,
      updatedAt: text,
    }),
    ...(sourceKind === undefined ? {} : { sourceKind }),
    facts,
  };
}

/** A known kind before an unknown one; arms that are null do not count. */
function kindOf(source: Fields): string | undefined {
  const kinds = Object.keys(source).filter((key) => fieldsOf(source[key]) !== undefined);
  return kinds.find((kind) => Object.hasOwn(SOURCE_FACTS, kind)) ?? kinds[0];
}

function read(facts: readonly Fact[], from: unknown): readonly (readonly [string, string])[] {
  return facts.flatMap(({ name, path }) => {
    const value = shown(path.reduce<unknown>((at, key) => fieldsOf(at)?.[key], from));
    return value === undefined ? [] : [[name, value] as const];
  });
}

function shown(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value);
  const words = text(value);
  return words?.includes('://') ? withoutAccess(words) : words;
}

/** An address without its user part, query and fragment: each may be a key. */
function withoutAccess(address: string): string {
  return address.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//');
}

function fact(name: string, ...path: readonly string[]): Fact {
  return { name, path: path.length === 0 ? [name] : path };
}
