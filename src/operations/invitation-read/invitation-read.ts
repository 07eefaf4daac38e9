import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Card, Fact } from '../../core/card/card.ts';
import { asRole, type InvitationRecord } from '../../core/cloud/records.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import {
  isProblem,
  type OrganizationRef,
  organizationField,
  organizationTarget,
  resolveOrganization,
} from '../../core/operation/resolve.ts';
import { bold, code, say, type Text, time } from '../../core/text/text.ts';

const input = z.strictObject({
  id: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.guid({ error: 'The id of an invitation: a UUID.' }))
    .meta({
      field: { label: 'Invitation id', hint: 'A UUID, as the reply to an invitation shows.' },
    }),
  organization: organizationField,
});

type Plan = { readonly id: string; readonly organization: OrganizationRef };
type Result = { readonly record: InvitationRecord; readonly expired: boolean };

/** `/db invitation <id>`. Spec: Endpoints 4; Invitation. */
export const invitationRead = defineOperation({
  id: 'invitation.read',
  summary: 'Look up an invitation',
  title: 'Invitation',
  risk: 'read',
  slash: {
    words: ['invitation'],
    positional: ['id'],
    examples: ['invitation 6e5d4c3b-0001-4eee-8fff-400000000001'],
  },
  input,
  refused: () => say`The invitation was not read`,
  plan: async (typed, ports) => {
    const organization = resolveOrganization(typed.organization, ports, typed);
    return isProblem(organization) ? organization : { id: typed.id, organization };
  },
  targets: ({ id, organization }) => [
    { ...organizationTarget(organization), kind: 'invitation', id, name: id },
  ],
  execute: async ({ id, organization }: Plan, ports) => {
    const reply = await ports.control.invitation(organization.key, id);
    const expires = DateTime.fromISO(reply.result.expireAt ?? '', { zone: 'utc' });
    const expired = expires.isValid && expires <= ports.clock.now();
    return { ...reply, result: { record: reply.result, expired } };
  },
  present,
});

function present({ record, expired }: Result, { id, organization }: Plan): Card {
  const { email, createdAt, expireAt } = record;
  return {
    audience: 'requester',
    shareable: true,
    tone: 'plain',
    headline: say`Invitation of ${email === undefined ? code(id) : bold(email)}${asRole(record)}${untilOf(expireAt, expired)}.`,
    lines: [say`Whether it was accepted, only the console shows.`],
    details: [
      { label: 'Invitation id', value: [code(record.id ?? id)] },
      ...timeFact('Created', createdAt),
      { label: 'Organization', value: [organization.key] },
    ],
  };
}

function untilOf(expireAt: string | undefined, expired: boolean): Text {
  if (expireAt === undefined) return [];
  return expired ? say`, expired ${time(expireAt)}` : say`, open until ${time(expireAt)}`;
}

function timeFact(label: string, at: string | undefined): readonly Fact[] {
  return at === undefined ? [] : [{ label, value: [time(at)] }];
}
