import { z } from 'zod';
import type { AnyCreateServiceRequest } from '../../core/cloud/clickhouse-service.ts';
import { type CreateServiceRequest, REGIONS_OF, serviceFields } from '../../core/cloud/service.ts';
import { SERVICE_RULES, type ServiceRule } from '../../core/cloud/service-rules.ts';
import type { FieldMeta } from '../../core/operation/fields.ts';
import { organizationField } from '../../core/operation/resolve.ts';
import { accessList, openingOf } from './access-list.ts';
import { choice, choicesFrom, ids, number, oneOf, shortText, tick, yesNo } from './field-kinds.ts';

const { shape } = serviceFields;

/** The regions follow the provider. */
export function regionMeta(
  of: Readonly<Record<'aws' | 'gcp' | 'azure', readonly string[]>>,
): FieldMeta {
  const choices = {
    aws: choicesFrom(of.aws),
    gcp: choicesFrom(of.gcp),
    azure: choicesFrom(of.azure),
  };
  return { label: 'Region', choicesBy: { field: 'provider', choices } };
}

/** What every new service is asked for. */
const basicFields = {
  name: z
    .string()
    .trim()
    .min(1, 'Give it a name.')
    .max(shape.name.maxLength ?? 0, `At most ${shape.name.maxLength} characters.`)
    .regex(/^[A-Za-z0-9 ]*$/u, 'Letters, digits and spaces.')
    .meta({ field: { label: 'Name', hint: 'At most 50 letters, digits and spaces.' } }),
  provider: oneOf(shape.provider).meta({
    field: { label: 'Provider', choices: choicesFrom(shape.provider.options) },
  }),
  region: oneOf(shape.region).meta({ field: regionMeta(REGIONS_OF) }),
  // Left out, a cloud may open the service to the world: so it is always asked for.
  ipAccessList: accessList.meta({
    field: {
      label: 'Who may connect',
      widget: 'lines',
      placeholder: '203.0.113.0/24 office',
      hint: 'One entry a line: an IPv4 address or CIDR, then a description.',
    },
  }),
  /** Asked by Steward alone. */
  anywhere: tick({
    label: 'Open to the whole internet',
    placeholder: 'Anyone may connect',
    hint: 'Needed where the list covers half of all addresses or more.',
  }),
  numReplicas: number(shape.numReplicas, {
    label: 'Replicas',
    hint: '2 to 20 in a new warehouse: a single replica has none to take over. If empty, 1 on BASIC, else 3.',
  }),
  minReplicaMemoryGb: number(shape.minReplicaMemoryGb, {
    label: 'Memory of a replica, at least (GB)',
    hint: 'A multiple of 4 between 8 and 356.',
  }),
  maxReplicaMemoryGb: number(shape.maxReplicaMemoryGb, {
    label: 'Memory of a replica, at most (GB)',
    hint: 'A multiple of 4 between 8 and 356; at most 120 for free services.',
  }),
  idleScaling: yesNo({ label: 'Scale to zero when idle', hint: 'Yes if empty.' }),
  idleTimeoutMinutes: number(shape.idleTimeoutMinutes, {
    label: 'Idle after (minutes)',
    unit: 'minutes',
    hint: 'At least 5.',
  }),
};

const section = 'More settings';
const enterprise = 'For organizations of the ENTERPRISE tier.';
const byCredential = {
  section,
  widget: 'credential',
  hint: 'By its name under credentials.',
} as const;

export const PROFILE: FieldMeta = { label: 'Profile', section, hint: enterprise };

/** Behind a fold of the form. */
const moreFields = {
  profile: choice(shape.profile, PROFILE),
  complianceType: choice(shape.complianceType, { label: 'Compliance', section }),
  releaseChannel: choice(shape.releaseChannel, {
    label: 'Release channel',
    section,
    hint: 'For production services. fast: features sooner; slow: tested longer.',
  }),
  dataWarehouseId: shortText({
    label: 'Warehouse id',
    section,
    hint: 'Joins an existing warehouse.',
  }),
  isReadonly: yesNo({ label: 'Read-only', section, hint: 'Only together with a warehouse id.' }),
  backupId: z
    .guid({ error: 'A UUID.' })
    .optional()
    .meta({
      field: {
        label: 'Backup id',
        section,
        hint: 'The service starts with its contents. Region and tier have to be those of its source.',
      },
    }),
  byocId: shortText({
    label: 'BYOC id',
    section,
    hint: 'Your own cloud. Both memory fields are then needed: 48, 116, 172 or 232.',
  }),
  endpoints: yesNo({
    label: 'MySQL endpoint',
    section,
    choices: [
      { value: 'true', label: 'Enabled' },
      { value: 'false', label: 'Disabled' },
    ],
  }),
  hasTransparentDataEncryption: yesNo({
    label: 'Transparent data encryption',
    section,
    hint: `${enterprise} It can be set now only.`,
  }),
  encryptionKey: shortText({ label: 'Disk encryption key', ...byCredential }),
  encryptionAssumedRoleIdentifier: shortText({ label: 'Disk encryption role', ...byCredential }),
  privatePreviewTermsChecked: tick({
    label: 'Private preview',
    section,
    placeholder: 'The private preview terms are accepted',
    hint: 'Only for the first service of an organization in a private preview.',
  }),
};

const deprecated = { section: 'Deprecated settings', badge: 'Deprecated' } as const;

/** Still in the contract, refused by organizations that have moved on. Spec: Versioning. */
const deprecatedFields = {
  tier: choice(shape.tier, {
    ...deprecated,
    label: 'Tier',
    hint: 'Organizations of the tiers BASIC, SCALE and ENTERPRISE take none.',
  }),
  minTotalMemoryGb: number(shape.minTotalMemoryGb, {
    ...deprecated,
    label: 'Memory of three replicas, at least (GB)',
    hint: 'Production only; wrong for other numbers of replicas. A multiple of 12, 24 to 1068.',
  }),
  maxTotalMemoryGb: number(shape.maxTotalMemoryGb, {
    ...deprecated,
    label: 'Memory of three replicas, at most (GB)',
    hint: 'As above; at most 360 for free services.',
  }),
  privateEndpointIds: ids({
    ...deprecated,
    label: 'Private endpoint ids',
    hint: 'One a line. Today they are added after the creation, in the console.',
  }),
};

/** The form of every field of the request, none left out. Spec: Service, column Q; Limits. */
export const serviceForm = {
  organization: organizationField,
  ...basicFields,
  ...moreFields,
  ...deprecatedFields,
  preset: z
    .string()
    .optional()
    .meta({
      field: {
        label: 'Preset',
        slashOnly: true,
        hint: 'Fills the form with what stands under presets in steward.yaml.',
      },
    }),
} satisfies Record<keyof CreateServiceRequest, z.ZodType> & Record<string, z.ZodType>;

const typedFields = z.strictObject(serviceForm);

/** Of either mode: the fields of ClickHouse Cloud are absent where the specification is followed. */
export type ServiceInput = Omit<z.output<typeof typedFields>, 'region' | 'profile'> &
  Pick<
    AnyCreateServiceRequest,
    'profile' | 'autoscalingMode' | 'minReplicas' | 'maxReplicas' | 'tags' | 'enableCoreDumps'
  > & { readonly region: string };

/** Every request field of the specification, and the rules between them. Spec: Service, column Q. */
export const serviceInput = held(typedFields, SERVICE_RULES);

/** A form that is held to rules between its fields, each told beside its field. */
export function held<S extends z.ZodObject>(
  form: S,
  rules: readonly ServiceRule<z.output<S>>[],
): S {
  return form.superRefine(
    (typed, context) => {
      const faults = rules.map(({ field, fault }) => [field, fault(typed)?.form] as const);
      for (const [field, message] of [...faults, ['anywhere', anywhereFault(typed)] as const]) {
        if (message !== undefined) context.addIssue({ code: 'custom', path: [field], message });
      }
    },
    // All that does not fit is told at once, not one round of fields after the other: so what is
    // typed may lack fields, or hold them as they were typed.
    { when: () => true },
  );
}

function anywhereFault({ ipAccessList, anywhere }: Partial<ServiceInput>): string | undefined {
  if (anywhere === true || !Array.isArray(ipAccessList)) return undefined;
  const open = openingOf(ipAccessList.filter(isEntry));
  if (open === undefined) return undefined;
  const list = open.by === undefined ? 'All entries together let' : `${open.by} lets`;
  return `${list} ${open.who} in: tick this, or list narrower addresses.`;
}

/** A repeated flag that does not fit is still the texts as they were typed. */
function isEntry(entry: unknown): entry is { readonly source: string } {
  return typeof entry === 'object' && entry !== null && 'source' in entry;
}
