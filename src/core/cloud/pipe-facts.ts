/**
 * All that may be shown of a pipe record, by where it stands; whatever is not listed here is never
 * read: no credentials, no connection string. Spec: Pipe record.
 */
export type Fact = Readonly<{
  name: string;
  path: readonly string[];
  /** Of a list of objects: what of each is shown, in this order. */
  item?: readonly string[] | undefined;
  /** Only that it is set: a certificate is long, and nobody reads it. */
  hidden?: true | undefined;
}>;

/** By source kind. */
export const SOURCE_FACTS: Readonly<Record<string, readonly Fact[]>> = {
  kafka: [
    ...facts('type', 'brokers', 'topics', 'consumerGroup', 'format', 'authentication', 'iamRole'),
    { name: 'caCertificate', path: ['caCertificate'], hidden: true },
    { name: 'offsetStrategy', path: ['offset', 'strategy'] },
    { name: 'offsetTimestamp', path: ['offset', 'timestamp'] },
    ...facts('reversePrivateEndpointIds'),
    { name: 'schemaRegistryUrl', path: ['schemaRegistry', 'url'] },
    { name: 'schemaRegistryAuthentication', path: ['schemaRegistry', 'authentication'] },
    {
      name: 'schemaRegistryCaCertificate',
      path: ['schemaRegistry', 'caCertificate'],
      hidden: true,
    },
  ],
  kinesis: facts(
    ...['streamName', 'region', 'format', 'authentication', 'iteratorType', 'timestamp'],
    ...['useEnhancedFanOut', 'iamRole'],
  ),
  objectStorage: facts(
    ...['type', 'url', 'path', 'azureContainerName', 'format', 'compression', 'delimiter'],
    ...['authentication', 'iamRole', 'isContinuous', 'queueUrl'],
  ),
  postgres: [
    ...facts('type', 'host', 'port'),
    { name: 'sourceDatabase', path: ['database'] },
    ...facts('authentication'),
    ...within('settings', [
      ...['replicationMode', 'publicationName', 'replicationSlotName', 'allowNullableColumns'],
      ...['enableFailoverSlots', 'initialLoadParallelism', 'pullBatchSize'],
      ...['snapshotNumRowsPerPartition', 'snapshotNumberOfParallelTables', 'syncIntervalSeconds'],
    ]),
    {
      name: 'tableMappings',
      path: ['tableMappings'],
      item: [
        ...['sourceSchemaName', 'sourceTable', 'targetTable', 'tableEngine', 'excludedColumns'],
        ...['sortingKeys', 'useCustomSortingKey'],
      ],
    },
  ],
};

export const DESTINATION_FACTS: readonly Fact[] = [
  ...facts('database', 'table', 'managedTable'),
  { name: 'columns', path: ['columns'], item: ['name', 'type'] },
  { name: 'engine', path: ['tableDefinition', 'engine', 'type'] },
  { name: 'engineColumnIds', path: ['tableDefinition', 'engine', 'columnIds'] },
  { name: 'engineVersionColumnId', path: ['tableDefinition', 'engine', 'versionColumnId'] },
  ...within('tableDefinition', ['partitionBy', 'primaryKey', 'sortingKey']),
];

export const SCALING_FACTS = facts(
  ...['replicas', 'concurrency', 'replicaCpuMillicores', 'replicaMemoryGb'],
);

/** Of the record itself, beside its id, names, times and state. */
export const PIPE_FACTS: readonly Fact[] = [
  { name: 'fieldMappings', path: ['fieldMappings'], item: ['sourceField', 'destinationField'] },
  { name: 'validateSamples', path: ['source', 'validateSamples'] },
];

/** Facts that are called what they are called in the record. */
export function facts(...names: readonly string[]): readonly Fact[] {
  return names.map((name) => ({ name, path: [name] }));
}

function within(part: string, names: readonly string[]): readonly Fact[] {
  return names.map((name) => ({ name, path: [part, name] }));
}
