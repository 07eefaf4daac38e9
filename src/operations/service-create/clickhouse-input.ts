import { z } from 'zod';
import {
  CLICKHOUSE_REGIONS_OF,
  CLICKHOUSE_SERVICE_RULES,
  clickhouseServiceFields,
} from '../../core/cloud/clickhouse-service.ts';
import { REGIONS_OF, serviceFields } from '../../core/cloud/service.ts';
import { cleanTyped } from '../../core/text/typed-text.ts';
import { choice, number, oneOf, yesNo } from './field-kinds.ts';
import { held, PROFILE, regionMeta, serviceForm } from './input.ts';

const { shape } = clickhouseServiceFields;
const section = 'More settings';

type Tag = z.output<typeof shape.tags>[number];

/** `team=data`, or a key alone; one a line, or with commas or spaces between them. */
const tags = z
  .union([z.string(), z.array(z.string())])
  .transform((typed) => cleanTyped(typeof typed === 'string' ? typed : typed.join('\n')))
  .pipe(z.string().max(3_000, 'At most 3000 characters.'))
  .transform((text, context): readonly Tag[] => {
    const list = text.split(/[\s,;]+/u).flatMap((tag) => (tag === '' ? [] : [tagOf(tag)]));
    const read = shape.tags.safeParse(list);
    if (read.success) return read.data;
    const [{ path, message } = { path: [], message: '' }] = read.error.issues;
    const at = typeof path[0] === 'number' ? `Entry ${path[0] + 1}: ` : '';
    context.addIssue({ code: 'custom', message: `${at}${message}.` });
    return [];
  });

function tagOf(text: string): Tag {
  const [key = '', ...value] = text.split('=');
  return value.length === 0 ? { key } : { key, value: value.join('=') };
}

/** The way `tags` reads it. */
export function writeTags(list: readonly Tag[]): string {
  return list.map(({ key, value }) => (value === undefined ? key : `${key}=${value}`)).join('\n');
}

const ownFields = {
  autoscalingMode: choice(shape.autoscalingMode, {
    label: 'Autoscaling',
    section,
    hint: 'vertical: the memory of each replica; horizontal: their number. vertical if empty.',
  }),
  minReplicas: number(shape.minReplicas, {
    label: 'Replicas, at least',
    section,
    hint: 'With horizontal autoscaling.',
  }),
  maxReplicas: number(shape.maxReplicas, {
    label: 'Replicas, at most',
    section,
    hint: 'With horizontal autoscaling.',
  }),
  tags: tags.optional().meta({
    field: {
      label: 'Tags',
      section,
      widget: 'lines',
      placeholder: 'team=data',
      hint: 'One a line: a key, or key=value; letters, digits, ".", "_" and "-".',
    },
  }),
  enableCoreDumps: yesNo({ label: 'Core dumps', section }),
};

const clickhouseForm = {
  ...serviceForm,
  region: oneOf(shape.region).meta({ field: regionMeta(CLICKHOUSE_REGIONS_OF) }),
  profile: choice(shape.profile, PROFILE),
  ...ownFields,
};

/** Every request field that ClickHouse Cloud takes. Spec: ClickHouse spellings. */
export const clickhouseServiceInput = held(
  z.strictObject(clickhouseForm),
  CLICKHOUSE_SERVICE_RULES,
);

const BOTH_REGIONS_OF = {
  aws: [...new Set([...CLICKHOUSE_REGIONS_OF.aws, ...REGIONS_OF.aws])],
  gcp: CLICKHOUSE_REGIONS_OF.gcp,
  azure: CLICKHOUSE_REGIONS_OF.azure,
} as const;

/** Where organizations of both kinds are configured: what does not fit one of them is told by the plan. */
export const anyServiceInput = held(
  z.strictObject({
    ...clickhouseForm,
    region: oneOf(z.enum(Object.values(BOTH_REGIONS_OF).flat())).meta({
      field: regionMeta(BOTH_REGIONS_OF),
    }),
    profile: choice(serviceFields.shape.profile, PROFILE),
  }),
  CLICKHOUSE_SERVICE_RULES.filter(({ field }) => field !== 'region'),
);
