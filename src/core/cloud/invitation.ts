import { code, listText, say, type Text } from '../text/text.ts';
import type { InvitationRecord } from './records.ts';

/**
 * ` as admin`, or nothing where no role is reported. Where roles are assigned, `role` is frozen and
 * may be wrong: then it is not shown. Spec: Invitation. Facts: Roles.
 */
export function asRole({ role, assignedRoles = [] }: InvitationRecord): Text {
  if (assignedRoles.length > 0) return say` as ${listText(assignedRoles.map(code))}`;
  return role === undefined ? [] : say` as ${code(role)}`;
}
