import type { ModalView } from '@slack/types';
import { decisionWords } from '../../core/pipeline/step.ts';
import type { Question } from '../../core/ports/decision.ts';
import type { JournalOutcome } from '../../core/ports/journal.ts';
import type { Revealed } from '../../core/ports/ports.ts';
import { say, type Text, time } from '../../core/text/text.ts';
import { type SlackBlock, section } from '../render/blocks.ts';
import { cut, toMrkdwn } from '../render/mrkdwn.ts';
import { failureOf } from '../web/slack-failure.ts';
import type { OpenedView } from '../web/web.ts';
import { channelOf } from './deps.ts';
import type { Reply } from './replies.ts';

/**
 * Shows a generated password in a modal, once, to the one who asked for it, if they still are who
 * they were. It is spent when Slack took the view that shows it, not before. Design: §7.
 */
export async function revealSecret(id: string, reply: Reply): Promise<void> {
  if (reply.triggerId === undefined) return await reply.tell(say`Press the button again.`);
  const opened = await openEmpty(reply.triggerId, reply);
  if (opened === undefined) return;
  const show = (blocks: readonly SlackBlock[]) => fill(opened, blocks, reply);
  const revealed = await journaledReveal(id, reply, (secret) => show(passwordBlocks(secret)));
  if (revealed.kind === 'seen') return;
  if (revealed.kind !== 'unseen' && (await show([section(toMrkdwn(reasonOf(revealed)))]))) return;
  await reply.tell(reasonOf(revealed));
}

/** Whether Slack took it. After an answer that was lost the view's hash tells. */
async function fill(
  { viewId, hash }: OpenedView,
  blocks: readonly SlackBlock[],
  { deps }: Reply,
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      await deps.web.updateView(viewId, hash, view(blocks));
      return true;
    } catch (cause) {
      const { kind, error } = failureOf(cause);
      if (tries === 2 && error === 'hash_conflict') return true;
      deps.logger.info({ error }, 'the window of a password was not filled');
      if (kind !== 'doubt' || tries === 2) return false;
    }
  }
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
async function journaledReveal(
  id: string,
  { actor, place, received, deps }: Reply,
  show: (secret: string) => Promise<boolean>,
): Promise<Shown> {
  const { journal, policy, ports } = deps;
  const as = { operation: 'password.reveal', actor, input: {}, channelId: channelOf(place) };
  const entry = received?.entry ?? (await journal.open({ ...as, origin: 'button' }));
  if (received !== undefined) received.closed = true;
  const decision = await policy.decide(actor, place, STILL_THERE);
  const revealed: Shown = decision.allowed
    ? await ports.secrets.reveal(id, actor, show)
    : { kind: 'refused', reason: decision.reason };
  await journal.close(entry, {
    as: received && as,
    outcome: OUTCOMES[revealed.kind],
    detail: `password: ${revealed.kind}`,
    decision: decisionWords(decision),
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
  seen: 'done',
  unseen: 'failed',
  shown: 'already',
  expired: 'already',
  lost: 'denied',
  'not-yours': 'denied',
  refused: 'denied',
};

function reasonOf(revealed: Exclude<Shown, { kind: 'seen' }>): Text {
  switch (revealed.kind) {
    case 'unseen':
      return say`Slack did not show the password; nothing was spent. Press again.`;
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
