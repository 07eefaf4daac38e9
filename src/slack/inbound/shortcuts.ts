import type { App } from '@slack/bolt';
import { z } from 'zod';
import { activityIdsIn, severalIds } from '../../core/cloud/activity-ids.ts';
import { cleanTyped } from '../../core/text/typed-text.ts';
import { openInTime } from '../form/open-in-time.ts';
import { channelOf } from '../outbound/deps.ts';
import type { Replies, Reply } from '../outbound/replies.ts';
import { answerOnce } from './intake/acknowledge.ts';
import { type Arrival, receive } from './intake/intake.ts';
import { readInteractive, readPayload, replyToOf } from './intake/payloads.ts';
import { NO_OPERATION } from './intake/refused.ts';
import { messageWords } from './message-words.ts';
import { chosenPlace } from './offers.ts';
import { perform } from './perform.ts';
import { openPicker, PICK } from './picker.ts';

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
  const issues = ids.length > 1 ? [{ field: 'id', message: severalIds(ids) }] : undefined;
  const request = { operation: 'activity.read', raw, wantsForm, issues } as const;
  await perform({ ...request, origin: 'shortcut' }, reply);
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
async function picked(value: string, given: Reply): Promise<void> {
  const [channelId = '', operation = ''] = value.split(' ');
  const { title = '', fields = [], atOnce } = given.deps.registry.find(operation) ?? {};
  const wantsForm = fields.length > 0 && atOnce !== true;
  // The channel is looked up before the form, by the same trigger.
  const window = wantsForm ? openInTime(given, title) : undefined;
  const reply = window?.reply ?? given;
  try {
    const place = await chosenPlace({ channelId, operation, origin: 'shortcut' }, reply);
    if (place === undefined) return;
    const request = { operation, raw: {}, wantsForm, origin: 'shortcut' } as const;
    await perform(request, reply.to({ ...reply, place }), { inTime: wantsForm });
  } finally {
    await window?.over();
  }
}
