import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Card } from '../../../src/core/card/card.ts';
import type { FieldMeta } from '../../../src/core/operation/fields.ts';
import { defineOperation } from '../../../src/core/operation/operation.ts';
import { bold, code, say, time, user } from '../../../src/core/text/text.ts';
import { renderCard } from '../../../src/slack/render/render.ts';
import { expectGoldenBlocks } from '../../support/golden.ts';
import { formOf } from '../../support/run-operation.ts';

/** The other goldens hold cards in words; these hold one of each kind of block as Slack gets it. */
const CARD: Card = {
  audience: 'channel',
  tone: 'plain',
  headline: say`${bold('scratch')} costs ${code('1')} unit, says ${user('U01ANA')}.`,
  lines: [say`As of ${time('2026-11-27T10:02:00.000Z', 'time')}.`],
  facts: [
    { label: 'State', value: ['running'] },
    { label: 'Owner', value: [{ user: 'U02BEN' }] },
  ],
  chart: {
    title: 'Units by day',
    unit: 'units',
    categories: ['26 Nov', '27 Nov'],
    series: [{ name: 'Units', values: [1, 2.5] }],
  },
  table: {
    caption: 'Units by service',
    header: ['Service', 'Units'],
    rows: [
      ['scratch', { number: 1, text: '1.0' }],
      ['archive', { number: 2.5, text: '2.5' }],
    ],
  },
  actions: [
    { label: 'Stop it', style: 'danger', do: { kind: 'confirm', pending: 'pending-1' } },
    { label: 'Leave it', do: { kind: 'cancel', pending: 'pending-1' } },
  ],
  context: say`Small print.`,
  details: [{ label: 'Service id', value: [code('s-1')] }],
};

function text(label: string, more: Partial<FieldMeta> = {}) {
  return z
    .string()
    .optional()
    .meta({ field: { label, ...more } });
}
const CHOICES = ['one', 'two'].map((value) => ({ value, label: `The ${value}`, hint: 'A hint' }));

/** Every widget of a form, in two sections. */
const EVERYTHING = defineOperation({
  id: 'all.kinds',
  summary: 'All kinds',
  title: 'All kinds',
  risk: 'read',
  slash: { words: ['all'], positional: [], examples: ['all'] },
  input: z.strictObject({
    text: z.string().meta({ field: { label: 'Text', hint: 'Needed', placeholder: 'Type' } }),
    lines: text('Lines', { widget: 'lines' }),
    number: text('Number', { widget: 'number' }),
    fraction: text('Fraction', { widget: 'number', decimal: true }),
    email: text('E-mail', { widget: 'email' }),
    select: text('Select', { widget: 'select', choices: CHOICES }),
    driver: text('Driver', { choices: CHOICES }),
    driven: text('Driven', { when: { field: 'driver', is: ['one'] }, badge: 'Beta' }),
    tick: text('Tick', { widget: 'tick' }),
    service: text('Service', { widget: 'service' }),
    credential: text('Credential', { widget: 'credential' }),
    organization: text('Organization', { widget: 'organization' }),
    person: text('Person', { widget: 'person' }),
    folded: text('Folded', { section: 'More' }),
  }),
  refused: () => say`Nothing`,
  plan: async () => ({}),
  targets: () => [],
  execute: async () => ({ result: {} }),
  present: () => CARD,
});

describe('one of each kind of block', () => {
  it.each(['native', 'table', 'text'] as const)('of a card, %s', (richness) => {
    const { main, thread } = renderCard(CARD, richness);
    expectGoldenBlocks(`kinds/card-${richness}`, main);
    if (richness === 'native') expectGoldenBlocks('kinds/thread', thread ?? {});
  });

  it('of a form', () => {
    const view = formOf(
      EVERYTHING,
      { text: 'given', driver: 'one', select: 'two', tick: 'yes', service: 'scratch' },
      {
        credentials: ['kafka-prod', 'lake'],
        organizations: ['acme', 'globex'],
        issues: [{ field: 'text', message: 'Too short.' }],
      },
    );
    expectGoldenBlocks('kinds/form', view);
    const kinds = JSON.stringify(view).match(/"type":"\w+"/gu) ?? [];
    expect(new Set(kinds).size).toBeGreaterThan(10);
  });
});
