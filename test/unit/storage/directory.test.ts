import { expect, it } from 'vitest';
import type { ServiceSettings, Settings } from '../../../src/core/settings/settings.ts';
import { createDirectory } from '../../../src/storage/directory.ts';
import { overDatabases } from '../../support/databases.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const START = '2026-11-27T10:00:00.000Z';
const analytics = { id: '0b7e', name: 'analytics', organization: 'acme', tags: ['prod'] };

function settingsWith(services: readonly ServiceSettings[]): Settings {
  return {
    command: '/db',
    workspaces: [],
    organizations: [],
    services,
    groups: {},
    credentials: [],
    presets: {},
    channels: [],
    defaults: { directMessages: 'deny', externalPeople: 'deny', guests: 'deny' },
    audit: {},
    schedules: [],
    generatedPassword: 'show-once',
    passwordForMs: 14_400_000,
    limits: { perPersonPerMinute: 10, perChannelPerMinute: 30 },
  };
}

overDatabases('Directory', (databases) => {
  async function directoryOf(services: readonly ServiceSettings[]) {
    const clock = createTestClock(START);
    let settings = settingsWith(services);
    const test = await databases.fresh();
    const db = await test.open();
    const directory = createDirectory(db, clock, { get: () => settings });
    const reload = (next: readonly ServiceSettings[]) => {
      settings = settingsWith(next);
    };
    return { test, clock, directory, reload };
  }

  it('lists by name what is configured, was created here or costs money', async () => {
    const { directory } = await directoryOf([analytics]);
    await directory.noteAll([
      { id: 'e2', organization: 'acme', name: 'scratch', source: 'costs' },
      { id: 'e1', organization: 'acme', name: 'scratch', source: 'costs' },
      { id: 'e3', organization: 'acme', source: 'costs' },
    ]);
    await directory.note({
      id: 'c1',
      organization: 'acme',
      name: 'reporting',
      state: 'provisioning',
      source: 'created here',
    });
    await expect(directory.list()).resolves.toEqual([
      { ...analytics, source: 'configuration' },
      { id: 'e3', name: 'e3', organization: 'acme', tags: [], source: 'costs' },
      {
        id: 'c1',
        name: 'reporting',
        organization: 'acme',
        tags: [],
        source: 'created here',
        state: 'provisioning',
        stateAt: START,
      },
      { id: 'e1', name: 'scratch', organization: 'acme', tags: [], source: 'costs' },
      { id: 'e2', name: 'scratch', organization: 'acme', tags: [], source: 'costs' },
    ]);
  });

  it('joins the last reported state to the configuration, which wins', async () => {
    const { directory, clock, reload } = await directoryOf([analytics]);
    await directory.note({ id: '0b7e', organization: 'acme', state: 'running', source: 'command' });
    await clock.advance(60_000);
    await directory.note({
      id: '0b7e',
      organization: 'acme',
      name: 'Analytics in the console',
      source: 'costs',
    });
    await expect(directory.list()).resolves.toEqual([
      { ...analytics, source: 'configuration', state: 'running', stateAt: START },
    ]);
    reload([]);
    await expect(directory.list()).resolves.toMatchObject([
      { name: 'Analytics in the console', source: 'costs', tags: [], state: 'running' },
    ]);
  });

  it('keeps the origin: created here stays so, a command teaches none', async () => {
    const { directory } = await directoryOf([]);
    await directory.note({ id: 'c1', organization: 'acme', name: 'a', source: 'created here' });
    await directory.note({ id: 'c1', organization: 'acme', name: 'b', source: 'costs' });
    await directory.note({ id: 'c1', organization: 'acme', state: 'stopping', source: 'command' });
    await directory.note({ id: 'x9', organization: 'acme', state: 'stopping', source: 'command' });
    await expect(directory.list()).resolves.toEqual([
      {
        id: 'c1',
        name: 'b',
        organization: 'acme',
        tags: [],
        source: 'created here',
        state: 'stopping',
        stateAt: START,
      },
    ]);
    await directory.note({ id: 'x9', organization: 'acme', name: 'x', source: 'costs' });
    await expect(directory.list()).resolves.toMatchObject([
      { id: 'c1' },
      { id: 'x9', source: 'costs', state: 'stopping' },
    ]);
  });

  it('takes thousands at once, the last of a service counting', async () => {
    const { directory } = await directoryOf([]);
    const entry = { organization: 'acme', source: 'costs' } as const;
    const many = Array.from({ length: 2_000 }, (_, n) => ({
      ...entry,
      id: `s${n}`,
      name: `n${n}`,
    }));
    await directory.noteAll([...many, { ...entry, id: 's7', name: 'renamed' }]);
    await directory.noteAll([]);
    const list = await directory.list();
    expect(list).toHaveLength(2_000);
    expect(list.find((service) => service.id === 's7')?.name).toBe('renamed');
  });

  it('takes over what a cloud lists: the file names, what is gone goes, costs rename nothing', async () => {
    const { clock, directory } = await directoryOf([analytics]);
    const made = {
      id: 'c1',
      organization: 'acme',
      name: 'nightly',
      source: 'created here',
    } as const;
    await directory.note(made);
    const tags = ['team:data'];
    await directory.keepList('acme', [
      { id: '0b7e', name: 'analytics eu', state: 'running', tags },
      { id: 'n1', name: 'new', state: 'idle', tags: [] },
    ]);
    expect(await directory.listedAt('acme')).toBe(START);
    expect(await directory.list()).toMatchObject([
      {
        ...{ name: 'analytics', tags: ['prod'], source: 'configuration', state: 'running' },
        cloud: { isListed: true, name: 'analytics eu', tags },
      },
      { name: 'new', source: 'cloud', state: 'idle', cloud: { isListed: true } },
      { name: 'nightly', source: 'created here', cloud: { isListed: false } },
    ]);
    await directory.note({ id: 'n1', organization: 'acme', name: 'old name', source: 'costs' });
    expect((await directory.list()).map(({ name }) => name)).toContain('new');
    await clock.advance(1_000);
    await directory.keepList('acme', [{ id: '0b7e', name: 'analytics eu', tags: [] }]);
    const left = await directory.list();
    expect(left.find(({ id }) => id === 'n1')?.cloud?.isListed).toBe(false);
    expect(left.find(({ id }) => id === '0b7e')?.cloud?.tags).toEqual([]);
  });

  it('says whether a note was kept, and never fails for it', async () => {
    const { directory, test } = await directoryOf([]);
    const note = { id: 'c1', organization: 'acme', name: 'a', source: 'created here' } as const;
    await expect(directory.note(note)).resolves.toBe(true);
    await test.raw('alter table services rename to away');
    await expect(directory.note(note)).resolves.toBe(false);
    await expect(directory.noteAll([note])).rejects.toMatchObject({ code: 'storage' });
  });

  it('keeps a state that nobody reported anew, and lists no service only a cloud had', async () => {
    const { clock, directory } = await directoryOf([analytics]);
    await expect(directory.listedAt('acme')).resolves.toBeUndefined();
    await directory.keepList('acme', [{ id: 'n1', name: 'new', state: 'idle', tags: ['a'] }]);
    await directory.keepList('globex', [{ id: 'g1', name: 'gone', tags: [] }]);
    await clock.advance(1_000);
    await directory.keepList('globex', []);
    const listed = await directory.list();
    expect(listed).toEqual([
      {
        ...{ ...analytics, source: 'configuration' },
        cloud: { isListed: false, tags: [] },
      },
      {
        ...{ id: 'n1', name: 'new', organization: 'acme', tags: [], source: 'cloud' },
        ...{ state: 'idle', stateAt: START, cloud: { isListed: true, name: 'new', tags: ['a'] } },
      },
    ]);
    await directory.note({ id: 'n1', organization: 'acme', source: 'command' });
    await directory.note({ id: '0b7e', organization: 'acme', name: 'eu', source: 'costs' });
    const again = await directory.list();
    expect(again.find(({ id }) => id === 'n1')).toEqual(listed[1]);
    expect(again.find(({ id }) => id === '0b7e')?.cloud).toEqual({
      ...{ isListed: false, name: 'eu', tags: [] },
    });
  });

  it('takes a state without its time for none', async () => {
    const { directory, test } = await directoryOf([]);
    await directory.note({ id: 'c1', organization: 'acme', state: 'running', source: 'costs' });
    for (const damage of ['state = null', "state = 'running', state_at = null"]) {
      await test.raw(`update services set ${damage}`);
      const [entry] = await directory.list();
      expect(entry).not.toHaveProperty('state');
      expect(entry).not.toHaveProperty('stateAt');
    }
  });
});
