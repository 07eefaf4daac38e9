import type { App } from '@slack/bolt';
import { settlePending } from '../../core/pipeline/settle.ts';
import { say } from '../../core/text/text.ts';
import { type PressedAction, unpackAction } from '../outbound/button-values.ts';
import { longInput } from '../outbound/buttons.ts';
import { replacePressed, tellRequester, tellText } from '../outbound/deliver.ts';
import type { ReplyTo, SlackDeps } from '../outbound/deps.ts';
import { placeOf } from '../outbound/places.ts';
import { settledCard } from '../outbound/questions.ts';
import { revealSecret } from '../outbound/reveal.ts';
import { pressDeny } from './denials.ts';
import { isFirstDelivery } from './first-delivery.ts';
import { readInteractive, replyToOf, respondWith } from './payloads.ts';
import { perform } from './perform.ts';
import { type PressedButton, readPressed, retireButton } from './spent-button.ts';
import { journalStray, NO_OPERATION } from './stray.ts';

/** Buttons of our messages. Form fields have a route of their own (forms.ts). */
export function registerActions(app: App, deps: SlackDeps): void {
  app.action(/^(?:confirm|cancel|approve|deny|reveal|use|open|run):/u, async (args) => {
    await args.ack();
    const respond =
      'respond' in args && 'response_url' in args.body
        ? respondWith(args.respond as (message: Record<string, unknown>) => Promise<unknown>)
        : undefined;
    const payload = readInteractive(args.body);
    const to = replyToOf(payload, respond);
    await deps.track(handlePress(readPressed(args.body), to, deps));
  });
}

async function handlePress(button: PressedButton, to: ReplyTo, deps: SlackDeps): Promise<void> {
  if (!(await isFirstDelivery(to, deps))) return;
  const action = unpackAction(button.value);
  if (action === undefined) {
    await stray('a button that cannot be read', to, deps);
    return await tellText(say`This button is too old to be read.`, to, deps);
  }
  switch (action.kind) {
    case 'confirm':
    case 'approve':
      return await resume(action.pending, to, deps);
    case 'cancel':
      return await cancel(action.pending, to, deps);
    case 'deny':
      return await deny(action.pending, to, deps);
    case 'reveal':
      return await revealSecret(action.secret, to, deps);
    case 'use':
      return await use(action.pending, button, to, deps);
    case 'open':
    case 'run':
      return await start(action, to, deps);
  }
}

async function start(
  action: Extract<PressedAction, { kind: 'open' | 'run' }>,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  const operation = deps.registry.find(action.operation);
  if (operation === undefined) {
    await stray('a button of an unknown operation', to, deps);
    return await tellText(say`This button belongs to something that no longer exists.`, to, deps);
  }
  const wantsForm = action.kind === 'open' && operation.fields.length > 0;
  if (operation.risk !== 'read' && !wantsForm) {
    // What changes something is a question in the database: this value is older, or made up.
    await stray('a button that is not stored', to, deps, operation.id);
    return await tellText(
      say`This button is too old; nothing was done. Type the command again.`,
      to,
      deps,
    );
  }
  const raw = await longInput(action.input, to, deps);
  if (raw === undefined) {
    await stray('kept input of somebody else, or too old', to, deps, operation.id);
    return await tellText(
      say`Only the one who typed it can use this, within four hours.`,
      to,
      deps,
    );
  }
  await perform(
    {
      operation: operation.id,
      raw,
      wantsForm,
      options: action.options,
      actor: to.actor,
      place: to.place,
      origin: 'button',
    },
    to,
    deps,
  );
}

/** Runs once, as the one who pressed; only then the button is taken away. */
async function use(id: string, button: PressedButton, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const pending = await deps.pipeline.pending.get(id);
  if (pending?.kind !== 'run') return await tellGone(to, deps);
  const isOwn = pending.approvers.length === 0 && pending.channelId !== undefined;
  const there = isOwn ? { ...to, place: placeOf(pending.channelId) } : to;
  await perform(
    {
      operation: pending.operation,
      raw: pending.input,
      options: pending.options,
      actor: to.actor,
      place: there.place,
      origin: 'button',
      grant: { pending, presser: to.actor },
    },
    there,
    deps,
  );
  const now = await deps.pipeline.pending.get(id);
  if (now?.state === 'claimed') await retireButton(button, to, deps);
}

/** The request goes on as its asker's, in its own channel, by this person's press. */
async function resume(id: string, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const pending = await deps.pipeline.pending.get(id);
  if (pending === undefined || pending.kind === 'run') return await tellGone(to, deps);
  const place = placeOf(pending.channelId);
  await perform(
    {
      operation: pending.operation,
      raw: pending.input,
      options: pending.options,
      actor: pending.actor,
      place,
      origin: 'button',
      grant: { pending, presser: to.actor },
    },
    { ...to, place: pending.kind === 'confirm' ? place : to.place },
    deps,
  );
}

async function deny(id: string, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const pending = await deps.pipeline.pending.get(id);
  if (pending === undefined) return await tellGone(to, deps);
  await pressDeny(pending, to, deps);
}

async function cancel(id: string, to: ReplyTo, deps: SlackDeps): Promise<void> {
  const pending = await deps.pipeline.pending.get(id);
  if (pending === undefined) return await tellGone(to, deps);
  const settled = await settlePending({ kind: 'cancel', pending, by: to.actor }, deps.pipeline);
  if (!settled.ok) return await tellText(settled.text, to, deps);
  await replacePressed(settledCard(settled.text), to, deps);
}

async function stray(
  detail: string,
  { actor, place }: ReplyTo,
  deps: SlackDeps,
  operation = NO_OPERATION,
): Promise<void> {
  await journalStray({ operation, actor, place, origin: 'button', detail }, deps);
}

async function tellGone(to: ReplyTo, deps: SlackDeps): Promise<void> {
  await stray('a question that is not known', to, deps);
  await tellRequester(
    {
      audience: 'requester',
      tone: 'plain',
      headline: say`This question is no longer known; nothing was done. Type the command again.`,
    },
    to,
    deps,
  );
}
