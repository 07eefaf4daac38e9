/** The kinds of source that a pipe reads, by the specification's key. Spec: Pipe, `source`. */
export const SOURCE_KINDS = ['kafka', 'kinesis', 'objectStorage', 'postgres'] as const;

export type SourceKind = (typeof SOURCE_KINDS)[number];

export const SOURCE_LABELS: Readonly<Record<SourceKind, string>> = {
  kafka: 'Kafka',
  kinesis: 'Kinesis',
  objectStorage: 'Object storage',
  postgres: 'Postgres',
};

export function isSourceKind(value: unknown): value is SourceKind {
  return SOURCE_KINDS.some((kind) => kind === value);
}
