import { z } from 'zod';
import { type Card, type CardAction, spokenInput } from '../../core/card/card.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { Ports } from '../../core/operation/ports.ts';
import type { Pending } from '../../core/ports/pending.ts';
import type { Actor, WaitingSecret } from '../../core/ports/ports.ts';
import { commandText, isToldWhole } from '../../core/slash/slash.ts';
import {
  bold,
  channel,
  code,
  counted,
  link,
  say,
  type Text,
  time,
  user,
  whoText,
} from '../../core/text/text.ts';

const input = z.strictObject({});

/** Each has two buttons, and a message takes 50 blocks. */
const SHOWN = 8;

type Waiting = {
  readonly pending: Pending;
  readonly command: string;
  /** The way to its message. */
  readonly href: string | undefined;
  /** Nothing that would be sent is left out of the command. */
  readonly whole: boolean;
};
type Found = {
  readonly forMe: readonly Waiting[];
  readonly mine: readonly Waiting[];
  /** Passwords that this person can still be shown. */
  readonly passwords: readonly WaitingSecret[];
  /** Of so many Slack did not say whether they wait for this person. */
  readonly unsure: number;
};

/**
 * `/db approvals`: what waits for this person's press, and what they asked for. Open to everybody,
 * because it shows nobody's requests but these. Design: §6.
 */
export const approvalRead = defineOperation({
  id: 'approval.read',
  summary: 'List the requests that wait for you or that you made',
  title: 'Approvals',
  risk: 'read',
  open: true,
  slash: { words: ['approvals'], positional: [], examples: ['approvals'] },
  input,
  refused: () => say`The requests were not listed`,
  plan: async () => ({}),
  targets: () => [],
  execute: async (_plan, ports, context) => ({ result: await waiting(ports, context.actor) }),
  present,
});

/** Approvers are looked up now, as at the press: who left a group no longer sees its requests. */
async function waiting(
  { pending, policy, catalogue, settings, permalink, secrets }: Readers,
  actor: Actor,
): Promise<Found> {
  const { command } = settings.get();
  const wayTo = ({ message }: Pending) => message && permalink(message);
  const forMe: Waiting[] = [];
  const mine: Waiting[] = [];
  let unsure = 0;
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
      const member = await policy.isOneOf(actor, request.approvers);
      if (member === 'yes') forMe.push(entry);
      if (member === 'unknown') unsure += 1;
    }
  }
  return { forMe, mine, unsure, passwords: await secrets.waiting(actor) };
}

type Readers = Pick<
  Ports,
  'pending' | 'policy' | 'catalogue' | 'settings' | 'permalink' | 'secrets'
>;

function present({ forMe, mine, unsure, passwords }: Found): Card {
  if (forMe.length + mine.length + unsure + passwords.length === 0) {
    return {
      audience: 'requester',
      tone: 'plain',
      headline: say`No request waits for you, and none of yours is open.`,
    };
  }
  const shownForMe = forMe.slice(0, SHOWN);
  const shownMine = mine.slice(0, SHOWN);
  const shownPasswords = passwords.slice(0, SHOWN);
  const left = forMe.length + mine.length - shownForMe.length - shownMine.length;
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`${counted(forMe.length, 'request')} for your approval, ${counted(mine.length, 'request')} of your own.`,
    lines: [
      ...shownForMe.map(lineForMe),
      ...shownMine.map(lineOfMine),
      ...shownPasswords.map(lineOfPassword),
      ...(left > 0 ? [say`… and ${left} more, the oldest first.`] : []),
      ...(unsure > 0 ? [unsureLine(unsure)] : []),
    ],
    actions: [
      ...shownForMe.flatMap(answers),
      ...shownMine.map(withdrawal),
      ...shownPasswords.map(revealing),
    ],
  };
}

function lineOfPassword({ about, expiresAt }: WaitingSecret): Text {
  return say`• The password of ${bold(about)} waits for you: it is shown once, until ${time(expiresAt, 'time')}. After that a new one can be set in the cloud console.`;
}

function revealing({ id, about }: WaitingSecret): CardAction {
  const label = `Show password of ${about}`.slice(0, 75);
  return { label, style: 'primary', do: { kind: 'reveal', secret: id } };
}

function unsureLine(requests: number): Text {
  return say`Slack did not say whether ${counted(requests, 'request')} more ${requests === 1 ? 'waits' : 'wait'} for you; ask again in a moment.`;
}

function lineForMe({ pending, command, href, whole }: Waiting): Text {
  const rest = whole ? '' : ' It is shown whole, and can be approved, in its own message.';
  return say`• ${user(pending.actor.userId)} asks for ${code(command)}${whereOf(pending)}, until ${time(pending.expiresAt, 'time')}.${moreOf(pending, href)}${rest}`;
}

function lineOfMine({ pending, command, href }: Waiting): Text {
  return say`• You asked for ${code(command)}${whereOf(pending)}; it waits for ${whoText(pending.approvers)} until ${time(pending.expiresAt, 'time')}.${moreOf(pending, href)}`;
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
function answers({ pending, command, whole }: Waiting): readonly CardAction[] {
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

function withdrawal({ pending, command }: Waiting): CardAction {
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
