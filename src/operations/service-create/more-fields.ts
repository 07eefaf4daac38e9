import { z } from 'zod';
import { COMPLIANCE_TYPES, PROFILES, RELEASE_CHANNELS, TIERS } from '../../core/cloud/service.ts';
import { choicesFrom, YES_NO } from './choices.ts';
import { ids, oneOf, shortText, triState, whole } from './field-kinds.ts';

const section = 'More settings';
const enterprise = 'For organizations of the ENTERPRISE tier.';

/** Behind a fold of the form. Spec: Service, column Q. */
export const moreFields = {
  profile: oneOf(PROFILES)
    .optional()
    .meta({
      field: { label: 'Profile', section, choices: choicesFrom(PROFILES), hint: enterprise },
    }),
  complianceType: oneOf(COMPLIANCE_TYPES)
    .optional()
    .meta({ field: { label: 'Compliance', section, choices: choicesFrom(COMPLIANCE_TYPES) } }),
  releaseChannel: oneOf(RELEASE_CHANNELS)
    .optional()
    .meta({
      field: {
        label: 'Release channel',
        section,
        choices: choicesFrom(RELEASE_CHANNELS),
        hint: 'For production services. fast: features sooner; slow: tested longer.',
      },
    }),
  dataWarehouseId: shortText.optional().meta({
    field: { label: 'Warehouse id', section, hint: 'Joins an existing warehouse.' },
  }),
  isReadonly: triState.optional().meta({
    field: {
      label: 'Read-only',
      section,
      choices: YES_NO,
      hint: 'Only together with a warehouse id.',
    },
  }),
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
  byocId: shortText.optional().meta({
    field: {
      label: 'BYOC id',
      section,
      hint: 'Your own cloud. Both memory fields are then needed: 48, 116, 172 or 232.',
    },
  }),
  endpoints: triState.optional().meta({
    field: {
      label: 'MySQL endpoint',
      section,
      choices: [
        { value: 'true', label: 'Enabled' },
        { value: 'false', label: 'Disabled' },
      ],
    },
  }),
  hasTransparentDataEncryption: triState.optional().meta({
    field: {
      label: 'Transparent data encryption',
      section,
      choices: YES_NO,
      hint: `${enterprise} It can be set now only.`,
    },
  }),
  encryptionKey: shortText.optional().meta({
    field: {
      label: 'Disk encryption key',
      section,
      widget: 'credential',
      hint: 'By its name under credentials.',
    },
  }),
  encryptionAssumedRoleIdentifier: shortText.optional().meta({
    field: {
      label: 'Disk encryption role',
      section,
      widget: 'credential',
      hint: 'By its name under credentials.',
    },
  }),
  privatePreviewTermsChecked: z
    .boolean()
    .optional()
    .meta({
      field: {
        label: 'Private preview',
        section,
        widget: 'tick',
        placeholder: 'The private preview terms are accepted',
        hint: 'Only for the first service of an organization in a private preview.',
      },
    }),
};

const deprecated = { section: 'Deprecated settings', badge: 'Deprecated' } as const;
const total = whole({ min: 24, max: 1068, step: 12 }, 'A multiple of 12 between 24 and 1068.');

/** Still in the contract, refused by organizations that have moved on. Spec: Versioning 3. */
export const deprecatedFields = {
  tier: oneOf(TIERS)
    .optional()
    .meta({
      field: {
        ...deprecated,
        label: 'Tier',
        choices: choicesFrom(TIERS),
        hint: 'Organizations of the tiers BASIC, SCALE and ENTERPRISE take none.',
      },
    }),
  minTotalMemoryGb: total.optional().meta({
    field: {
      ...deprecated,
      label: 'Memory of three replicas, at least (GB)',
      widget: 'number',
      hint: 'Production only; wrong for other numbers of replicas. A multiple of 12, 24 to 1068.',
    },
  }),
  maxTotalMemoryGb: total.optional().meta({
    field: {
      ...deprecated,
      label: 'Memory of three replicas, at most (GB)',
      widget: 'number',
      hint: 'As above; at most 360 for free services.',
    },
  }),
  privateEndpointIds: ids.optional().meta({
    field: {
      ...deprecated,
      label: 'Private endpoint ids',
      widget: 'lines',
      hint: 'One a line. Today they are added after the creation, in the console.',
    },
  }),
};
