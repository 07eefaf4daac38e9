import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type {
  Json,
  PageAction,
  PageAnswer,
  PageView,
} from '../../../src/sandbox/workspace/protocol/page-protocol.ts';
import { type FakePageServer, startFakePage } from '../../support/fake-page-server.ts';
import { effect } from '../../support/page-effects.ts';
import { inputBlock, option, plain, sampleState, sampleView } from '../../support/page-samples.ts';
import { launchChromium, PATIENCE_MS, withoutChromium } from '../chromium.ts';

const services = [option('analytics'), option('scratch'), option('reporting')];

describe.skipIf(withoutChromium('the page: modals'))('modals', () => {
  let browser: Browser;
  let server: FakePageServer;
  let page: Page;
  const faults: string[] = [];
  let views: readonly PageView[] = [];
  let answer: (action: PageAction) => PageAnswer | Promise<PageAnswer> = () => ({ ok: true });

  beforeAll(async () => {
    server = await startFakePage({
      state: (person) => sampleState({ views, home: sampleView({ id: 'VH' }) }, person),
      act: (action) => answer(action),
    });
    browser = await launchChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${server.url}#as=U01ANA&in=C0OPS`);
    await page.getByRole('textbox', { name: 'Message #ops' }).focus();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    expect(faults).toEqual([]);
  });
  afterEach(async () => {
    show([]);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    answer = () => ({ ok: true });
  });

  function show(next: readonly PageView[]): void {
    views = next;
    server.changed();
  }

  let count = 0;
  /** A modal of its own id, so that nothing of the last one is left. */
  async function open(blocks: readonly Json[], part: Partial<PageView> = {}): Promise<Locator> {
    count += 1;
    show([sampleView({ id: `V${count}`, blocks, ...part })]);
    const dialog = page.getByRole('dialog', { name: part.title ?? 'Stop a service' });
    await dialog.waitFor();
    return dialog;
  }

  /** The newest state sent for a block. */
  function sent(blockId: string): Json | undefined {
    const action = server.actions.findLast((each) => 'blockId' in each && each.blockId === blockId);
    return action && 'state' in action ? action.state : undefined;
  }

  const INPUTS: readonly (readonly [
    type: string,
    more: Json,
    fill: (dialog: Locator) => Promise<unknown>,
    state: Json,
  ])[] = [
    ['plain_text_input', {}, (d) => d.getByLabel('Field').fill('orders'), { value: 'orders' }],
    [
      'plain_text_input',
      { multiline: true },
      (d) => d.getByLabel('Field').fill('a\nb'),
      { value: 'a\nb' },
    ],
    [
      'number_input',
      { is_decimal_allowed: true },
      (d) => d.getByLabel('Field').fill('1,5x'),
      { value: '1,5x' },
    ],
    ['email_text_input', {}, (d) => d.getByLabel('Field').fill('ana@'), { value: 'ana@' }],
    ['url_text_input', {}, (d) => d.getByLabel('Field').fill('nope'), { value: 'nope' }],
    [
      'rich_text_input',
      {},
      (d) => d.getByLabel('Field').fill('hi'),
      {
        rich_text_value: {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'hi' }] }],
        },
      },
    ],
    [
      'static_select',
      { options: services },
      (d) => d.getByLabel('Field').selectOption('scratch'),
      { selected_option: services[1] },
    ],
    [
      'users_select',
      {},
      (d) => d.getByLabel('Field').selectOption('U02BEN'),
      { selected_user: 'U02BEN' },
    ],
    [
      'channels_select',
      {},
      (d) => d.getByLabel('Field').selectOption('#random'),
      { selected_channel: 'C0RANDOM' },
    ],
    [
      'conversations_select',
      {},
      (d) => d.getByLabel('Field').selectOption('#finance'),
      { selected_conversation: 'C0FINANCE' },
    ],
    [
      'multi_static_select',
      { options: services, initial_options: [services[0]] },
      (d) => d.getByLabel('Field').selectOption('scratch'),
      { selected_options: [services[0], services[1]] },
    ],
    [
      'multi_users_select',
      {},
      (d) => d.getByLabel('Field').selectOption('U02BEN'),
      { selected_users: ['U02BEN'] },
    ],
    [
      'multi_channels_select',
      {},
      (d) => d.getByLabel('Field').selectOption('#ops'),
      { selected_channels: ['C0OPS'] },
    ],
    [
      'multi_conversations_select',
      {},
      (d) => d.getByLabel('Field').selectOption('steward'),
      { selected_conversations: ['D0ANA'] },
    ],
    [
      'checkboxes',
      { options: services },
      (d) => d.getByRole('group', { name: 'Field' }).getByLabel('scratch').check(),
      { selected_options: [services[1]] },
    ],
    [
      'radio_buttons',
      { options: services },
      (d) => d.getByRole('radiogroup', { name: 'Field' }).getByLabel('scratch').check(),
      { selected_option: services[1] },
    ],
    [
      'datepicker',
      {},
      (d) => d.getByLabel('Field').fill('2026-11-27'),
      { selected_date: '2026-11-27' },
    ],
    [
      'timepicker',
      { timezone: 'Europe/Berlin' },
      (d) => d.getByLabel('Field').fill('10:07'),
      { selected_time: '10:07', timezone: 'Europe/Berlin' },
    ],
    // 10:07 of Ana in Berlin.
    [
      'datetimepicker',
      {},
      (d) => d.getByLabel('Field').fill('2026-11-27T10:07'),
      { selected_date_time: Date.parse('2026-11-27T09:07:00Z') / 1000 },
    ],
    [
      'file_input',
      { filetypes: ['csv'] },
      (d) =>
        d
          .getByLabel('Field')
          .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') }),
      {
        files: [
          { id: expect.any(String), name: 'a.csv', title: 'a.csv', mimetype: 'text/csv', size: 3 },
        ],
      },
    ],
  ];

  it.each(INPUTS)('%s %j sends its state as it is filled', async (type, more, fill, state) => {
    const blockId = `b${server.actions.length}-${count}`;
    const dialog = await open([inputBlock(blockId, 'Field', { type, ...more })]);
    await fill(dialog);
    await effect(() => sent(blockId) !== undefined);
    expect(sent(blockId)).toEqual({ type, ...state });
  });

  it('asks the bot for the options of an external select while a person types', async () => {
    answer = (action) =>
      action.kind === 'suggest' ? { ok: true, options: services } : { ok: true };
    const dialog = await open([
      inputBlock('ext', 'Service', { type: 'external_select', min_query_length: 2 }),
    ]);
    const box = dialog.getByRole('combobox', { name: 'Service' });
    await box.fill('s');
    await dialog.getByText('Type at least 2 letters.').waitFor();
    await box.fill('sc');
    await dialog.getByRole('option', { name: 'scratch' }).waitFor();
    expect(server.actions.at(-1)).toMatchObject({ kind: 'suggest', blockId: 'ext', value: 'sc' });
    await box.press('ArrowDown');
    await box.press('Enter');
    await effect(() => sent('ext') !== undefined);
    expect(sent('ext')).toEqual({ type: 'external_select', selected_option: services[1] });
    await dialog.getByRole('button', { name: 'Remove scratch' }).click();
    await effect(() => sent('ext')?.['selected_option'] === null);
  });

  it('does what was pressed beside an open list, and closes the list', async () => {
    answer = (action) =>
      action.kind === 'suggest' ? { ok: true, options: services } : { ok: true };
    const dialog = await open([
      inputBlock('beside', 'Service', { type: 'external_select', min_query_length: 0 }),
      inputBlock('below', 'Open', { type: 'checkboxes', options: [option('yes', 'To all')] }),
    ]);
    const field = dialog.getByRole('combobox', { name: 'Service' });
    await field.click();
    await dialog.getByRole('option', { name: 'scratch' }).waitFor();
    await dialog.getByRole('checkbox', { name: 'To all' }).click();
    await dialog.getByRole('option', { name: 'scratch' }).waitFor({ state: 'detached' });
    expect(await dialog.getByRole('checkbox', { name: 'To all' }).isChecked()).toBe(true);
    await field.click();
    await dialog.getByRole('option', { name: 'scratch' }).waitFor();
    await page.keyboard.press('Tab');
    await dialog.getByRole('option', { name: 'scratch' }).waitFor({ state: 'detached' });
  });

  it('collects many from an external select, groups included', async () => {
    const groups = [
      { label: plain('dev'), options: [services[1]] },
      { label: plain('prod'), options: [services[0]] },
    ];
    answer = (action) =>
      action.kind === 'suggest' ? { ok: true, optionGroups: groups } : { ok: true };
    const dialog = await open([
      inputBlock('many', 'Services', { type: 'multi_external_select', min_query_length: 0 }),
    ]);
    const box = dialog.getByRole('combobox', { name: 'Services' });
    for (const name of ['scratch', 'analytics']) {
      await box.click();
      await dialog.getByRole('option', { name }).click();
    }
    await effect(
      () =>
        Array.isArray(sent('many')?.['selected_options']) &&
        dialog
          .getByRole('button', { name: /Remove/ })
          .count()
          .then((n) => n === 2),
    );
    expect(sent('many')).toEqual({
      type: 'multi_external_select',
      selected_options: [services[1], services[0]],
    });
  });

  it('says so when the bot gives no options', async () => {
    answer = (action) =>
      action.kind === 'suggest'
        ? { ok: false, error: 'Loading the options failed.' }
        : { ok: true };
    const dialog = await open([
      inputBlock('ext', 'Service', { type: 'external_select', min_query_length: 0 }),
    ]);
    await dialog.getByRole('combobox', { name: 'Service' }).click();
    await dialog.getByText('Loading the options failed.').waitFor();
  });

  it('sends what was typed last before it submits', async () => {
    const dialog = await open([inputBlock('name', 'Name', { type: 'plain_text_input' })]);
    const from = server.actions.length;
    await dialog.getByLabel('Name').fill('orders');
    await dialog.getByLabel('Name').press('Enter');
    await effect(() => server.actions.slice(from).some((action) => action.kind === 'submit'));
    expect(server.actions.slice(from).map((action) => action.kind)).toEqual(['type', 'submit']);
  });

  it('puts the errors under their fields and leads to the first', async () => {
    const fields = ['one', 'two'].map((id) =>
      inputBlock(id, `Field ${id}`, { type: 'plain_text_input' }),
    );
    answer = (action) => {
      if (action.kind !== 'submit') return { ok: true };
      const [view] = views;
      if (view) show([{ ...view, errors: { two: 'Use lower case letters.', gone: 'Too late.' } }]);
      return { ok: false, error: 'Some fields need another look.' };
    };
    const dialog = await open(fields);
    await dialog.getByRole('button', { name: 'Stop it' }).click();
    const refused = dialog.getByLabel('Field two');
    await effect(() => refused.evaluate((node) => node.matches(':focus')));
    expect(await refused.getAttribute('aria-invalid')).toBe('true');
    const description = await refused.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${description}"]`).textContent()).toBe(
      'Use lower case letters.',
    );
    await dialog.getByText('gone: Too late.').waitFor();
    await dialog.getByRole('alert').getByText('Some fields need another look.').waitFor();
    await dialog.getByLabel('Field one').fill('x');
    expect(await dialog.getByLabel('Field one').evaluate((node) => node.matches(':focus'))).toBe(
      true,
    );
  });

  it('waits visibly for the answer, and submits once', async () => {
    let release = (): void => undefined;
    answer = (action) =>
      action.kind === 'submit'
        ? new Promise((resolve) => {
            release = () => resolve({ ok: true });
          })
        : { ok: true };
    const dialog = await open([inputBlock('name', 'Name', { type: 'plain_text_input' })]);
    const from = server.actions.length;
    const submit = dialog.getByRole('button', { name: 'Stop it' });
    await submit.click();
    await dialog.getByText('Waiting for the bot …').waitFor();
    await submit.click({ force: true });
    release();
    await dialog.getByText('Waiting for the bot …').waitFor({ state: 'detached' });
    expect(server.actions.slice(from).filter((action) => action.kind === 'submit')).toHaveLength(1);
  });

  it('keeps what was typed through an update with the same ids; a new id starts anew', async () => {
    const dialog = await open([inputBlock('name', 'Name', { type: 'plain_text_input' })]);
    await dialog.getByLabel('Name').fill('typed');
    const [view] = views;
    const update = (blockId: string) => {
      if (view)
        show([
          {
            ...view,
            hash: blockId,
            blocks: [
              { type: 'header', block_id: 'h', text: plain(`Now ${blockId}`) },
              inputBlock(blockId, 'Name', { type: 'plain_text_input' }),
            ],
          },
        ]);
    };
    update('name');
    await dialog.getByText('Now name').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('typed');
    update('other');
    await dialog.getByText('Now other').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('');
  });

  it('shows the top of the stack with what the server remembers below it', async () => {
    const first = sampleView({
      id: 'S1',
      blocks: [inputBlock('name', 'Name', { type: 'plain_text_input' })],
      values: { name: { name_value: { type: 'plain_text_input', value: 'kept' } } },
    });
    const second = sampleView({ id: 'S2', title: 'More settings', close: 'Back', submit: null });
    show([first, second]);
    const top = page.getByRole('dialog', { name: 'More settings' });
    await top.getByText('step 2').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(await top.getByRole('button', { name: 'Stop it' }).count()).toBe(0);
    await top.getByRole('button', { name: 'Back' }).click();
    await effect(() => server.actions.at(-1)?.kind === 'close');
    expect(server.actions.at(-1)).toEqual({ as: 'U01ANA', kind: 'close', view: 'S2', all: false });
    show([first]);
    const below = page.getByRole('dialog', { name: 'Stop a service' });
    expect(await below.getByLabel('Name').inputValue()).toBe('kept');
  });

  it('closes on Escape, and gives the focus back', async () => {
    await page.getByRole('textbox', { name: 'Message #ops' }).focus();
    answer = (action) => {
      if (action.kind === 'close') show([]);
      return { ok: true };
    };
    const dialog = await open([inputBlock('name', 'Name', { type: 'plain_text_input' })]);
    expect(await dialog.getByLabel('Name').evaluate((node) => node.matches(':focus'))).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(
      await page
        .getByRole('textbox', { name: 'Message #ops' })
        .evaluate((node) => node.matches(':focus')),
    ).toBe(true);
  });

  it('gives the focus to the message field where what opened it is gone', async () => {
    await page.evaluate(() => {
      const button = document.createElement('button');
      button.id = 'opener';
      document.body.append(button);
      button.focus();
    });
    answer = (action) => {
      if (action.kind === 'close') show([]);
      return { ok: true };
    };
    const dialog = await open([inputBlock('name', 'Name', { type: 'plain_text_input' })]);
    await page.evaluate(() => document.getElementById('opener')?.remove());
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const composer = page.getByRole('textbox', { name: 'Message #ops' });
    expect(await composer.evaluate((node) => node.matches(':focus'))).toBe(true);
  });

  it('does what the first press beside a native select asks for', async () => {
    const options = [option('small'), option('large')];
    const dialog = await open([
      inputBlock('size', 'Size', { type: 'static_select', placeholder: plain('Size'), options }),
    ]);
    await dialog.getByLabel('Size').selectOption('large');
    const before = server.actions.length;
    await dialog.getByRole('button', { name: 'Stop it' }).click();
    await effect(() => server.actions.slice(before).some(({ kind }) => kind === 'submit'));
    const kinds = server.actions.slice(before).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'submit')).toHaveLength(1);
  });

  it('puts the whole stack away with Dismiss', async () => {
    const dialog = await open([]);
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await effect(() => server.actions.at(-1)?.kind === 'close');
    expect(server.actions.at(-1)).toMatchObject({ all: true });
  });

  it('tells the bot of changes in dispatching inputs: selects at once, text on Enter', async () => {
    const dialog = await open([
      inputBlock(
        'provider',
        'Provider',
        { type: 'static_select', options: services },
        { dispatch_action: true },
      ),
      inputBlock('name', 'Name', { type: 'plain_text_input' }, { dispatch_action: true }),
    ]);
    await dialog.getByLabel('Provider').selectOption('scratch');
    await effect(() => server.actions.at(-1)?.kind === 'act');
    await dialog.getByLabel('Name').fill('orders');
    await dialog.getByLabel('Name').press('Enter');
    await effect(
      () =>
        server.actions.filter((action) => action.kind === 'act' && action.blockId === 'name')
          .length === 1,
    );
    expect(sent('name')).toEqual({ type: 'plain_text_input', value: 'orders' });
    expect(server.actions.at(-1)?.kind).toBe('act');
  });
});
