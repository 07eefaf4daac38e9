import { describe, expect, it } from 'vitest';
import { fillIds } from '../../../../../src/sandbox/workspace/validator/blocks/fill-ids.ts';
import { validateMessage } from '../../../../../src/sandbox/workspace/validator/message.ts';
import { button, mrkdwn, plain, sampleBlocks } from './samples.ts';

function counter(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `id${count}`;
  };
}

const image = { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'A' };

describe('generated ids', () => {
  it('fills what is missing in reading order and keeps what is given', () => {
    const nameless = { type: 'button', text: plain('x') };
    const blocks = [
      { type: 'section', text: plain('x'), accessory: nameless },
      { type: 'actions', block_id: 'mine', elements: [button('given'), nameless] },
      { type: 'input', label: plain('L'), element: { type: 'plain_text_input' } },
      { type: 'divider' },
    ];
    expect(fillIds(blocks, counter())).toEqual([
      { ...blocks[0], block_id: 'id1', accessory: { ...nameless, action_id: 'id2' } },
      { ...blocks[1], elements: [button('given'), { ...nameless, action_id: 'id3' }] },
      { ...blocks[2], block_id: 'id4', element: { type: 'plain_text_input', action_id: 'id5' } },
      { type: 'divider', block_id: 'id6' },
    ]);
  });

  it('reaches into containers, carousels and plans', () => {
    const card = {
      type: 'card',
      title: mrkdwn('x'),
      actions: [{ type: 'button', text: plain('x') }],
    };
    const filled = fillIds(
      [
        { type: 'container', title: plain('x'), child_blocks: [{ type: 'divider' }] },
        { type: 'carousel', elements: [card] },
        { type: 'plan', title: 'x', tasks: [{ type: 'task_card' }] },
      ],
      counter(),
    );
    expect(filled).toEqual([
      {
        type: 'container',
        block_id: 'id1',
        title: plain('x'),
        child_blocks: [{ type: 'divider', block_id: 'id2' }],
      },
      {
        type: 'carousel',
        block_id: 'id3',
        elements: [
          {
            ...card,
            block_id: 'id4',
            actions: [{ type: 'button', text: plain('x'), action_id: 'id5' }],
          },
        ],
      },
      {
        type: 'plan',
        block_id: 'id6',
        title: 'x',
        tasks: [{ type: 'task_card', block_id: 'id7' }],
      },
    ]);
  });

  it('leaves images, texts and the given blocks alone', () => {
    const blocks = [
      { type: 'section', block_id: 'a', text: plain('x'), accessory: image },
      { type: 'context', block_id: 'b', elements: [image, plain('x')] },
    ];
    const before = structuredClone(blocks);
    expect(fillIds(blocks, counter())).toEqual(before);
    expect(blocks).toEqual(before);
  });

  it('what it returns is still valid', () => {
    const messageBlocks = Object.entries(sampleBlocks)
      .filter(([type]) => !['alert', 'data_table'].includes(type))
      .map(([, block]) => ({ ...block }));
    const blocks = fillIds(messageBlocks, counter());
    expect(validateMessage({ text: 'hi', blocks })).toEqual({ ok: true, warnings: [] });
  });
});
