import type { Pending } from '../ports/pending.ts';
import type { Actor, Membership, Policy } from '../ports/ports.ts';
import { say, type Text, time, user, whoText } from '../text/text.ts';
import type { Grant, PipelineDeps, Press } from './request.ts';

/** Judges a press by the stored question, the presser and the present members of the groups. */
export async function judgePress(
  { pending, presser }: Grant,
  deps: Pick<PipelineDeps, 'policy' | 'ports'>,
): Promise<Press> {
  const refuse = (because: 'already' | 'denied', text: Text): Press => ({
    kind: 'refused',
    presser,
    because,
    text,
  });
  const over = settledText(pending, deps.ports.clock.now().toISO());
  if (over !== undefined) return refuse('already', over);
  if (pending.kind === 'run' && pending.approvers.includes('anyone')) {
    return { kind: 'run', presser };
  }
  if (pending.kind !== 'approval') {
    const own = await isAsker(pending, presser, deps);
    if (own === 'unknown') return refuse('denied', whoUnknown(deps.policy));
    if (own === 'no') {
      const owner = user(pending.actor.userId);
      return refuse('denied', say`Only ${owner} can answer this question.`);
    }
    return { kind: pending.kind === 'run' ? 'run' : 'confirmation', presser };
  }
  // By user id alone: on Enterprise Grid one person has several workspaces.
  if (presser.userId === pending.actor.userId) {
    const groups = whoText(pending.approvers);
    return refuse('denied', say`You asked for this; somebody else from ${groups} has to approve.`);
  }
  const member = await deps.policy.isOneOf(presser, pending.approvers);
  if (member !== 'yes') {
    return refuse('denied', refusalOf(member, pending.approvers, deps.policy));
  }
  return { kind: 'approval', presser };
}

export function whoUnknown(policy: Pick<Policy, 'unsureBecause'>): Text {
  return say`Slack did not say who you are; nothing was done.${wayOn(policy)}`;
}

function wayOn(policy: Pick<Policy, 'unsureBecause'>): Text {
  const because = policy.unsureBecause();
  return because.length === 0 ? say` Press again in a moment.` : because;
}

/** Why somebody cannot approve; that Slack did not say is not the same as no. */
export function refusalOf(
  member: Exclude<Membership, 'yes'>,
  approvers: readonly string[],
  policy: Pick<Policy, 'unsureBecause'>,
): Text {
  const groups = whoText(approvers);
  return member === 'no'
    ? say`Only ${groups} can approve this.`
    : say`Slack did not say whether you are in ${groups}; nothing was done.${wayOn(policy)}`;
}

/** Why a question can no longer be answered; undefined while it is open. */
export function settledText(pending: Pending, now: string): Text | undefined {
  const by = user(pending.decidedBy ?? pending.actor.userId);
  const at = time(pending.decidedAt ?? pending.expiresAt, 'time');
  switch (pending.state) {
    case 'claimed':
      return say`Already ${DONE[pending.kind]} by ${by} at ${at}.`;
    case 'denied':
      return say`Denied by ${by} at ${at}.`;
    case 'cancelled':
      return pending.decidedBy === 'steward'
        ? say`It ended at ${at}; nothing was done.`
        : say`Cancelled by ${by} at ${at}.`;
    case 'expired':
      return expiredText(pending);
    case 'open':
      return pending.expiresAt <= now ? expiredText(pending) : undefined;
  }
}

const DONE = { approval: 'approved', confirm: 'confirmed', run: 'pressed' } as const;

/** The same for one that was settled a moment ago by somebody else: as the store has it now. */
export async function settledMeanwhile(
  id: string,
  { pending, ports }: Pick<PipelineDeps, 'pending' | 'ports'>,
): Promise<Text> {
  const current = await pending.get(id);
  const over = current && settledText(current, ports.clock.now().toISO());
  return over ?? say`This is no longer open.`;
}

function expiredText(pending: Pending): Text {
  return say`This expired at ${time(pending.expiresAt, 'time')}; nothing was done. Type the command again.`;
}

/** The one who asked, through a workspace of ours: their own, or one that the policy takes. */
export async function isAsker(
  { actor }: Pending,
  by: Actor,
  { policy }: Pick<PipelineDeps, 'policy'>,
): Promise<Membership> {
  if (actor.userId !== by.userId || actor.teamId !== by.teamId) return 'no';
  return by.via === undefined ? 'yes' : await policy.isOneOf(by, ['anyone']);
}
