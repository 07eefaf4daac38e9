import { z } from 'zod';
import type { InvitationRecord } from '../../core/cloud/records.ts';
import { fieldsOf, listOf, pick, text } from '../lenient.ts';

/** Spec: Endpoints 3. */
export const createInvitationRequestSchema = z.strictObject({
  email: z.email({ error: 'an e-mail address' }),
});

/** Role objects of organizations with custom roles are read as their names. Spec: Invitation. */
export function readInvitation(value: unknown): InvitationRecord | undefined {
  const source = fieldsOf(value);
  if (source === undefined) return undefined;
  return pick<InvitationRecord>(source, {
    id: text,
    email: text,
    role: text,
    assignedRoles: (roles) => {
      const names = listOf(roleName)(roles);
      return names?.length === 0 ? undefined : names;
    },
    createdAt: text,
    expireAt: text,
  });
}

function roleName(value: unknown): string | undefined {
  const role = fieldsOf(value);
  return role === undefined ? text(value) : (text(role['roleName']) ?? text(role['roleId']));
}
