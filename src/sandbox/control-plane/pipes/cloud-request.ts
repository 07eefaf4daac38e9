import { z } from 'zod';
import { flag, group, text } from '../validation/scalars.ts';
import { pipeRequest } from './pipe-request.ts';
import { postgresSettings, postgresSource, tableMapping } from './postgres-source.ts';
import { kafkaSource, kinesisSource, objectStorageSource } from './stream-sources.ts';

const pair = (one: string, other: string) => z.strictObject({ [one]: text, [other]: text });

/** The pipe request with what only ClickHouse Cloud takes. Spec: ClickHouse spellings */
export const cloudPipeRequest = pipeRequest.extend({
  source: z.strictObject({
    kafka: kafkaSource
      .extend({
        credentials: z
          .union([
            pair('username', 'password'),
            pair('accessKeyId', 'secretKey'),
            pair('certificate', 'privateKey'),
            z.strictObject({ connectionString: text }),
          ])
          .exactOptional(),
        exactlyOnce: flag.exactOptional(),
      })
      .exactOptional(),
    kinesis: kinesisSource.exactOptional(),
    objectStorage: objectStorageSource
      .extend({
        skipInitialLoad: flag.exactOptional(),
        startAfter: text.exactOptional(),
        serviceAccountKey: text.exactOptional(),
      })
      .exactOptional(),
    postgres: postgresSource
      .extend({
        iamRole: text.exactOptional(),
        tlsHost: text.exactOptional(),
        caCertificate: text.exactOptional(),
        disableTls: flag.exactOptional(),
        skipCertVerification: flag.exactOptional(),
        settings: group({
          ...postgresSettings,
          deleteOnMerge: flag.exactOptional(),
        }).exactOptional(),
        tableMappings: z
          .array(
            tableMapping.extend({
              partitionKey: text.exactOptional(),
              partitionByExpr: text.exactOptional(),
            }),
          )
          .min(1),
      })
      .exactOptional(),
    validateSamples: flag.exactOptional(),
  }),
});

export type CloudPipeRequest = z.output<typeof cloudPipeRequest>;
