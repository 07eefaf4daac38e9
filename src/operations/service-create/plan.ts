import type { JournalEntry } from '../../core/journal.ts';
import type { Context } from '../../core/operation.ts';
import type { ReadPorts } from '../../core/operation-ports.ts';
import { type OrganizationRef, resolveOrganization } from '../../core/organizations.ts';
import type { Problem } from '../../core/outcome.ts';
import type { DirectoryEntry } from '../../core/ports.ts';
import { isProblem } from '../../core/resolve.ts';
import type { CreateServiceRequest } from '../../core/resources.ts';
import { nearest } from '../../core/slash.ts';
import { bold, code, say, time, user } from '../../core/text.ts';
import type { ServiceInput } from './input.ts';
import { asRaw } from './prefill.ts';
import { requestOf, SECRET_FIELDS, type SecretNames, secretNamesOf } from './request.ts';

export type Plan = {
  readonly organization: OrganizationRef;
  readonly name: string;
  /** Without the values of secrets. */
  readonly request: CreateServiceRequest;
  readonly secrets: SecretNames;
  /** A known service of the same name: the API does not keep names unique. */
  readonly namesake?: DirectoryEntry;
};

const ASK_AGAIN_WITHIN = { minutes: 10 };

/** Names to ids; an equal create of the last minutes has to be asked for again. Design: §8. */
export async function planCreate(
  input: ServiceInput,
  ports: ReadPorts,
  context: Context,
): Promise<Plan | Problem> {
  const organization = resolveOrganization(input.organization, ports, asRaw(input));
  if (isProblem(organization)) return organization;
  const secrets = secretNamesOf(input);
  const unknown = unknownCredential(secrets, ports);
  if (unknown !== undefined) return unknown;
  if (input.again !== true) {
    const repeat = await repeatProblem(input, organization, ports, context);
    if (repeat !== undefined) return repeat;
  }
  const namesake = (await ports.directory.list()).find(
    (entry) => entry.organization === organization.key && sameName(entry.name, input.name),
  );
  return {
    organization,
    name: input.name,
    request: requestOf(input),
    secrets,
    ...(namesake === undefined ? {} : { namesake }),
  };
}

function unknownCredential(secrets: SecretNames, ports: ReadPorts): Problem | undefined {
  const known = ports.credentials.names();
  const field = SECRET_FIELDS.find((key) => {
    const name = secrets[key];
    return name !== undefined && !known.includes(name);
  });
  if (field === undefined) return undefined;
  // What was typed is not repeated: it may be the secret itself.
  const near = nearest(secrets[field] ?? '', known);
  const hint = near === undefined ? [] : say` Did you mean ${code(near)}?`;
  return { field, problem: say`No credential has this name.${hint}` };
}

/** Names are not unique and a repeat is billed: a second one within minutes is asked about. */
async function repeatProblem(
  input: ServiceInput,
  organization: OrganizationRef,
  ports: ReadPorts,
  context: Context,
): Promise<Problem | undefined> {
  const since = ports.clock.now().minus(ASK_AGAIN_WITHIN).toISO() ?? '';
  const entries = await ports.journal.find({ operation: 'service.create', since });
  const earlier = entries.find(
    (entry) =>
      entry.number !== context.journal &&
      fateOf(entry) !== undefined &&
      sameName(String(entry.input['name'] ?? ''), input.name) &&
      inOrganization(entry, organization, ports),
  );
  if (earlier === undefined) return undefined;
  const who = user(earlier.actor.userId);
  const when = time(earlier.openedAt, 'time');
  return {
    field: 'name',
    problem: say`${who} asked for a service ${bold(input.name)} at ${when}: ${fateOf(earlier) ?? ''} (journal ${earlier.number}). Another one is billed as well.`,
    suggestion: {
      label: 'Create another one',
      input: asRaw({ ...input, again: true }),
    },
  };
}

function fateOf({ outcome }: JournalEntry): string | undefined {
  switch (outcome) {
    case 'done':
      return 'it was created';
    case 'unknown':
      return 'it may have been created';
    case 'open':
      return 'it is on its way';
    default:
      return undefined;
  }
}

function inOrganization(
  entry: JournalEntry,
  organization: OrganizationRef,
  ports: ReadPorts,
): boolean {
  const typed = entry.input['organization'];
  const found = resolveOrganization(typeof typed === 'string' ? typed : undefined, ports);
  return isProblem(found) || found.id === organization.id;
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
