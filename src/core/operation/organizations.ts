import { z } from 'zod';
import type { RawInput } from '../card/card.ts';
import type { Target } from '../ports/decision.ts';
import type { CurrentSettings, OrganizationSettings } from '../settings/settings.ts';
import { nearest } from '../text/nearest.ts';
import { bold, joinText, say } from '../text/text.ts';
import type { Problem } from './outcome.ts';

/** The input field that `resolveOrganization` reads; a form shows it where there are several. */
export const organizationField = z
  .string()
  .trim()
  .optional()
  .meta({ field: { label: 'Organization', widget: 'organization' } });

/** What a plan may know of an organization: never its key's secret. */
export type OrganizationRef = Pick<OrganizationSettings, 'key' | 'id'>;

/**
 * The organization by its key (case aside) or its id. With exactly one the field may stay empty;
 * with several a missing or unknown one comes back as a problem of the field `organization`, a near
 * miss with a suggestion made of `raw`.
 */
export function resolveOrganization(
  typed: string | undefined,
  ports: { readonly settings: CurrentSettings },
  raw: RawInput = {},
): OrganizationRef | Problem {
  const { organizations } = ports.settings.get();
  const name = typed?.trim() ?? '';
  const [first] = organizations;
  if (name === '' && first !== undefined && organizations.length === 1) return refOf(first);
  const found = organizations.find(
    ({ key, id }) => key.toLowerCase() === name.toLowerCase() || id === name.toLowerCase(),
  );
  if (found !== undefined) return refOf(found);
  return problemOf(name, organizations, raw);
}

/** Whether what an earlier request said of its organization, if anything, means this one. */
export function isSameOrganization(
  typed: unknown,
  organization: OrganizationRef,
  ports: { readonly settings: CurrentSettings },
): boolean {
  const found = resolveOrganization(typeof typed === 'string' ? typed : undefined, ports);
  return 'problem' in found || found.id === organization.id;
}

export function organizationTarget({ key, id }: OrganizationRef): Target {
  return { kind: 'organization', id, name: key, organization: key, tags: [] };
}

function refOf({ key, id }: OrganizationSettings): OrganizationRef {
  return { key, id };
}

function problemOf(
  name: string,
  organizations: readonly OrganizationSettings[],
  raw: RawInput,
): Problem {
  const field = 'organization';
  const keys = organizations.map(({ key }) => key);
  if (keys.length === 0) return { field, problem: say`Steward has no organization configured.` };
  const choice = joinText(keys.map(bold), ' or ');
  if (name === '') return { field, problem: say`Choose an organization: ${choice}.` };
  const near = nearest(name, keys);
  const problem = say`There is no organization ${bold(name)} here. Choose ${choice}.`;
  if (near === undefined) return { field, problem };
  return {
    field,
    problem: say`There is no organization ${bold(name)} here. Did you mean ${bold(near)}?`,
    suggestion: { label: `Use ${near}`.slice(0, 75), input: { ...raw, organization: near } },
  };
}
