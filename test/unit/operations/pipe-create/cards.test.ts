import { describe, expect, it } from 'vitest';
import type { PipeRecord } from '../../../../src/core/cloud/pipe.ts';
import { SOURCE_KINDS } from '../../../../src/core/cloud/pipe.ts';
import { readSlash } from '../../../../src/core/slash/slash.ts';
import { plain } from '../../../../src/core/text/text.ts';
import { pipeCreate } from '../../../../src/operations/pipe-create/pipe-create.ts';
import { validateView } from '../../../../src/sandbox/workspace/validator/view.ts';
import { formView } from '../../../../src/slack/form/form.ts';
import { renderCard } from '../../../../src/slack/render/render.ts';
import { expectGolden } from '../../../support/golden.ts';
import { CONTEXT } from '../../../support/operation-ports.ts';
import { LEAST } from '../../../support/pipe-fields.ts';
import { issuesOf, pipePorts, planOf } from './fixture.ts';

const SECTIONS = ['Source details', 'Destination table', 'Scaling', 'Settings'];
const CREDENTIALS = ['kafka-prod', 'lake'];

function form(raw: Readonly<Record<string, unknown>>, open: readonly string[] = []) {
  const state = { operation: 'pipe.create', channelId: 'C0OPS', raw, open };
  const issues = raw['name'] === undefined ? [] : issuesOf(raw);
  return formView({
    operation: pipeCreate,
    state,
    formId: 'form-1',
    issues,
    credentials: CREDENTIALS,
  });
}

async function cardOf(record: PipeRecord, approvedBy?: string) {
  const ports = pipePorts([], record);
  const plan = await planOf({ name: 'orders', sourceKind: 'kafka', ...LEAST.kafka }, ports);
  if ('problem' in plan) throw new TypeError(plain(plan.problem));
  const context = approvedBy === undefined ? CONTEXT : { ...CONTEXT, approvedBy };
  return (await plan.execute(ports, context)).card;
}

describe('the form', () => {
  it('starts small', () => {
    expectGolden('pipe.create/form-empty', form({ service: 'analytics' }));
  });

  it.each(SOURCE_KINDS)('grows for %s', (sourceKind) => {
    const raw = { service: 'analytics', sourceKind, ...LEAST[sourceKind] };
    expectGolden(`pipe.create/form-${sourceKind}`, form(raw));
  });

  it.each(SOURCE_KINDS)('stays below 100 blocks for %s with every section unfolded', (kind) => {
    const raw = { service: 'analytics', name: 'orders', sourceKind: kind, replicas: '99' };
    const view = form(raw, SECTIONS);
    expect(view.blocks.length).toBeLessThan(80);
    expect(validateView(view, 'modal')).toMatchObject({ ok: true });
  });
});

describe('the card', () => {
  it('tells what the API reported', async () => {
    const card = await cardOf({
      id: 'b7c6d5e4-aaaa-4ccc-9ddd-300000000009',
      name: 'orders',
      state: 'Provisioning',
      createdAt: '2026-11-27T10:02:03.000Z',
      sourceKind: 'kafka',
      facts: {
        brokers: 'broker.example.com:9092',
        topics: 'orders',
        offsetStrategy: 'from_beginning',
      },
    });
    const { main, thread } = renderCard(card, 'native');
    expectGolden('pipe.create/created', main);
    expectGolden('pipe.create/created-thread', thread ?? {});
  });

  it.each<[string, PipeRecord, string, string]>([
    [
      'a state unknown here',
      { state: 'Hibernating', facts: {} },
      'good',
      ': the API reports Hibernating.',
    ],
    ['a failed one', { state: 'Failed', facts: {} }, 'warning', ': the API reports Failed.'],
    ['no state', { facts: {} }, 'good', ': the API did not say which state it is in.'],
    [
      'empty texts',
      { name: '', state: '', id: '', facts: { brokers: '' } },
      'good',
      ': the API did not say which state it is in.',
    ],
  ])('holds with %s', async (_what, record, tone, end) => {
    const card = await cardOf(record);
    expect(card).toMatchObject({ audience: 'channel', tone });
    expect(plain(card.headline)).toBe(`@U01ANA created the pipe orders on analytics${end}`);
  });

  it('names who approved it', async () => {
    const { headline } = await cardOf({ state: 'Running', facts: {} }, 'U02BEN');
    expect(plain(headline)).toBe(
      '@U01ANA created the pipe orders on analytics, approved by @U02BEN: the API reports Running.',
    );
  });

  it('leaves out what is missing and shows unknown kinds and odd times as they came', async () => {
    const card = await cardOf({ sourceKind: 'pubsub', createdAt: 'soon', facts: { x: '' } });
    expect(card.details?.map(({ label, value }) => `${label}: ${plain(value)}`)).toEqual([
      'Service id: 0b7e1f52-6a0c-4d3b-8e21-100000000001',
      'Organization: acme',
      'Source kind: pubsub',
      'Created: soon',
    ]);
  });
});

describe('the examples', () => {
  it.each(pipeCreate.slash.examples)('%s', async (example) => {
    const reading = readSlash(example, [pipeCreate]);
    if (reading.kind !== 'operation') throw new TypeError(example);
    expect(reading.issues).toEqual([]);
    expect(reading.raw['service']).toBe('analytics');
    if (reading.raw['name'] !== undefined) expect(issuesOf(reading.raw)).toEqual([]);
  });
});
