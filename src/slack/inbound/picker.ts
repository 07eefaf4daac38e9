import type { ModalView } from '@slack/types';
import type { OperationInfo } from '../../core/operation/ports.ts';
import { PERHAPS_MORE } from '../../core/operation/registry.ts';
import type { Actor } from '../../core/ports/ports.ts';
import { say } from '../../core/text/text.ts';
import type { Findables } from '../form/findable.ts';
import { openInTime } from '../form/open-in-time.ts';
import type { SlackDeps } from '../outbound/deps.ts';
import type { Reply } from '../outbound/replies.ts';
import { type SlackBlock, section } from '../render/blocks.ts';
import { toMrkdwn } from '../render/mrkdwn.ts';
import { closeReceived } from './intake/refused.ts';
import { ownOffers } from './offers.ts';

/** `callback_id` of the view in which a global shortcut asks where and what. */
export const PICK = 'pick';
const TITLE = 'Database menu';

/**
 * Asks where and what. There may be more of both than a menu holds, so Slack asks for what fits the
 * typed words.
 */
export async function openPicker(given: Reply): Promise<void> {
  const { deps, actor } = given;
  const { reply, over } = openInTime(given, TITLE);
  try {
    const { places, unsure } = await offers(actor, deps);
    const outcome = places.length === 0 ? 'denied' : 'form';
    await closeReceived(reply, { outcome, detail: 'the menu of the shortcut' });
    await reply.show(places.length === 0 ? emptyView(unsure) : pickerView(places, unsure));
  } catch (cause) {
    deps.logger.info({ cause }, 'the menu of the shortcut could not be opened');
    await reply.tell(say`Slack did not open the menu; nothing was done. Choose it again.`);
  } finally {
    await over();
  }
}

type Offer = {
  readonly channel: { readonly id: string; readonly name: string };
  readonly operations: readonly OperationInfo[];
};

async function offers(
  actor: Actor,
  deps: SlackDeps,
): Promise<{ readonly places: readonly Offer[]; readonly unsure: boolean }> {
  const all = await Promise.all(
    deps.ports.settings.get().channels.map(async ({ id, name }) => ({
      channel: { id, name },
      ...(await ownOffers(actor, id, deps)),
    })),
  );
  return {
    places: all.filter(({ operations }) => operations.length > 0),
    unsure: all.some(({ unsure }) => unsure),
  };
}

/** One choice a channel and operation: what is listed is allowed there. */
export async function picksFor(actor: Actor, deps: SlackDeps): Promise<Findables> {
  const { places } = await offers(actor, deps);
  return places.map(({ channel, operations }) => ({
    label: `In #${channel.name}`,
    choices: operations.map(({ id, summary, slash }) => ({
      value: `${channel.id} ${id}`,
      label: summary,
      words: `#${channel.name} ${summary} ${slash.words.join(' ')}`,
    })),
  }));
}

function pickerView(places: readonly Offer[], unsure: boolean): ModalView {
  const count = places.reduce((sum, { operations }) => sum + operations.length, 0);
  const pick: ModalView['blocks'][number] = {
    type: 'input',
    block_id: 'pick',
    label: { type: 'plain_text', text: 'What, and where' },
    hint: {
      type: 'plain_text',
      text: `${count} to choose from: type a part of a command or of a channel to find one.`,
    },
    element: { type: 'external_select', action_id: 'pick', min_query_length: 0 },
  };
  return {
    ...frame([...(unsure ? [perhapsMore()] : []), pick]),
    submit: { type: 'plain_text', text: 'Continue' },
  };
}

function emptyView(unsure: boolean): ModalView {
  if (unsure) return frame([perhapsMore()]);
  return frame([section('You may not do anything in the channels that Steward serves.')]);
}

function perhapsMore(): SlackBlock {
  return section(toMrkdwn(PERHAPS_MORE));
}

function frame(blocks: readonly SlackBlock[]): ModalView {
  return {
    type: 'modal',
    callback_id: PICK,
    title: { type: 'plain_text', text: TITLE },
    close: { type: 'plain_text', text: 'Close' },
    // Only published block types stand here.
    blocks: [...blocks] as ModalView['blocks'],
  };
}
