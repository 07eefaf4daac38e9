import { z } from 'zod';
import {
  amount,
  filledObject,
  filledText,
  filledTexts,
  flag,
  list,
  objectError,
  whole,
} from './request-fields.ts';

const credentials = z
  .strictObject({ username: filledText, password: filledText }, { error: objectError })
  .optional();
const accessKey = z
  .strictObject({ accessKeyId: filledText, secretKey: filledText }, { error: objectError })
  .optional();

const port = whole(1, 65_535);

const kafka = filledObject({
  brokers: filledText.optional(),
  topics: filledText.optional(),
  consumerGroup: filledText.optional(),
  caCertificate: filledText.optional(),
  iamRole: filledText.optional(),
  credentials,
  offset: filledObject({ timestamp: filledText.optional() }).optional(),
  reversePrivateEndpointIds: filledTexts.optional(),
  schemaRegistry: filledObject({
    url: filledText.optional(),
    authentication: filledText.optional(),
    caCertificate: filledText.optional(),
    credentials,
  }).optional(),
});

const kinesis = filledObject({
  streamName: filledText.optional(),
  region: filledText.optional(),
  timestamp: amount.optional(),
  useEnhancedFanOut: flag.optional(),
  iamRole: filledText.optional(),
  accessKey,
});

const objectStorage = filledObject({
  url: filledText.optional(),
  path: filledText.optional(),
  compression: filledText.optional(),
  delimiter: filledText.optional(),
  isContinuous: flag.optional(),
  queueUrl: filledText.optional(),
  azureContainerName: filledText.optional(),
  connectionString: filledText.optional(),
  iamRole: filledText.optional(),
  accessKey,
});

const postgres = filledObject({
  host: filledText.optional(),
  port: port.optional(),
  database: filledText.optional(),
  credentials,
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

const KINDS = ['kafka', 'kinesis', 'objectStorage', 'postgres'] as const;

/** "One of" four kinds, and whether samples are validated. Spec: Pipe, `source`. */
export const pipeSourceSchema = z
  .strictObject(
    {
      kafka: kafka.optional(),
      kinesis: kinesis.optional(),
      objectStorage: objectStorage.optional(),
      postgres: postgres.optional(),
      validateSamples: flag.optional(),
    },
    { error: objectError },
  )
  .refine((source) => KINDS.filter((kind) => source[kind] !== undefined).length === 1, {
    error: `exactly one of ${KINDS.join(', ')}`,
  });
