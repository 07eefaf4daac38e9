import {
  CREDENTIAL,
  choiceOf,
  fieldsFor,
  LONG_TEXT,
  type PipeFields,
  TEXT,
  TEXTS,
} from './pipe-field.ts';
import { REGISTRY_AUTHENTICATIONS } from './schema-streams.ts';

const field = fieldsFor('kafka');
const section = 'Source details';

/** Spec: Pipe, `source.kafka`. */
export const kafkaFields: PipeFields = {
  kafkaBrokers: field('source.kafka.brokers', TEXT, {
    label: 'Brokers',
    placeholder: 'broker-1.example.com:9092,broker-2.example.com:9092',
    hint: 'host:port, several with commas between them.',
    secret: true,
  }),
  kafkaTopics: field('source.kafka.topics', TEXT, {
    label: 'Topics',
    placeholder: 'orders',
    hint: 'Several with commas between them.',
  }),
  kafkaCredentials: field('source.kafka.credentials', CREDENTIAL, {
    label: 'Kafka credentials',
    hint: 'By name: with username and password.',
  }),
  kafkaConsumerGroup: field('source.kafka.consumerGroup', TEXT, {
    label: 'Consumer group',
    section,
  }),
  kafkaOffsetTimestamp: field('source.kafka.offset.timestamp', TEXT, {
    label: 'Start at',
    placeholder: '2026-01-31T09:00',
    hint: 'A moment in UTC from which messages are read.',
    section,
  }),
  kafkaIamRole: field('source.kafka.iamRole', TEXT, {
    label: 'IAM role for Kafka',
    placeholder: 'arn:aws:iam::123456789012:role/pipe',
    section,
  }),
  kafkaCaCertificate: field('source.kafka.caCertificate', LONG_TEXT, {
    label: 'CA certificate of the brokers',
    hint: 'PEM text. A certificate is public; never paste a private key.',
    section,
  }),
  kafkaReversePrivateEndpointIds: field('source.kafka.reversePrivateEndpointIds', TEXTS, {
    label: 'Reverse private endpoint ids',
    hint: 'One a line.',
    section,
  }),
  registryUrl: field('source.kafka.schemaRegistry.url', TEXT, {
    label: 'Schema registry address',
    placeholder: 'https://registry.example.com',
    section,
    secret: true,
  }),
  registryAuthentication: field(
    'source.kafka.schemaRegistry.authentication',
    choiceOf(REGISTRY_AUTHENTICATIONS),
    { label: 'Schema registry authentication', section },
  ),
  registryCredentials: field('source.kafka.schemaRegistry.credentials', CREDENTIAL, {
    label: 'Schema registry credentials',
    hint: 'By name: with username and password.',
    section,
  }),
  registryCaCertificate: field('source.kafka.schemaRegistry.caCertificate', LONG_TEXT, {
    label: 'CA certificate of the registry',
    hint: 'PEM text.',
    section,
  }),
};
