import { z } from 'zod';
import { type KinesisSource, kinesisSource } from '../../core/cloud/pipe-sources.ts';
import { fieldsIn, type Paths, type PipeFields, type Words } from './pipe-field.ts';

const error = 'Whole seconds since 1970, such as 1767225600; not milliseconds.';
const timestamp = z.number({ error }).int(error).min(1, error).max(99_999_999_999, error);

const section = 'Source details';

/** Spec: Pipe, `source.kinesis`. */
export const kinesisFields: PipeFields = fieldsIn(kinesisSource, {
  path: 'source.kinesis.',
  keys: { '': 'kinesis' },
  kinds: ['kinesis'],
  words: {
    streamName: { label: 'Stream', placeholder: 'clicks' },
    region: { label: 'Region of the stream', placeholder: 'us-east-1' },
    accessKey: {
      label: 'Kinesis access key',
      hint: 'By name: with accessKeyId and secretKey. Or give an IAM role.',
    },
    iamRole: { label: 'IAM role for Kinesis', placeholder: 'arn:aws:iam::123456789012:role/pipe' },
    timestamp: {
      rule: timestamp,
      label: 'Start at (seconds since 1970)',
      placeholder: '1767225600',
      section,
    },
    useEnhancedFanOut: { label: 'Enhanced fan-out', section },
  } satisfies Record<Paths<KinesisSource>, Words>,
});
