import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { manifestFor } from '../../src/cli/manifest.ts';
import { STEWARD } from '../support/built-program.ts';

const made = (flags: { readonly url?: string; readonly command?: string }) =>
  manifestFor({ command: '/db', ...flags });

it.each([
  ['http://steward.example.com', /must begin with https/],
  ['steward.example.com', /must be an address/],
  ['https://', /must be an address/],
  ['https://user:secret@steward.example.com', /no user name/],
  ['https://steward.example.com/#top', /end before/],
  ['https://steward.example.com/?a=1', /end before/],
  ['https://localhost:3000', /reached from the internet: localhost/],
  ['https://127.0.0.1', /reached from the internet/],
  ['https://10.1.2.3', /reached from the internet/],
  ['https://172.20.0.1', /reached from the internet/],
  ['https://[::1]', /reached from the internet/],
  ['https://[fd00::1]', /reached from the internet/],
  ['https://steward', /reached from the internet/],
  ['https://steward.internal', /reached from the internet/],
])('refuses --url %s', (url, words) => {
  expect(made({ url })).toEqual({ problem: expect.stringMatching(words) });
});

it.each([
  'https://steward.example.com',
  'https://steward.example.com/',
  'https://steward.example.com/slack/events',
  'https://steward.example.com:8443/bots',
  'https://203.0.113.7',
])('takes --url %s, and adds the path once', (url) => {
  const text = JSON.stringify(made({ url }));
  const addresses = new Set(text.match(/https:[^"]*/gu));
  expect([...addresses]).toEqual([expect.stringMatching(/[^/]\/slack\/events$/u)]);
  expect([...addresses][0]?.match(/slack\/events/gu)).toHaveLength(1);
});

it.each(['db', '//db', '/', '/Db', '/d b', '/dé', '/d.b', `/${'a'.repeat(32)}`, '/status'])(
  'refuses --command %s',
  (command) => {
    expect(made({ command })).toEqual({ problem: expect.stringMatching(/^--command /) });
  },
);

it.each(['/db', '/db-dev', '/db_2', `/${'a'.repeat(31)}`])('takes --command %s', (command) => {
  expect(made({ command })).toHaveProperty('manifest.features.slash_commands.0.command', command);
});

it('says it in one sentence and exits 2', () => {
  const args = [STEWARD, 'manifest', '--url', 'http://localhost'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: '--url must begin with https://, as in https://steward.example.com.\n',
  });
});
