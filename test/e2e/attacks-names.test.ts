import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { formIdOf, submissionOf } from '../support/attack-views.ts';
import {
  besiege,
  besiegedRules,
  expectRefused,
  press,
  type Row,
  type Siege,
  sendCommand,
} from '../support/attacks.ts';

const LOUD = '11111111-1111-4111-8111-111111111111';
const MARKED = '22222222-2222-4222-8222-222222222222';

/** Scratch may be stopped by name, reporting by nobody, and two whose names come from outside. */
const rules = (yaml: string): string =>
  besiegedRules(yaml).replace(
    'services: [tag:dev], who',
    `services: [scratch, ${LOUD}, ${MARKED}], who`,
  );

describe('names that are not what they look like', () => {
  let siege: Siege;
  beforeAll(async () => {
    siege = await besiege({ settings: rules });
    await siege.know(LOUD, '<!channel>');
    await siege.know(MARKED, '*a* `b`');
  });
  afterAll(() => siege.close());

  const DENIED: Row = { operation: 'service.stop', outcome: 'denied' };
  const INVALID: Row = { operation: 'service.stop', outcome: 'invalid' };

  it.each([
    ['the id of a forbidden service', SERVICES.reporting.id],
    ['the same id in capitals', SERVICES.reporting.id.toUpperCase()],
    ['the same id in quotes', `"${SERVICES.reporting.id}"`],
    ['its name', 'reporting'],
    ['its name in capitals', 'REPORTING'],
    ['its name by a flag', `--service ${SERVICES.reporting.id}`],
    ['its name as a link', '<http://reporting|reporting>'],
  ])('judges %s as the service that it is', async (_name, typed) => {
    await expectRefused(siege, () => sendCommand(siege, `stop ${typed}`), DENIED);
    expect(siege.world.plane.requests()).toEqual([]);
  });

  it.each([
    ['a Cyrillic letter', 'scr\u0430tch'],
    ['a Greek letter', 'scrat\u03f2h'],
    ['full-width letters', '\uff53\uff43\uff52\uff41\uff54\uff43\uff48'],
    ['a combining accent', 'scra\u0301tch'],
    ['half a surrogate pair', 'scratch\ud83d'],
    ['a ligature', 'scrat\ufb05ch'],
  ])('does not take a name with %s for the service', async (_name, typed) => {
    await expectRefused(siege, () => sendCommand(siege, `stop "${typed}"`), INVALID);
    expect(siege.world.plane.requests()).toEqual([]);
  });

  it.each([
    ['a zero-width space', 'repor\u200bting'],
    ['a zero-width joiner at its end', 'reporting\u200d'],
    ['a soft hyphen', 'repor\u00adting'],
    ['a text direction mark', '\u202ereporting'],
    ['a NUL', 'reporting\u0000'],
    ['a tag character', 'reporting\u{e0061}'],
  ])('judges a name with %s as the service that everybody reads', async (_name, typed) => {
    await expectRefused(siege, () => sendCommand(siege, `stop "${typed}"`), DENIED);
    expect(siege.world.plane.requests()).toEqual([]);
  });

  it.each([
    ['up', '../../organizations'],
    ['up, encoded', '%2e%2e%2f%2e%2e'],
    ['up twice encoded', '%252e%252e'],
    ['a backslash', '..\\..'],
    ['a query', 'x?admin=true'],
    ['a fragment', 'x#y'],
    ['another host', '//evil.example/x'],
    ['a line break', 'x%0d%0aHost: evil'],
    ['SQL', "x' OR '1'='1"],
    ['SQL that ends a statement', "x'; DROP TABLE journal_events; --"],
    ['a template', '$' + '{process.env.SECRET_KEY}'],
    ['a wildcard', '*'],
    ['a tag of the rules', 'tag:dev'],
  ])('sends no id that holds %s anywhere', async (_name, id) => {
    const before = siege.world.plane.requests().length;
    for (const text of [
      `stop "${id}"`,
      `start "${id}"`,
      `endpoint "${id}"`,
      `invitation "${id}"`,
      `activity "${id}"`,
      `pipe "${id}"`,
      `invite "${id}"`,
      `dashboard delete "${id}" --confirm-id "${id}"`,
    ]) {
      await sendCommand(siege, text);
    }
    await expectRefused(siege, () => sendCommand(siege, `stop "${id}"`), INVALID);
    const sent = siege.world.plane.requests().slice(before);
    for (const { path } of sent) {
      expect(decodeURIComponent(path)).toMatch(/^\/[\w/-]+$/u);
      expect(path).not.toMatch(/evil|DROP|admin|env/u);
    }
  });

  it.each([
    ['a mention of everybody', '<!channel>'],
    ['of everybody here', '<!here>'],
    ['of a group', '<!subteam^S0OPS>'],
    ['of a person', '<@U02BEN>'],
    ['of a channel', '<#C0OPS>'],
    ['a link', '<https://evil.example|scratch>'],
    ['markup', '*bold* _it_ `code` ~no~'],
  ])('never writes %s that was typed', async (_name, typed) => {
    const since = siege.world.workspace.traffic().length;
    for (const text of [
      `stop ${typed}`,
      `stop ${typed}x`,
      `invite ${typed}`,
      `can ${typed} ${typed}`,
      `can stop ${typed}`,
      `${typed}`,
      `stpo ${typed}`,
      `dashboard delete ${typed}`,
      `create ${typed}`,
      `stop analytics --break-glass "${typed} because"`,
      `stop --${typed}`,
      `help ${typed}`,
    ]) {
      await sendCommand(siege, text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    }
    await press(siege, { kind: 'run', operation: 'service.stop', input: { service: typed } });
    await press(siege, { kind: 'run', operation: typed, input: {} });
    await expectRefused(siege, () => sendCommand(siege, 'stop nothing-like-it'), INVALID);
    const texts = markupSince(siege, since);
    expect(texts.length).toBeGreaterThan(10);
    const commands = texts.filter((text) => /<(?!@U01ANA>|!date\^|#C0)/u.test(text));
    expect(commands).toEqual([]);
    if (typed.startsWith('<@') || typed.startsWith('<#')) {
      expect(texts.filter((text) => text.includes(typed) && !MAY_MENTION.test(text))).toEqual([]);
    }
  });

  it('writes a service called <!channel> as a name, in the question, the channel and the lists', async () => {
    const since = siege.world.workspace.traffic().length;
    const ana = siege.world.as('ana').in('#ops');
    await ana.command('/db stop <!channel>');
    await ana.expectEphemeral(/Stop <!channel>\?/);
    await ana.command('/db services');
    await ana.expectEphemeral(/<!channel>/);
    await ana.command('/db stop "*a* `b`"');
    await ana.expectEphemeral(/Stop .a. .?b.?\?/);
    expect(markupSince(siege, since).filter((text) => text.includes('<!channel'))).toEqual([]);
  });
});

/** `can @ben …` speaks of Ben. */
const MAY_MENTION = /may (?:not )?use|There is no action|no rule/u;

/** Every text of the bot that Slack reads as markup. */
function markupSince(siege: Siege, since: number): readonly string[] {
  return siege.world.workspace
    .traffic()
    .slice(since)
    .filter(({ direction }) => direction === 'from-bot')
    .flatMap(({ sent }) => markupIn(sent));
}

const NO_MARKUP: ReadonlySet<unknown> = new Set(['plain_text', 'text', 'raw_text']);

function markupIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(markupIn);
  if (typeof node === 'string') return parsed(node);
  if (typeof node !== 'object' || node === null) return [];
  const { text, type } = node as Record<string, unknown>;
  const own = typeof text === 'string' && !NO_MARKUP.has(type) ? [text] : [];
  return [
    ...own,
    ...Object.entries(node).flatMap(([key, value]) => (key === 'value' ? [] : markupIn(value))),
  ];
}

/** Blocks and views travel as JSON text. */
function parsed(text: string): readonly string[] {
  if (!text.startsWith('[') && !text.startsWith('{')) return [];
  try {
    return markupIn(JSON.parse(text));
  } catch {
    return [];
  }
}

const PASTED: readonly (readonly [string, string])[] = [
  ['a bot token', 'xoxb-1234567890-fakefakefake'],
  ['an app token', 'xapp-1-A0FAKE-fakefakefake'],
  ['an AWS key', 'AKIAFAKEFAKEFAKE1234'],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----ZmFrZWZha2U=-----END RSA PRIVATE KEY-----'],
  ['a JWT', 'eyJhbGciOiJmYWtlIn0.eyJzdWIiOiJmYWtlIn0.ZmFrZXNpZ25hdHVyZQ'],
  ['a connection string', 'postgres://fake:fake-hunter2@db.example/x'],
  ['the password of a configured credential', 'fake-kafka-password'],
  ['the key of the control API', 'fake-key-secret-steward'],
];

describe('secrets pasted where a name belongs', () => {
  let siege: Siege;
  beforeAll(async () => {
    siege = await besiege();
  });
  afterAll(() => siege.close());

  it.each(PASTED)('are refused, and kept, told and logged nowhere: %s', async (_name, secret) => {
    const { workspace } = siege.world;
    const ana = siege.world.as('ana').in('#ops');
    for (const view of ana.state.views) await ana.closeModal({ all: view.id !== '' });
    await ana.command('/db stop');
    const form = formIdOf(siege, (await ana.expectModal(/Stop a service/)).id);
    const invalid = { operation: 'service.stop', outcome: 'invalid' } as const;
    await expectRefused(siege, () => sendCommand(siege, `stop "${secret}"`), invalid);
    for (const text of [
      `"${secret}"`,
      `stpo "${secret}"`,
      `stop --service "${secret}"`,
      `stop scratch --"${secret}"`,
      `stop scratch --${secret.replaceAll(' ', '-')}=1`,
      `create "${secret}"`,
      `create nightly --preset "${secret}"`,
      `pipe "${secret}"`,
      `invite "${secret}"`,
      `activity "${secret}"`,
      `invitation "${secret}"`,
      `endpoint "${secret}"`,
      `dashboard delete "${secret}"`,
      `can stop "${secret}"`,
      `can "${secret}"`,
      `help "${secret}"`,
      `stop analytics --break-glass "see ${secret} there"`,
    ]) {
      await sendCommand(siege, text);
    }
    const typed = { 'f:service': { service: { type: 'plain_text_input', value: secret } } };
    await expectRefused(
      siege,
      () => workspace.deliver('interactive', submissionOf({ form, values: typed })),
      invalid,
    );
    const input = { service: secret, [secret]: 'x' };
    const run = { kind: 'run', operation: 'service.stop', input };
    await expectRefused(siege, () => press(siege, run), { ...invalid, outcome: 'denied' });
    await press(siege, { kind: 'open', operation: 'service.create', input: { name: secret } });
    await press(siege, { kind: 'confirm', pending: secret });
    await press(siege, { kind: 'run', operation: secret, input: {} });
    await expectRefused(siege, () => sendCommand(siege, `stop "${secret}"`), invalid);

    expect(JSON.stringify(await siege.rows())).not.toContain(secret);
    expect(await siege.world.dataBytes()).not.toContain(secret);
    expect(said(siege)).not.toContain(secret);
    expect(JSON.stringify(siege.world.logs, causes)).not.toContain(secret);
    expect(
      siege.world.plane
        .requests()
        .map(({ path }) => path)
        .join(),
    ).not.toContain(secret);
  });

  it('says so to the asker, and what to do instead', async () => {
    const ana = siege.world.as('ana').in('#ops');
    await ana.command('/db stop xoxb-1234567890-fakefakefake');
    await ana.expectModal(
      /looks like a secret, so it was not kept. Choose a credential by its name/,
    );
  });
});

/** All that the bot said: its calls, and its answers to payloads. */
function said(siege: Siege): string {
  return JSON.stringify(
    siege.world.workspace
      .traffic()
      .map(({ direction, sent, answered }) => (direction === 'from-bot' ? sent : answered)),
  );
}

/** Errors print as `{}` otherwise. */
function causes(_key: string, value: unknown): unknown {
  return value instanceof Error
    ? { ...value, text: String(value.stack), cause: value.cause }
    : value;
}
