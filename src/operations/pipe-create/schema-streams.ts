import { DateTime } from 'luxon';
import { z } from 'zod';
import { credential, flag, group, oneOf, shaped, texts, words } from './schema-values.ts';

/** The specification leaves them open. Facts: Pipes. */
export const REGISTRY_AUTHENTICATIONS = ['PLAIN'] as const;
export const COMPRESSIONS = [
  'none',
  'gzip',
  'gz',
  'brotli',
  'br',
  'xz',
  'LZMA',
  'zstd',
  'auto',
] as const;

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

export const kafka = group({
  brokers: brokers.exactOptional(),
  topics: words().exactOptional(),
  consumerGroup: words().exactOptional(),
  caCertificate: certificate.exactOptional(),
  iamRole: words().exactOptional(),
  credentials: credential.exactOptional(),
  offset: group({ timestamp: moment.exactOptional() }).exactOptional(),
  reversePrivateEndpointIds: texts.exactOptional(),
  schemaRegistry: group({
    url: shaped(
      /^https?:\/\/[^\s/]/iu,
      'An address such as https://registry.example.com.',
    ).exactOptional(),
    authentication: oneOf(REGISTRY_AUTHENTICATIONS).exactOptional(),
    caCertificate: certificate.exactOptional(),
    credentials: credential.exactOptional(),
  }).exactOptional(),
});

const seconds = 'Whole seconds since 1970, such as 1767225600; not milliseconds.';

export const kinesis = group({
  streamName: words().exactOptional(),
  region: words().exactOptional(),
  timestamp: z
    .number({ error: seconds })
    .int(seconds)
    .min(1, seconds)
    .max(99_999_999_999, seconds)
    .exactOptional(),
  useEnhancedFanOut: flag.exactOptional(),
  iamRole: words().exactOptional(),
  accessKey: credential.exactOptional(),
});

const FILES = /^(?:https|s3|gs|gcs|az|abfss?|wasbs?):\/\/[^\s/]/iu;

export const objectStorage = group({
  url: shaped(FILES, 'An address such as https://…, s3://… or gs://….').exactOptional(),
  path: words(1_000).exactOptional(),
  compression: oneOf(COMPRESSIONS).exactOptional(),
  delimiter: words(20).exactOptional(),
  isContinuous: flag.exactOptional(),
  queueUrl: shaped(
    /^(?:https:\/\/[^\s/]|arn:)/iu,
    'An address that begins with https://.',
  ).exactOptional(),
  azureContainerName: words().exactOptional(),
  connectionString: credential.exactOptional(),
  iamRole: words().exactOptional(),
  accessKey: credential.exactOptional(),
});
