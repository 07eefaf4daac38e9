import { type ObjectStorageSource, objectStorageSource } from '../../core/cloud/pipe-sources.ts';
import { fieldsIn, type Paths, type PipeFields, type Words } from './pipe-field.ts';
import { oneOf, shaped, words } from './schema-values.ts';

/** The specification leaves them open. Facts: Pipes. */
const COMPRESSIONS = ['none', 'gzip', 'gz', 'brotli', 'br', 'xz', 'LZMA', 'zstd', 'auto'] as const;

const address = shaped(
  /^(?:https|s3|gs|gcs|az|abfss?|wasbs?):\/\/[^\s/]/iu,
  'An address such as https://…, s3://… or gs://….',
);
const queueAddress = shaped(
  /^(?:https:\/\/[^\s/]|arn:)/iu,
  'An address that begins with https://.',
);

const section = 'Source details';

/** Spec: Pipe, `source.objectStorage`. */
export const objectStorageFields: PipeFields = fieldsIn(objectStorageSource, {
  path: 'source.objectStorage.',
  keys: { '': 'storage' },
  kinds: ['objectStorage'],
  words: {
    url: {
      rule: address,
      label: 'Address of the files',
      placeholder: 'https://bucket.s3.us-east-1.amazonaws.com/orders/*.json',
      hint: 'Wildcards are allowed. For Azure give container, path and connection string instead.',
      secret: true,
    },
    accessKey: {
      label: 'Storage access key',
      hint: 'By name: with accessKeyId and secretKey. None for public files.',
    },
    iamRole: {
      label: 'IAM role for the storage',
      placeholder: 'arn:aws:iam::123456789012:role/pipe',
    },
    compression: { rule: oneOf(COMPRESSIONS), label: 'Compression', section },
    delimiter: {
      rule: words(20),
      label: 'Delimiter',
      placeholder: ',',
      hint: 'A tab or a space only in the definition.',
      section,
    },
    isContinuous: { label: 'Keep watching for new files', section },
    queueUrl: {
      rule: queueAddress,
      label: 'Queue address',
      hint: 'The queue that announces new files.',
      section,
      secret: true,
    },
    azureContainerName: { label: 'Azure container', section },
    path: {
      rule: words(1_000),
      label: 'Path in the container',
      placeholder: 'orders/*.json',
      section,
    },
    connectionString: {
      holds: ['connectionString'],
      label: 'Azure connection string',
      hint: 'By name: with connectionString.',
      section,
    },
  } satisfies Record<Paths<ObjectStorageSource>, Words>,
});
