import { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/app/clock.ts';
import { methodTable } from '../../../../src/sandbox/workspace/web-api/methods/table.ts';
import { startWorkspace, type Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { silent } from './bench.ts';
import { section } from './blocks.ts';
import { manifest } from './manifest.fixture.ts';

let workspace: Workspace;
let client: WebClient;

beforeEach(async () => {
  workspace = await startWorkspace({ clock: systemClock, manifest, mode: 'socket' });
  client = connect(workspace);
});
afterEach(() => workspace.close());

function connect({ apiUrl, botToken }: Workspace): WebClient {
  return new WebClient(botToken, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    logger: silent,
  });
}

/** The error code of a call, or its answer when it went through. */
async function call(method: string, options: Record<string, unknown> = {}): Promise<unknown> {
  try {
    const {
      ok: _ok,
      response_metadata: _metadata,
      ...answer
    } = await client.apiCall(method, options);
    return answer;
  } catch (error) {
    return (error as { data: { error: string } }).data.error;
  }
}

async function post(text = 'Hello', extra: object = {}): Promise<string> {
  const answer = await client.chat.postMessage({ channel: 'C0OPS', text, ...extra });
  return answer.ts ?? '';
}

it('serves every method that the facts list', () => {
  expect(Object.keys(methodTable).sort()).toEqual(
    [
      ...['api.test', 'auth.test', 'apps.connections.open', 'blocks.validate'],
      ...['postMessage', 'postEphemeral', 'update', 'delete', 'getPermalink'].map(
        (m) => `chat.${m}`,
      ),
      ...['scheduleMessage', 'deleteScheduledMessage'].map((m) => `chat.${m}`),
      ...['open', 'push', 'update', 'publish'].map((m) => `views.${m}`),
      ...['list', 'info', 'members', 'open', 'history', 'replies', 'join', 'invite'].map(
        (m) => `conversations.${m}`,
      ),
      ...['list', 'info', 'lookupByEmail', 'conversations'].map((m) => `users.${m}`),
      ...['usergroups.list', 'usergroups.users.list', 'team.info', 'bots.info'],
      ...['getUploadURLExternal', 'completeUploadExternal', 'info'].map((m) => `files.${m}`),
      ...['reactions.add', 'reactions.remove'],
    ].sort(),
  );
});

describe('requests', () => {
  async function raw(headers: Record<string, string>, body: string): Promise<unknown> {
    const response = await fetch(`${workspace.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers,
      body,
    });
    expect(response.status).toBe(200);
    return response.json();
  }
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('takes form and JSON bodies', async () => {
    const bearer = { authorization: `Bearer ${workspace.botToken}` };
    const message = { channel: 'C0OPS', text: 'x', blocks: [section('Words')] };
    expect(await raw({ ...bearer, ...json }, JSON.stringify(message))).toMatchObject({ ok: true });
    const encoded = new URLSearchParams({ ...message, blocks: JSON.stringify(message.blocks) });
    expect(await raw({ ...bearer, ...form }, encoded.toString())).toMatchObject({ ok: true });
    const bad = { ok: false, error: 'invalid_arguments' };
    expect(await raw({ ...bearer, ...json }, '[1]')).toMatchObject(bad);
    expect(await raw({ ...bearer, ...form }, 'channel=C0OPS&blocks=%7B')).toMatchObject(bad);
  });

  it.each([
    ['none', '', 'not_authed'],
    ['an unknown one', 'Bearer xoxb-fake-other', 'invalid_auth'],
    ["the app's", 'Bearer xapp-fake-steward', 'not_allowed_token_type'],
  ])('refuses a call with the wrong token: %s', async (_name, authorization, error) => {
    const headers = authorization === '' ? json : { ...json, authorization };
    expect(await raw(headers, '{}')).toEqual({ ok: false, error });
  });

  it('says who the token is', async () => {
    expect(await call('auth.test', { token: workspace.botToken })).toMatchObject({
      team: 'Acme',
      team_id: 'T0ACME',
      user_id: 'U0BOT',
      bot_id: 'B0BOT',
      is_enterprise_install: false,
    });
    expect(await call('team.info')).toMatchObject({ team: { id: 'T0ACME', name: 'Acme' } });
    expect(await call('bots.info', { bot: 'B0BOT' })).toMatchObject({ bot: { user_id: 'U0BOT' } });
    expect(await call('bots.info', { bot: 'B1' })).toBe('bot_not_found');
    expect(await call('api.test')).toEqual({});
  });
});

describe('errors of methods', () => {
  const there = 'C0OPS';
  it.each<[string, Record<string, unknown>, string]>([
    ['chat.postMessage', { channel: there }, 'no_text'],
    ['chat.postMessage', { text: 'x' }, 'invalid_arguments'],
    ['chat.postMessage', { channel: there, text: 'x'.repeat(40_001) }, 'msg_too_long'],
    ['chat.postMessage', { channel: there, text: 'x', thread_ts: '1.2' }, 'thread_not_found'],
    ['chat.postMessage', { channel: there, text: 'x', metadata: '{}' }, 'invalid_metadata_format'],
    ['chat.postMessage', { channel: there, text: 'x', username: 'boss' }, 'missing_scope'],
    ['chat.update', { channel: there, ts: '1.2', text: 'x' }, 'message_not_found'],
    ['chat.delete', { channel: there, ts: '1.2' }, 'message_not_found'],
    ['chat.getPermalink', { channel: there, message_ts: '1.2' }, 'message_not_found'],
    ['chat.scheduleMessage', { channel: there, text: 'x', post_at: 1 }, 'time_in_past'],
    ['chat.scheduleMessage', { channel: there, text: 'x', post_at: 9e9 }, 'time_too_far'],
    ['chat.scheduleMessage', { channel: there, text: 'x', post_at: 'soon' }, 'invalid_arguments'],
    [
      'chat.deleteScheduledMessage',
      { channel: there, scheduled_message_id: 'Q1' },
      'invalid_scheduled_message_id',
    ],
    ['views.open', { trigger_id: '1', view: 'null' }, 'invalid_arguments'],
    ['views.update', { view: { type: 'modal' } }, 'invalid_arguments'],
    ['views.update', { view_id: 'V1', view: { type: 'modal' } }, 'not_found'],
    ['conversations.info', { channel: 'C0NONE' }, 'channel_not_found'],
    ['conversations.list', { limit: 2_000 }, 'invalid_limit'],
    ['conversations.list', { cursor: 'nonsense' }, 'invalid_cursor'],
    ['conversations.replies', { channel: there, ts: '1.2' }, 'thread_not_found'],
    ['conversations.open', { users: 'U06DEE' }, 'user_disabled'],
    ['conversations.open', {}, 'invalid_arguments'],
    ['conversations.invite', { channel: there, users: 'U01ANA' }, 'missing_scope'],
    ['users.info', { user: 'U9' }, 'user_not_found'],
    ['users.lookupByEmail', { email: 'nobody@acme.example' }, 'users_not_found'],
    ['usergroups.users.list', { usergroup: 'S9' }, 'no_such_subteam'],
    ['reactions.add', { channel: there, timestamp: '1.2', name: 'eyes' }, 'message_not_found'],
    ['files.getUploadURLExternal', { filename: 'a', length: 0 }, 'invalid_arguments'],
    ['files.completeUploadExternal', { files: '[]' }, 'invalid_arguments'],
    ['files.completeUploadExternal', { files: '[{"id":"F1"}]' }, 'file_not_found'],
    ['files.info', { file: 'F1' }, 'file_not_found'],
  ])('%s %j: %s', async (method, options, error) => {
    expect(await call(method, options)).toBe(error);
  });

  it('refuses bad blocks with messages in both places', async () => {
    const long = client.chat.postMessage({
      channel: there,
      text: 'x',
      blocks: [section('x'.repeat(3001))],
    });
    const message = 'must be less than 3001 characters [json-pointer:/blocks/0/text/text]';
    await expect(long).rejects.toMatchObject({
      data: {
        error: 'invalid_blocks',
        errors: [message],
        response_metadata: { messages: [`[ERROR] ${message}`] },
      },
    });
    const validate = client.apiCall('blocks.validate', { blocks: [section('x'.repeat(3001))] });
    const pointer = '/blocks/0/text/text';
    await expect(validate).rejects.toMatchObject({ data: { errors: [{ pointer }] } });
    expect(await call('blocks.validate', { message: { text: 'x' } })).toEqual({});
    expect(await call('blocks.validate', { view: { type: 'home', blocks: [] } })).toEqual({});
  });
});

describe('messages', () => {
  it('are posted, edited, linked and deleted', async () => {
    const ts = await post('Before');
    await client.chat.update({ channel: 'C0OPS', ts, text: 'After' });
    const link = await client.chat.getPermalink({ channel: 'C0OPS', message_ts: ts });
    expect(link.permalink).toContain(ts);
    const [message] = workspace.state('ana').messages;
    expect(message).toMatchObject({ ts, text: 'After', edited: true, fromBot: true });
    await client.chat.delete({ channel: 'C0OPS', ts });
    expect(workspace.state('ana').messages).toEqual([]);
  });

  it('of others cannot be changed', async () => {
    await workspace.act({ as: 'U01ANA', kind: 'say', channel: 'C0OPS', text: 'Mine' });
    const ts = workspace.state('ana').messages[0]!.ts;
    expect(await call('chat.update', { channel: 'C0OPS', ts, text: 'x' })).toBe(
      'cant_update_message',
    );
    expect(await call('chat.delete', { channel: 'C0OPS', ts })).toBe('cant_delete_message');
  });

  it('go to direct messages by user id, and an open one is found again', async () => {
    const opened = await client.conversations.open({ users: 'U01ANA' });
    const posted = await client.chat.postMessage({ channel: 'U01ANA', text: 'Psst' });
    expect(posted.channel).toBe(opened.channel?.id);
  });

  it('are read with metadata only when asked, without replies and ephemerals', async () => {
    const metadata = { event_type: 'request', event_payload: { id: 'r1' } };
    const ts = await post('Root', { metadata });
    await post('Reply', { thread_ts: ts });
    await client.chat.postEphemeral({ channel: 'C0OPS', user: 'U01ANA', text: 'Secret' });
    const plain = await client.conversations.history({ channel: 'C0OPS' });
    expect(plain.messages).toMatchObject([{ ts, text: 'Root', reply_count: 1 }]);
    expect(plain.messages?.[0]).not.toHaveProperty('metadata');
    const full = await client.conversations.history({
      channel: 'C0OPS',
      include_all_metadata: true,
    });
    expect(full.messages).toMatchObject([{ metadata }]);
    const thread = await client.conversations.replies({ channel: 'C0OPS', ts });
    expect(thread.messages?.map((message) => message.text)).toEqual(['Root', 'Reply']);
    const later = await client.conversations.history({ channel: 'C0OPS', oldest: ts });
    expect(later.messages).toEqual([]);
    const inclusive = { channel: 'C0OPS', oldest: ts, inclusive: true };
    expect((await client.conversations.history(inclusive)).messages).toHaveLength(1);
  });

  it('take reactions once', async () => {
    const reaction = { channel: 'C0OPS', timestamp: await post(), name: 'eyes' };
    expect(await call('reactions.add', reaction)).toEqual({});
    expect(await call('reactions.add', reaction)).toBe('already_reacted');
    expect(await call('reactions.add', { ...reaction, name: 'No Such' })).toBe('invalid_name');
    expect(await call('reactions.remove', reaction)).toEqual({});
    expect(await call('reactions.remove', reaction)).toBe('no_reaction');
  });
});

describe('lists', () => {
  it('come in pages', async () => {
    const names: unknown[] = [];
    let pages = 0;
    for await (const page of client.paginate('conversations.list', { limit: 2 })) {
      pages += 1;
      names.push(
        ...(page as unknown as { channels: { name: string }[] }).channels.map(
          (channel) => channel.name,
        ),
      );
    }
    expect(names).toEqual(['ops', 'random', 'finance', 'audit', 'partners']);
    expect(pages).toBe(3);
    const members = await client.conversations.members({ channel: 'C0PARTNER' });
    expect(members.members).toEqual(['U01ANA', 'U04GUS', 'U05OLA', 'U0BOT']);
    const users = await client.users.list({});
    expect(users.members).toHaveLength(8);
    const mine = await client.users.conversations({ user: 'U05OLA' });
    expect(mine.channels?.map((channel) => channel.id)).toEqual(['C0PARTNER']);
  });

  it('leave archived channels out when asked, and other kinds unless asked', async () => {
    workspace.admin.archive('random');
    const active = await client.conversations.list({ exclude_archived: true });
    expect(active.channels?.map((channel) => channel.name)).not.toContain('random');
    const direct = await client.conversations.list({ types: 'im' });
    expect(direct.channels).toHaveLength(7);
  });

  it('of user groups need a paid plan', async () => {
    const groups = await client.usergroups.list({ include_users: true, include_count: true });
    expect(groups.usergroups).toMatchObject([
      { id: 'S0OPS', users: ['U01ANA'], user_count: 1 },
      { id: 'S0LEADS', users: ['U02BEN'] },
    ]);
    workspace.admin.setUserGroup('S0OPS', ['U02BEN']);
    expect(await call('usergroups.users.list', { usergroup: 'S0OPS' })).toEqual({
      users: ['U02BEN'],
    });
    workspace.faults.planUpgradeRequired = true;
    expect(await call('usergroups.list')).toBe('plan_upgrade_required');
  });
});

describe('what permission checks read', () => {
  it('channels', async () => {
    const info = async (channel: string) => (await client.conversations.info({ channel })).channel;
    expect(await info('C0OPS')).toMatchObject({
      is_member: true,
      is_im: false,
      is_private: false,
      is_shared: false,
      is_ext_shared: false,
      is_pending_ext_shared: false,
    });
    expect(await info('C0PARTNER')).toMatchObject({ is_shared: true, is_ext_shared: true });
    expect(await info('D01ANA')).toMatchObject({ is_im: true, user: 'U01ANA' });
    workspace.admin.share('#ops', 'T0OTHER');
    expect(await info('C0OPS')).toMatchObject({ is_ext_shared: true });
  });

  it('people, and their e-mail with its scope only', async () => {
    const { user } = await client.users.info({ user: 'U01ANA' });
    expect(user).toMatchObject({
      team_id: 'T0ACME',
      deleted: false,
      is_bot: false,
      is_restricted: false,
      is_ultra_restricted: false,
      tz: 'Europe/Berlin',
      profile: { email: 'ana@acme.example' },
    });
    expect((await client.users.lookupByEmail({ email: 'Ana@acme.example' })).user?.id).toBe(
      'U01ANA',
    );
    workspace.faults.usersInfoDown = true;
    expect(await call('users.info', { user: 'U01ANA' })).toBe('internal_error');
    const scopes = { bot: ['users:read'] };
    const other = await startWorkspace({
      clock: systemClock,
      manifest: { ...manifest, oauth_config: { scopes } },
      mode: 'socket',
    });
    const shy = await connect(other).users.info({ user: 'U01ANA' });
    expect(shy.user?.profile).not.toHaveProperty('email');
    await other.close();
  });

  it('joins public channels only', async () => {
    workspace.admin.kick('#ops');
    expect(await call('chat.postMessage', { channel: 'C0OPS', text: 'x' })).toBe('not_in_channel');
    expect(await call('conversations.join', { channel: 'C0OPS' })).toMatchObject({
      channel: { is_member: true },
    });
    expect(await call('conversations.join', { channel: 'D01ANA' })).toBe(
      'method_not_supported_for_channel_type',
    );
  });
});

describe('uploads', () => {
  it('take three steps, multipart or raw, and show in the channel', async () => {
    const file = Buffer.from('day,units\n2026-11-26,412.6\n');
    const upload = { channel_id: 'C0OPS', filename: 'costs.csv', title: 'Costs', file };
    await client.filesUploadV2({ ...upload, initial_comment: 'Here' });
    const [message] = workspace.state('ana').messages;
    expect(message).toMatchObject({
      text: 'Here',
      files: [{ title: 'Costs', mimetype: 'text/csv' }],
    });
    const response = await fetch(message!.files[0]!.url);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(file);
    expect(response.headers.get('content-disposition')).toContain('costs.csv');
  });

  it('refuse a byte count other than announced', async () => {
    const { upload_url, file_id } = await client.files.getUploadURLExternal({
      filename: 'a.txt',
      length: 5,
    });
    const send = async (body: string) =>
      (await fetch(upload_url ?? '', { method: 'POST', body })).status;
    expect(await send('[object FormData]')).toBe(400);
    const files = [{ id: file_id ?? '' }];
    expect(await call('files.completeUploadExternal', { files })).toBe('file_update_failed');
    expect(await send('12345')).toBe(200);
    expect(await send('12345')).toBe(400);
    expect(await call('files.completeUploadExternal', { files })).toMatchObject({
      files: [{ size: 5 }],
    });
    expect((await fetch(`${workspace.url}/files/F9`)).status).toBe(404);
  });
});
