import { type CardAction, type Row, spokenInput } from '../card/card.ts';
import type { ReadPorts } from '../operation/ports.ts';
import type { Pending } from '../ports/pending.ts';
import type { Actor, Membership } from '../ports/ports.ts';
import { commandText, isToldWhole } from '../slash/slash.ts';
import { channel, code, counted, link, say, type Text, time, user, whoText } from '../text/text.ts';

/** An open request for approval, as one of a list. */
export type WaitingRequest = {
  readonly pending: Pending;
  readonly command: string;
  /** The way to its message. */
  readonly href: string | undefined;
  /** Nothing that would be sent is left out of the command. */
  readonly whole: boolean;
};
/** What waits for somebody, and what they asked for, the oldest first. */
export type WaitingRequests = {
  readonly forMe: readonly WaitingRequest[];
  readonly mine: readonly WaitingRequest[];
  /** Of so many Slack did not say whether they wait for this person. */
  readonly unsure: number;
};

/**
 * What waits for this person's press and what they asked for. Approvers are looked up now, as at the
 * press: who left a group no longer sees its requests. Design: §6. Throws AppError `storage`.
 */
export async function waitingFor(
  { pending, policy, catalogue, settings, permalink }: Readers,
  actor: Actor,
): Promise<WaitingRequests> {
  const { command } = settings.get();
  const wayTo = ({ message }: Pending) => message && permalink(message);
  const forMe: WaitingRequest[] = [];
  const mine: WaitingRequest[] = [];
  let unsure = 0;
  const known = new Map<string, Membership>();
  const membership = async (groups: readonly string[]): Promise<Membership> => {
    const key = groups.join(' ');
    const member = known.get(key) ?? (await policy.isOneOf(actor, groups));
    known.set(key, member);
    return member;
  };
  for (const request of await pending.open()) {
    if (request.kind !== 'approval') continue;
    const info = catalogue.find(({ id }) => id === request.operation);
    const text =
      info === undefined
        ? request.operation
        : commandText(info, spokenInput(request.input, request.options?.names));
    const whole = info === undefined || isToldWhole(info, request.input);
    const entry = { pending: request, command: `${command} ${text}`, href: wayTo(request), whole };
    if (request.actor.userId === actor.userId) mine.push(entry);
    else {
      const member = await membership(request.approvers);
      if (member === 'yes') forMe.push(entry);
      if (member === 'unknown') unsure += 1;
    }
  }
  return { forMe, mine, unsure };
}

type Readers = Pick<ReadPorts, 'pending' | 'policy' | 'catalogue' | 'settings' | 'permalink'>;

/** No answer of Slack is told as none. */
export function unsureLine(requests: number): Text {
  return say`Slack did not say whether ${counted(requests, 'request')} more ${requests === 1 ? 'waits' : 'wait'} for you; ask again in a moment.`;
}

/** A request for this person to answer, as one of a list. */
export function rowForMe(request: WaitingRequest): Row {
  return { text: lineForMe(request), actions: answers(request) };
}

/** A request of their own, which they may withdraw. */
export function rowOfMine(request: WaitingRequest): Row {
  return { text: lineOfMine(request), actions: [withdrawal(request)] };
}

function lineForMe({ pending, command, href, whole }: WaitingRequest): Text {
  const rest = whole ? '' : ' It is shown whole, and can be approved, in its own message.';
  return say`${user(pending.actor.userId)} asks for ${code(command)}${whereOf(pending)}, until ${time(pending.expiresAt, 'time')}.${moreOf(pending, href)}${rest}`;
}

function lineOfMine({ pending, command, href }: WaitingRequest): Text {
  return say`You asked for ${code(command)}${whereOf(pending)}; it waits for ${whoText(pending.approvers)} until ${time(pending.expiresAt, 'time')}.${moreOf(pending, href)}`;
}

/** Why, and the way to it. */
function moreOf({ options }: Pending, href: string | undefined): Text {
  const reason = options?.reason === undefined ? [] : say` Reason: ${options.reason}`;
  const way = href === undefined ? [] : say` ${link(href, 'Open it')}`;
  return say`${reason}${way}`;
}

function whereOf({ channelId }: Pending): Text {
  return channelId === undefined ? [] : say` in ${channel(channelId)}`;
}

/** Who cannot read all of it here does not approve it here. */
function answers({ pending, command, whole }: WaitingRequest): readonly CardAction[] {
  const what = commandAlone(command);
  const approve: CardAction = {
    label: `Approve ${what}`,
    style: 'primary',
    do: { kind: 'approve', pending: pending.id },
  };
  const deny: CardAction = {
    label: `Deny ${what}`,
    style: 'danger',
    do: { kind: 'deny', pending: pending.id },
  };
  return whole ? [approve, deny] : [deny];
}

function withdrawal({ pending, command }: WaitingRequest): CardAction {
  return {
    label: `Withdraw ${commandAlone(command)}`,
    do: { kind: 'deny', pending: pending.id },
  };
}

/** `stop analytics`, short enough for a button. */
function commandAlone(command: string): string {
  const words = command.split(' ').slice(1).join(' ');
  return words.length <= 60 ? words : `${words.slice(0, 59)}…`;
}
