import { DateTime } from 'luxon';
import { type KafkaSource, kafkaSource } from '../../core/cloud/pipe-sources.ts';
import { fieldsIn, LONG_TEXT, type Paths, type PipeFields, type Words } from './pipe-field.ts';
import { oneOf, shaped, words } from './schema-values.ts';

const BROKER = String.raw`(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}`;
const brokers = shaped(
  new RegExp(`^${BROKER}(?:\\s*,\\s*${BROKER})*$`, 'iu'),
  'host:port, several with commas between them.',
);

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?$/u;
const moment = words().refine(
  (iso) => MOMENT.test(iso) && DateTime.fromISO(iso).isValid,
  'A moment in UTC such as 2026-01-31T09:00.',
);

/** A certificate is public; the key that belongs to it is refused like every secret. */
const certificate = words(3_000).regex(
  /-----BEGIN CERTIFICATE-----/u,
  'A certificate that begins with -----BEGIN CERTIFICATE-----.',
);

const registryAddress = shaped(
  /^https?:\/\/[^\s/]/iu,
  'An address such as https://registry.example.com.',
);

const section = 'Source details';

/** Spec: Pipe, `source.kafka`. Facts: Pipes. */
export const kafkaFields: PipeFields = fieldsIn(kafkaSource, {
  path: 'source.kafka.',
  keys: { 'schemaRegistry.': 'registry', '': 'kafka' },
  kinds: ['kafka'],
  words: {
    brokers: {
      rule: brokers,
      label: 'Brokers',
      placeholder: 'broker-1.example.com:9092,broker-2.example.com:9092',
      hint: 'host:port, several with commas between them.',
      secret: true,
    },
    topics: { label: 'Topics', placeholder: 'orders', hint: 'Several with commas between them.' },
    credentials: { label: 'Kafka credentials', hint: 'By name: with username and password.' },
    consumerGroup: { label: 'Consumer group', section },
    'offset.timestamp': {
      rule: moment,
      label: 'Start at',
      placeholder: '2026-01-31T09:00',
      hint: 'A moment in UTC from which messages are read.',
      section,
    },
    iamRole: {
      label: 'IAM role for Kafka',
      placeholder: 'arn:aws:iam::123456789012:role/pipe',
      section,
    },
    caCertificate: {
      rule: certificate,
      as: LONG_TEXT,
      label: 'CA certificate of the brokers',
      hint: 'PEM text. A certificate is public; never paste a private key.',
      section,
    },
    reversePrivateEndpointIds: {
      label: 'Reverse private endpoint ids',
      hint: 'One a line.',
      section,
    },
    'schemaRegistry.url': {
      rule: registryAddress,
      label: 'Schema registry address',
      placeholder: 'https://registry.example.com',
      section,
      secret: true,
    },
    'schemaRegistry.authentication': {
      rule: oneOf(['PLAIN']),
      label: 'Schema registry authentication',
      section,
    },
    'schemaRegistry.credentials': {
      label: 'Schema registry credentials',
      hint: 'By name: with username and password.',
      section,
    },
    'schemaRegistry.caCertificate': {
      rule: certificate,
      as: LONG_TEXT,
      label: 'CA certificate of the registry',
      hint: 'PEM text.',
      section,
    },
  } satisfies Record<Paths<KafkaSource>, Words>,
});
