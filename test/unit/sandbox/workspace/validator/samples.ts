import type { Button, ColorScheme, KnownBlock } from '@slack/types';

/** One accepted example of every block type, checked against Slack's published types. */

export function words(count: number): string {
  return 'x'.repeat(count);
}

export function plain(text: string) {
  return { type: 'plain_text' as const, text };
}

export function mrkdwn(text: string) {
  return { type: 'mrkdwn' as const, text };
}

export function option(name: string) {
  return { text: plain(name), value: name.toLowerCase() };
}

export function button(actionId: string, style?: ColorScheme): Button {
  const base: Button = { type: 'button', text: plain('Press'), action_id: actionId, value: 'v' };
  return style === undefined ? base : { ...base, style };
}

export function richText(text: string) {
  return {
    type: 'rich_text' as const,
    elements: [{ type: 'rich_text_section' as const, elements: [{ type: 'text' as const, text }] }],
  };
}

const image = {
  type: 'image' as const,
  image_url: 'https://example.com/cat.png',
  alt_text: 'A cat',
};

const fullRichText: KnownBlock = {
  type: 'rich_text',
  block_id: 'rich',
  elements: [
    {
      type: 'rich_text_section',
      elements: [
        { type: 'text', text: 'Bold', style: { bold: true, italic: false, strike: true } },
        { type: 'link', url: 'https://example.com', text: 'a link' },
        { type: 'emoji', name: 'wave' },
        { type: 'user', user_id: 'U01ANA' },
        { type: 'channel', channel_id: 'C0OPS' },
        { type: 'usergroup', usergroup_id: 'S0OPS' },
        { type: 'team', team_id: 'T0ACME' },
        { type: 'broadcast', range: 'here' },
        { type: 'date', timestamp: 1_700_000_000, format: '{date_short}', fallback: 'a day' },
        { type: 'color', value: '#AABB01' },
      ],
    },
    {
      type: 'rich_text_list',
      style: 'bullet',
      indent: 1,
      border: 0,
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'item' }] }],
    },
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'code' }], border: 1 },
    { type: 'rich_text_quote', elements: [{ type: 'text', text: 'said' }] },
  ],
};

export const sampleBlocks: Readonly<Record<string, KnownBlock>> = {
  section: {
    type: 'section',
    text: mrkdwn('*orders* is `running` <!date^1700000000^{date_short}|14 Nov>'),
    fields: [mrkdwn('*Region*\nus-east-1'), plain('aws')],
    accessory: button('stop', 'danger'),
    expand: true,
  },
  header: { type: 'header', text: { type: 'plain_text', text: 'Costs :money:', emoji: true } },
  divider: { type: 'divider' },
  image: { ...image, title: plain('Cat') },
  actions: { type: 'actions', elements: [button('a', 'primary'), button('b')] },
  context: { type: 'context', elements: [image, mrkdwn('by <@U01ANA>'), plain('today')] },
  context_actions: {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'f',
        positive_button: { text: plain('Good'), value: 'yes' },
        negative_button: { text: plain('Bad'), value: 'no' },
      },
      { type: 'icon_button', icon: 'trash', text: plain('Delete'), action_id: 'i' },
    ],
  },
  input: {
    type: 'input',
    label: plain('Name'),
    hint: plain('Short'),
    optional: true,
    dispatch_action: false,
    element: { type: 'plain_text_input', action_id: 'n', max_length: 50 },
  },
  rich_text: fullRichText,
  file: { type: 'file', external_id: 'ABCD1', source: 'remote' },
  video: {
    type: 'video',
    video_url: 'https://example.com/v',
    thumbnail_url: 'https://example.com/t.png',
    alt_text: 'How to',
    title: plain('How to'),
    description: plain('A tour'),
    author_name: 'Ana',
  },
  markdown: { type: 'markdown', text: '# Title\n\n**bold**' },
  table: {
    type: 'table',
    column_settings: [{ align: 'right', is_wrapped: true }],
    rows: [
      [
        { type: 'raw_text', text: 'Service' },
        { type: 'raw_text', text: 'Units' },
      ],
      [richText('orders'), { type: 'raw_number', value: 412.6, text: '412.6' }],
    ],
  },
  data_table: {
    type: 'data_table',
    caption: 'Costs by service',
    page_size: 10,
    row_header_column_index: 0,
    rows: [
      [
        { type: 'raw_text', text: 'Service' },
        { type: 'raw_text', text: 'Units' },
      ],
      [
        { type: 'raw_text', text: 'orders' },
        { type: 'raw_number', value: 412.6, text: '412.6' },
      ],
    ],
  },
  card: {
    type: 'card',
    title: mrkdwn('*orders*'),
    subtitle: mrkdwn('aws'),
    body: mrkdwn('running'),
    hero_image: image,
    icon: image,
    actions: [button('open')],
  },
  carousel: {
    type: 'carousel',
    elements: [
      { type: 'card', title: mrkdwn('one') },
      { type: 'card', body: mrkdwn('two') },
    ],
  },
  alert: { type: 'alert', text: mrkdwn('Careful'), level: 'warning' },
  container: {
    type: 'container',
    title: plain('Details'),
    subtitle: mrkdwn('more'),
    width: 'wide',
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: [{ type: 'section', text: plain('inside') }, { type: 'divider' }],
  },
  task_card: {
    type: 'task_card',
    task_id: 't1',
    title: 'Start orders',
    status: 'in_progress',
    details: richText('provisioning'),
    sources: [{ type: 'url', url: 'https://example.com', text: 'Docs' }],
  },
  plan: {
    type: 'plan',
    title: 'Start',
    tasks: [{ type: 'task_card', task_id: 't1', title: 'Wait', status: 'pending' }],
  },
};

type Points = readonly (readonly [string, number])[];

function points(values: Points) {
  return values.map(([label, value]) => ({ label, value }));
}

/** Not in the published types yet. */
export function pie(values: Points) {
  return {
    type: 'data_visualization',
    title: 'Costs',
    chart: { type: 'pie', segments: points(values) },
  };
}

export function chart(type: string, categories: readonly string[], names: readonly string[]) {
  const data = points(categories.map((name, index) => [name, index - 1] as const));
  return {
    type: 'data_visualization',
    title: 'Costs by day',
    chart: {
      type,
      series: names.map((name) => ({ name, data })),
      axis_config: { categories, x_label: 'Day (UTC)', y_label: 'Units' },
    },
  };
}
