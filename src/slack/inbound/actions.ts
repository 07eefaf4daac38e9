import type { App } from '@slack/bolt';
import { digestOf } from '../../core/operation/operation.ts';
import { settlePending } from '../../core/pipeline/settle.ts';
import type { JournalOpening } from '../../core/ports/journal.ts';
import { say } from '../../core/text/text.ts';
import { longInput } from '../outbound/deliver.ts';
import { answerToOf, channelOf, ownerOf, placeOfPending } from '../outbound/deps.ts';
import type { Replies, Reply } from '../outbound/replies.ts';
import { revealSecret } from '../outbound/reveal.ts';
import { type PressedAction, unpackAction } from '../render/blocks.ts';
import { pressDeny } from './denials.ts';
import { publishHome } from './home.ts';
import { answerOnce } from './intake/acknowledge.ts';
import { questionIn, receive } from './intake/intake.ts';
import { readInteractive, replyToOf } from './intake/payloads.ts';
import { closeReceived, journalRefusal, NO_OPERATION } from './intake/refused.ts';
import { askFromList } from './offers.ts';
import { perform } from './perform.ts';
import { type PressedButton, readPressed, retireButton } from './pressed.ts';

const BUTTONS = /^(?:confirm|cancel|approve|deny|reveal|use|open|run|ask):/u;

/** Buttons of our messages and of App Home. Form fields have a route of their own (forms.ts). */
export function registerActions(app: App, replies: Replies): void {
  app.action(BUTTONS, async ({ ack, body }) => {
    const pressed = readPressed(body);
    const { atHome } = pressed;
    const reply = replies.to({ ...replyToOf(readInteractive(body)), atHome });
    const action = unpackAction(pressed.value);
    const opening = openingOf(action, reply);
    const delivery = `trigger:${reply.delivery}`;
    const answer = answerOnce(ack);
    await receive(
      { kind: 'block_actions', body, answer, reply, opening, delivery, whole: false },
      async (taken) => {
        await handlePress(pressed, action, taken);
        if (atHome) await publishHome(taken.actor, taken.deps);
      },
    );
  });
}

/** A press says little of what it asks for; what it turns out to be is said when that is known. */
function openingOf(
  action: PressedAction | undefined,
  { actor, place, deps }: Reply,
): JournalOpening {
  const id = action !== undefined && 'pending' in action ? action.pending : '';
  const pending = questionIn('pending', id, deps);
  return {
    operation: NO_OPERATION,
    actor,
    input: { press: action?.kind ?? 'unknown', ...pending },
    origin: 'button',
    channelId: channelOf(place),
  };
}

async function handlePress(
  button: PressedButton,
  action: PressedAction | undefined,
  reply: Reply,
): Promise<void> {
  if (action === undefined) {
    await refused('a button that cannot be read', reply);
    return await reply.tell(say`This button is too old to be read.`);
  }
  switch (action.kind) {
    case 'confirm':
    case 'approve':
      return await resume(action.pending, reply);
    case 'cancel':
      return await cancel(action.pending, reply);
    case 'deny':
      return await deny(action.pending, reply);
    case 'reveal':
      return await revealSecret(action.secret, reply);
    case 'use':
      return await use(action.pending, button, reply);
    case 'open':
    case 'run':
      return await start(action, button, reply);
    case 'ask':
      return await askFromList(action, reply);
  }
}

async function start(
  action: Extract<PressedAction, { kind: 'open' | 'run' }>,
  button: PressedButton,
  reply: Reply,
): Promise<void> {
  const operation = reply.deps.registry.find(action.operation);
  if (operation === undefined) {
    await refused('a button of an unknown operation', reply);
    return await reply.tell(say`This button belongs to something that no longer exists.`);
  }
  const { id, fields, risk } = operation;
  const wantsForm = action.kind === 'open' && fields.length > 0;
  if (risk !== 'read' && !wantsForm) {
    // What changes something is a question in the database: this value is older, or made up.
    await refused('a button that is not stored', reply, id);
    return await reply.tell(say`This button is too old; nothing was done. Type the command again.`);
  }
  if (wantsForm && !(await isFirstPress(button, reply))) {
    return await closeReceived(reply, { outcome: 'already', detail: 'a second press at once' });
  }
  const raw = await longInput(action.input, reply, reply.deps);
  if (raw === undefined) {
    await refused('kept input of somebody else, or too old', reply, id);
    return await reply.tell(say`Only the one who typed it can use this, within four hours.`);
  }
  const { options } = action;
  await perform({ operation: id, raw, wantsForm, options, origin: 'button' }, reply);
}

const DOUBLE_PRESS_MS = 500;

/** A double press is two payloads, each with a trigger of its own: it opens one form. */
async function isFirstPress({ value, at }: PressedButton, reply: Reply): Promise<boolean> {
  const { deps, actor, pressed } = reply;
  if (at === undefined) return true;
  const where = [ownerOf(actor), pressed?.channelId, pressed?.ts, value];
  const key = `press:${digestOf('press', where)}`;
  const slot = Math.floor((Number(at) * 1_000) / DOUBLE_PRESS_MS);
  const isFirst = await deps.deliveries.claim(`${key}:${slot}`);
  // Two presses may lie on either side of a slot's end.
  return (await deps.deliveries.claim(`${key}:${slot + 1}`)) && isFirst;
}

/** Runs once, as the one who pressed; only then the button is taken away. */
async function use(id: string, button: PressedButton, reply: Reply): Promise<void> {
  const { pending: questions } = reply.deps;
  const pending = await questions.get(id);
  if (pending?.kind !== 'run') return await tellGone(reply);
  const { operation, input: raw, options } = pending;
  const isOwn = pending.approvers.length === 0 && pending.channelId !== undefined;
  const place = isOwn ? placeOfPending(pending) : reply.place;
  await perform(
    { operation, raw, options, origin: 'button', grant: { pending, presser: reply.actor } },
    reply.to({ ...reply, place }),
  );
  if (reply.deps.registry.find(operation)?.redraws === true) return;
  const now = await questions.get(id);
  if (now?.state === 'claimed') await retireButton(button, reply);
}

/** The request goes on as its asker's, in its own channel, by this person's press. */
async function resume(id: string, reply: Reply): Promise<void> {
  const pending = await reply.deps.pending.get(id);
  if (pending === undefined || pending.kind === 'run') return await tellGone(reply);
  const { operation, input: raw, options, actor } = pending;
  const place = placeOfPending(pending);
  const grant = { pending, presser: reply.actor };
  await perform(
    { operation, raw, options, actor, place, origin: 'button', grant },
    pending.kind === 'confirm' ? reply.to({ ...reply, place }) : reply,
  );
}

async function deny(id: string, reply: Reply): Promise<void> {
  const pending = await reply.deps.pending.get(id);
  await (pending === undefined ? tellGone(reply) : pressDeny(pending, reply));
}

async function cancel(id: string, reply: Reply): Promise<void> {
  const pending = await reply.deps.pending.get(id);
  if (pending === undefined) return await tellGone(reply);
  const { actor: by, received, deps } = reply;
  const answerTo = answerToOf(reply);
  const settled = await settlePending({ kind: 'cancel', pending, by, received, answerTo }, deps);
  if (!settled.ok) return await reply.tell(settled.text);
  if (settled.notifications.length === 0) return await reply.replace(settled.text);
  await deps.delivery.deliver(settled.notifications, true);
}

async function refused(
  detail: string,
  { actor, place, received, deps }: Reply,
  operation = NO_OPERATION,
): Promise<void> {
  await journalRefusal({ operation, actor, place, origin: 'button', detail, received }, deps);
}

async function tellGone(reply: Reply): Promise<void> {
  await refused('a question that is not known', reply);
  await reply.tell(
    say`This question is no longer known; nothing was done. Type the command again.`,
  );
}
