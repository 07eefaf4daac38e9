import { z } from 'zod';
import { bold, say, time, user } from '../../core/text/text.ts';
import { messageOf } from '../outbound/deps.ts';
import type { Reply } from '../outbound/replies.ts';
import { context, type SlackBlock } from '../render/blocks.ts';
import { toMrkdwn } from '../render/mrkdwn.ts';
import { readPayload } from './intake/payloads.ts';

const element = z.looseObject({ value: z.string().optional() });
const block = z.looseObject({
  type: z.string(),
  elements: z.array(z.unknown()).optional(),
});
const pressedBody = z.looseObject({
  actions: z
    .array(
      z.looseObject({
        value: z.string().optional(),
        action_ts: z.string().optional(),
        text: z.looseObject({ text: z.string() }).optional(),
        selected_option: z.looseObject({ value: z.string() }).nullish(),
      }),
    )
    .min(1),
  view: z.looseObject({ type: z.string().optional() }).nullish(),
  message: z
    .looseObject({ text: z.string().nullish(), blocks: z.array(block).nullish() })
    .nullish(),
});

/** A pressed button and the message it stands in; an ephemeral message comes without. */
export type PressedButton = Readonly<{
  /** On App Home. */
  atHome: boolean;
  value: string | undefined;
  /** Slack's own time of the press, in seconds. */
  at: string | undefined;
  label: string;
  text: string;
  blocks: readonly z.output<typeof block>[];
}>;

/** Throws UnfitPayload for a payload that Slack would not send. */
export function readPressed(body: unknown): PressedButton {
  const { actions, message, view } = readPayload(pressedBody, body);
  return {
    atHome: view?.type === 'home',
    // A menu's option holds what a button would.
    value: actions[0]?.value ?? actions[0]?.selected_option?.value,
    at: actions[0]?.action_ts,
    label: actions[0]?.text?.text ?? 'The button',
    text: message?.text ?? '',
    blocks: message?.blocks ?? [],
  };
}

/**
 * A button that was used up goes: it would only be refused. Its message stays as it is with who
 * pressed; what only one person saw becomes one line. Throws nothing.
 */
export async function retireButton(button: PressedButton, reply: Reply): Promise<void> {
  const { deps, actor } = reply;
  const at = time(deps.ports.clock.now().toISO(), 'time');
  const by = user(actor.userId);
  try {
    const message = messageOf(reply.pressed);
    if (message === undefined) {
      if (reply.responseUrl === undefined) return;
      return await reply.replace(say`${bold(button.label)} was pressed at ${at}.`);
    }
    const note = context(toMrkdwn(say`${bold(button.label)}: pressed by ${by} at ${at}.`));
    const blocks = [...button.blocks.flatMap((one) => without(one, button.value)), note];
    await deps.web.update(message.channelId, message.ts, {
      text: button.text,
      // As Slack itself sent them.
      blocks: blocks as readonly SlackBlock[],
    });
  } catch (cause) {
    deps.logger.info({ cause }, 'a button that was used could not be taken away');
  }
}

function without(
  one: z.output<typeof block>,
  value: string | undefined,
): readonly z.output<typeof block>[] {
  if (one.type !== 'actions' || one.elements === undefined) return [one];
  const elements = one.elements.filter((each) => {
    const read = element.safeParse(each);
    return !read.success || read.data.value !== value;
  });
  return elements.length === 0 ? [] : [{ ...one, elements }];
}
