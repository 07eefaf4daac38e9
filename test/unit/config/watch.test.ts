import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfiguration } from '../../../src/config/load.ts';
import { createCurrentSettings, watchSettings } from '../../../src/config/watch.ts';
import type { LogFields } from '../../../src/core/ports/ports.ts';
import { ENVIRONMENT, KNOWN_ACTIONS } from './config-fixtures.ts';

const WAIT = { timeout: 10_000, interval: 20 };

let folder: string;
let path: string;
let lines: { readonly level: string; readonly fields: LogFields }[];
let stop: () => void;

function start() {
  const load = () =>
    loadConfiguration({
      env: { ...ENVIRONMENT, STEWARD_CONFIG: path },
      knownActions: KNOWN_ACTIONS,
    }).settings;
  const current = createCurrentSettings(load());
  const note = (level: string) => (fields: LogFields) => void lines.push({ level, fields });
  const watching = watchSettings(path, () => current.replace(load()), {
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  });
  stop = watching.stop;
  return current;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'steward-watch-'));
  path = join(folder, 'steward.yaml');
  lines = [];
  writeFileSync(path, 'command: /one');
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

describe('watchSettings', () => {
  it('takes over a changed file as a whole', async () => {
    const current = start();
    const before = current.get();
    writeFileSync(path, 'command: /two');
    await vi.waitFor(() => expect(current.get().command).toBe('/two'), WAIT);
    expect(before.command).toBe('/one');
    expect(lines).toMatchObject([{ level: 'info', fields: { event: 'settings-reloaded' } }]);
  });

  it('follows editors that replace the file, again and again', async () => {
    const current = start();
    for (const command of ['/two', '/three']) {
      writeFileSync(`${path}.tmp`, `command: ${command}`);
      renameSync(`${path}.tmp`, path);
      await vi.waitFor(() => expect(current.get().command).toBe(command), WAIT);
    }
  });

  it('follows the links that kubelet swaps in a mounted config map, without the poll', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    // The file is a link to `..data/steward.yaml`, `..data` a link to a folder with a time for its name.
    const publish = (time: string, command: string): void => {
      mkdirSync(join(folder, time));
      writeFileSync(join(folder, time, 'steward.yaml'), `command: ${command}`);
      symlinkSync(time, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    };
    rmSync(path);
    publish('..2026_11_01_09_00_00.1', '/one');
    symlinkSync(join('..data', 'steward.yaml'), path);
    const current = start();
    for (const [round, command] of ['/two', '/three'].entries()) {
      publish(`..2026_11_01_09_00_0${round + 1}.1`, command);
      rmSync(join(folder, `..2026_11_01_09_00_0${round}.1`), { recursive: true });
      await expect.poll(() => current.get().command, WAIT).toBe(command);
    }
    expect(lines.map(({ fields }) => fields['event'])).toEqual(Array(2).fill('settings-reloaded'));
  });

  it('refuses a faulty file loudly and keeps the old rules', async () => {
    const current = start();
    writeFileSync(path, 'comand: /two');
    await vi.waitFor(() => expect(lines).toHaveLength(1), WAIT);
    expect(lines[0]).toMatchObject({
      level: 'error',
      fields: { event: 'settings-refused', problems: [{ path: 'comand', line: 1 }] },
    });
    expect(current.get().command).toBe('/one');
    writeFileSync(path, 'command: /three');
    await vi.waitFor(() => expect(current.get().command).toBe('/three'), WAIT);
  });

  it('outlives a file that is gone and comes back', async () => {
    const current = start();
    rmSync(path);
    await vi.waitFor(() => expect(lines[0]).toMatchObject({ level: 'warn' }), WAIT);
    expect(current.get().command).toBe('/one');
    writeFileSync(path, 'command: /two');
    await vi.waitFor(() => expect(current.get().command).toBe('/two'), WAIT);
  });

  it('says nothing when the content stays, and nothing after stop', async () => {
    const current = start();
    writeFileSync(path, 'command: /one');
    stop();
    writeFileSync(path, 'command: /two');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(lines).toEqual([]);
    expect(current.get().command).toBe('/one');
  });
});
