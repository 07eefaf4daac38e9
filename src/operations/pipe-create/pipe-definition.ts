import type { z } from 'zod';
import { destination, fieldMappings, scaling, settings } from './schema-destination.ts';
import { postgres } from './schema-postgres.ts';
import { kafka, kinesis, objectStorage } from './schema-streams.ts';
import { flag, group, words } from './schema-values.ts';

/**
 * A pipe as a person describes it: the request of the specification, except that every secret is
 * the name of a configured credential. Rules over several fields are in `rules.ts`. Spec: Pipe.
 */
export const pipeDefinition = group({
  name: words(200).exactOptional(),
  destination: destination.exactOptional(),
  fieldMappings: fieldMappings.exactOptional(),
  scaling: scaling.exactOptional(),
  settings: settings.exactOptional(),
  source: group({
    kafka: kafka.exactOptional(),
    kinesis: kinesis.exactOptional(),
    objectStorage: objectStorage.exactOptional(),
    postgres: postgres.exactOptional(),
    validateSamples: flag.exactOptional(),
  }).exactOptional(),
});

export type PipeDefinition = z.output<typeof pipeDefinition>;
