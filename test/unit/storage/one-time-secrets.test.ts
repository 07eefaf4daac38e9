import { describe, expect, it } from 'vitest';
import { createOneTimeSecrets } from '../../../src/storage/one-time-secrets.ts';
import { deriveKey, seal, unseal } from '../../../src/storage/seal.ts';
import { overDatabases } from '../../support/databases.ts';
import { createRunningClock, createTestClock } from '../../support/settable-clock.ts';

const PASSWORD = 'fake-password-Zürich-9$';
const ana = { userId: 'U01ANA', teamId: 'T0ACME' };
const key = deriveKey('fake-secret-key');
const MINUTE = 60_000;

/** Slack took the view. */
const seen = async (): Promise<boolean> => true;
const keptMs = (): number => 15 * 60_000;

describe('seal', () => {
  it('opens with the same key and context only', () => {
    const sealed = seal(key, 'id|owner', PASSWORD);
    expect(unseal(key, 'id|owner', sealed)).toBe(PASSWORD);
    expect(unseal(key, 'id|other', sealed)).toBeUndefined();
    expect(unseal(deriveKey('fake-other-key'), 'id|owner', sealed)).toBeUndefined();
    const changed = (sealed.startsWith('A') ? 'B' : 'A') + sealed.slice(1);
    expect(unseal(key, 'id|owner', changed)).toBeUndefined();
    expect(unseal(key, 'id|owner', 'AAAA')).toBeUndefined();
  });

  it('opens what is nothing, and nothing shorter', () => {
    const sealed = seal(key, 'a', '');
    expect(unseal(key, 'a', sealed)).toBe('');
    const bytes = Buffer.from(sealed, 'base64');
    for (const shorter of [bytes.subarray(1), bytes.subarray(0, -1)]) {
      expect(unseal(key, 'a', shorter.toString('base64'))).toBeUndefined();
    }
  });

  it('never seals the same twice alike', () => {
    expect(seal(key, 'a', PASSWORD)).not.toBe(seal(key, 'a', PASSWORD));
  });

  it('derives 32 bytes: the same from the same key, new ones from none', () => {
    expect(deriveKey('fake-secret-key')).toEqual(key);
    expect(key).toHaveLength(32);
    expect(deriveKey(undefined)).toHaveLength(32);
    expect(deriveKey(undefined)).not.toEqual(deriveKey(undefined));
    expect(deriveKey('')).not.toEqual(deriveKey(''));
  });
});

overDatabases('OneTimeSecrets', (databases) => {
  async function stores() {
    const test = await databases.fresh();
    const clock = createTestClock('2026-11-27T10:07:00.000Z');
    const secrets = createOneTimeSecrets(await test.open(), clock, { key, keptMs });
    const replica = createOneTimeSecrets(await test.open(), clock, { key, keptMs });
    return { test, clock, secrets, replica };
  }

  it('is found again by its owner while it lasts, and by who reminds of it', async () => {
    const { secrets, replica, clock } = await stores();
    const { id, expiresAt } = await secrets.keep(ana, PASSWORD, 'nightly');
    const { id: other } = await secrets.keep({ ...ana, userId: 'U02BEN' }, PASSWORD, 'hourly');
    const waiting = { id, about: 'nightly', expiresAt };
    await expect(replica.waiting(ana)).resolves.toEqual([waiting]);
    await expect(replica.ending(5 * MINUTE)).resolves.toEqual([]);
    await clock.advance(11 * MINUTE);
    await replica.reveal(other, { ...ana, userId: 'U02BEN' }, seen);
    await expect(replica.ending(5 * MINUTE)).resolves.toEqual([{ ...waiting, owner: ana }]);
    await clock.advance(5 * MINUTE);
    await expect(replica.waiting(ana)).resolves.toEqual([]);
    await expect(replica.ending(5 * MINUTE)).resolves.toEqual([]);
  });

  it('is shown once, then says when', async () => {
    const { secrets, replica, clock } = await stores();
    const { id, expiresAt } = await secrets.keep(ana, PASSWORD, 'nightly');
    expect(expiresAt).toBe('2026-11-27T10:22:00.000Z');
    await clock.advance(MINUTE);
    const shown: string[] = [];
    const show = async (secret: string) => shown.push(secret) > 0;
    await expect(replica.reveal(id, ana, show)).resolves.toEqual({ kind: 'seen' });
    expect(shown).toEqual([PASSWORD]);
    await clock.advance(MINUTE);
    for (const store of [secrets, replica]) {
      const later = { kind: 'shown', at: '2026-11-27T10:08:00.000Z' };
      await expect(store.reveal(id, ana, seen)).resolves.toEqual(later);
    }
    await clock.advance(20 * MINUTE);
    await expect(secrets.reveal(id, ana, seen)).resolves.toMatchObject({ kind: 'shown' });
  });

  it('is not spent where nobody saw it, and held by nobody for long', async () => {
    const { secrets, replica, clock } = await stores();
    const { id } = await secrets.keep(ana, PASSWORD, 'nightly');
    const unseen = async (): Promise<boolean> => false;
    await expect(secrets.reveal(id, ana, unseen)).resolves.toEqual({ kind: 'unseen' });
    const dying = secrets.reveal(id, ana, () => Promise.reject(new Error('killed')));
    await expect(dying).rejects.toThrow('killed');
    await expect(replica.reveal(id, ana, seen)).resolves.toMatchObject({ kind: 'shown' });
    await clock.advance(30_001);
    await expect(replica.reveal(id, ana, seen)).resolves.toEqual({ kind: 'seen' });
  });

  it('goes to exactly one of 20 presses at once', async () => {
    const { secrets, replica } = await stores();
    const { id } = await secrets.keep(ana, PASSWORD, 'nightly');
    const revealed = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? secrets : replica).reveal(id, ana, seen)),
    );
    const kinds = revealed.map((one) => one.kind).toSorted();
    expect(kinds).toEqual(['seen', ...Array.from({ length: 19 }, () => 'shown')]);
  });

  it.each([
    ['another person', { userId: 'U02BEN', teamId: 'T0ACME' }],
    ['the same id in another workspace', { userId: 'U01ANA', teamId: 'T0OTHER' }],
  ])('is not for %s, and stays for its owner', async (_who, somebody) => {
    const { secrets } = await stores();
    const { id } = await secrets.keep(ana, PASSWORD, 'nightly');
    await expect(secrets.reveal(id, somebody, seen)).resolves.toEqual({ kind: 'not-yours' });
    await expect(secrets.reveal(id, ana, seen)).resolves.toMatchObject({ kind: 'seen' });
    await expect(secrets.reveal(id, somebody, seen)).resolves.toEqual({ kind: 'not-yours' });
  });

  it('expires after 15 minutes and is erased by the sweep', async () => {
    const { secrets, clock } = await stores();
    const { id, expiresAt } = await secrets.keep(ana, PASSWORD, 'nightly');
    await clock.advance(15 * MINUTE - 1);
    await expect(secrets.sweep()).resolves.toBe(0);
    await clock.advance(1);
    await expect(secrets.reveal(id, ana, seen)).resolves.toEqual({
      kind: 'expired',
      at: expiresAt,
    });
    await expect(secrets.sweep()).resolves.toBe(1);
    await expect(secrets.sweep()).resolves.toBe(0);
    await expect(secrets.reveal(id, ana, seen)).resolves.toEqual({
      kind: 'expired',
      at: expiresAt,
    });
    await clock.advance(8 * 24 * 60 * MINUTE);
    await secrets.sweep();
    await expect(secrets.reveal(id, ana, seen)).resolves.toEqual({ kind: 'lost' });
  });

  it('expires for every process, and where the clock was set back for its own', async () => {
    const { secrets, replica, clock } = await stores();
    const { id, expiresAt: at } = await secrets.keep(ana, PASSWORD, 'nightly');
    await expect(replica.ending(15 * MINUTE)).resolves.toMatchObject([{ id }]);
    await expect(replica.ending(15 * MINUTE - 1)).resolves.toEqual([]);
    await clock.advance(15 * MINUTE - 1);
    await expect(replica.waiting(ana)).resolves.toMatchObject([{ id }]);
    await clock.advance(1);
    await expect(replica.reveal(id, ana, seen)).resolves.toEqual({ kind: 'expired', at });
    await expect(replica.waiting(ana)).resolves.toEqual([]);
  });

  it('expires in time though the clock on the wall was set back', async () => {
    const clock = createRunningClock();
    const db = await (await databases.fresh()).open();
    const secrets = createOneTimeSecrets(db, clock, { key, keptMs });
    const kept = await secrets.keep(ana, PASSWORD, 'nightly');
    clock.turn(-10 * MINUTE);
    clock.pass(15 * MINUTE);
    await expect(secrets.reveal(kept.id, ana, seen)).resolves.toEqual({
      ...{ kind: 'expired', at: kept.expiresAt },
    });
  });

  it('of an earlier version belongs to a service, whichever', async () => {
    const { secrets, test } = await stores();
    const { id } = await secrets.keep(ana, PASSWORD, 'nightly');
    await test.raw('update one_time_secrets set about = null');
    await expect(secrets.waiting(ana)).resolves.toMatchObject([{ id, about: 'a service' }]);
  });

  it('is lost to another key, but not to the right one', async () => {
    const { secrets, test, clock } = await stores();
    const { id } = await secrets.keep(ana, PASSWORD, 'nightly');
    const restarted = createOneTimeSecrets(await test.open(), clock, {
      key: deriveKey(undefined),
      keptMs,
    });
    await expect(restarted.reveal(id, ana, seen)).resolves.toEqual({ kind: 'lost' });
    await expect(restarted.reveal('unknown', ana, seen)).resolves.toEqual({ kind: 'lost' });
    await expect(secrets.reveal(id, ana, seen)).resolves.toMatchObject({ kind: 'seen' });
  });

  it('cannot be moved to another owner in the table', async () => {
    const { secrets, test } = await stores();
    const { id } = await secrets.keep(ana, PASSWORD, 'nightly');
    await test.raw("update one_time_secrets set owner = 'T0ACME:U02BEN'");
    const ben = { userId: 'U02BEN', teamId: 'T0ACME' };
    await expect(secrets.reveal(id, ben, seen)).resolves.toEqual({ kind: 'lost' });
  });

  it('never stands in the clear in what is stored, and not at all once shown', async () => {
    const { secrets, test } = await stores();
    const { id } = await secrets.keep(ana, 'fake-plain-password', 'nightly');
    const stored = await test.dump();
    expect(stored).toContain(id);
    for (const encoding of ['utf8', 'hex', 'base64'] as const) {
      const form = Buffer.from('fake-plain-password').toString(encoding).replace(/=+$/, '');
      expect(stored).not.toContain(form);
    }
    const [before] = await sealedColumns();
    await secrets.reveal(id, ana, seen);
    await expect(sealedColumns()).resolves.toEqual([{ sealed: null }]);
    expect(before?.sealed).toMatch(/^[\w+/=]{40,}$/);

    async function sealedColumns() {
      const db = await test.open();
      return await db.query((kysely) =>
        kysely.selectFrom('one_time_secrets').select('sealed').execute(),
      );
    }
  });
});
