import type { Json } from '../json.ts';
import type { Settings } from '../settings.ts';
import type { CloudPipeRequest } from './cloud-request.ts';

type Source = CloudPipeRequest['source'];
type KafkaSource = NonNullable<Source['kafka']>;
type KinesisSource = NonNullable<Source['kinesis']>;
type ObjectStorageSource = NonNullable<Source['objectStorage']>;
type PostgresSource = NonNullable<Source['postgres']>;
type PlaneSettings = Pick<Settings, 'quirks' | 'names'>;

type Identity = {
  readonly id: string;
  readonly serviceId: string;
  /** ISO moment. */
  readonly createdAt: string;
};

/**
 * The pipe record as the API returns it: the request without credentials and destination roles, plus
 * what the API works out by itself. Spec: Pipe record.
 */
export function toPipeRecord(
  request: CloudPipeRequest,
  identity: Identity,
  settings: PlaneSettings,
): Json {
  const { roles: _roles, tableDefinition, ...destination } = request.destination;
  const isDatabase = request.source.postgres !== undefined;
  const { source, scaling, settings: tuning, fieldMappings } = request;
  const table = { ...tableDefinition, engine: { type: 'MergeTree', ...tableDefinition?.engine } };
  return {
    id: identity.id,
    serviceId: identity.serviceId,
    name: request.name,
    createdAt: identity.createdAt,
    updatedAt: identity.createdAt,
    state: isDatabase ? 'Setup' : 'Provisioning',
    scaling,
    settings: tuning,
    fieldMappings,
    destination: { ...destination, tableDefinition: isDatabase ? undefined : table },
    source: sourceRecord(source, settings),
  };
}

function sourceRecord(source: Source, settings: PlaneSettings): Json {
  const { kafka, kinesis, objectStorage, postgres, validateSamples } = source;
  const none = settings.quirks.includes('null-source-arms') ? null : undefined;
  return {
    kafka: kafka === undefined ? none : kafkaRecord(kafka),
    kinesis: kinesis === undefined ? none : kinesisRecord(kinesis),
    objectStorage:
      objectStorage === undefined ? none : objectStorageRecord(objectStorage, settings),
    postgres: postgres === undefined ? none : postgresRecord(postgres),
    mysql: none,
    // ClickHouse Cloud does not repeat it.
    validateSamples: settings.names === 'clickhouse' ? undefined : validateSamples,
  };
}

function kafkaRecord(source: KafkaSource): Json {
  const { credentials, schemaRegistry, offset, ...shown } = source;
  const byRole = source.iamRole !== undefined;
  const plain = credentials === undefined ? 'MUTUAL_TLS' : 'PLAIN';
  return {
    type: byRole ? 'msk' : 'kafka',
    authentication: byRole ? 'IAM_ROLE' : plain,
    format: 'JSONEachRow',
    ...shown,
    offset: {
      strategy: offset?.timestamp === undefined ? 'from_beginning' : 'from_timestamp',
      ...offset,
    },
    schemaRegistry: schemaRegistry && {
      url: schemaRegistry.url,
      authentication: schemaRegistry.authentication ?? 'PLAIN',
      caCertificate: schemaRegistry.caCertificate,
    },
  };
}

function kinesisRecord({ accessKey: _secret, ...shown }: KinesisSource): Json {
  return {
    authentication: shown.iamRole === undefined ? 'IAM_USER' : 'IAM_ROLE',
    format: 'JSONEachRow',
    iteratorType: shown.timestamp === undefined ? 'TRIM_HORIZON' : 'AT_TIMESTAMP',
    ...shown,
  };
}

function objectStorageRecord(source: ObjectStorageSource, settings: PlaneSettings): Json {
  const { accessKey, connectionString, serviceAccountKey: _key, ...shown } = source;
  return {
    type: fileStoreType(source),
    authentication: fileAuthentication(source, settings),
    format: 'JSONEachRow',
    ...shown,
    // Reported from practice: the record may repeat the connection string with its account key.
    connectionString: settings.quirks.includes('echo-connection-string')
      ? connectionString
      : undefined,
  };
}

function fileStoreType({ url, azureContainerName }: ObjectStorageSource): string {
  if (azureContainerName !== undefined || url === undefined) return 'azureblobstorage';
  if (url.includes('storage.googleapis.com') || url.startsWith('gs:')) return 'gcs';
  return 's3';
}

/** A public source has one as well: its value is not stated and was chosen. ClickHouse Cloud has none. */
function fileAuthentication(
  source: ObjectStorageSource,
  { names }: PlaneSettings,
): string | undefined {
  if (source.connectionString !== undefined) return 'CONNECTION_STRING';
  if (source.iamRole !== undefined) return 'IAM_ROLE';
  if (source.accessKey !== undefined) return 'IAM_USER';
  return names === 'clickhouse' ? undefined : 'PUBLIC';
}

function postgresRecord({ credentials: _secret, ...shown }: PostgresSource): Json {
  return {
    ...shown,
    settings: { replicationMode: 'cdc', ...shown.settings },
    tableMappings: shown.tableMappings.map((mapping) => ({
      tableEngine: 'ReplacingMergeTree',
      ...mapping,
    })),
  };
}
