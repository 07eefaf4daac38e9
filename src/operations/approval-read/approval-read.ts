import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import {
  rowForMe,
  rowOfMine,
  unsureLine,
  type WaitingRequests,
  waitingFor,
} from '../../core/list/requests.ts';
import { defineOperation } from '../../core/operation/operation.ts';
import { counted, say } from '../../core/text/text.ts';

const input = z.strictObject({});

/** Each has two buttons, and a message takes 50 blocks. */
const SHOWN = 8;

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
  execute: async (_plan, ports, context) => ({ result: await waitingFor(ports, context.actor) }),
  present,
});

function present({ forMe, mine, unsure }: WaitingRequests): Card {
  if (forMe.length + mine.length + unsure === 0) {
    return {
      audience: 'requester',
      tone: 'plain',
      headline: say`No request waits for you, and none of yours is open.`,
    };
  }
  const shown = [...forMe.slice(0, SHOWN).map(rowForMe), ...mine.slice(0, SHOWN).map(rowOfMine)];
  const left = forMe.length + mine.length - shown.length;
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`${counted(forMe.length, 'request')} for your approval, ${counted(mine.length, 'request')} of your own.`,
    lines: [
      ...shown.map(({ text }) => say`• ${text}`),
      ...(left > 0 ? [say`… and ${left} more, the oldest first.`] : []),
      ...(unsure > 0 ? [unsureLine(unsure)] : []),
    ],
    actions: shown.flatMap(({ actions }) => actions),
  };
}
