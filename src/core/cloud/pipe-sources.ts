import {
  amount,
  exactObject,
  filledObject,
  filledText,
  filledTexts,
  flag,
  list,
  type ValueOf,
  whole,
} from './schema.ts';

/**
 * The four kinds of source of a pipe: what a request may hold, and what of a record may be shown.
 * The specification states no bounds and marks nothing as required, so none is invented here; the
 * form knows more. Spec: Pipe, `source`; Pipe record.
 */

const userPassword = exactObject({ username: filledText, password: filledText });
const accessKey = exactObject({ accessKeyId: filledText, secretKey: filledText });
export type UserPassword = ValueOf<typeof userPassword>;
export type AccessKey = ValueOf<typeof accessKey>;

export const kafkaSource = filledObject({
  brokers: filledText.optional(),
  topics: filledText.optional(),
  consumerGroup: filledText.optional(),
  caCertificate: filledText.optional(),
  iamRole: filledText.optional(),
  credentials: userPassword.optional(),
  offset: filledObject({ timestamp: filledText.optional() }).optional(),
  reversePrivateEndpointIds: filledTexts.optional(),
  schemaRegistry: filledObject({
    url: filledText.optional(),
    authentication: filledText.optional(),
    caCertificate: filledText.optional(),
    credentials: userPassword.optional(),
  }).optional(),
});
export type KafkaSource = ValueOf<typeof kafkaSource>;

export const kinesisSource = filledObject({
  streamName: filledText.optional(),
  region: filledText.optional(),
  /** Unix seconds. */
  timestamp: amount.optional(),
  useEnhancedFanOut: flag.optional(),
  iamRole: filledText.optional(),
  accessKey: accessKey.optional(),
});
export type KinesisSource = ValueOf<typeof kinesisSource>;

export const objectStorageSource = filledObject({
  url: filledText.optional(),
  path: filledText.optional(),
  compression: filledText.optional(),
  delimiter: filledText.optional(),
  isContinuous: flag.optional(),
  queueUrl: filledText.optional(),
  azureContainerName: filledText.optional(),
  connectionString: filledText.optional(),
  iamRole: filledText.optional(),
  accessKey: accessKey.optional(),
});
export type ObjectStorageSource = ValueOf<typeof objectStorageSource>;

export const postgresSource = filledObject({
  host: filledText.optional(),
  port: whole(1, 65_535).optional(),
  database: filledText.optional(),
  credentials: userPassword.optional(),
  settings: filledObject({
    allowNullableColumns: flag.optional(),
    enableFailoverSlots: flag.optional(),
    initialLoadParallelism: amount.optional(),
    publicationName: filledText.optional(),
    pullBatchSize: amount.optional(),
    replicationSlotName: filledText.optional(),
    snapshotNumRowsPerPartition: amount.optional(),
    snapshotNumberOfParallelTables: amount.optional(),
    syncIntervalSeconds: amount.optional(),
  }).optional(),
  tableMappings: list(
    filledObject({
      sourceSchemaName: filledText.optional(),
      sourceTable: filledText.optional(),
      targetTable: filledText.optional(),
      excludedColumns: filledTexts.optional(),
      sortingKeys: filledTexts.optional(),
      useCustomSortingKey: flag.optional(),
    }),
  ).optional(),
});
export type PostgresSource = ValueOf<typeof postgresSource>;

/** A named fact of a record, and where it stands in it. */
export type Fact = Readonly<{ name: string; path: readonly string[] }>;

/** By source kind: all that may be shown of it. Whatever is not listed here is never read. */
export const SOURCE_FACTS: Readonly<Record<string, readonly Fact[]>> = {
  kafka: [
    ...facts('type', 'brokers', 'topics', 'consumerGroup', 'format', 'authentication'),
    { name: 'offsetStrategy', path: ['offset', 'strategy'] },
    { name: 'offsetTimestamp', path: ['offset', 'timestamp'] },
    { name: 'schemaRegistryUrl', path: ['schemaRegistry', 'url'] },
  ],
  kinesis: facts(
    ...['streamName', 'region', 'format', 'authentication', 'iteratorType', 'useEnhancedFanOut'],
  ),
  objectStorage: facts(
    ...['type', 'url', 'path', 'azureContainerName', 'format', 'compression', 'delimiter'],
    ...['authentication', 'isContinuous'],
  ),
  postgres: [
    ...facts('type', 'host', 'port'),
    { name: 'sourceDatabase', path: ['database'] },
    ...facts('authentication'),
    { name: 'replicationMode', path: ['settings', 'replicationMode'] },
    { name: 'publicationName', path: ['settings', 'publicationName'] },
  ],
};

/** Facts that are called what they are called in the record. */
export function facts(...names: readonly string[]): readonly Fact[] {
  return names.map((name) => ({ name, path: [name] }));
}
