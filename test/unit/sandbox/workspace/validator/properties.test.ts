import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillIds } from '../../../../../src/sandbox/workspace/validator/blocks/fill-ids.ts';
import {
  checkInputs,
  collectState,
} from '../../../../../src/sandbox/workspace/validator/elements/inputs.ts';
import { validateMessage } from '../../../../../src/sandbox/workspace/validator/message.ts';
import { validateOptions } from '../../../../../src/sandbox/workspace/validator/options.ts';
import { validateView } from '../../../../../src/sandbox/workspace/validator/view.ts';
import { sampleBlocks } from './samples.ts';

const samples = Object.entries(sampleBlocks)
  .filter(([type]) => !['alert', 'table', 'data_table'].includes(type))
  .map(([, block]) => ({ ...block }));

/** A good block with one of its fields replaced by anything. */
const spoiled = fc
  .tuple(fc.constantFrom(...samples), fc.nat(), fc.jsonValue())
  .map(([block, index, value]) => {
    const names = Object.keys(block);
    return { ...block, [names[index % names.length] ?? 'type']: value };
  });

describe('whatever it is given', () => {
  it('no validator throws, and a refusal always says why', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(spoiled, fc.jsonValue()), { maxLength: 4 }), (blocks) => {
        const view = { type: 'modal', title: { type: 'plain_text', text: 'T' }, blocks };
        const results = [
          validateMessage({ text: 'hi', blocks }),
          validateView(view, 'modal'),
          validateOptions({ options: blocks }),
        ];
        for (const result of results) expect(result.ok || result.messages.length > 0).toBe(true);
      }),
    );
  });

  it('a spoiled block is named by its own pointer', () => {
    fc.assert(
      fc.property(spoiled, (block) => {
        const result = validateMessage({ text: 'hi', blocks: [{ type: 'divider' }, block] });
        const messages = result.ok ? [] : result.messages;
        expect(messages.every((one) => one.includes('[json-pointer:/blocks/1'))).toBe(true);
      }),
    );
  });

  it('generated ids keep good blocks good, and their states answer to them', () => {
    fc.assert(
      fc.property(fc.subarray(samples), (blocks) => {
        let count = 0;
        const filled = fillIds(blocks, () => `id${++count}`);
        expect(validateMessage({ text: 'hi', blocks: filled }).ok).toBe(true);
        expect(fillIds(filled, () => 'never')).toEqual(filled);
        const values = collectState(filled, {});
        expect(collectState(filled, values)).toEqual(values);
        expect(checkInputs(filled, values)).toEqual({});
      }),
    );
  });
});
