import {
  type AnyCreateServiceRequest,
  clickhouseCreateServiceRequest,
} from '../../core/cloud/clickhouse-service.ts';
import { AppError } from '../../core/cloud/errors.ts';
import { createServiceRequest } from '../../core/cloud/service-rules.ts';
import type { Context, Double } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { earlierRequests } from '../../core/operation/repeats.ts';
import {
  isProblem,
  isSameOrganization,
  namesOf,
  type OrganizationRef,
  resolveOrganization,
  standing,
  visibleServices,
} from '../../core/operation/resolve.ts';
import type { Credentials } from '../../core/ports/ports.ts';
import type { NamesMode } from '../../core/settings/settings.ts';
import { bold, code, say } from '../../core/text/text.ts';
import { nearest } from '../../core/text/typed-text.ts';
import type { ServiceInput } from './input.ts';
import { asRaw } from './prefill.ts';

export type Plan = {
  readonly organization: OrganizationRef;
  readonly name: string;
  /** Without the values of secrets. */
  readonly request: AnyCreateServiceRequest;
  readonly secrets: SecretNames;
  /** Whether the cloud shows what becomes of it. */
  readonly isSeen: boolean;
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
  const untaken = untakenBy(namesOf(organization.key, ports), requestOf(input));
  if (untaken !== undefined) return untaken;
  const secrets = secretNamesOf(input);
  const unknown = unknownCredential(secrets, ports);
  if (unknown !== undefined) return unknown;
  return {
    organization,
    name: input.name,
    request: requestOf(input),
    secrets,
    isSeen: ports.sights.of(organization.key) !== undefined,
    doubles: await doublesOf(input.name, organization, ports, context),
  };
}

/** Where organizations of both kinds share a form, what the chosen one does not take. */
function untakenBy(names: NamesMode, request: AnyCreateServiceRequest): Problem | undefined {
  const taken = names === 'neutral' ? createServiceRequest : clickhouseCreateServiceRequest;
  const [issue] = taken.safeParse(request).error?.issues ?? [];
  const field = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0];
  // The rules of the specification that the form leaves to the client are told by the client.
  if (typeof field !== 'string' || issue?.code === 'custom') return undefined;
  return { field, problem: say`The cloud of this organization does not take this.` };
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

/** The fields that hold a credential's name in the plan and its value in the request alone. */
const SECRET_FIELDS = ['encryptionKey', 'encryptionAssumedRoleIdentifier'] as const;
type SecretNames = { readonly [K in (typeof SECRET_FIELDS)[number]]?: string };

/** What is sent, secrets aside: a field that was left empty is not a key of it. Facts: Drift. */
export function requestOf(input: ServiceInput): AnyCreateServiceRequest {
  const {
    organization: _organization,
    anywhere: _anywhere,
    preset: _preset,
    encryptionKey: _key,
    encryptionAssumedRoleIdentifier: _role,
    endpoints,
    privatePreviewTermsChecked,
    ...plain
  } = input;
  return definedOnly({
    ...plain,
    endpoints:
      endpoints === undefined ? undefined : [{ protocol: 'mysql' as const, enabled: endpoints }],
    privatePreviewTermsChecked: privatePreviewTermsChecked === true ? true : undefined,
  });
}

export function secretNamesOf(input: ServiceInput): SecretNames {
  const { encryptionKey, encryptionAssumedRoleIdentifier } = input;
  return definedOnly({ encryptionKey, encryptionAssumedRoleIdentifier });
}

/** The named values, just before they are sent. Throws AppError `not-configured`. Design: §7. */
export function resolveSecrets(
  names: SecretNames,
  ports: Pick<ReadPorts, 'credentials'>,
): Pick<AnyCreateServiceRequest, (typeof SECRET_FIELDS)[number]> {
  const { encryptionKey, encryptionAssumedRoleIdentifier } = names;
  return definedOnly({
    encryptionKey: secretValue(encryptionKey, ports.credentials),
    encryptionAssumedRoleIdentifier: secretValue(
      encryptionAssumedRoleIdentifier,
      ports.credentials,
    ),
  });
}

function secretValue(name: string | undefined, credentials: Credentials): string | undefined {
  if (name === undefined) return undefined;
  const values = credentials.values(name);
  const value = values['value'] ?? values['encryptionKey'];
  if (value !== undefined) return value;
  throw new AppError('not-configured', {
    userMessage: say`the credential ${code(name)} has no ${code('value')} in ${code('steward.yaml')}.`,
  });
}

/** Without the keys whose value is undefined. */
function definedOnly<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> };
function definedOnly(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}
