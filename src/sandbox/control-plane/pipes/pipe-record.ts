import type { Json } from '../json.ts';
import type { Settings } from '../settings.ts';
import type { PipeRequest } from './pipe-request.ts';
import type { PostgresSource } from './postgres-source.ts';
import type { KafkaSource, KinesisSource, ObjectStorageSource } from './stream-sources.ts';

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
  request: PipeRequest,
  identity: Identity,
  settings: Pick<Settings, 'quirks'>,
): Json {
  const { roles: _roles, tableDefinition, ...destination } = request.destination;
  const isDatabase = request.source.postgres !== undefined;
  const { source, scaling, settings: tuning, fieldMappings } = request;
  return {
    id: identity.id,
    serviceId: identity.serviceId,
    name: request.name,
    createdAt: identity.createdAt,
    updatedAt: identity.createdAt,
    state: isDatabase ? 'Setup' : 'Provisioning',
    ...(scaling === undefined ? {} : { scaling }),
    ...(tuning === undefined ? {} : { settings: tuning }),
    ...(fieldMappings === undefined ? {} : { fieldMappings }),
    destination: {
      ...destination,
      ...(isDatabase
        ? {}
        : {
            tableDefinition: {
              ...tableDefinition,
              engine: { type: 'MergeTree', ...tableDefinition?.engine },
            },
          }),
    },
    source: sourceRecord(source, settings),
  };
}

function sourceRecord(source: PipeRequest['source'], settings: Pick<Settings, 'quirks'>): Json {
  const { kafka, kinesis, objectStorage, postgres, validateSamples } = source;
  return {
    ...(settings.quirks.includes('null-source-arms')
      ? { kafka: null, kinesis: null, objectStorage: null, postgres: null, mysql: null }
      : {}),
    ...(kafka === undefined ? {} : { kafka: kafkaRecord(kafka) }),
    ...(kinesis === undefined ? {} : { kinesis: kinesisRecord(kinesis) }),
    ...(objectStorage === undefined
      ? {}
      : { objectStorage: objectStorageRecord(objectStorage, settings) }),
    ...(postgres === undefined ? {} : { postgres: postgresRecord(postgres) }),
    ...(validateSamples === undefined ? {} : { validateSamples }),
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
    ...(schemaRegistry === undefined
      ? {}
      : {
          schemaRegistry: {
            url: schemaRegistry.url,
            authentication: schemaRegistry.authentication ?? 'PLAIN',
            ...(schemaRegistry.caCertificate === undefined
              ? {}
              : { caCertificate: schemaRegistry.caCertificate }),
          },
        }),
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

function objectStorageRecord(
  source: ObjectStorageSource,
  settings: Pick<Settings, 'quirks'>,
): Json {
  const { accessKey, connectionString, ...shown } = source;
  const authentication = fileAuthentication(source);
  return {
    type: fileStoreType(source),
    ...(authentication === undefined ? {} : { authentication }),
    format: 'JSONEachRow',
    ...shown,
    // Reported from practice: the record may repeat the connection string with its account key.
    ...(settings.quirks.includes('echo-connection-string') && connectionString !== undefined
      ? { connectionString }
      : {}),
  };
}

function fileStoreType({ url, azureContainerName }: ObjectStorageSource): string {
  if (azureContainerName !== undefined || url === undefined) return 'azureblobstorage';
  if (url.includes('storage.googleapis.com') || url.startsWith('gs:')) return 'gcs';
  return 's3';
}

function fileAuthentication(source: ObjectStorageSource): string | undefined {
  if (source.connectionString !== undefined) return 'CONNECTION_STRING';
  if (source.iamRole !== undefined) return 'IAM_ROLE';
  return source.accessKey === undefined ? undefined : 'IAM_USER';
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
