import { activityRecord, invitationRecord, queryEndpointRecord } from '../../core/cloud/records.ts';
import {
  type CreatedService,
  type ServiceRecord,
  serviceRecord,
} from '../../core/cloud/service.ts';
import { fieldsOf, listOf, recordReader, text } from '../lenient.ts';
import { engineVersionField } from '../wire-names.ts';

const serviceFields = recordReader(serviceRecord);

/** The service record, the engine's version in either spelling. Spec: Service, column R. */
export function readService(value: unknown): ServiceRecord | undefined {
  const source = fieldsOf(value);
  return source && serviceFields({ ...source, engineVersion: engineVersionField(source) });
}

/** The reply of a creation; a password that is missing is no reason to lose the service. */
export function readCreatedService(value: unknown): CreatedService | undefined {
  const source = fieldsOf(value);
  const service = readService(source?.['service']);
  return service && { service, password: text(source?.['password']) };
}

/** Role objects of organizations with custom roles are read as their names. Spec: Invitation. */
export const readInvitation = recordReader(invitationRecord, {
  assignedRoles: (roles) => {
    const names = listOf(roleName)(roles);
    return names?.length === 0 ? undefined : names;
  },
});

function roleName(value: unknown): string | undefined {
  const role = fieldsOf(value);
  return role === undefined ? text(value) : (text(role['roleName']) ?? text(role['roleId']));
}

/** One text by the specification; a list is joined as the text would be. */
export const readQueryEndpoint = recordReader(queryEndpointRecord, {
  allowedOrigins: (origins) => text(origins) ?? text(listOf(text)(origins)?.join(',')),
});

export const readActivity = recordReader(activityRecord);
