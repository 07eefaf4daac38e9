import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Text } from '../../../core/text/text.ts';
import { toPlain } from '../../render/mrkdwn.ts';
import type { PayloadKind } from './payloads.ts';

/** Bolt's acknowledgement, of whatever it carries. */
export type Acknowledge = (response?: unknown) => Promise<void>;

/** Over HTTP a second acknowledgement throws; here the first one stands. */
export type Answer = Readonly<{ give: Acknowledge; given: () => boolean }>;

/** Bolt types each answer apart; ours is one of them. */
export function answerOnce(ack: (response?: never) => Promise<void>): Answer {
  const acknowledge = ack as unknown as Acknowledge;
  let given = false;
  return {
    give: (response) => {
      if (given) return Promise.resolve();
      given = true;
      const sent = acknowledge(response);
      // Where nobody waits for it, a connection that has gone must not end the process.
      sent.catch(() => undefined);
      return sent;
    },
    given: () => given,
  };
}

const held = new WeakMap<object, Answer>();

/**
 * Bolt acknowledges every event before any route has seen it. One that asks for something is
 * acknowledged by its route, once there is a row for it: its answer waits here, by its body.
 */
export function holdAnswer(body: object, answer: Answer): void {
  held.set(body, answer);
}

/** The answer that is held for a body; one that does nothing where none is. */
export function heldAnswer(body: object): Answer {
  return held.get(body) ?? { give: async () => undefined, given: () => true };
}

/** Whether a person reads what stands in the acknowledgement itself. */
export function showsWords(kind: PayloadKind): boolean {
  return kind === 'slash_command' || kind === 'view_submission';
}

/** Words in the acknowledgement, where Slack shows them; a form keeps what was typed. */
export function wordsIn(kind: PayloadKind, words: Text, body: unknown): unknown {
  switch (kind) {
    case 'slash_command':
      return { response_type: 'ephemeral', text: toPlain(words) };
    case 'view_submission':
      return complaint(body, words) ?? { response_action: 'update', view: viewOf(words) };
    case 'block_suggestion':
      return { options: [] };
    default:
      return undefined;
  }
}

const withInputs = z.looseObject({
  view: z.looseObject({
    blocks: z.array(z.looseObject({ type: z.string(), block_id: z.string().optional() })),
  }),
});

/** Beside the first field. */
function complaint(body: unknown, words: Text): unknown {
  const blocks = withInputs.safeParse(body).data?.view.blocks ?? [];
  const id = blocks.find(({ type }) => type === 'input')?.block_id;
  return id === undefined
    ? undefined
    : { response_action: 'errors', errors: { [id]: toPlain(words) } };
}

function viewOf(words: Text): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: 'Not done' },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [{ type: 'section', text: { type: 'plain_text', text: toPlain(words) } }],
  };
}
