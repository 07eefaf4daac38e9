import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { activityIdsIn } from '../../core/cloud/activity-ids.ts';
import type { OperationInfo } from '../../core/operation/ports.ts';
import { PERHAPS_MORE } from '../../core/operation/registry.ts';
import type { Actor } from '../../core/ports/ports.ts';
import { cleanTyped } from '../../core/text/typed-text.ts';
import { option } from '../form/fields.ts';
import { channelOf, type SlackDeps } from '../outbound/deps.ts';
import type { Replies, Reply } from '../outbound/replies.ts';
import { type SlackBlock, section } from '../render/blocks.ts';
import { cut, toMrkdwn } from '../render/mrkdwn.ts';
import { answerOnce } from './intake/acknowledge.ts';
import { type Arrival, receive } from './intake/intake.ts';
import { readInteractive, readPayload, replyToOf } from './intake/payloads.ts';
import { closeReceived, NO_OPERATION } from './intake/refused.ts';
import { messageWords } from './message-words.ts';
import { chosenPlace, ownOffers } from './offers.ts';
import { perform } from './perform.ts';

/** `callback_id` of the view in which a global shortcut asks where and what. */
const PICK = 'pick';

const messageShape = z.looseObject({ message: z.unknown() });

/** The global shortcut has no channel, so it asks for one; the message shortcut reads the message. */
export function registerShortcuts(app: App, replies: Replies): void {
  app.shortcut({ callback_id: 'menu', type: 'shortcut' }, async ({ ack, body }) => {
    const arrival = arrivalOf({ kind: 'shortcut', body, ack }, replies);
    await receive(
      { ...arrival, opening: { ...arrival.opening, operation: 'menu.read' } },
      openPicker,
    );
  });
  app.shortcut({ callback_id: 'activity', type: 'message_action' }, async ({ ack, body }) => {
    const { message } = readPayload(messageShape, body);
    const arrival = arrivalOf({ kind: 'message_action', body, ack }, replies);
    await receive(arrival, (reply) => inspect(message, reply));
  });
  app.view({ callback_id: PICK, type: 'view_submission' }, async ({ ack, body }) => {
    const { value } = readPayload(pickedShape, body).view.state.values.pick.pick.selected_option;
    const arrival = arrivalOf({ kind: 'view_submission', body, ack }, replies);
    await receive(arrival, (reply) => picked(value, reply));
  });
}

type Came = Pick<Arrival, 'kind' | 'body'> & { readonly ack: Parameters<typeof answerOnce>[0] };

function arrivalOf({ kind, body, ack }: Came, replies: Replies): Arrival {
  const reply = replies.to(replyToOf(readInteractive(body)));
  const { actor, place, delivery } = reply;
  return {
    ...{
      kind,
      body,
      answer: answerOnce(ack),
      reply,
      delivery: `trigger:${delivery}`,
      whole: false,
    },
    opening: {
      ...{ operation: NO_OPERATION, actor, input: {}, origin: 'shortcut' },
      channelId: channelOf(place),
    },
  };
}

/**
 * Only ids go on, not the message: what people write is not for the journal. Of several the person
 * chooses in the form.
 */
async function inspect(message: unknown, reply: Reply): Promise<void> {
  const ids = activityIdsIn(cleanTyped(messageWords(message)));
  const raw = ids.length === 0 ? {} : { id: ids.join(' ') };
  const wantsForm = ids.length !== 1;
  await perform({ operation: 'activity.read', raw, wantsForm, origin: 'shortcut' }, reply);
}

async function openPicker(reply: Reply): Promise<void> {
  const { deps, actor, triggerId } = reply;
  const { places, unsure } = await offers(actor, deps);
  const outcome = places.length === 0 ? 'denied' : 'form';
  await closeReceived(reply, { outcome, detail: 'the menu of the shortcut' });
  if (triggerId === undefined) return;
  const view = places.length === 0 ? emptyView(unsure) : pickerView(places, unsure);
  try {
    await deps.web.openView(triggerId, view);
  } catch (cause) {
    deps.logger.info({ cause }, 'the menu of the shortcut could not be opened');
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

/** One choice a channel and operation: what is listed is allowed there. Facts: Modals. */
function pickerView(places: readonly Offer[], unsure: boolean): ModalView {
  const option_groups = places.slice(0, 100).map(({ channel, operations }) => ({
    label: { type: 'plain_text' as const, text: cut(`In #${channel.name}`, 75) },
    options: operations
      .slice(0, 100)
      .map(({ id, summary }) => option({ value: `${channel.id} ${id}`, label: summary })),
  }));
  const pick: ModalView['blocks'][number] = {
    type: 'input',
    block_id: 'pick',
    label: { type: 'plain_text', text: 'What, and where' },
    element: { type: 'static_select', action_id: 'pick', option_groups },
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
    title: { type: 'plain_text', text: 'Database menu' },
    close: { type: 'plain_text', text: 'Close' },
    // Only published block types stand here.
    blocks: [...blocks] as ModalView['blocks'],
  };
}

const pickedShape = z.looseObject({
  view: z.looseObject({
    state: z.looseObject({
      values: z.looseObject({
        pick: z.looseObject({
          pick: z.looseObject({ selected_option: z.looseObject({ value: z.string() }) }),
        }),
      }),
    }),
  }),
});

/** The form opens with the submission's own trigger; the policy judges the chosen channel. */
async function picked(value: string, reply: Reply): Promise<void> {
  const [channelId = '', id = ''] = value.split(' ');
  const operation = reply.deps.registry.find(id);
  const place = await chosenPlace({ channelId, operation: id, origin: 'shortcut' }, reply);
  if (place === undefined || operation === undefined) return;
  const wantsForm = operation.fields.length > 0;
  await perform(
    { operation: operation.id, raw: {}, wantsForm, origin: 'shortcut' },
    reply.to({ ...reply, place }),
  );
}
