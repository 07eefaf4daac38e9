import type { OrganizationRecord } from '../../core/cloud/records.ts';
import type { OrganizationSettings } from '../../core/settings/settings.ts';
import { bold, code, listText, say, type Text } from '../../core/text/text.ts';

/** What the key of an organization sees of organizations. */
export type KeySees = {
  readonly organization: Pick<OrganizationSettings, 'key' | 'id'>;
  readonly seen: readonly OrganizationRecord[];
};

/** Whether the organization that is set is among them: else nothing can be done in it. */
export function seesItsOwn({ organization, seen }: KeySees): boolean {
  return seen.some(({ id }) => id?.toLowerCase() === organization.id.toLowerCase());
}

/** `the key of acme sees **Acme**`, and where that is another organization than the one that is set. */
export function keySeesText(keySees: KeySees): Text {
  const { organization, seen } = keySees;
  const own = seesItsOwn(keySees);
  const names = seen.map(({ id = '', name = id }) =>
    own || name === id ? [bold(name)] : say`${bold(name)} (${code(id)})`,
  );
  const all = names.length === 0 ? say`no organization` : listText(names);
  const not = own ? [] : say`, not the organization that is set, ${code(organization.id)}`;
  return say`the key of ${organization.key} sees ${all}${not}`;
}
