import { z } from 'zod';
import type { Card, CardAction } from '../../core/card/card.ts';
import {
  rowForMe,
  rowOfMine,
  unsureLine,
  type WaitingRequests,
  waitingFor,
} from '../../core/list/requests.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import type { WaitingSecret } from '../../core/ports/ports.ts';
import { bold, counted, say, type Text, time } from '../../core/text/text.ts';

const input = z.strictObject({});

/** Each has two buttons, and a message takes 50 blocks. */
const SHOWN = 8;

type Found = WaitingRequests & {
  /** Passwords that this person can still be shown. */
  readonly passwords: readonly WaitingSecret[];
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
  execute: async (_plan, ports, { actor }) => ({
    result: {
      ...(await waitingFor(ports, actor)),
      passwords: await ports.secrets.waiting(actor),
    },
  }),
  present,
});

function present({ forMe, mine, unsure, passwords }: Found): Card {
  if (forMe.length + mine.length + unsure + passwords.length === 0) {
    return {
      audience: 'requester',
      tone: 'plain',
      headline: say`No request waits for you, and none of yours is open.`,
    };
  }
  const shown = [...forMe.slice(0, SHOWN).map(rowForMe), ...mine.slice(0, SHOWN).map(rowOfMine)];
  const shownPasswords = passwords.slice(0, SHOWN);
  const left = forMe.length + mine.length - shown.length;
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`${counted(forMe.length, 'request')} for your approval, ${counted(mine.length, 'request')} of your own.`,
    lines: [
      ...shown.map(({ text }) => say`• ${text}`),
      ...shownPasswords.map(lineOfPassword),
      ...(left > 0 ? [say`… and ${left} more, the oldest first.`] : []),
      ...(unsure > 0 ? [unsureLine(unsure)] : []),
    ],
    actions: [...shown.flatMap(({ actions }) => actions), ...shownPasswords.map(revealing)],
  };
}

function lineOfPassword({ about, expiresAt }: WaitingSecret): Text {
  return say`• The password of ${bold(about)} waits for you: it is shown once, until ${time(expiresAt, 'time')}. After that a new one can be set in the cloud console.`;
}

function revealing({ id, about }: WaitingSecret): CardAction {
  const label = `Show password of ${about}`.slice(0, 75);
  return { label, style: 'primary', do: { kind: 'reveal', secret: id } };
}
