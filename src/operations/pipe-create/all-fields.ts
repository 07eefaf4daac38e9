import { destinationFields } from './fields-destination.ts';
import { kafkaFields } from './fields-kafka.ts';
import { kinesisFields } from './fields-kinesis.ts';
import { objectStorageFields } from './fields-object-storage.ts';
import { postgresFields } from './fields-postgres.ts';
import { scalingFields } from './fields-scaling.ts';
import { settingsFields } from './fields-settings.ts';
import { fieldsFor, type PipeFields, YES_NO } from './pipe-field.ts';

/**
 * Every field of the request but the name, which stands above the choice of a source, in the
 * form's order. Spec: Pipe.
 */
export const PIPE_FIELDS: PipeFields = {
  ...kafkaFields,
  ...kinesisFields,
  ...objectStorageFields,
  ...postgresFields,
  validateSamples: fieldsFor()('source.validateSamples', YES_NO, {
    label: 'Validate samples',
    hint: 'Whether samples of the source are checked.',
    section: 'Source details',
  }),
  ...destinationFields,
  ...scalingFields,
  ...settingsFields,
};
