import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { spokenInput } from '../../core/card/request-options.ts';
import { judgePress } from '../../core/pipeline/press.ts';
import { settlePending } from '../../core/pipeline/settle.ts';
import type { Pending } from '../../core/ports/ports.ts';
import { commandText } from '../../core/slash/command-text.ts';
import { code, say, user } from '../../core/text/text.ts';
import { section } from '../outbound/blocks.ts';
import { showClosed } from '../outbound/closed-request.ts';
import { replacePressed, tellText } from '../outbound/deliver.ts';
import type { ReplyTo, SlackDeps } from '../outbound/deps.ts';
import { toMrkdwn } from '../outbound/mrkdwn.ts';
import { placeOf } from '../outbound/places.ts';
import { settledCard } from '../outbound/questions.ts';
import { deliveryOf } from './first-delivery.ts';
import { actorOf, readInteractive, readPayload } from './payloads.ts';
import { journalStray, NO_OPERATION } from './stray.ts';

const DENY = 'deny';
const REASON = 'reason';

const answered = z.looseObject({ value: z.string().max(3_000).nullish() });
const submitted = z.looseObject({
  view: z.looseObject({
    id: z.string(),
    private_metadata: z.string().max(100),
    state: z.looseObject({
      values: z.record(z.string(), z.record(z.string(), answered)),
    }),
  }),
});

/** The modal in which an approver may say why not. */
export function registerDenials(app: App, deps: SlackDeps): void {
  app.view({ callback_id: DENY, type: 'view_submission' }, async ({ ack, body }) => {
    await ack();
    await deps.track(deny(body, deps));
  });
}

/**
 * A press on Deny or Withdraw. The asker's own withdraws at once; an approver is asked for a reason
 * first; anybody else is refused, with a journal row.
 */
export async function pressDeny(pending: Pending, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const press = await judgePress({ pending, presser: to.actor }, deps.pipeline);
  if (press.kind !== 'approval') return await settleRequest(pending, undefined, to, deps);
  try {
    if (to.triggerId === undefined)
      throw new TypeError('There is no trigger to open a modal with.');
    await deps.web.openView(to.triggerId, reasonView(pending, deps));
  } catch (cause) {
    deps.logger.info({ cause }, 'the modal for a reason could not be opened');
    await tellText(
      say`Slack did not open the form for a reason; press the button again.`,
      to,
      deps,
    );
  }
}

async function deny(body: unknown, deps: SlackDeps): Promise<void> {
  const payload = readInteractive(body);
  const { view } = readPayload(submitted, body);
  if (!(await deps.deliveries.claim(`view:${view.id}:${deliveryOf(payload)}`))) return;
  const pending = await deps.pipeline.pending.get(view.private_metadata);
  const to = { actor: actorOf(payload), place: placeOf(pending?.channelId) };
  if (pending === undefined) {
    const detail = 'a request that is not known';
    await journalStray({ operation: NO_OPERATION, ...to, origin: 'form', detail }, deps);
    return await tellText(say`This request is no longer known; nothing was done.`, to, deps);
  }
  await settleRequest(pending, view.state.values[REASON]?.[REASON]?.value ?? undefined, to, deps);
}

/** Everything is judged again here: what the modal says of itself is not trusted. */
async function settleRequest(
  pending: Pending,
  note: string | undefined,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  const settled = await settlePending({ kind: 'deny', pending, by: to.actor, note }, deps.pipeline);
  if (!settled.ok) return await tellText(settled.text, to, deps);
  if (pending.kind === 'confirm') return await replacePressed(settledCard(settled.text), to, deps);
  await showClosed(
    pending,
    {
      how: settled.to === 'denied' ? 'denied' : 'withdrawn',
      by: to.actor,
      at: deps.clock.now().toISO(),
      note: settled.note,
    },
    deps,
  );
  // Pressed in a list of requests: the request's own message is elsewhere.
  if (to.pressed?.ephemeral === true) await replacePressed(settledCard(settled.text), to, deps);
  else if (pending.message === undefined) await tellText(settled.text, to, deps);
}

function reasonView(pending: Pending, deps: SlackDeps): ModalView {
  const operation = deps.registry.find(pending.operation);
  const { command } = deps.settings.get();
  const text =
    operation === undefined
      ? pending.operation
      : commandText(operation, spokenInput(pending.input, pending.options?.names));
  const asked = say`${user(pending.actor.userId)} asks for ${code(`${command} ${text}`)}`;
  return {
    type: 'modal',
    callback_id: DENY,
    private_metadata: pending.id,
    title: { type: 'plain_text', text: 'Deny this request' },
    submit: { type: 'plain_text', text: 'Deny' },
    close: { type: 'plain_text', text: 'Back' },
    blocks: [
      // Only a published block type: ours is wider than the view's.
      section(toMrkdwn(asked)) as ModalView['blocks'][number],
      {
        type: 'input',
        block_id: REASON,
        optional: true,
        label: { type: 'plain_text', text: 'Reason' },
        hint: { type: 'plain_text', text: 'Shown in the request and to who asked.' },
        element: { type: 'plain_text_input', action_id: REASON, multiline: true, max_length: 500 },
      },
    ],
  };
}
