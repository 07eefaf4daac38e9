import { AppError } from '../../core/cloud/errors.ts';
import type { CreateServiceRequest } from '../../core/cloud/service.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import type { Credentials } from '../../core/ports/ports.ts';
import { code, say } from '../../core/text/text.ts';
import type { ServiceInput } from './input.ts';

/** The fields that hold a credential's name in the plan and its value in the request alone. */
export const SECRET_FIELDS = ['encryptionKey', 'encryptionAssumedRoleIdentifier'] as const;
export type SecretNames = { readonly [K in (typeof SECRET_FIELDS)[number]]?: string };

/** What is sent, secrets aside: a field that was left empty is not a key of it. Facts: Drift. */
export function requestOf(input: ServiceInput): CreateServiceRequest {
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
): Pick<CreateServiceRequest, (typeof SECRET_FIELDS)[number]> {
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
