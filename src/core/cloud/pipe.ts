/** The ingestion pipe of the control API. Spec: Pipe. */

export type UserPassword = { readonly username: string; readonly password: string };
export type AccessKey = { readonly accessKeyId: string; readonly secretKey: string };
export type Column = { readonly name: string; readonly type: string };
export type FieldMapping = { readonly sourceField: string; readonly destinationField: string };

export type PipeDestination = {
  readonly database?: string | undefined;
  readonly table?: string | undefined;
  readonly managedTable?: boolean | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly columns?: readonly Column[] | undefined;
  readonly tableDefinition?: {
    readonly engine?: {
      readonly type?: string | undefined;
      readonly columnIds?: readonly string[] | undefined;
      readonly versionColumnId?: string | undefined;
    };
    readonly partitionBy?: string | undefined;
    readonly primaryKey?: string | undefined;
    readonly sortingKey?: readonly string[] | undefined;
  };
};

export type PipeScaling = {
  readonly concurrency?: number | undefined;
  readonly replicaCpuMillicores?: number | undefined;
  readonly replicaMemoryGb?: number | undefined;
  readonly replicas?: number | undefined;
};

/** By the specification's key: `engine_max_threads`, `streaming_max_insert_wait_ms` … */
export type PipeSettings = Readonly<Record<string, number | boolean>>;

export type KafkaSource = {
  readonly brokers?: string | undefined;
  readonly topics?: string | undefined;
  readonly consumerGroup?: string | undefined;
  readonly caCertificate?: string | undefined;
  readonly iamRole?: string | undefined;
  readonly credentials?: UserPassword | undefined;
  readonly offset?: { readonly timestamp?: string | undefined } | undefined;
  readonly reversePrivateEndpointIds?: readonly string[] | undefined;
  readonly schemaRegistry?: {
    readonly url?: string | undefined;
    readonly authentication?: string | undefined;
    readonly caCertificate?: string | undefined;
    readonly credentials?: UserPassword | undefined;
  };
};

export type KinesisSource = {
  readonly streamName?: string | undefined;
  readonly region?: string | undefined;
  /** Unix seconds. */
  readonly timestamp?: number | undefined;
  readonly useEnhancedFanOut?: boolean | undefined;
  readonly iamRole?: string | undefined;
  readonly accessKey?: AccessKey | undefined;
};

export type ObjectStorageSource = {
  readonly url?: string | undefined;
  readonly path?: string | undefined;
  readonly compression?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly isContinuous?: boolean | undefined;
  readonly queueUrl?: string | undefined;
  readonly azureContainerName?: string | undefined;
  readonly connectionString?: string | undefined;
  readonly iamRole?: string | undefined;
  readonly accessKey?: AccessKey | undefined;
};

export type TableMapping = {
  readonly sourceSchemaName?: string | undefined;
  readonly sourceTable?: string | undefined;
  readonly targetTable?: string | undefined;
  readonly excludedColumns?: readonly string[] | undefined;
  readonly sortingKeys?: readonly string[] | undefined;
  readonly useCustomSortingKey?: boolean | undefined;
};

export type PostgresSource = {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly database?: string | undefined;
  readonly credentials?: UserPassword | undefined;
  readonly settings?: {
    readonly allowNullableColumns?: boolean | undefined;
    readonly enableFailoverSlots?: boolean | undefined;
    readonly initialLoadParallelism?: number | undefined;
    readonly publicationName?: string | undefined;
    readonly pullBatchSize?: number | undefined;
    readonly replicationSlotName?: string | undefined;
    readonly snapshotNumRowsPerPartition?: number | undefined;
    readonly snapshotNumberOfParallelTables?: number | undefined;
    readonly syncIntervalSeconds?: number | undefined;
  };
  readonly tableMappings?: readonly TableMapping[] | undefined;
};

export type CreatePipeRequest = {
  readonly name?: string | undefined;
  readonly destination?: PipeDestination | undefined;
  readonly fieldMappings?: readonly FieldMapping[] | undefined;
  readonly scaling?: PipeScaling | undefined;
  readonly settings?: PipeSettings | undefined;
  readonly source?: {
    readonly kafka?: KafkaSource | undefined;
    readonly kinesis?: KinesisSource | undefined;
    readonly objectStorage?: ObjectStorageSource | undefined;
    readonly postgres?: PostgresSource | undefined;
    readonly validateSamples?: boolean | undefined;
  };
};

/** Only what is safe to show is read: no connection string, no credentials. */
export type PipeRecord = {
  readonly id?: string | undefined;
  readonly serviceId?: string | undefined;
  readonly name?: string | undefined;
  readonly state?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly sourceKind?: string | undefined;
  /** Named facts of the source and destination that may be shown: `brokers`, `topics`, `format` … */
  readonly facts: Readonly<Record<string, string>>;
};
