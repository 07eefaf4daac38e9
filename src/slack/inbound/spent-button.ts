import { z } from 'zod';
import { bold, say, time, user } from '../../core/text/text.ts';
import { context, type SlackBlock } from '../outbound/blocks.ts';
import { replacePressed } from '../outbound/deliver.ts';
import type { ReplyTo, SlackDeps } from '../outbound/deps.ts';
import { toMrkdwn } from '../outbound/mrkdwn.ts';
import { settledCard } from '../outbound/questions.ts';
import { readPayload } from './payloads.ts';

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
        text: z.looseObject({ text: z.string() }).optional(),
      }),
    )
    .min(1),
  message: z
    .looseObject({ text: z.string().nullish(), blocks: z.array(block).nullish() })
    .nullish(),
});

/** A pressed button and the message it stands in; an ephemeral message comes without. */
export type PressedButton = {
  readonly value: string | undefined;
  readonly label: string;
  readonly text: string;
  readonly blocks: readonly z.output<typeof block>[];
};

/** Throws UnfitPayload for a payload that Slack would not send. */
export function readPressed(body: unknown): PressedButton {
  const { actions, message } = readPayload(pressedBody, body);
  return {
    value: actions[0]?.value,
    label: actions[0]?.text?.text ?? 'The button',
    text: message?.text ?? '',
    blocks: message?.blocks ?? [],
  };
}

/**
 * A button that was used up goes: it would only be refused. Its message stays as it is with who
 * pressed; what only one person saw becomes one line. Throws nothing.
 */
export async function retireButton(
  pressed: PressedButton,
  to: ReplyTo,
  deps: SlackDeps,
): Promise<void> {
  const at = time(deps.clock.now().toISO(), 'time');
  const by = user(to.actor.userId);
  try {
    const { ts, channelId, ephemeral } = to.pressed ?? {};
    if (ts === undefined || channelId === undefined || ephemeral === true) {
      if (to.respond === undefined) return;
      const text = say`${bold(pressed.label)} was pressed at ${at}.`;
      return await replacePressed(settledCard(text), to, deps);
    }
    const note = context(toMrkdwn(say`${bold(pressed.label)}: pressed by ${by} at ${at}.`));
    const blocks = [...pressed.blocks.flatMap((one) => without(one, pressed.value)), note];
    await deps.web.update(channelId, ts, {
      text: pressed.text,
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
