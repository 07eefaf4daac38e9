import { z } from 'zod';
import { flag, group, text, texts } from '../validation/scalars.ts';

/** Both halves are needed: one without the other signs nobody in. */
const credentials = z.strictObject({ username: text, password: text });
const accessKey = z.strictObject({ accessKeyId: text, secretKey: text });

const TIMESTAMP_WORDS = 'must be a moment such as 2021-01-01T00:00';
const minuteOrFiner = text.regex(
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z?$/,
  TIMESTAMP_WORDS,
);

const KAFKA_FORMATS = ['JSONEachRow', 'Avro', 'AvroConfluent', 'Protobuf'] as const;
const FILE_FORMATS = [
  'JSONEachRow',
  'JSONAsObject',
  'CSV',
  'CSVWithNames',
  'TabSeparated',
  'TabSeparatedWithNames',
  'Parquet',
  'Avro',
] as const;
const COMPRESSIONS = ['none', 'gzip', 'gz', 'brotli', 'br', 'xz', 'LZMA', 'zstd', 'auto'] as const;

/** Keys marked "clickhouse" are taken in that mode only; see `handlers.ts`. Spec: Pipe */
export const kafkaSource = z.strictObject({
  brokers: text,
  topics: text,
  consumerGroup: text.exactOptional(),
  caCertificate: text.exactOptional(),
  iamRole: text.exactOptional(),
  credentials: credentials.exactOptional(),
  offset: group({
    timestamp: minuteOrFiner.exactOptional(),
    /** clickhouse */
    strategy: z.enum(['from_beginning', 'from_latest', 'from_timestamp']).exactOptional(),
  }).exactOptional(),
  reversePrivateEndpointIds: texts.exactOptional(),
  schemaRegistry: z
    .strictObject({
      url: text,
      authentication: z.enum(['PLAIN']).exactOptional(),
      caCertificate: text.exactOptional(),
      credentials: credentials.exactOptional(),
    })
    .exactOptional(),
  /** clickhouse */
  type: z
    .enum([
      'kafka',
      'redpanda',
      'msk',
      'gcmk',
      'confluent',
      'warpstream',
      'azureeventhub',
      'dokafka',
    ])
    .exactOptional(),
  /** clickhouse */
  authentication: z
    .enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'MUTUAL_TLS', 'IAM_ROLE', 'IAM_USER'])
    .exactOptional(),
  /** clickhouse */
  format: z.enum(KAFKA_FORMATS).exactOptional(),
});

export const kinesisSource = z.strictObject({
  streamName: text,
  region: text,
  /** Unix seconds. */
  timestamp: z.number().min(1).exactOptional(),
  useEnhancedFanOut: flag.exactOptional(),
  iamRole: text.exactOptional(),
  accessKey: accessKey.exactOptional(),
  /** clickhouse */
  authentication: z.enum(['IAM_ROLE', 'IAM_USER']).exactOptional(),
  /** clickhouse */
  format: z.enum(['JSONEachRow', 'Avro', 'AvroConfluent']).exactOptional(),
  /** clickhouse */
  iteratorType: z.enum(['TRIM_HORIZON', 'LATEST', 'AT_TIMESTAMP']).exactOptional(),
});

export const objectStorageSource = z.strictObject({
  url: text.exactOptional(),
  path: text.exactOptional(),
  compression: z.enum(COMPRESSIONS).exactOptional(),
  delimiter: text.exactOptional(),
  isContinuous: flag.exactOptional(),
  queueUrl: text.exactOptional(),
  azureContainerName: text.exactOptional(),
  connectionString: text.exactOptional(),
  iamRole: text.exactOptional(),
  accessKey: accessKey.exactOptional(),
  /** clickhouse */
  type: z
    .enum(['s3', 'gcs', 'dospaces', 'azureblobstorage', 'cloudflarer2', 'ovhobjectstorage'])
    .exactOptional(),
  /** clickhouse */
  authentication: z
    .enum(['IAM_ROLE', 'IAM_USER', 'CONNECTION_STRING', 'SERVICE_ACCOUNT'])
    .exactOptional(),
  /** clickhouse */
  format: z.enum(FILE_FORMATS).exactOptional(),
});
