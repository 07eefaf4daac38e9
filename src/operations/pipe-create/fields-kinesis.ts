import { CREDENTIAL, fieldsFor, NUMBER, type PipeFields, TEXT, YES_NO } from './pipe-field.ts';

const field = fieldsFor('kinesis');
const section = 'Source details';

/** Spec: Pipe, `source.kinesis`. */
export const kinesisFields: PipeFields = {
  kinesisStreamName: field('source.kinesis.streamName', TEXT, {
    label: 'Stream',
    placeholder: 'clicks',
  }),
  kinesisRegion: field('source.kinesis.region', TEXT, {
    label: 'Region of the stream',
    placeholder: 'us-east-1',
  }),
  kinesisAccessKey: field('source.kinesis.accessKey', CREDENTIAL, {
    label: 'Kinesis access key',
    hint: 'By name: with accessKeyId and secretKey. Or give an IAM role.',
  }),
  kinesisIamRole: field('source.kinesis.iamRole', TEXT, {
    label: 'IAM role for Kinesis',
    placeholder: 'arn:aws:iam::123456789012:role/pipe',
  }),
  kinesisTimestamp: field('source.kinesis.timestamp', NUMBER, {
    label: 'Start at (seconds since 1970)',
    placeholder: '1767225600',
    section,
  }),
  kinesisUseEnhancedFanOut: field('source.kinesis.useEnhancedFanOut', YES_NO, {
    label: 'Enhanced fan-out',
    section,
  }),
};
