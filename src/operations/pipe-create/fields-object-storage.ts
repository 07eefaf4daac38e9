import { CREDENTIAL, choiceOf, fieldsFor, type PipeFields, TEXT, YES_NO } from './pipe-field.ts';
import { COMPRESSIONS } from './schema-streams.ts';

const field = fieldsFor('objectStorage');
const section = 'Source details';

/** Spec: Pipe, `source.objectStorage`. */
export const objectStorageFields: PipeFields = {
  storageUrl: field('source.objectStorage.url', TEXT, {
    label: 'Address of the files',
    placeholder: 'https://bucket.s3.us-east-1.amazonaws.com/orders/*.json',
    hint: 'Wildcards are allowed. For Azure give container, path and connection string instead.',
    secret: true,
  }),
  storageAccessKey: field('source.objectStorage.accessKey', CREDENTIAL, {
    label: 'Storage access key',
    hint: 'By name: with accessKeyId and secretKey. None for public files.',
  }),
  storageIamRole: field('source.objectStorage.iamRole', TEXT, {
    label: 'IAM role for the storage',
    placeholder: 'arn:aws:iam::123456789012:role/pipe',
  }),
  storageCompression: field('source.objectStorage.compression', choiceOf(COMPRESSIONS), {
    label: 'Compression',
    section,
  }),
  storageDelimiter: field('source.objectStorage.delimiter', TEXT, {
    label: 'Delimiter',
    placeholder: ',',
    hint: 'A tab or a space only in the definition.',
    section,
  }),
  storageIsContinuous: field('source.objectStorage.isContinuous', YES_NO, {
    label: 'Keep watching for new files',
    section,
  }),
  storageQueueUrl: field('source.objectStorage.queueUrl', TEXT, {
    label: 'Queue address',
    hint: 'The queue that announces new files.',
    section,
    secret: true,
  }),
  storageAzureContainerName: field('source.objectStorage.azureContainerName', TEXT, {
    label: 'Azure container',
    section,
  }),
  storagePath: field('source.objectStorage.path', TEXT, {
    label: 'Path in the container',
    placeholder: 'orders/*.json',
    section,
  }),
  storageConnectionString: field('source.objectStorage.connectionString', CREDENTIAL, {
    label: 'Azure connection string',
    hint: 'By name: with connectionString.',
    section,
  }),
};
