import { z } from 'zod';
import { recordActivity } from '../activities/record.ts';
import { isListed, ownOf } from '../cloud/reads.ts';
import type { Json } from '../json.ts';
import { newUuid } from '../random.ts';
import { badField, Refusal } from '../refusal.ts';
import { ROLES } from '../seed.ts';
import { isoOf } from '../services/states.ts';
import type { Invitation } from '../state/model.ts';
import type { World } from '../state/world.ts';
import { parseRequest } from '../validation/parse-request.ts';
import { type Call, isCloud, uuidParam } from './call.ts';

const DAYS_VALID = 7;
const email = z.email('must be an e-mail address');

const invitationRequest = z.strictObject({ email });

/** ClickHouse Cloud takes the role with the address, the frozen one or ids of its own. */
const cloudInvitationRequest = z.strictObject({
  email,
  role: z.enum(['admin', 'developer']).exactOptional(),
  assignedRoleIds: z.array(z.string().min(1)).min(1).exactOptional(),
});

/** The new invitation; the address is stored in lower case. Spec: Endpoints 3 */
export function createInvitation(call: Call): Json {
  const { world, now, organizationId } = call;
  const request: z.output<typeof cloudInvitationRequest> = parseRequest(
    isCloud(world) ? cloudInvitationRequest : invitationRequest,
    call.body,
  );
  requireRoles(call, request.assignedRoleIds ?? []);
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
    assignedRoleIds: request.assignedRoleIds,
    createdAt: isoOf(now),
    expireAt: isoOf(now.plus({ days: DAYS_VALID })),
  };
  world.invitations.set(invitation.id, invitation);
  recordActivity(call, 'organization_invite_create');
  return toRecord(invitation, call);
}

function requireRoles(call: Call, ids: readonly string[]): void {
  const known = new Set(ownOf(call, call.world.roles).map((role) => role.id));
  const index = ids.findIndex((id) => !known.has(id));
  if (index >= 0) throw badField(`assignedRoleIds.${index}`, 'must be a role of this organization');
}

/** Those that were neither accepted nor deleted, expired ones as well. */
export function listInvitations(call: Call): readonly Json[] {
  return ownOf(call, call.world.invitations)
    .filter((invitation) => isListed(call, invitation))
    .map((invitation) => toRecord(invitation, call));
}

/** Spec: Endpoints 4 */
export function readInvitation(call: Call): Json {
  const { world, params, organizationId } = call;
  const invitation = world.invitations.get(uuidParam(params, 'invitationId'));
  if (invitation?.organizationId !== organizationId) {
    throw new Refusal('NOT_FOUND', 'no invitation with this id');
  }
  return toRecord(invitation, call);
}

function isPending({ world, now, organizationId }: Call, address: string): boolean {
  return [...world.invitations.values()].some(
    (known) =>
      known.organizationId === organizationId &&
      known.email === address &&
      known.expireAt > isoOf(now),
  );
}

function toRecord(invitation: Invitation, { world }: Call): Json {
  const { organizationId: _own, assignedRoleIds, ...record } = invitation;
  if (isCloud(world)) return { ...record, assignedRoles: assignedRoles(invitation, world) };
  if (!world.settings.customRoles) return record;
  const roleName = invitation.role === 'admin' ? 'Admin' : 'Analyst';
  return {
    ...record,
    assignedRoles: [{ roleId: 'fake-role-1', roleName, roleType: 'custom' }],
  };
}

/** Where none were given, the one that stands for the old word. */
function assignedRoles({ assignedRoleIds, role }: Invitation, world: World): readonly Json[] {
  const { customRoles } = world.settings;
  const usual = role === 'admin' ? ROLES.admin : customRoles ? ROLES.analyst : ROLES.developer;
  return (assignedRoleIds ?? [usual]).flatMap((id) => {
    const known = world.roles.get(id);
    if (known === undefined) return [];
    return [{ roleId: known.id, roleName: known.name, roleType: known.type }];
  });
}
