import { z } from 'zod';
import type { Json } from '../json.ts';
import { newUuid } from '../random.ts';
import { badField, Refusal } from '../refusal.ts';
import { isoOf } from '../services/states.ts';
import type { Settings } from '../settings.ts';
import type { Invitation } from '../state/model.ts';
import { parseRequest } from '../validation/parse-request.ts';
import { type Call, recordActivity, uuidParam } from './call.ts';

const DAYS_VALID = 7;
const email = z.email('must be an e-mail address');

const invitationRequest = z.strictObject({ email });

/** ClickHouse Cloud takes the role with the address. */
const clickhouseInvitationRequest = z.strictObject({
  email,
  role: z.enum(['admin', 'developer']).exactOptional(),
});

/** The new invitation; the address is stored in lower case. Spec: Endpoints 3 */
export function createInvitation(call: Call): Json {
  const { world, now, organizationId } = call;
  const isClickhouse = world.settings.names === 'clickhouse';
  const request: { readonly email: string; readonly role?: string } = parseRequest(
    isClickhouse ? clickhouseInvitationRequest : invitationRequest,
    call.body,
  );
  const address = request.email.toLowerCase();
  if (world.settings.members.includes(address)) {
    throw badField('email', 'belongs to a member of the organization already');
  }
  if (world.settings.duplicateInvitations === 'refuse' && isPending(call, address)) {
    throw new Refusal('CONFLICT', 'email: has a pending invitation already');
  }
  const invitation: Invitation = {
    id: newUuid(),
    organizationId,
    email: address,
    role: request.role ?? 'developer',
    createdAt: isoOf(now),
    expireAt: isoOf(now.plus({ days: DAYS_VALID })),
  };
  world.invitations.set(invitation.id, invitation);
  recordActivity(call, 'organization_invite_create');
  return toRecord(invitation, world.settings);
}

/** Spec: Endpoints 4 */
export function readInvitation({ world, params, organizationId }: Call): Json {
  const invitation = world.invitations.get(uuidParam(params, 'invitationId'));
  if (invitation?.organizationId !== organizationId) {
    throw new Refusal('NOT_FOUND', 'no invitation with this id');
  }
  return toRecord(invitation, world.settings);
}

function isPending({ world, now, organizationId }: Call, address: string): boolean {
  return [...world.invitations.values()].some(
    (known) =>
      known.organizationId === organizationId &&
      known.email === address &&
      known.expireAt > isoOf(now),
  );
}

function toRecord(invitation: Invitation, settings: Settings): Json {
  const { organizationId: _own, ...record } = invitation;
  if (!settings.customRoles) return record;
  const roleName = invitation.role === 'admin' ? 'Admin' : 'Analyst';
  return {
    ...record,
    assignedRoles: [{ roleId: 'fake-role-1', roleName, roleType: 'custom' }],
  };
}
