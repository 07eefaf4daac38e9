import type { KnownBlock, ModalView } from '@slack/types';

export function plainText(text: string) {
  return { type: 'plain_text', text } as const;
}

export function section(text: string): KnownBlock {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

export function buttons(...actionIds: string[]): KnownBlock {
  return {
    type: 'actions',
    elements: actionIds.map((id) => ({
      type: 'button',
      action_id: id,
      text: plainText(id),
      value: `${id}-value`,
    })),
  };
}

export function textInput(blockId: string, extra: object = {}, element: object = {}): KnownBlock {
  return {
    type: 'input',
    block_id: blockId,
    label: plainText(blockId),
    element: { type: 'plain_text_input', action_id: 'value', ...element },
    ...extra,
  };
}

export function modal(blocks: KnownBlock[], extra: Partial<ModalView> = {}): ModalView {
  return {
    type: 'modal',
    callback_id: 'form',
    title: plainText('A form'),
    submit: plainText('Send'),
    blocks,
    ...extra,
  };
}
