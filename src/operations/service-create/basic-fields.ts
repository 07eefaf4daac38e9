import { z } from 'zod';
import { PROVIDERS, REGIONS, REGIONS_OF } from '../../core/cloud/service.ts';
import { organizationField } from '../../core/operation/organizations.ts';
import { accessList } from './access-list.ts';
import { choicesFrom, YES_NO } from './choices.ts';
import { oneOf, triState, whole } from './field-kinds.ts';

const memory = whole({ min: 8, max: 356, step: 4 }, 'A multiple of 4 between 8 and 356.');

/** What every new service is asked for. Spec: Service, column Q; Limits. */
export const basicFields = {
  organization: organizationField,
  name: z
    .string()
    .trim()
    .min(1, 'Give it a name.')
    .max(50, 'At most 50 characters.')
    .regex(/^[A-Za-z0-9 ]*$/u, 'Letters, digits and spaces.')
    .meta({ field: { label: 'Name', hint: 'At most 50 letters, digits and spaces.' } }),
  provider: oneOf(PROVIDERS).meta({
    field: { label: 'Provider', choices: choicesFrom(PROVIDERS) },
  }),
  region: oneOf(REGIONS).meta({
    field: {
      label: 'Region',
      choicesBy: {
        field: 'provider',
        choices: {
          aws: choicesFrom(REGIONS_OF.aws),
          gcp: choicesFrom(REGIONS_OF.gcp),
          azure: choicesFrom(REGIONS_OF.azure),
        },
      },
    },
  }),
  // Left out, a cloud may open the service to the world: so it is always asked for.
  ipAccessList: accessList.meta({
    field: {
      label: 'Who may connect',
      widget: 'lines',
      placeholder: '203.0.113.0/24 office',
      hint: 'One entry a line: an IPv4 address or CIDR, then a description.',
    },
  }),
  anywhere: z
    .boolean()
    .optional()
    .meta({
      field: {
        label: 'Open to the whole internet',
        widget: 'tick',
        placeholder: 'Anyone may connect',
        hint: 'Needed where the list covers half of all addresses or more.',
      },
    }),
  numReplicas: whole({ min: 1, max: 20 }, 'Between 1 and 20.')
    .optional()
    .meta({
      field: {
        label: 'Replicas',
        widget: 'number',
        hint: '2 to 20 in a new warehouse: a single replica has none to take over. If empty, 1 on BASIC, else 3.',
      },
    }),
  minReplicaMemoryGb: memory.optional().meta({
    field: {
      label: 'Memory of a replica, at least (GB)',
      widget: 'number',
      hint: 'A multiple of 4 between 8 and 356.',
    },
  }),
  maxReplicaMemoryGb: memory.optional().meta({
    field: {
      label: 'Memory of a replica, at most (GB)',
      widget: 'number',
      hint: 'A multiple of 4 between 8 and 356; at most 120 for free services.',
    },
  }),
  idleScaling: triState.optional().meta({
    field: {
      label: 'Scale to zero when idle',
      choices: YES_NO,
      hint: 'If empty, the API says yes.',
    },
  }),
  idleTimeoutMinutes: whole({ min: 5, max: Number.MAX_SAFE_INTEGER }, 'At least 5 minutes.')
    .optional()
    .meta({ field: { label: 'Idle after (minutes)', widget: 'number', hint: 'At least 5.' } }),
};
