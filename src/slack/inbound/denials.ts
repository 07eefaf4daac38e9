import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { spokenInput } from '../../core/card/card.ts';
import { judgePress, settledText } from '../../core/pipeline/press.ts';
import { settlePending } from '../../core/pipeline/settle.ts';
import type { Pending } from '../../core/ports/pending.ts';
import { commandText } from '../../core/slash/slash.ts';
import { code, say, user } from '../../core/text/text.ts';
import { openInTime } from '../form/open-in-time.ts';
import { answerToOf, placeOf, type SlackDeps } from '../outbound/deps.ts';
import type { Replies, Reply } from '../outbound/replies.ts';
import { learnedPlace } from '../outbound/request-message.ts';
import { section } from '../render/blocks.ts';
import { toMrkdwn } from '../render/mrkdwn.ts';
import { publishHome } from './home.ts';
import { answerOnce } from './intake/acknowledge.ts';
import { questionIn, receive } from './intake/intake.ts';
import { actorOf, deliveryOf, readInteractive, readPayload } from './intake/payloads.ts';
import { closeReceived, journalRefusal, NO_OPERATION } from './intake/refused.ts';

const DENY = 'deny';
const REASON = 'reason';
const TITLE = 'Deny this request';
/** Behind the request's id, where it was pressed on App Home. */
const AT_HOME = ' home';

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
export function registerDenials(app: App, replies: Replies): void {
  app.view({ callback_id: DENY, type: 'view_submission' }, async ({ ack, body }) => {
    const payload = readInteractive(body);
    const { view } = readPayload(submitted, body);
    const actor = actorOf(payload);
    const { private_metadata: held } = view;
    const atHome = held.endsWith(AT_HOME);
    const id = atHome ? held.slice(0, -AT_HOME.length) : held;
    const reply = replies.to({ actor, place: 'home', triggerId: payload.trigger_id, atHome });
    const input = questionIn('deny', id, replies.deps);
    await receive(
      {
        ...{ kind: 'view_submission', body, answer: answerOnce(ack), reply, whole: false },
        opening: { operation: NO_OPERATION, actor, input, origin: 'form' },
        delivery: `view:${view.id}:${deliveryOf(payload)}`,
      },
      async (taken) => {
        await deny({ id, view }, taken);
        if (atHome) await publishHome(actor, taken.deps);
      },
    );
  });
}

/**
 * A press on Deny or Withdraw. The asker's own withdraws at once; an approver is asked for a reason
 * first; anybody else is refused, with a journal row.
 */
export async function pressDeny(asked: Pending, reply: Reply): Promise<void> {
  const { actor, deps, pressed } = reply;
  const pending = await learnedPlace(asked, pressed, deps);
  // Who withdraws their own request, or is too late, is asked nothing.
  const isAsked =
    actor.userId !== pending.actor.userId &&
    settledText(pending, deps.ports.clock.now().toISO()) === undefined;
  const window = isAsked ? openInTime(reply, TITLE) : undefined;
  try {
    await judgeDeny(pending, window?.reply ?? reply);
  } finally {
    await window?.over();
  }
}

async function judgeDeny(pending: Pending, reply: Reply): Promise<void> {
  const { actor, deps, tell, show, atHome } = reply;
  const press = await judgePress({ pending, presser: actor }, deps);
  if (press.kind !== 'approval') return await settleRequest(pending, undefined, reply);
  try {
    await show(reasonView(pending, atHome, deps));
    // It asked for the reason; the form is a row of its own.
    const { operation, id, journal: parent, channelId } = pending;
    const as = { operation, actor, input: { deny: id }, parent, channelId };
    await closeReceived(reply, { outcome: 'form', as });
  } catch (cause) {
    deps.logger.info({ cause }, 'the modal for a reason could not be opened');
    await tell(say`Slack did not open the form for a reason; press the button again.`);
  }
}

async function deny(
  { id, view }: { readonly id: string; readonly view: z.output<typeof submitted>['view'] },
  { actor, received, deps, to, atHome }: Reply,
): Promise<void> {
  const pending = await deps.pending.get(id);
  const from = { actor, place: placeOf(pending?.channelId), received, atHome };
  if (pending === undefined) {
    const detail = 'a request that is not known';
    await journalRefusal({ operation: NO_OPERATION, ...from, origin: 'form', detail }, deps);
    return await to(from).tell(say`This request is no longer known; nothing was done.`);
  }
  const note = view.state.values[REASON]?.[REASON]?.value ?? undefined;
  await settleRequest(pending, note, to(from));
}

/** Everything is judged again here: what the modal says of itself is not trusted. */
async function settleRequest(
  pending: Pending,
  note: string | undefined,
  reply: Reply,
): Promise<void> {
  const { deps, actor: by, received, tell, replace, pressed } = reply;
  const answerTo = answerToOf(reply);
  const settled = await settlePending(
    { kind: 'deny', pending, by, note, received, answerTo },
    deps,
  );
  if (!settled.ok) return await tell(settled.text);
  if (settled.notifications.length === 0) return await replace(settled.text);
  await deps.delivery.deliver(settled.notifications, true);
  // Pressed in a list of requests: the request's own message is elsewhere.
  if (pressed?.ephemeral === true) await replace(settled.text);
  else if (pending.message === undefined) await tell(settled.text);
}

function reasonView(pending: Pending, atHome: boolean | undefined, deps: SlackDeps): ModalView {
  const operation = deps.registry.find(pending.operation);
  const { command } = deps.ports.settings.get();
  const text =
    operation === undefined
      ? pending.operation
      : commandText(operation, spokenInput(pending.input, pending.options?.names));
  const asked = say`${user(pending.actor.userId)} asks for ${code(`${command} ${text}`)}`;
  return {
    type: 'modal',
    callback_id: DENY,
    private_metadata: atHome === true ? `${pending.id}${AT_HOME}` : pending.id,
    title: { type: 'plain_text', text: TITLE },
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
