import { z } from 'zod';
import type { RawInput } from '../card/card.ts';
import type { Target } from '../ports/decision.ts';
import type { DirectoryEntry } from '../ports/ports.ts';
import type { CurrentSettings, NamesMode, OrganizationSettings } from '../settings/settings.ts';
import { bold, code, joinText, say, type Text, time } from '../text/text.ts';
import { cleanTyped, isUuid, nearest } from '../text/typed-text.ts';
import type { Context } from './operation.ts';
import type { Problem } from './outcome.ts';
import type { OperationInfo, ReadPorts } from './ports.ts';

export type VisibilityPorts = Pick<ReadPorts, 'directory' | 'policy' | 'catalogue'>;

/**
 * The services on which this person may do anything at all here; names of others stay unknown to
 * them, in lists, suggestions and refusals alike. Design: §5. Throws AppError `storage`.
 */
export async function visibleServices(
  ports: VisibilityPorts,
  context: Pick<Context, 'actor' | 'place'>,
): Promise<readonly DirectoryEntry[]> {
  return await visibleAmong(await ports.directory.list(), ports, context);
}

export async function visibleAmong(
  entries: readonly DirectoryEntry[],
  ports: Pick<VisibilityPorts, 'policy' | 'catalogue'>,
  { actor, place }: Pick<Context, 'actor' | 'place'>,
): Promise<readonly DirectoryEntry[]> {
  const seen = await ports.policy.seen(actor, place, {
    services: entries.map(serviceTarget),
    actions: ports.catalogue.filter(isAboutServices).map(({ id }) => id),
  });
  return entries.filter(({ id }) => seen.has(id));
}

/** A rule for another action says nothing of services, even where it names none. */
function isAboutServices({ open, listsServices, fields }: OperationInfo): boolean {
  if (open === true) return false;
  return listsServices === true || fields.some(({ widget }) => widget === 'service');
}

export function isProblem(value: object): value is Problem {
  return 'problem' in value;
}

/**
 * A service by its exact name (case aside) or its id. What this person may do nothing with here is
 * never named: an id stays an id, a near miss is none. A near miss comes back as a suggestion, made
 * of `raw`, and is never run. Design: §3.
 */
export async function resolveService(
  typed: string,
  about: FieldInput,
  ports: VisibilityPorts,
  context: Pick<Context, 'actor' | 'place'>,
): Promise<DirectoryEntry | Problem> {
  const known = await findService(typed, about, ports, context);
  if (!isProblem(known) || known.isUnknown !== true) return known;
  // It may be new, or Steward never heard of it: a cloud that shows its services is asked.
  const name = cleanTyped(typed).trim();
  const { directory } = ports;
  const learnt = isUuid(name) ? await directory.ask(name.toLowerCase()) : await directory.look();
  return learnt ? await findService(typed, about, ports, context) : known;
}

type FieldInput = { readonly raw: RawInput; readonly field: string };
type Unfound = Problem & { readonly isUnknown?: true };

async function findService(
  typed: string,
  { raw, field }: FieldInput,
  ports: VisibilityPorts,
  context: Pick<Context, 'actor' | 'place'>,
): Promise<DirectoryEntry | Unfound> {
  const name = cleanTyped(typed).trim();
  const isSame = ({ id, name: known }: DirectoryEntry): boolean =>
    id === name.toLowerCase() || cleanTyped(known).trim().toLowerCase() === name.toLowerCase();
  const [hit, ...others] = (await ports.directory.list()).filter(isSame);
  const isByName = hit !== undefined && others.length === 0 && hit.id !== name.toLowerCase();
  // What only the cloud names is for those whose rules are about it.
  if (isByName && hit.source !== 'cloud') return hit;
  const entries = await visibleServices(ports, context);
  const [seen, ...alike] = entries.filter(isSame);
  if (seen !== undefined) {
    return alike.length === 0 ? seen : ambiguous(name, [seen, ...alike], field);
  }
  if (hit?.id === name.toLowerCase()) return { ...hit, name: hit.id };
  if (isUuid(name)) {
    const problem = say`No service with the id ${code(name)} is known here. ${WAY_ON}`;
    return { problem, field, isUnknown: true };
  }
  const names = entries.map((entry) => entry.name);
  const within = namesWithin(name, names);
  if (within.length > 1) {
    const found = joinText(within.map(bold), ' and ');
    return { problem: say`One service at a time: ${found} are ${within.length}.`, field };
  }
  const near = nearest(name, names) ?? within[0];
  if (near === undefined) {
    return { problem: say`No service named ${bold(name)}. ${WAY_ON}`, field, isUnknown: true };
  }
  return {
    isUnknown: true,
    problem: say`No service named ${bold(name)}. Did you mean ${bold(near)}?`,
    field,
    suggestion: { label: `Use ${near}`, input: { ...raw, [field]: near } },
  };
}

/** `scratch now`: the names that stand in the words, the longest first, none within another. */
function namesWithin(typed: string, names: readonly string[]): readonly string[] {
  let words = ` ${typed.toLowerCase().replaceAll(/[\s,;]+/gu, ' ')} `;
  return names
    .toSorted((a, b) => b.length - a.length)
    .filter((name) => {
      const stands = ` ${name.toLowerCase()} `;
      if (!words.includes(stands)) return false;
      words = words.replace(stands, '  ');
      return true;
    });
}

const WAY_ON = say`${code('services')} lists those that Steward knows.`;

function ambiguous(name: string, entries: readonly DirectoryEntry[], field: string): Problem {
  const ids = joinText(
    entries.map((entry) => code(entry.id)),
    ', ',
  );
  return {
    problem: say`${bold(name)} is the name of several services; type the id: ${ids}.`,
    field,
  };
}

export function serviceTarget(entry: DirectoryEntry): Target {
  const { id, name, organization, tags } = entry;
  return { kind: 'service', id, name, organization, tags };
}

/** `dev · last reported running, today 10:02`; without a report it says so. */
export function standing(entry: DirectoryEntry): Text {
  const tags = entry.tags.length === 0 ? [] : say`${entry.tags.join(', ')} · `;
  if (entry.state === undefined) return say`${tags}${entry.organization} · no state reported yet`;
  const at = entry.stateAt === undefined ? [] : say`, ${time(entry.stateAt)}`;
  return say`${tags}last reported ${code(entry.state)}${at}`;
}

/** The name in what was typed, for sentences before anything is resolved; cut to 60 characters. */
export function typedName(raw: RawInput, field: string, fallback: string): Text {
  const value = raw[field];
  return typeof value === 'string' && value !== '' ? [bold(value.slice(0, 60))] : [fallback];
}

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

/** How an organization's cloud speaks, by its key: what it takes follows from that. Spec: ClickHouse spellings. */
export function namesOf(
  organization: string,
  ports: { readonly settings: CurrentSettings },
): NamesMode {
  const { organizations } = ports.settings.get();
  return organizations.find(({ key }) => key === organization)?.names ?? 'neutral';
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
