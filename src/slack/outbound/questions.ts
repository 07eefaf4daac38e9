import type { CardAction, ChannelCard, RequesterCard } from '../../core/card/card.ts';
import type { Outcome } from '../../core/operation/outcome.ts';
import type { Pending } from '../../core/ports/ports.ts';
import { say, type Text, time, user, whoText } from '../../core/text/text.ts';

type Confirm = Extract<Outcome, { kind: 'confirm' }>;
type Approval = Extract<Outcome, { kind: 'approval' }>;

/** The asker's own question: what exactly would happen, then the two answers. */
export function confirmCard({ pending, preview, changed }: Confirm): RequesterCard {
  return {
    audience: 'requester',
    tone: 'plain',
    headline: preview.question,
    lines: [
      ...(changed ? [say`What would happen has changed since you were asked.`] : []),
      ...preview.lines,
    ],
    actions: [
      {
        label: preview.button,
        style: preview.danger ? 'danger' : 'primary',
        do: { kind: 'confirm', pending: pending.id },
      },
      { label: 'Cancel', do: { kind: 'cancel', pending: pending.id } },
    ],
    context: say`You can answer until ${time(pending.expiresAt, 'time')}.`,
  };
}

/** The request that the channel sees and an approver answers. Design: §6, §13. */
export function approvalCard({ pending, preview }: Approval): ChannelCard {
  const by = whoText(pending.approvers);
  const until = time(pending.expiresAt, 'time');
  return {
    audience: 'channel',
    tone: 'plain',
    headline: say`${user(pending.actor.userId)} asks to ${preview.ask}. Approval by ${by} until ${until}.`,
    lines: preview.lines,
    actions: approvalActions(pending),
  };
}

function approvalActions(pending: Pending): readonly CardAction[] {
  return [
    { label: 'Approve', style: 'primary', do: { kind: 'approve', pending: pending.id } },
    { label: 'Deny', style: 'danger', do: { kind: 'deny', pending: pending.id } },
  ];
}

/** `Approved by @ben 10:07, running …` */
export function approvedRunningCard(presserId: string, at: string): ChannelCard {
  return {
    audience: 'channel',
    tone: 'plain',
    headline: say`Approved by ${user(presserId)} ${time(at, 'time')}, running …`,
  };
}

/** A question or request that is over, in place of its buttons. */
export function settledCard(text: Text): ChannelCard {
  return { audience: 'channel', tone: 'plain', headline: text };
}
