import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import { asRole, type InvitationRecord } from '../../core/cloud/records.ts';
import { glimpse } from '../../core/operation/glimpse.ts';
import { type Context, type Double, defineOperation } from '../../core/operation/operation.ts';
import type { Preview, Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { forEachCloud } from '../../core/operation/registry.ts';
import { earlierRequests, type Repeated } from '../../core/operation/repeats.ts';
import {
  isProblem,
  isSameOrganization,
  namesOf,
  type OrganizationRef,
  organizationField,
  organizationTarget,
  resolveOrganization,
  typedName,
} from '../../core/operation/resolve.ts';
import {
  approvedText,
  bold,
  code,
  listText,
  say,
  type Text,
  time,
  user,
} from '../../core/text/text.ts';
import { cleanTyped } from '../../core/text/typed-text.ts';

const fields = {
  email: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.email({ error: ({ input: typed }) => notAnAddress(String(typed)) }).max(254))
    .meta({ field: { label: 'E-mail address', widget: 'email', placeholder: 'ana@example.com' } }),
  organization: organizationField,
};

/** By the specification: an address and no more. */
const input = z.strictObject(fields);

/** ClickHouse Cloud takes roles with the address. Spec: ClickHouse spellings. */
const cloudInput = input.extend({
  roles: z
    .union([z.string(), z.array(z.string())])
    .transform((typed) => cleanTyped(typeof typed === 'string' ? typed : typed.join('\n')))
    .transform((text) => text.split(/[\n,;]/u).map((name) => name.trim()))
    .transform((names) => names.filter((name) => name !== ''))
    .pipe(z.array(z.string()).min(1, 'One a line, or leave it out.').max(20, 'At most 20 roles.'))
    .optional()
    .meta({
      field: {
        label: 'Roles',
        widget: 'lines',
        placeholder: 'Analyst',
        hint: 'One a line: roles of the organization, by name. None: the one that the cloud gives.',
      },
    }),
});

type Input = Pick<z.output<typeof cloudInput>, 'email' | 'organization' | 'roles'>;

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

type Role = Readonly<{ id: string; name: string }>;

type Plan = {
  readonly email: string;
  readonly organization: OrganizationRef;
  /** Of ClickHouse Cloud, where some were named. */
  readonly roles?: readonly Role[] | undefined;
  readonly doubles: readonly Double[];
};

/**
 * `/db invite ana@example.com`. The specified request takes no role, so the one that comes back is
 * shown. Spec: Endpoints 3; Invitation; ClickHouse spellings.
 */
export const invitationCreate = forEachCloud((clouds) =>
  defineOperation({
    id: 'invitation.create',
    summary: 'Invite someone to the organization',
    title: 'Invite someone',
    risk: 'change',
    confirm: 'press',
    slash: { words: ['invite'], positional: ['email'], examples: ['invite fay@example.com'] },
    input: clouds === 'neutral' ? input : cloudInput,
    refused: (raw) => say`${typedName(raw, 'email', 'Nobody')} was not invited`,
    plan: planInvitation,
    targets: ({ organization }) => [organizationTarget(organization)],
    makes: ({ email }) => email,
    limited: { emailDomain: 'email' },
    attributes: ({ email }) => ({ emailDomain: email.slice(email.lastIndexOf('@') + 1) }),
    binds: ({ email, organization, roles }) =>
      roles === undefined ? { email, organization } : { email, organization, roles },
    preview,
    doubles: ({ doubles }) => doubles,
    again: 'Invite again',
    running: ({ email }) => say`Inviting ${bold(email)} …`,
    asked: ({ email }) => say`Invited ${bold(email)}.`,
    unknown: ({ email }) => ({
      state: say`${bold(email)} may have been invited`,
      check: say`Check the members in the console before inviting again.`,
    }),
    execute: ({ email, organization, roles }, ports) =>
      ports.control.createInvitation(organization.key, email, {
        assignedRoleIds: roles?.map(({ id }) => id),
      }),
    present,
  }),
);

async function planInvitation(
  typed: Input,
  ports: ReadPorts,
  context: Context,
): Promise<Plan | Problem> {
  const { email } = typed;
  const organization = resolveOrganization(typed.organization, ports, typed);
  if (isProblem(organization)) return organization;
  const roles = await rolesNamed(typed.roles, organization, ports);
  if (roles !== undefined && isProblem(roles)) return roles;
  const repeated: Repeated = {
    operation: 'invitation.create',
    subject: [bold(email)],
    done: 'invited',
    isSame: ({ input: earlier }) =>
      String(earlier['email'] ?? '').toLowerCase() === email &&
      isSameOrganization(earlier['organization'], organization, ports),
  };
  const open = await openInvitation({ email, organization }, ports, context);
  const doubles = [...(await earlierRequests(repeated, ports, context)), ...open];
  return { email, organization, roles, doubles };
}

/** What the cloud lists for this address and is not over; members it does not list. Spec: Sight. */
async function openInvitation(
  { email, organization: { key: organization } }: Pick<Plan, 'email' | 'organization'>,
  ports: ReadPorts,
  context: Context,
): Promise<readonly Double[]> {
  const listed = await glimpse(
    { organization, of: 'question', look: (sight, call) => sight.invitations(call) },
    ports,
    context,
  );
  const now = ports.clock.now();
  return (listed ?? []).flatMap(({ id, email: invited, expireAt }) => {
    const ends = DateTime.fromISO(expireAt ?? '');
    if (invited?.toLowerCase() !== email || (ends.isValid && ends <= now)) return [];
    const until = ends.isValid ? say`, until ${time(ends.toUTC().toISO())}` : [];
    const text = say`${bold(email)} has an open invitation to ${organization} already${until}.`;
    return [{ key: `invitation:${id ?? email}`, text }];
  });
}

/** By their names, case aside; what is not known comes back with those that are. */
async function rolesNamed(
  names: readonly string[] | undefined,
  { key }: OrganizationRef,
  ports: ReadPorts,
): Promise<readonly Role[] | Problem | undefined> {
  if (names === undefined) return undefined;
  const problem = (text: Text): Problem => ({ field: 'roles', problem: text });
  if (namesOf(key, ports) === 'neutral') return problem(say`The cloud of ${key} takes no roles.`);
  const known = (await ports.control.roles(key)).result.flatMap(({ id, name }) =>
    id === undefined || name === undefined ? [] : [{ id, name }],
  );
  const found = names.map((name) => known.find((role) => isSame(role.name, name)));
  const missing = names.find((_name, index) => found[index] === undefined);
  if (missing === undefined) return found.filter((role) => role !== undefined);
  const choice = listText(
    known.map(({ name }) => bold(name)),
    'or',
  );
  return problem(say`There is no role ${bold(missing)} in ${key}. There: ${choice}.`);
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function preview({ email, organization, roles }: Plan): Preview {
  const joined =
    roles === undefined
      ? say`An e-mail goes out. The API gives the role; it can be changed in the console.`
      : say`An e-mail goes out. Roles: ${listText(roles.map(({ name }) => bold(name)))}.`;
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
