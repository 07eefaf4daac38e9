import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { operations } from '../../src/operations/index.ts';
import { readManifest } from '../../src/sandbox/workspace/state/manifest.ts';
import { methodTable } from '../../src/sandbox/workspace/web-api/methods/table.ts';
import { createManifest } from '../../src/slack/manifest.ts';
import { STEWARD } from '../support/built-program.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SCOPELESS = ['commands'];

const SOCKET = createManifest({ command: '/db', operations, mode: 'socket' });
const HTTP = createManifest({
  command: '/db-dev',
  operations,
  mode: 'http',
  url: 'https://steward.example.com',
});

const MENTIONS = createManifest({ command: '/db', operations, mode: 'socket', mentions: true });

const text = (most: number) => z.string().min(1).max(most);
const https = z.url({ protocol: /^https$/u });

/** Slack's limits; no unknown keys. Facts: Manifest. */
const limits = z.strictObject({
  display_information: z.strictObject({ name: text(35), description: text(140) }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.literal(true),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    bot_user: z.strictObject({ display_name: text(80), always_online: z.boolean() }),
    shortcuts: z
      .array(
        z.strictObject({
          name: text(24),
          type: z.enum(['global', 'message']),
          callback_id: text(255),
          description: text(150),
        }),
      )
      .max(10),
    slash_commands: z
      .array(
        z.strictObject({
          command: text(32).regex(/^\/[a-z0-9_-]+$/u),
          url: https.optional(),
          description: text(2_000),
          usage_hint: text(1_000),
          should_escape: z.literal(true),
        }),
      )
      .min(1)
      .max(50),
  }),
  oauth_config: z.strictObject({ scopes: z.strictObject({ bot: z.array(text(100)) }) }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({
      request_url: https.optional(),
      bot_events: z.array(z.string()),
    }),
    interactivity: z.strictObject({
      is_enabled: z.literal(true),
      request_url: https.optional(),
      message_menu_options_url: https.optional(),
    }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.literal(false),
  }),
});

describe('manifest.yml', () => {
  it('is what `npm run manifest` prints', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [STEWARD, 'manifest'], {
      cwd: ROOT,
    });
    expect(
      readFileSync(`${ROOT}manifest.yml`, 'utf8'),
      'manifest.yml is old: npm run --silent manifest > manifest.yml',
    ).toBe(stdout);
    expect(parse(stdout)).toEqual(SOCKET);
  });
});

describe.each([
  ['Socket Mode', SOCKET],
  ['HTTP', HTTP],
  ['mentions', MENTIONS],
] as const)('the manifest for %s', (mode, manifest) => {
  it('stays within the limits of Slack', () => {
    expect(limits.safeParse(manifest).error?.issues ?? []).toEqual([]);
  });

  it('is taken by the workspace', () => {
    const read = readManifest(manifest);
    const events = ['app_home_opened', ...(mode === 'mentions' ? ['app_mention'] : [])];
    expect(read).toMatchObject({ homeTab: true, interactivity: true, events });
    expect(read.scopes.includes('app_mentions:read')).toBe(mode === 'mentions');
  });

  it('has addresses in HTTP mode only', () => {
    const addresses = JSON.stringify(manifest).match(/https:[^"]*/gu) ?? [];
    expect(new Set(addresses)).toEqual(
      new Set(mode === 'HTTP' ? ['https://steward.example.com/slack/events'] : []),
    );
  });
});

describe('the usage hint', () => {
  it('names the words of every operation that each cloud has', () => {
    const hint = readManifest(SOCKET).commands[0]?.usage_hint ?? '';
    const named = hint.slice(1, -1).split(' | ');
    const words = operations
      .filter(({ onlyIn }) => onlyIn === undefined)
      .map(({ slash }) => slash.words.join(' '))
      .filter((word) => word !== '');
    expect(named).toEqual(words);
  });
});

/** A lost answer is looked for in the history where an administrator grants it; else it is told. */
const OPTIONAL = new Set(['conversations.history']);

describe('the scopes', () => {
  const declared = readManifest(SOCKET).scopes;
  const called = calledMethods();

  it('let the bot make every call that it makes', () => {
    expect(called.length).toBeGreaterThan(8);
    for (const method of called.filter((name) => !OPTIONAL.has(name))) {
      const anyOf = methodTable[method]?.scopes ?? [];
      expect(anyOf.length === 0 || anyOf.some((scope) => declared.includes(scope)), method).toBe(
        true,
      );
    }
  });

  it('are no more than those calls need, and read no messages', () => {
    const needed = new Set(called.flatMap((method) => methodTable[method]?.scopes ?? []));
    expect(declared.filter((scope) => !needed.has(scope))).toEqual(SCOPELESS);
    expect(declared.filter((scope) => /history|customize|public|admin/u.test(scope))).toEqual([]);
    expect(new Set(declared).size).toBe(declared.length);
  });
});

/** The Web API methods that the one wrapper names, look-ups included. */
function calledMethods(): readonly string[] {
  const source = ['web', 'look-ups']
    .map((name) => readFileSync(`${ROOT}src/slack/web/${name}.ts`, 'utf8'))
    .join('');
  const named = [...source.matchAll(/call\(\s*'([\w.]+)'/gu)].map(([, method = '']) => method);
  const methods = named.flatMap((method) =>
    // One call of the SDK, several of the API.
    method === 'files.uploadV2'
      ? ['files.getUploadURLExternal', 'files.completeUploadExternal']
      : [method],
  );
  const unknown = methods.filter((method) => methodTable[method] === undefined);
  expect(unknown).toEqual([]);
  return methods;
}
