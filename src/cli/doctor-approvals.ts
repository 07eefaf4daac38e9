import { z } from 'zod';
import type { Settings } from '../core/settings/settings.ts';
import {
  type ApprovalFault,
  approvalFaults,
  approversNamed,
  type KnownPeople,
  usergroupsAsked,
} from '../policy/decide/approvers.ts';
import { type Finding, fine, problem } from './output.ts';

const listed = z.looseObject({ users: z.array(z.string()) });
const person = z.looseObject({
  user: z.looseObject({
    deleted: z.boolean().optional(),
    is_bot: z.boolean().optional(),
    is_stranger: z.boolean().optional(),
    is_restricted: z.boolean().optional(),
    is_ultra_restricted: z.boolean().optional(),
  }),
});

/** A call of Slack's Web API that only reads. */
type Ask = (
  method: string,
  token: string,
  args: Record<string, string>,
) => Promise<{
  readonly body: { readonly ok: boolean; readonly error?: string | undefined };
}>;

/** Two who can are enough for every asker, and a large group is not asked about whole. */
const ENOUGH = 2;
const MOST_ASKED = 20;

/** Whether what needs an approval can be approved, by whom Slack says is in which group now. */
export async function approvalFindings(
  call: Ask,
  token: string,
  settings: Settings,
): Promise<readonly Finding[]> {
  const members = new Map<string, ReadonlySet<string>>();
  for (const usergroup of usergroupsAsked(settings)) {
    const users = await membersOf(usergroup, call, token);
    if (users !== undefined) members.set(usergroup, users);
  }
  const unable = new Set<string>();
  const known: KnownPeople = {
    membersOf: (usergroup) => members.get(usergroup),
    mayApprove: (userId) => !unable.has(userId),
  };
  const rules = approversNamed(settings, known);
  for (const named of rules) {
    for (const userId of await unableAmong(named, call, token)) unable.add(userId);
  }
  const faults = approvalFaults(settings, known);
  if (rules.length > 0 && faults.length === 0) {
    return [fine(`approvals: somebody else can give them, whoever asks (rules: ${rules.length})`)];
  }
  return faults.map(findingOf);
}

function findingOf({ kind, rule, because }: ApprovalFault): Finding {
  switch (kind) {
    case 'never':
      return problem(`${rule}: nobody could approve it: ${because}`, 'name further approvers');
    case 'own':
      return fine(`${rule}: what this person asks for nobody could approve: ${because}`);
    case 'unknown':
      return problem(
        `${rule}: Slack did not say ${because}`,
        'check the id of the user group and the scope usergroups:read',
      );
  }
}

async function membersOf(
  usergroup: string,
  call: Ask,
  token: string,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const { body } = await call('usergroups.users.list', token, { usergroup });
    return body.ok ? new Set(listed.parse(body).users) : undefined;
  } catch {
    return undefined;
  }
}

/** Those whose press Steward would refuse; who is not asked about counts as able. */
async function unableAmong(
  people: readonly string[],
  call: Ask,
  token: string,
): Promise<readonly string[]> {
  const unable: string[] = [];
  for (const [index, userId] of people.slice(0, MOST_ASKED).entries()) {
    if (index - unable.length >= ENOUGH) break;
    if (await isUnable(userId, call, token)) unable.push(userId);
  }
  return unable;
}

async function isUnable(userId: string, call: Ask, token: string): Promise<boolean> {
  try {
    const { body } = await call('users.info', token, { user: userId });
    if (!body.ok) return body.error === 'user_not_found';
    const { user } = person.parse(body);
    return [
      user.deleted,
      user.is_bot,
      user.is_stranger,
      user.is_restricted,
      user.is_ultra_restricted,
    ].includes(true);
  } catch {
    return false;
  }
}
