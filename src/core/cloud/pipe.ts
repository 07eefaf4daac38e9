/** The ingestion pipe of the control API. Spec: Pipe (data-ingestion pipe); Beta. */

export type UserPassword = { readonly username: string; readonly password: string };
export type AccessKey = { readonly accessKeyId: string; readonly secretKey: string };
export type Column = { readonly name: string; readonly type: string };
export type FieldMapping = { readonly sourceField: string; readonly destinationField: string };

export type PipeDestination = {
  readonly database?: string;
  readonly table?: string;
  readonly managedTable?: boolean;
  readonly roles?: readonly string[];
  readonly columns?: readonly Column[];
  readonly tableDefinition?: {
    readonly engine?: {
      readonly type?: string;
      readonly columnIds?: readonly string[];
      readonly versionColumnId?: string;
    };
    readonly partitionBy?: string;
    readonly primaryKey?: string;
    readonly sortingKey?: readonly string[];
  };
};

export type PipeScaling = {
  readonly concurrency?: number;
  readonly replicaCpuMillicores?: number;
  readonly replicaMemoryGb?: number;
  readonly replicas?: number;
};

/** By the specification's key: `engine_max_threads`, `streaming_max_insert_wait_ms` … */
export type PipeSettings = Readonly<Record<string, number | boolean>>;

export type KafkaSource = {
  readonly brokers?: string;
  readonly topics?: string;
  readonly consumerGroup?: string;
  readonly caCertificate?: string;
  readonly iamRole?: string;
  readonly credentials?: UserPassword;
  readonly offset?: { readonly timestamp?: string };
  readonly reversePrivateEndpointIds?: readonly string[];
  readonly schemaRegistry?: {
    readonly url?: string;
    readonly authentication?: string;
    readonly caCertificate?: string;
    readonly credentials?: UserPassword;
  };
};

export type KinesisSource = {
  readonly streamName?: string;
  readonly region?: string;
  /** Unix seconds. */
  readonly timestamp?: number;
  readonly useEnhancedFanOut?: boolean;
  readonly iamRole?: string;
  readonly accessKey?: AccessKey;
};

export type ObjectStorageSource = {
  readonly url?: string;
  readonly path?: string;
  readonly compression?: string;
  readonly delimiter?: string;
  readonly isContinuous?: boolean;
  readonly queueUrl?: string;
  readonly azureContainerName?: string;
  readonly connectionString?: string;
  readonly iamRole?: string;
  readonly accessKey?: AccessKey;
};

export type TableMapping = {
  readonly sourceSchemaName?: string;
  readonly sourceTable?: string;
  readonly targetTable?: string;
  readonly excludedColumns?: readonly string[];
  readonly sortingKeys?: readonly string[];
  readonly useCustomSortingKey?: boolean;
};

export type PostgresSource = {
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly credentials?: UserPassword;
  readonly settings?: {
    readonly allowNullableColumns?: boolean;
    readonly enableFailoverSlots?: boolean;
    readonly initialLoadParallelism?: number;
    readonly publicationName?: string;
    readonly pullBatchSize?: number;
    readonly replicationSlotName?: string;
    readonly snapshotNumRowsPerPartition?: number;
    readonly snapshotNumberOfParallelTables?: number;
    readonly syncIntervalSeconds?: number;
  };
  readonly tableMappings?: readonly TableMapping[];
};

export type CreatePipeRequest = {
  readonly name?: string;
  readonly destination?: PipeDestination;
  readonly fieldMappings?: readonly FieldMapping[];
  readonly scaling?: PipeScaling;
  readonly settings?: PipeSettings;
  readonly source?: {
    readonly kafka?: KafkaSource;
    readonly kinesis?: KinesisSource;
    readonly objectStorage?: ObjectStorageSource;
    readonly postgres?: PostgresSource;
    readonly validateSamples?: boolean;
  };
};

/** Only what is safe to show is read: no connection string, no credentials. */
export type PipeRecord = {
  readonly id?: string;
  readonly serviceId?: string;
  readonly name?: string;
  readonly state?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly sourceKind?: string;
  /** Named facts of the source and destination that may be shown: `brokers`, `topics`, `format` … */
  readonly facts: Readonly<Record<string, string>>;
};
