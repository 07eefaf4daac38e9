import type { ModalView } from '@slack/types';
import { decisionWords } from '../../core/pipeline/journal-outcome.ts';
import type { Question } from '../../core/ports/decision.ts';
import type { JournalOutcome } from '../../core/ports/journal.ts';
import type { Revealed } from '../../core/ports/ports.ts';
import { say, type Text, time } from '../../core/text/text.ts';
import { type SlackBlock, section } from './blocks.ts';
import { channelOf } from './deps.ts';
import { cut, toMrkdwn } from './mrkdwn.ts';
import type { Reply } from './replies.ts';
import type { OpenedView } from './web.ts';

/**
 * Shows a generated password in a modal, once, to the one who asked for it, if they still are who
 * they were. The modal opens empty first: where Slack refuses it, the password is not spent.
 * Design: §7.
 */
export async function revealSecret(id: string, reply: Reply): Promise<void> {
  if (reply.triggerId === undefined) return await reply.tell(say`Press the button again.`);
  const opened = await openEmpty(reply.triggerId, reply);
  if (opened === undefined) return;
  const revealed = await journaledReveal(id, reply);
  const blocks =
    revealed.kind === 'secret'
      ? passwordBlocks(revealed.secret)
      : [section(toMrkdwn(reasonOf(revealed)))];
  await reply.deps.web.updateView(opened.viewId, opened.hash, view(blocks));
}

async function openEmpty(
  triggerId: string,
  { deps, tell }: Reply,
): Promise<OpenedView | undefined> {
  try {
    return await deps.web.openView(triggerId, view([section('One moment …')]));
  } catch (cause) {
    deps.logger.info({ cause }, 'the password could not be shown');
    await tell(say`Slack did not open the window; nothing was spent. Press again.`);
    return undefined;
  }
}

/** Seen in the journal, whether it was shown or refused; the password itself never. */
async function journaledReveal(id: string, { actor, place, deps }: Reply): Promise<Shown> {
  const { journal, policy, ports } = deps;
  const entry = await journal.open({
    operation: 'password.reveal',
    actor,
    input: {},
    origin: 'button',
    channelId: channelOf(place),
  });
  const decision = await policy.decide(actor, place, STILL_THERE);
  const revealed: Shown = decision.allowed
    ? await ports.secrets.reveal(id, actor)
    : { kind: 'refused', reason: decision.reason };
  await journal.close(entry, {
    outcome: OUTCOMES[revealed.kind],
    detail: `password: ${revealed.kind}`,
    decision: decisionWords(decision, undefined),
  });
  return revealed;
}

type Shown = Revealed | { readonly kind: 'refused'; readonly reason: Text };

/** The person as Slack describes them now, wherever the button was: a right is not asked for. */
const STILL_THERE: Question = {
  action: 'password.reveal',
  risk: 'read',
  open: true,
  fresh: true,
};

const OUTCOMES: Readonly<Record<Shown['kind'], JournalOutcome>> = {
  secret: 'done',
  shown: 'already',
  expired: 'already',
  lost: 'denied',
  'not-yours': 'denied',
  refused: 'denied',
};

function reasonOf(revealed: Exclude<Shown, { kind: 'secret' }>): Text {
  switch (revealed.kind) {
    case 'shown':
      return say`It was shown at ${time(revealed.at, 'time')} and is erased. A new one can be set in the cloud console.`;
    case 'expired':
      return say`It expired at ${time(revealed.at, 'time')} and is erased. A new one can be set in the cloud console.`;
    case 'lost':
      return say`It is no longer here: Steward was restarted without SECRET_KEY. A new one can be set in the cloud console.`;
    case 'refused':
      return say`The password was not shown: ${revealed.reason}`;
    case 'not-yours':
      return say`Only the person who created the service can see its password.`;
  }
}

function passwordBlocks(secret: string): readonly SlackBlock[] {
  return [
    section('Copy it now: it is erased here and cannot be shown again.'),
    {
      type: 'rich_text',
      elements: [
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: cut(secret, 1_000) }] },
      ],
    },
  ];
}

function view(blocks: readonly SlackBlock[]): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: 'The password, once' },
    close: { type: 'plain_text', text: 'Done' },
    // Only published block types stand here.
    blocks: [...blocks] as ModalView['blocks'],
  };
}
