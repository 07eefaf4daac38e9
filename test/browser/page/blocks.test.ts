import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../src/sandbox/workspace/protocol/page-protocol.ts';
import { type FakePageServer, startFakePage } from '../../support/fake-page-server.ts';
import { effect } from '../../support/page-effects.ts';
import {
  ago,
  mrkdwn,
  option,
  plain,
  sampleMessage,
  sampleState,
} from '../../support/page-samples.ts';
import { launchChromium, PATIENCE_MS, withoutChromium } from '../chromium.ts';

const button = (text: string, more: Json = {}): Json => ({
  type: 'button',
  action_id: text,
  text: plain(text),
  ...more,
});
const raw = (text: string): Json => ({ type: 'raw_text', text });
const number = (value: number): Json => ({ type: 'raw_number', value, text: String(value) });
const rich = (...elements: readonly Json[]): Json => ({ type: 'rich_text', elements });
const section = (...elements: readonly Json[]): Json => ({ type: 'rich_text_section', elements });
const words = (text: string, style?: Json): Json => ({
  type: 'text',
  text,
  ...(style ? { style } : {}),
});

describe.skipIf(withoutChromium('the page: blocks'))('blocks', () => {
  let browser: Browser;
  let server: FakePageServer;
  let page: Page;
  const faults: string[] = [];
  let blocks: readonly Json[] = [];
  let values: Record<string, Record<string, Json>> = {};
  let ts = 0;

  beforeAll(async () => {
    server = await startFakePage({
      state: (person) =>
        sampleState({ messages: [sampleMessage({ ts: ago(ts), blocks, values })] }, person),
      act: () => ({ ok: true }),
    });
    browser = await launchChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${server.url}#as=U01ANA&in=C0OPS`);
    await page.getByRole('article').waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    expect(faults).toEqual([]);
  });

  /** A message of its own with these blocks. */
  async function draw(next: readonly Json[], state: typeof values = {}): Promise<Locator> {
    ts += 1;
    blocks = next.map((block, index) => ({ block_id: `b${ts}-${index}`, ...block }));
    values = state;
    server.changed();
    const article = page.locator(`article[data-ts="${ago(ts)}"]`);
    await article.waitFor();
    return article;
  }

  const SEEN: readonly (readonly [name: string, block: Json, texts: readonly string[]])[] = [
    [
      'section with fields',
      { type: 'section', text: mrkdwn('*Total*'), fields: [mrkdwn('one'), plain('two')] },
      ['Total', 'one', 'two'],
    ],
    ['header', { type: 'header', text: plain('Costs :tada:') }, ['Costs 🎉']],
    [
      'context',
      { type: 'context', elements: [mrkdwn('days are _UTC_'), plain('small')] },
      ['days are UTC', 'small'],
    ],
    [
      'markdown',
      { type: 'markdown', text: '# Big\n- **item**\n\n| a | b |\n|---|---|\n| c | d |' },
      ['Big', 'item', 'd'],
    ],
    ['alert', { type: 'alert', level: 'warning', text: mrkdwn('*careful*') }, ['Warning: careful']],
    [
      'container',
      {
        type: 'container',
        title: plain('Frame'),
        child_blocks: [{ type: 'section', text: mrkdwn('inside') }],
      },
      ['Frame', 'inside'],
    ],
    [
      'card',
      { type: 'card', title: mrkdwn('Card'), subtitle: mrkdwn('sub'), body: mrkdwn('body') },
      ['Card', 'sub', 'body'],
    ],
    [
      'carousel',
      {
        type: 'carousel',
        elements: [
          { type: 'card', title: mrkdwn('One') },
          { type: 'card', title: mrkdwn('Two') },
        ],
      },
      ['One', 'Two'],
    ],
    [
      'task card',
      {
        type: 'task_card',
        task_id: 't',
        title: 'Start',
        status: 'in_progress',
        details: rich(section(words('step 1'))),
      },
      ['Start', 'under way', 'step 1'],
    ],
    [
      'plan',
      {
        type: 'plan',
        title: 'Plan',
        tasks: [{ type: 'task_card', task_id: 't', title: 'First', status: 'complete' }],
      },
      ['Plan', 'First', 'done'],
    ],
    [
      'table',
      {
        type: 'table',
        rows: [
          [raw('Service'), raw('Units')],
          [rich(section(words('analytics', { bold: true }))), number(3)],
        ],
      },
      ['Service', 'analytics', '3'],
    ],
    [
      'image',
      {
        type: 'image',
        image_url: 'https://elsewhere.example/x.png',
        alt_text: 'a chart',
        title: plain('Title'),
      },
      ['Title', 'Picture: a chart'],
    ],
    [
      'video',
      {
        type: 'video',
        video_url: 'https://elsewhere.example/v',
        alt_text: 'v',
        title: plain('Tour'),
      },
      ['Tour'],
    ],
    ['file', { type: 'file', external_id: 'E1', source: 'remote' }, ['File E1']],
    [
      'unknown block',
      { type: 'hologram', text: 'x' },
      ['This page cannot draw the block “hologram”.'],
    ],
    [
      'unknown element',
      { type: 'actions', elements: [{ type: 'dial', action_id: 'd' }] },
      ['This page cannot draw the element “dial”.'],
    ],
    [
      'broken chart',
      { type: 'data_visualization', title: 'Empty', chart: {} },
      ['The chart “Empty” holds nothing that can be drawn.'],
    ],
  ];

  it.each(SEEN)('%s', async (_name, block, texts) => {
    const article = await draw([block]);
    for (const text of texts) await article.getByText(text, { exact: true }).first().waitFor();
  });

  it('rich text in all its parts', async () => {
    const article = await draw([
      rich(
        section(
          words('bold', { bold: true }),
          { type: 'link', url: 'https://x.example', text: 'link' },
          { type: 'link', url: 'javascript:1', text: 'trap' },
        ),
        section(
          { type: 'user', user_id: 'U02BEN' },
          { type: 'channel', channel_id: 'C0RANDOM' },
          { type: 'emoji', name: 'tada' },
          { type: 'broadcast', range: 'here' },
        ),
        section({
          type: 'date',
          timestamp: Date.parse('2026-11-27T09:02:00Z') / 1000,
          format: '{date_pretty} {time}',
          fallback: 'then',
        }),
        {
          type: 'rich_text_list',
          style: 'ordered',
          elements: [section(words('first')), section(words('second'))],
        },
        { type: 'rich_text_quote', elements: [words('quoted')] },
        { type: 'rich_text_preformatted', elements: [words('code()')] },
        { type: 'rich_text_poem', elements: [] },
      ),
    ]);
    await article.locator('strong', { hasText: 'bold' }).waitFor();
    expect(await article.getByRole('link').allTextContents()).toEqual(['link']);
    for (const text of ['@ben', '#random', '@here', 'Today 10:02', 'second', 'quoted', 'code()']) {
      await article.getByText(text, { exact: true }).waitFor();
    }
    await article.getByText('cannot draw the rich text part “rich_text_poem”').waitFor();
  });

  it('a data table sorts by column and turns its pages', async () => {
    const rows = [
      [raw('Service'), raw('Units')],
      ...[5, 30, 4, 100].map((units) => [raw(`s${units}`), number(units)]),
    ];
    const article = await draw([
      { type: 'data_table', caption: 'By service', page_size: 3, row_header_column_index: 0, rows },
    ]);
    const table = article.getByRole('table', { name: 'By service' });
    const names = () => table.getByRole('rowheader').allTextContents();
    expect(await names()).toEqual(['s5', 's30', 's4']);
    await article.getByRole('button', { name: 'Next page' }).click();
    await article.getByText('Page 2 of 2, 4 rows').waitFor();
    expect(await names()).toEqual(['s100']);
    await table.getByRole('button', { name: 'Units' }).click();
    expect(await names()).toEqual(['s4', 's5', 's30']);
    expect(await table.getByRole('columnheader', { name: 'Units' }).getAttribute('aria-sort')).toBe(
      'ascending',
    );
    await table.getByRole('button', { name: 'Units' }).click();
    expect(await names()).toEqual(['s100', 's30', 's5']);
  });

  it.each(['bar', 'line', 'area'])(
    'a %s chart is a picture with its numbers beside it',
    async (type) => {
      const data = [
        { label: 'Mon', value: 10 },
        { label: 'Tue', value: 20.5 },
      ];
      const chart = {
        type,
        series: [{ name: 'units', data }],
        axis_config: { categories: ['Mon', 'Tue'] },
      };
      const article = await draw([{ type: 'data_visualization', title: 'By day', chart }]);
      const figure = article.getByRole('figure', { name: 'By day' });
      await figure
        .getByRole('img', { name: `${type} chart of units, Mon to Tue; its numbers follow.` })
        .waitFor();
      await figure.getByText('Numbers of the chart').click();
      await figure.getByRole('row', { name: 'Tue 20.5' }).waitFor();
    },
  );

  it.each([3, 31, 90].flatMap((days) => [390, 1_280].map((width) => [days, width] as const)))(
    'the labels of a chart of %i days do not touch each other at %i px',
    async (days, width) => {
      await page.setViewportSize({ width, height: 800 });
      const data = Array.from({ length: days }, (_, day) => ({
        label: `${(day % 28) + 1} Nov ${Math.floor(day / 28)} (5 d) *`,
        value: 1_000 + day,
      }));
      const categories = data.map(({ label }) => label);
      const chart = { type: 'bar', series: [{ name: 'u', data }], axis_config: { categories } };
      const article = await draw([{ type: 'data_visualization', title: 'Units', chart }]);
      const figure = article.getByRole('img', { name: /bar chart/ });
      const frame = (await figure.boundingBox())!;
      const boxes = await figure
        .locator('text.tick')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      expect(boxes.length).toBeGreaterThan(1);
      boxes.forEach(({ left, right }, index) => {
        expect(left).toBeGreaterThanOrEqual(frame.x - 1);
        expect(right).toBeLessThanOrEqual(frame.x + frame.width + 1);
        expect(left).toBeGreaterThan(boxes[index - 1]?.right ?? -Infinity);
      });
      await page.setViewportSize({ width: 1_280, height: 800 });
    },
  );

  it('a pie says the share of each segment in words', async () => {
    const chart = {
      type: 'pie',
      segments: [
        { label: 'analytics', value: 3 },
        { label: 'scratch', value: 1 },
      ],
    };
    const article = await draw([{ type: 'data_visualization', title: 'Shares', chart }]);
    await article.getByText('analytics 3 (75 %)').waitFor();
  });

  it('a broken block spoils none beside it', async () => {
    const article = await draw([
      { type: 'table', rows: [[raw('ok')]] },
      { type: 'section', fields: 'not a list', text: 7 },
      { type: 'header', text: plain('after') },
    ]);
    await article.getByText('after').waitFor();
  });

  it('a press beside an open overflow menu does what was pressed, and closes the menu', async () => {
    const options = [{ text: plain('Log'), value: 'log' }];
    const article = await draw([
      {
        type: 'actions',
        block_id: 'beside',
        elements: [
          { type: 'overflow', action_id: 'more', options },
          { type: 'button', action_id: 'pressed', text: plain('Beside it') },
        ],
      },
    ]);
    await article.getByRole('button', { name: 'More options' }).click();
    await article.getByRole('menuitem', { name: 'Log' }).waitFor();
    await article.getByRole('button', { name: 'Beside it' }).click({ force: true });
    await expect
      .poll(() => server.actions.filter((one) => 'actionId' in one && one.actionId === 'pressed'))
      .toHaveLength(1);
    expect(await article.getByRole('menuitem', { name: 'Log' }).count()).toBe(0);
  });

  it('a container folds', async () => {
    const block = {
      type: 'container',
      title: plain('More'),
      is_collapsible: true,
      default_collapsed: true,
      child_blocks: [{ type: 'header', text: plain('hidden') }],
    };
    const article = await draw([block]);
    expect(await article.getByText('hidden').isVisible()).toBe(false);
    await article.getByText('More').click();
    expect(await article.getByText('hidden').isVisible()).toBe(true);
  });

  it('an overflow menu sends its option', async () => {
    const overflow = {
      type: 'overflow',
      action_id: 'more',
      options: [option('csv', 'Download CSV'), option('off', 'Turn off')],
    };
    const article = await draw([{ type: 'section', text: mrkdwn('x'), accessory: overflow }]);
    await article.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await expect
      .poll(() => server.actions.at(-1))
      .toMatchObject({
        actionId: 'more',
        state: { type: 'overflow', selected_option: option('off', 'Turn off') },
      });
  });

  it('a select in a message tells the bot at once, unless its confirm is denied', async () => {
    const select = {
      type: 'static_select',
      action_id: 'pick',
      placeholder: plain('Pick a service'),
      options: [option('a'), option('b')],
      confirm: { text: plain('Really?') },
    };
    const article = await draw([{ type: 'actions', elements: [select] }]);
    const box = article.getByRole('combobox', { name: 'Pick a service' });
    const from = server.actions.length;
    await box.selectOption('a');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await effect(async () => (await box.inputValue()) === '');
    expect(server.actions.length).toBe(from);
    await box.selectOption('b');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
    await effect(() => server.actions.length > from);
    expect(server.actions.at(-1)).toMatchObject({
      kind: 'act',
      state: { type: 'static_select', selected_option: option('b') },
    });
  });

  it('a message shows what was chosen in it before', async () => {
    const select = {
      type: 'static_select',
      action_id: 'pick',
      options: [option('a'), option('b')],
    };
    const block = { type: 'actions', block_id: 'kept', elements: [select] };
    const article = await draw([block], {
      kept: { pick: { type: 'static_select', selected_option: option('b') } },
    });
    expect(await article.getByRole('combobox').inputValue()).toBe('b');
  });

  it('feedback and link buttons tell the bot too; an unsafe address is only a button', async () => {
    const pair = {
      type: 'feedback_buttons',
      action_id: 'fb',
      positive_button: { text: plain('Good'), value: 'up' },
      negative_button: { text: plain('Bad'), value: 'down' },
    };
    const article = await draw([
      { type: 'context_actions', elements: [pair] },
      {
        type: 'actions',
        elements: [
          button('Docs', { url: 'https://x.example/' }),
          button('Trap', { url: 'javascript:alert(1)' }),
        ],
      },
    ]);
    await article.getByRole('button', { name: 'Bad' }).click();
    await expect
      .poll(() => server.actions.at(-1))
      .toMatchObject({
        actionId: 'fb',
        state: { type: 'feedback_buttons', value: 'down' },
      });
    expect(await article.getByRole('link', { name: 'Docs' }).getAttribute('href')).toBe(
      'https://x.example/',
    );
    await article.getByRole('button', { name: 'Trap' }).waitFor();
  });

  it('every control of every block has a name', async () => {
    const article = await draw([
      {
        type: 'actions',
        elements: [
          button('Go'),
          { type: 'datepicker', action_id: 'd' },
          { type: 'users_select', action_id: 'u' },
          { type: 'external_select', action_id: 'e' },
          { type: 'radio_buttons', action_id: 'r', options: [option('a')] },
        ],
      },
      {
        type: 'section',
        text: mrkdwn('Tags'),
        accessory: { type: 'multi_static_select', action_id: 'm', options: [option('a')] },
      },
      { type: 'card', title: mrkdwn('Card'), actions: [button('Open')] },
    ]);
    const nameless = await article.locator('button, input, select, textarea, a').evaluateAll(
      (nodes) =>
        nodes.filter((node) => {
          const labels =
            'labels' in node && node.labels instanceof NodeList ? node.labels.length : 0;
          const named =
            node.getAttribute('aria-label') ||
            node.getAttribute('aria-labelledby') ||
            node.textContent?.trim();
          return !named && labels === 0;
        }).length,
    );
    expect(nameless).toBe(0);
  });
});
