import { describe, expect, it } from 'vitest';
import { allowedBlocks } from '../../../../../src/sandbox/workspace/validator/blocks/blocks.ts';
import { validateMessage } from '../../../../../src/sandbox/workspace/validator/message.ts';
import {
  createContext,
  defaultValidatorOptions,
  type Surface,
} from '../../../../../src/sandbox/workspace/validator/types.ts';
import { validateView } from '../../../../../src/sandbox/workspace/validator/view.ts';
import { chart, pie, plain, sampleBlocks } from './samples.ts';

const samples: Readonly<Record<string, unknown>> = {
  ...sampleBlocks,
  data_visualization: pie([['orders', 3]]),
};

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];

const surfaces: Readonly<Record<string, readonly Surface[]>> = {
  alert: ['modal'],
  carousel: ['message', 'home'],
  context_actions: ['message'],
  container: ['message'],
  data_table: ['message'],
  data_visualization: ['message'],
  file: ['message'],
  markdown: ['message'],
  plan: ['message'],
  table: ['message'],
  task_card: ['message'],
};

function validateOn(surface: Surface, block: unknown) {
  switch (surface) {
    case 'message':
      return validateMessage({ text: 'fallback', blocks: [block] });
    case 'modal': {
      const view = { type: 'modal', title: plain('T'), submit: plain('Go'), blocks: [block] };
      return validateView(view, 'modal');
    }
    case 'home':
      return validateView({ type: 'home', blocks: [block] }, 'home');
  }
}

describe('every block type', () => {
  it('has a sample', () => {
    const types = everywhere.flatMap((surface) => allowedBlocks(createContext(surface, {})));
    expect(new Set(Object.keys(samples))).toEqual(new Set(types));
  });

  for (const [type, block] of Object.entries(samples)) {
    const fine = surfaces[type] ?? everywhere;
    it.each(fine)(`${type} is taken on a %s without a warning`, (surface) => {
      expect(validateOn(surface, block)).toEqual({ ok: true, warnings: [] });
    });
    const wrong = everywhere.filter((surface) => !fine.includes(surface));
    it.each(wrong)(`${type} is refused on a %s`, (surface) => {
      const prefix = surface === 'message' ? '' : '/view';
      const result = validateOn(surface, block);
      expect(result.ok ? [] : result.messages).toContain(
        `[ERROR] unsupported type: ${type} [json-pointer:${prefix}/blocks/0/type]`,
      );
    });
  }
});

describe('charts', () => {
  const days = Array.from({ length: 20 }, (_, index) => `day ${index}`);
  const six = ['a', 'b', 'c', 'd', 'e', 'f'];

  it.each(['bar', 'line', 'area'])(
    'a %s chart takes 6 series of 20 points, negative too',
    (type) => {
      expect(validateOn('message', chart(type, days, six))).toEqual({ ok: true, warnings: [] });
    },
  );

  it('options that are not given are the defaults', () => {
    const options = { ...defaultValidatorOptions, seriesLimit: 12 };
    expect(createContext('message', { seriesLimit: 12 }).options).toEqual(options);
  });

  it('a workspace may take 12 series', () => {
    const twelve = [...six, ...six.map((name) => `${name}2`)];
    const blocks = [chart('line', days, twelve)];
    expect(validateMessage({ text: 't', blocks }).ok).toBe(false);
    expect(validateMessage({ text: 't', blocks }, { seriesLimit: 12 }).ok).toBe(true);
  });
});

describe('messages as they are sent in practice', () => {
  it('takes an approval request', () => {
    const blocks = [
      { type: 'section', text: { type: 'mrkdwn', text: '<@U01ANA> asks to stop *analytics*' } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'prod, acme. Until 10:32.' }] },
      {
        type: 'actions',
        block_id: 'approval',
        elements: [
          {
            type: 'button',
            action_id: 'approve',
            style: 'primary',
            text: { type: 'plain_text', text: 'Approve', emoji: true },
            value: '{"request":"r1"}',
            confirm: {
              title: { type: 'plain_text', text: 'Sure?' },
              text: { type: 'mrkdwn', text: 'Queries fail until it is started again.' },
              confirm: { type: 'plain_text', text: 'Approve' },
              deny: { type: 'plain_text', text: 'Back' },
              style: 'danger',
            },
          },
          {
            type: 'button',
            action_id: 'deny',
            text: { type: 'plain_text', text: 'Deny' },
            accessibility_label: 'Deny the stop of analytics',
          },
        ],
      },
    ];
    expect(validateMessage({ text: 'Ana asks', blocks })).toEqual({ ok: true, warnings: [] });
    expect(validateMessage({ text: 'Ana asks', blocks: JSON.stringify(blocks) }).ok).toBe(true);
  });

  it('takes a cost digest', () => {
    const blocks = [
      sampleBlocks['header'],
      sampleBlocks['section'],
      chart('line', ['Mon', 'Tue'], ['orders', 'Other']),
      sampleBlocks['data_table'],
      sampleBlocks['actions'],
      sampleBlocks['context'],
    ];
    expect(validateMessage({ text: '412.6 units', blocks })).toEqual({ ok: true, warnings: [] });
    const off = validateMessage({ text: '412.6 units', blocks }, { nativeData: false });
    expect(off).toMatchObject({
      ok: false,
      error: 'invalid_blocks',
      messages: [
        '[ERROR] unsupported type: data_visualization [json-pointer:/blocks/2/type]',
        '[ERROR] unsupported type: data_table [json-pointer:/blocks/3/type]',
      ],
    });
  });
});
