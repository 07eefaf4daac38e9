import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageWords } from '../../../src/slack/inbound/message-words.ts';

const ID = '65f1c0a2b3c4d5e6f7080901';

describe('what a person sees of a message', () => {
  it.each<[string, object]>([
    ['its text', { text: `who did ${ID}?` }],
    ['a link without a label', { text: `<https://console.example/activities/${ID}>` }],
    ['the label of a link', { text: `<https://x.example|${ID}>` }],
    ['an id in italics', { text: `_${ID}_` }],
    ['a section', { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: `*${ID}*` } }] }],
    ['a field', { blocks: [{ type: 'section', fields: [{ type: 'plain_text', text: ID }] }] }],
    ['a context', { blocks: [{ type: 'context', elements: [{ type: 'mrkdwn', text: ID }] }] }],
    [
      'a button',
      { blocks: [{ type: 'actions', elements: [{ text: { type: 'plain_text', text: ID } }] }] },
    ],
    [
      'a cell',
      {
        blocks: [
          {
            type: 'table',
            rows: [
              [
                { type: 'raw_text', text: 'x' },
                { type: 'raw_text', text: ID },
              ],
            ],
          },
        ],
      },
    ],
    ['rich text', { blocks: [rich([{ type: 'text', text: `see ${ID}` }])] }],
    [
      'rich text in two styles',
      {
        blocks: [
          rich([
            { type: 'text', text: ID.slice(0, 9), style: { bold: true } },
            { type: 'text', text: ID.slice(9) },
          ]),
        ],
      },
    ],
    ['a bare link in rich text', { blocks: [rich([{ type: 'link', url: `https://x/${ID}` }])] }],
    ['the text of an attachment', { attachments: [{ text: `it was ${ID}` }] }],
    ['its fallback', { attachments: [{ fallback: ID }] }],
    ['its pretext', { attachments: [{ pretext: ID }] }],
    ['its title', { attachments: [{ title: ID, title_link: 'https://x.example' }] }],
    ['its field', { attachments: [{ fields: [{ title: 'Activity', value: ID, short: true }] }] }],
    [
      'its blocks',
      { attachments: [{ blocks: [{ type: 'header', text: { type: 'plain_text', text: ID } }] }] },
    ],
    ['the title of a file', { files: [{ id: 'F1', title: `${ID}.txt` }] }],
  ])('is %s', (_name, message) => {
    expect(messageWords(message)).toContain(ID);
  });

  it.each<[string, object]>([
    ['a block id', { blocks: [{ type: 'section', block_id: ID, text: { text: 'x' } }] }],
    ['an action id', { blocks: [{ type: 'actions', elements: [{ action_id: ID }] }] }],
    ['the value of a button', { blocks: [{ elements: [{ text: { text: 'x' }, value: ID }] }] }],
    ['the address of a button', { blocks: [{ elements: [{ url: `https://x/${ID}` }] }] }],
    ['the address behind a label', { text: `<https://x.example/${ID}|open>` }],
    ['the address behind a rich label', { blocks: [rich([{ type: 'link', url: ID, text: 'x' }])] }],
    ['a mention', { text: `<@${ID}> <#${ID}> <!subteam^${ID}>` }],
    ['an option nobody opened', { blocks: [{ options: [{ text: { text: ID }, value: ID }] }] }],
    [
      'a picture',
      { blocks: [{ type: 'image', image_url: `https://x/${ID}`, image_file: { id: ID } }] },
    ],
    ['an attachment’s address', { attachments: [{ from_url: ID, title_link: ID, id: ID }] }],
    [
      'the id and address of a file',
      { files: [{ id: ID, url_private: ID, name: 'x', title: 'x' }] },
    ],
    ['metadata', { metadata: { event_type: 'x', event_payload: { text: ID } } }],
    ['who wrote it', { user: ID, bot_id: ID, client_msg_id: ID }],
  ])('is not %s', (_name, message) => {
    expect(messageWords(message)).not.toContain(ID);
  });

  it('is read from anything, however it is shaped', () => {
    let deep: unknown = ID;
    for (let level = 0; level < 50_000; level += 1) deep = { text: 'x', elements: [deep] };
    expect(messageWords({ blocks: [deep] })).toContain('x');
    const many = Array.from({ length: 400_000 }, () => 1);
    expect(messageWords({ text: 'x', blocks: [many], files: many })).toContain('x');
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (value) => {
        const parts = { text: value, blocks: value, attachments: [value], files: value };
        expect(typeof messageWords(value)).toBe('string');
        expect(typeof messageWords(parts)).toBe('string');
      }),
    );
  });
});

function rich(elements: readonly object[]): object {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}
