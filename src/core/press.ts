import type { Grant, PipelineDeps } from './pipeline.ts';
import type { Actor, Pending } from './ports.ts';
import { say, type Text, time, user, whoText } from './text.ts';

/** What a press turned out to be; a refused one never reaches the operation. Design: §6. */
export type Press =
  | { readonly kind: 'confirmation'; readonly presser: Actor }
  | { readonly kind: 'approval'; readonly presser: Actor }
  | {
      readonly kind: 'refused';
      readonly presser: Actor;
      readonly because: 'already' | 'denied';
      readonly text: Text;
    };

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
  const over = settledText(pending, deps.ports.clock.now().toISO() ?? '');
  if (over !== undefined) return refuse('already', over);
  if (pending.kind === 'confirm') {
    if (await isAsker(pending, presser, deps)) return { kind: 'confirmation', presser };
    return refuse('denied', say`Only ${user(pending.actor.userId)} can answer this question.`);
  }
  const groups = whoText(pending.approvers);
  // By user id alone: on Enterprise Grid one person has several workspaces. Lessons: A5.
  if (presser.userId === pending.actor.userId) {
    return refuse('denied', say`You asked for this; somebody else from ${groups} has to approve.`);
  }
  if (!(await deps.policy.isOneOf(presser, pending.approvers))) {
    return refuse('denied', say`Only ${groups} can approve this.`);
  }
  return { kind: 'approval', presser };
}

/** Why a question can no longer be answered; undefined while it is open. */
export function settledText(pending: Pending, now: string): Text | undefined {
  const by = user(pending.decidedBy ?? pending.actor.userId);
  const at = time(pending.decidedAt ?? pending.expiresAt, 'time');
  const done = pending.kind === 'approval' ? 'approved' : 'confirmed';
  switch (pending.state) {
    case 'claimed':
      return say`Already ${done} by ${by} at ${at}.`;
    case 'denied':
      return say`Denied by ${by} at ${at}.`;
    case 'cancelled':
      return say`Cancelled by ${by} at ${at}.`;
    case 'expired':
      return expiredText(pending);
    case 'open':
      return pending.expiresAt <= now ? expiredText(pending) : undefined;
  }
}

/** The same for one that was settled a moment ago by somebody else: as the store has it now. */
export async function settledMeanwhile(
  id: string,
  { pending, ports }: Pick<PipelineDeps, 'pending' | 'ports'>,
): Promise<Text> {
  const current = await pending.get(id);
  const over = current && settledText(current, ports.clock.now().toISO() ?? '');
  return over ?? say`This is no longer open.`;
}

function expiredText(pending: Pending): Text {
  return say`This expired at ${time(pending.expiresAt, 'time')}; nothing was done. Type the command again to ask anew.`;
}

/** The one who asked, through a workspace of ours: their own, or one that the policy takes. */
export async function isAsker(
  { actor }: Pending,
  by: Actor,
  { policy }: Pick<PipelineDeps, 'policy'>,
): Promise<boolean> {
  if (actor.userId !== by.userId || actor.teamId !== by.teamId) return false;
  return by.via === undefined || (await policy.isOneOf(by, ['anyone']));
}
