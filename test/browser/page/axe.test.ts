import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageState } from '../../../src/sandbox/workspace/protocol/page-protocol.ts';
import { type FakePageServer, startFakePage } from '../../support/fake-page-server.ts';
import {
  ago,
  inputBlock,
  mrkdwn,
  option,
  plain,
  sampleMessage,
  sampleState,
  sampleView,
} from '../../support/page-samples.ts';
import { launchChromium, PATIENCE_MS, withoutChromium } from '../chromium.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SCREENS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1_280, 390].map((width) => ({ width, colorScheme })),
);
const OPS = '#as=U01ANA&in=C0OPS';

/** A state of the page: what the workspace says, where the page stands, what a person did there. */
type State = {
  readonly name: string;
  readonly part?: Partial<PageState>;
  readonly hash?: string;
  open?(page: Page): Promise<void>;
};

const button = (text: string, more = {}) => ({
  type: 'button',
  action_id: `b-${text}`,
  text: plain(text),
  ...more,
});

const cards = [
  sampleMessage({
    ts: ago(9),
    fromBot: false,
    userId: 'U01ANA',
    userName: 'Ana',
    text: '*Morning*',
  }),
  sampleMessage({
    ts: ago(8),
    ephemeral: true,
    text: 'Stop scratch?',
    blocks: [
      {
        type: 'section',
        block_id: 's',
        text: mrkdwn('Stop *scratch*? `dev`, _running_, <@U02BEN>'),
      },
      {
        type: 'actions',
        block_id: 'a',
        elements: [
          button('Stop scratch', { style: 'danger' }),
          button('Approve', { style: 'primary' }),
          button('Cancel'),
          {
            type: 'overflow',
            action_id: 'more',
            options: [option('log', 'Show the log'), option('cost', 'Show the costs')],
          },
          {
            type: 'static_select',
            action_id: 'which',
            placeholder: plain('Pick a service'),
            options: [option('scratch')],
          },
        ],
      },
      { type: 'context', block_id: 'c', elements: [mrkdwn('It can be started again.')] },
    ],
  }),
  sampleMessage({
    ts: ago(7),
    text: 'Costs',
    blocks: [
      {
        type: 'data_visualization',
        block_id: 'v',
        title: 'Costs by day',
        chart: {
          type: 'bar',
          series: [
            {
              name: 'analytics',
              data: [
                { label: '1 Nov', value: 3 },
                { label: '2 Nov', value: 5 },
              ],
            },
          ],
          axis_config: { categories: ['1 Nov', '2 Nov'], y_label: 'units' },
        },
      },
      {
        type: 'data_table',
        block_id: 't',
        caption: 'Services',
        rows: [
          [
            { type: 'raw_text', text: 'Service' },
            { type: 'raw_text', text: 'Units' },
          ],
          [
            { type: 'raw_text', text: 'analytics' },
            { type: 'raw_text', text: '412' },
          ],
        ],
      },
    ],
  }),
];

const form = sampleView({
  errors: { name: 'Lower case only.' },
  blocks: [
    inputBlock('name', 'Name', { type: 'plain_text_input' }, { hint: plain('As in the console.') }),
    inputBlock('size', 'Size', {
      type: 'static_select',
      placeholder: plain('Choose one'),
      options: [option('small'), option('large')],
    }),
    inputBlock('region', 'Region', { type: 'external_select', min_query_length: 1 }),
    inputBlock('who', 'Who', { type: 'multi_users_select', placeholder: plain('People') }),
    inputBlock('open', 'Open', {
      type: 'checkboxes',
      options: [option('yes', 'Open to everybody')],
    }),
    inputBlock('day', 'Day', { type: 'datepicker' }),
  ],
});

const traffic: PageState['traffic'] = ['slash_commands', 'block_actions'].map((what, index) => ({
  at: '2026-11-27T09:06:00.000Z',
  direction: 'to-bot',
  what,
  detail: '/db stop scratch',
  problem: index === 1 ? 'The bot did not answer in 3 s.' : null,
  milliseconds: 12,
}));

const SWITCHES: PageState['switches'] = ['Slack', 'API'].map((group, index) => ({
  ...{ id: `s${index}`, group, label: `${group} answers slowly` },
  on: index === 1,
}));

const STATES: readonly State[] = [
  { name: 'an empty channel' },
  { name: 'cards', part: { messages: cards } },
  {
    name: 'an open menu',
    part: { messages: cards },
    open: async (page) => {
      await page.getByRole('button', { name: 'More options' }).click();
      await page.getByRole('menuitem', { name: 'Show the log' }).waitFor();
    },
  },
  {
    name: 'the list of commands',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Message #ops' }).fill('/d');
      await page.getByRole('option', { name: /\/db/ }).waitFor();
    },
  },
  {
    name: 'a form with errors',
    part: { views: [form] },
    open: (page) => page.getByText('Lower case only.').waitFor(),
  },
  {
    name: 'an open list of found options',
    part: { views: [form] },
    open: async (page) => {
      await page.getByRole('combobox', { name: 'Region' }).fill('eu');
      await page.getByRole('option', { name: 'eu-central-1' }).waitFor();
    },
  },
  {
    name: 'Home',
    hash: '#as=U01ANA&in=home',
    part: {
      home: sampleView({
        title: '',
        blocks: [
          { type: 'header', block_id: 'h', text: plain('Waiting for you') },
          {
            type: 'section',
            block_id: 's',
            text: mrkdwn('Stop *analytics*?'),
            accessory: button('Approve'),
          },
        ],
      }),
    },
    open: (page) => page.getByText('Waiting for you').waitFor(),
  },
  {
    name: 'the traffic log',
    part: { traffic },
    open: async (page) => {
      await page.getByRole('button', { name: /Traffic log/ }).click();
      await page.getByRole('region', { name: 'Traffic log' }).waitFor();
    },
  },
  {
    name: 'faults and clock',
    part: { switches: SWITCHES },
    open: async (page) => {
      await page.getByRole('button', { name: 'Faults and clock' }).click();
      await page.getByRole('region', { name: 'Faults and clock' }).waitFor();
    },
  },
  ...[1, 3, 6].map((step) => ({
    name: `step ${step} of the tour`,
    part: { switches: SWITCHES },
    open: async (page: Page) => {
      await page.getByRole('button', { name: 'Show me around' }).click();
      for (let at = 1; at < step; at += 1) {
        await page.getByRole('button', { name: 'Next' }).click();
      }
      await page.getByRole('heading', { name: `${step} of 6` }).waitFor();
    },
  })),
  {
    name: 'a thread',
    hash: `${OPS}&thread=${ago(9)}`,
    part: {
      messages: [...cards, sampleMessage({ ts: ago(4), threadTs: ago(9), text: 'In the thread' })],
    },
    open: (page) => page.getByText('In the thread').waitFor(),
  },
];

describe.skipIf(withoutChromium('axe-core on the page'))('axe-core finds nothing serious', () => {
  let browser: Browser;
  let server: FakePageServer;
  let page: Page;
  let part: Partial<PageState> = {};

  beforeAll(async () => {
    server = await startFakePage({
      state: (person) => sampleState(part, person),
      act: (action) =>
        action.kind === 'suggest'
          ? { ok: true, options: [option('eu-central-1'), option('eu-west-1')] }
          : { ok: true },
    });
    browser = await launchChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript({ path: AXE });
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  // One load for each state: colours and width change below it, as on a person's own screen.
  it.for(STATES)(
    '$name, light and dark, on a phone and on a desk',
    { timeout: 60_000 },
    async (state) => {
      part = state.part ?? {};
      await page.setViewportSize({ width: 1_280, height: 844 });
      await page.goto('about:blank');
      await page.goto(server.url + (state.hash ?? OPS));
      // A step of the tour stays for as long as the tab is open.
      await page.evaluate(() => sessionStorage.clear());
      await page.reload();
      await page.getByRole('heading', { name: 'Steward playground' }).waitFor();
      await state.open?.(page);
      const found: string[] = [];
      for (const { width, colorScheme } of SCREENS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 844 });
        const problems = await seriousOn(page);
        found.push(...problems.map((problem) => `${colorScheme}, ${width} px: ${problem}`));
      }
      expect(found).toEqual([]);
    },
  );
});

/** What axe-core calls serious or critical, each with where it is and what it measured. */
async function seriousOn(page: Page): Promise<readonly string[]> {
  const { violations } = await page.evaluate(async (): Promise<AxeResults> => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return axe.run({ resultTypes: ['violations'] });
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
    );
}
