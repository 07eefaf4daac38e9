import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import { asRole, type InvitationRecord } from '../../core/cloud/records.ts';
import { type Context, type Double, defineOperation } from '../../core/operation/operation.ts';
import type { Preview, Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { earlierRequests, type Repeated } from '../../core/operation/repeats.ts';
import {
  isProblem,
  isSameOrganization,
  type OrganizationRef,
  organizationField,
  organizationTarget,
  resolveOrganization,
  typedName,
} from '../../core/operation/resolve.ts';
import { approvedText, bold, code, say, time, user } from '../../core/text/text.ts';

const input = z.strictObject({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.email({ error: ({ input: typed }) => notAnAddress(String(typed)) }).max(254))
    .meta({ field: { label: 'E-mail address', widget: 'email', placeholder: 'ana@example.com' } }),
  organization: organizationField,
});

/** A person, or words beside an address, where only the address is taken. */
function notAnAddress(typed: string): string {
  if (/<@[uw]/u.test(typed)) {
    return 'Slack does not tell Steward the e-mail address of a person: type it, as in ana@example.com.';
  }
  const beside = typed.split(/\s+/u).filter((word) => !z.email().safeParse(word).success);
  return beside.length > 0 && beside.length < typed.split(/\s+/u).length
    ? `Only an e-mail address, without ${beside.join(' ')}: the API gives the role.`
    : 'An e-mail address, as in ana@example.com.';
}

type Plan = {
  readonly email: string;
  readonly organization: OrganizationRef;
  readonly doubles: readonly Double[];
};

/**
 * `/db invite ana@example.com`. The request takes no role, so the one that comes back is shown.
 * Spec: Endpoints 3; Invitation.
 */
export const invitationCreate = defineOperation({
  id: 'invitation.create',
  summary: 'Invite someone to the organization',
  title: 'Invite someone',
  risk: 'change',
  confirm: 'press',
  slash: { words: ['invite'], positional: ['email'], examples: ['invite fay@example.com'] },
  input,
  refused: (raw) => say`${typedName(raw, 'email', 'Nobody')} was not invited`,
  plan: planInvitation,
  targets: ({ organization }) => [organizationTarget(organization)],
  makes: ({ email }) => email,
  limited: { emailDomain: 'email' },
  attributes: ({ email }) => ({ emailDomain: email.slice(email.lastIndexOf('@') + 1) }),
  binds: ({ email, organization }) => ({ email, organization }),
  preview,
  doubles: ({ doubles }) => doubles,
  again: 'Invite again',
  running: ({ email }) => say`Inviting ${bold(email)} …`,
  asked: ({ email }) => say`Invited ${bold(email)}.`,
  unknown: ({ email }) => ({
    state: say`${bold(email)} may have been invited`,
    check: say`Check the members in the console before inviting again.`,
  }),
  execute: ({ email, organization }, ports) =>
    ports.control.createInvitation(organization.key, email),
  present,
});

async function planInvitation(
  typed: z.output<typeof input>,
  ports: ReadPorts,
  context: Context,
): Promise<Plan | Problem> {
  const { email } = typed;
  const organization = resolveOrganization(typed.organization, ports, typed);
  if (isProblem(organization)) return organization;
  const repeated: Repeated = {
    operation: 'invitation.create',
    subject: [bold(email)],
    done: 'invited',
    isSame: ({ input: earlier }) =>
      String(earlier['email'] ?? '').toLowerCase() === email &&
      isSameOrganization(earlier['organization'], organization, ports),
  };
  const doubles = await earlierRequests(repeated, ports, context);
  return { email, organization, doubles };
}

function preview({ email, organization }: Plan): Preview {
  const joined = say`An e-mail goes out. The API gives the role; it can be changed in the console.`;
  return {
    question: say`Invite ${bold(email)} to ${organization.key}?`,
    ask: say`invite ${bold(email)} (${organization.key})`,
    lines: [joined],
    button: `Invite ${email}`.slice(0, 75),
    danger: false,
  };
}

function present(record: InvitationRecord, plan: Plan, context: Context): Card {
  const { email = plan.email, id, expireAt } = record;
  const until = expireAt === undefined ? [] : say` It can be accepted until ${time(expireAt)}.`;
  return {
    audience: 'channel',
    tone: 'good',
    headline: say`${user(context.actor.userId)} invited ${bold(email)}${asRole(record)}${approvedText(context.approvedBy)}.${until}`,
    details: [
      ...(id === undefined ? [] : [{ label: 'Invitation id', value: [code(id)] }]),
      { label: 'Organization', value: [plan.organization.key] },
    ],
  };
}
