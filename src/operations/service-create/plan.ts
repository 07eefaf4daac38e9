import type { CreateServiceRequest } from '../../core/cloud/service.ts';
import type { Context, Double } from '../../core/operation/operation.ts';
import {
  isSameOrganization,
  type OrganizationRef,
  resolveOrganization,
} from '../../core/operation/organizations.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { earlierRequests } from '../../core/operation/repeats.ts';
import { isProblem, standing, visibleServices } from '../../core/operation/resolve.ts';
import { nearest } from '../../core/text/nearest.ts';
import { bold, code, say } from '../../core/text/text.ts';
import type { ServiceInput } from './input.ts';
import { asRaw } from './prefill.ts';
import { requestOf, SECRET_FIELDS, type SecretNames, secretNamesOf } from './request.ts';

export type Plan = {
  readonly organization: OrganizationRef;
  readonly name: string;
  /** Without the values of secrets. */
  readonly request: CreateServiceRequest;
  readonly secrets: SecretNames;
  /** Services and requests of the same name: the API does not keep names unique. */
  readonly doubles: readonly Double[];
};

/** Names to ids; what looks like the same is found, to be asked about. Design: §8. */
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
  return {
    organization,
    name: input.name,
    request: requestOf(input),
    secrets,
    doubles: await doublesOf(input.name, organization, ports, context),
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

async function doublesOf(
  name: string,
  organization: OrganizationRef,
  ports: ReadPorts,
  context: Context,
): Promise<readonly Double[]> {
  const requests = await earlierRequests(
    {
      operation: 'service.create',
      subject: [bold(name)],
      done: 'created',
      isSame: ({ input }) =>
        sameName(String(input['name'] ?? ''), name) &&
        isSameOrganization(input['organization'], organization, ports),
    },
    ports,
    context,
  );
  const visible = new Set((await visibleServices(ports, context)).map(({ id }) => id));
  const services = (await ports.directory.list())
    .filter((entry) => entry.organization === organization.key && sameName(entry.name, name))
    .map((entry) => ({
      key: `service:${entry.id}`,
      text: visible.has(entry.id)
        ? say`A service named ${bold(name)} is known already (${entry.source}): ${standing(entry)}.`
        : say`A service named ${bold(name)} is known already.`,
    }));
  return [...requests, ...services];
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
