import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Actor } from '../../core/ports.ts';
import type { OperationInfo } from '../../core/registry.ts';
import { say } from '../../core/text.ts';
import { context, type SlackBlock, section } from '../blocks.ts';
import { tellText } from '../deliver.ts';
import type { ReplyTo, SlackDeps } from '../deps.ts';
import { isFirstDelivery } from '../first-delivery.ts';
import { option } from '../form-fields.ts';
import { isMember } from '../membership.ts';
import { cut } from '../mrkdwn.ts';
import { ownOffers } from '../own-offers.ts';
import { readInteractive, readPayload, replyToOf, respondWith } from '../payloads.ts';
import { perform } from '../perform.ts';
import { journalStray } from '../stray.ts';

/** `callback_id` of the view in which a global shortcut asks where and what. */
const PICK = 'pick';

const messageShape = z.looseObject({
  message: z.looseObject({ text: z.string().nullish(), blocks: z.array(z.unknown()).nullish() }),
});

/** The global shortcut has no channel, so it asks for one; the message shortcut reads the message. */
export function registerShortcuts(app: App, deps: SlackDeps): void {
  app.shortcut({ callback_id: 'menu', type: 'shortcut' }, async ({ ack, body }) => {
    await ack();
    await deps.track(openPicker(replyToOf(readInteractive(body), undefined), deps));
  });
  app.shortcut({ callback_id: 'activity', type: 'message_action' }, async (args) => {
    await args.ack();
    const respond = respondWith(
      args.respond as unknown as (message: Record<string, unknown>) => Promise<unknown>,
    );
    const to = replyToOf(readInteractive(args.body), respond);
    await deps.track(inspect(readPayload(messageShape, args.body).message, to, deps));
  });
  app.view({ callback_id: PICK, type: 'view_submission' }, async ({ ack, body }) => {
    const to = replyToOf(readInteractive(body), undefined);
    await ack();
    await deps.track(picked(body, to, deps));
  });
}

/** Only the id goes on, not the message: what people write is not for the journal. */
async function inspect(
  message: z.output<typeof messageShape>['message'],
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  if (!(await isFirstDelivery(to, deps))) return;
  const text = `${message.text ?? ''} ${JSON.stringify(message.blocks ?? '')}`;
  const id = /\b[0-9a-f]{24}\b/iu.exec(text)?.[0];
  await perform(
    {
      operation: 'activity.read',
      raw: id === undefined ? {} : { id },
      wantsForm: id === undefined,
      actor: to.actor,
      place: to.place,
      origin: 'shortcut',
    },
    to,
    deps,
  );
}

async function openPicker(to: ReplyTo, deps: SlackDeps): Promise<void> {
  if (to.triggerId === undefined) return;
  if (!(await isFirstDelivery(to, deps))) return;
  const places = await offers(to.actor, deps);
  const view = places.length === 0 ? emptyView() : pickerView(places);
  try {
    await deps.web.openView(to.triggerId, view);
  } catch (cause) {
    deps.logger.info({ cause }, 'the menu of the shortcut could not be opened');
  }
}

type Offer = {
  readonly channel: { readonly id: string; readonly name: string };
  readonly operations: readonly OperationInfo[];
};

async function offers(actor: Actor, deps: SlackDeps): Promise<readonly Offer[]> {
  const all = await Promise.all(
    deps.settings.get().channels.map(async ({ id, name }) => ({
      channel: { id, name },
      operations: await ownOffers(actor, id, deps),
    })),
  );
  return all.filter(({ operations }) => operations.length > 0);
}

/** One choice a channel and operation: what is listed is allowed there. Slack: 100 groups of 100. */
function pickerView(places: readonly Offer[]): ModalView {
  const option_groups = places.slice(0, 100).map(({ channel, operations }) => ({
    label: { type: 'plain_text' as const, text: cut(`In #${channel.name}`, 75) },
    options: operations
      .slice(0, 100)
      .map(({ id, summary }) => option({ value: `${channel.id} ${id}`, label: summary })),
  }));
  return {
    ...frame([context('Steward answers in the channel that you choose.')]),
    submit: { type: 'plain_text', text: 'Continue' },
    blocks: [
      {
        type: 'input',
        block_id: 'pick',
        label: { type: 'plain_text', text: 'What, and where' },
        element: { type: 'static_select', action_id: 'pick', option_groups },
      },
    ],
  };
}

function emptyView(): ModalView {
  return frame([section('Nothing is allowed to you in any channel that Steward serves.')]);
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
async function picked(body: unknown, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const { value } = readPayload(pickedShape, body).view.state.values.pick.pick.selected_option;
  if (!(await isFirstDelivery(to, deps))) return;
  const [channelId = '', id = ''] = value.split(' ');
  const operation = deps.registry.find(id);
  const there: ReplyTo = { ...to, place: { channelId } };
  if (operation === undefined || !(await isMember(channelId, to.actor.userId, deps))) {
    const detail = 'a choice of the shortcut that was not offered';
    await journalStray({ operation: id, ...to, origin: 'shortcut', detail }, deps);
    return await tellText(say`This choice no longer exists.`, to, deps);
  }
  await perform(
    {
      operation: operation.id,
      raw: {},
      wantsForm: operation.fields.length > 0,
      actor: to.actor,
      place: there.place,
      origin: 'shortcut',
    },
    there,
    deps,
  );
}
