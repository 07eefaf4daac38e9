import { badField } from '../refusal.ts';

/**
 * Paths that the specification lists in the pipe record only. ClickHouse Cloud takes them in the
 * request as well, so they are refused in neutral mode and read in clickhouse mode. `*` is an index.
 */
const RESPONSE_ONLY_PATHS = [
  'source.kafka.type',
  'source.kafka.authentication',
  'source.kafka.format',
  'source.kafka.offset.strategy',
  'source.kinesis.authentication',
  'source.kinesis.format',
  'source.kinesis.iteratorType',
  'source.objectStorage.type',
  'source.objectStorage.authentication',
  'source.objectStorage.format',
  'source.postgres.type',
  'source.postgres.authentication',
  'source.postgres.settings.replicationMode',
  'source.postgres.tableMappings.*.tableEngine',
  'destination.tableDefinition.engine.type',
] as const;

/** Throws a 400 `Refusal` when the body holds a key that only a response may hold. Spec: Pipe */
export function refuseResponseOnly(body: unknown): void {
  for (const path of RESPONSE_ONLY_PATHS) {
    const found = find(body, path.split('.'), []);
    if (found !== undefined) throw badField(found, 'is returned by the API, it cannot be sent');
  }
}

function find(value: unknown, rest: readonly string[], walked: string[]): string | undefined {
  const [head, ...tail] = rest;
  if (head === undefined) return walked.join('.');
  if (typeof value !== 'object' || value === null) return undefined;
  if (head !== '*') {
    const entry = Object.entries(value).find(([key]) => key === head);
    return entry === undefined ? undefined : find(entry[1], tail, [...walked, head]);
  }
  for (const [index, item] of Object.entries(value)) {
    const found = find(item, tail, [...walked, index]);
    if (found !== undefined) return found;
  }
  return undefined;
}
