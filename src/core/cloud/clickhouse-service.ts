import { z } from 'zod';
import { exactObject, flag, list, oneOf, type ValueOf, whole } from './schema.ts';
import { type CreateServiceRequest, serviceFields } from './service.ts';
import { type ServiceRule, serviceRules, withRules } from './service-rules.ts';

/** Regions of ClickHouse Cloud, by the way in which each provider names its own. Facts: Drift. */
export const CLICKHOUSE_REGIONS_OF = {
  aws: [
    'ap-northeast-1',
    'ap-northeast-2',
    'ap-south-1',
    'ap-southeast-1',
    'ap-southeast-2',
    'ca-central-1',
    'eu-central-1',
    'eu-west-1',
    'eu-west-2',
    'il-central-1',
    'us-east-1',
    'us-east-2',
    'us-west-2',
  ],
  gcp: [
    'us-east1',
    'us-central1',
    'europe-west2',
    'europe-west4',
    'asia-southeast1',
    'asia-northeast1',
  ],
  azure: ['eastus', 'eastus2', 'westus3', 'germanywestcentral', 'centralus'],
} as const;

const REGIONS = [
  ...CLICKHOUSE_REGIONS_OF.aws,
  ...CLICKHOUSE_REGIONS_OF.gcp,
  ...CLICKHOUSE_REGIONS_OF.azure,
] as const;

const PROFILES = [
  'v1-default',
  'v1-highmem-xs',
  'v1-highmem-s',
  'v1-highmem-m',
  'v1-highmem-l',
  'v1-highmem-xl',
] as const;

const TAG = /^[a-zA-Z0-9._-]+$/;
const tagText = (most: number) =>
  z
    .string({ error: 'text' })
    .max(most, { error: `at most ${most} characters long` })
    .regex(TAG, { error: 'letters, digits, ".", "_" and "-"' });

/** The fields that only ClickHouse Cloud takes. Spec: ClickHouse spellings. */
const ownFields = {
  autoscalingMode: oneOf(['vertical', 'horizontal']),
  minReplicas: whole(1, 20),
  maxReplicas: whole(1, 20),
  tags: list(exactObject({ key: tagText(128), value: tagText(256).optional() })),
  enableCoreDumps: flag,
};

/** Every field of a creation as ClickHouse Cloud takes it. Spec: ClickHouse spellings. */
export const clickhouseServiceFields = serviceFields.extend({
  region: oneOf(REGIONS),
  profile: oneOf(PROFILES),
  ...ownFields,
});

const optionalFields = exactObject(ownFields).partial();

/** Of either mode: the fields of the cloud are absent where the specification is followed. */
export type AnyCreateServiceRequest = CreateServiceRequest & ValueOf<typeof optionalFields>;

type Scaled = Pick<
  AnyCreateServiceRequest,
  'autoscalingMode' | 'numReplicas' | 'minReplicas' | 'maxReplicas'
>;

/** One mode moves the memory of a replica, the other the number of replicas. Facts: Drift. */
const SCALING_RULES: readonly ServiceRule<Scaled>[] = [
  { field: 'minReplicas', fault: (request) => boundFault(request, request.minReplicas) },
  { field: 'maxReplicas', fault: (request) => boundFault(request, request.maxReplicas) },
  {
    field: 'minReplicas',
    fault: ({ minReplicas: least = 0, maxReplicas: most = Number.POSITIVE_INFINITY }) =>
      least <= most
        ? undefined
        : { form: `At most ${most}, the maximum.`, request: 'at most maxReplicas' },
  },
  {
    field: 'numReplicas',
    fault: ({ autoscalingMode, numReplicas }) =>
      autoscalingMode !== 'horizontal' || numReplicas === undefined
        ? undefined
        : {
            form: 'Left empty where replicas scale: give the least and the most.',
            request: 'left out where autoscalingMode is horizontal',
          },
  },
];

function boundFault({ autoscalingMode }: Scaled, bound: number | undefined) {
  const isHorizontal = autoscalingMode === 'horizontal';
  if (isHorizontal === (bound !== undefined)) return undefined;
  return isHorizontal
    ? { form: 'Needed where replicas scale.', request: 'set where autoscalingMode is horizontal' }
    : {
        form: 'Only where replicas scale.',
        request: 'left out unless autoscalingMode is horizontal',
      };
}

/** The rules between fields of ClickHouse Cloud's creation. Spec: Service; ClickHouse spellings. */
export const CLICKHOUSE_SERVICE_RULES = [
  ...serviceRules(CLICKHOUSE_REGIONS_OF),
  ...SCALING_RULES,
] as const;

/** The cloud needs four of the fields, as its own client sends them always. Facts: Drift. */
export const clickhouseCreateServiceRequest = withRules(
  clickhouseServiceFields
    .partial()
    .required({ name: true, provider: true, region: true, ipAccessList: true }),
  CLICKHOUSE_SERVICE_RULES,
);
