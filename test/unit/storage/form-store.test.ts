import { expect, it } from 'vitest';
import { createFormStore } from '../../../src/storage/form-store.ts';
import { overDatabases } from '../../support/databases.ts';
import { createTestClock } from '../../support/settable-clock.ts';

const ana = 'T0ACME:U01ANA';
const ben = 'T0ACME:U02BEN';

overDatabases('FormStore', (databases) => {
  async function store() {
    const clock = createTestClock('2026-11-27T10:00:00Z');
    return { clock, forms: createFormStore(await (await databases.fresh()).open(), clock) };
  }

  it('keeps a value for its owner under an opaque id', async () => {
    const { forms } = await store();
    const value = {
      operation: 'service.create',
      raw: { name: 'reporting' },
      more: [1, null, true],
    };
    const id = await forms.save({ owner: ana, value, ttlMs: 60_000 });
    expect(id).toMatch(/^[\w-]{22}$/);
    await expect(forms.load(id, ana)).resolves.toEqual(value);
    await expect(forms.save({ owner: ana, value, ttlMs: 60_000 })).resolves.not.toBe(id);
  });

  it('is nothing to anybody else', async () => {
    const { forms } = await store();
    const id = await forms.save({ owner: ana, value: 1, ttlMs: 60_000 });
    await expect(forms.load(id, ben)).resolves.toBeUndefined();
    await expect(forms.update(id, ben, 2)).resolves.toBe(false);
    await expect(forms.load(id, ana)).resolves.toBe(1);
  });

  it('is updated by its owner', async () => {
    const { forms } = await store();
    const id = await forms.save({ owner: ana, value: { page: 1 }, ttlMs: 60_000 });
    await expect(forms.update(id, ana, { page: 2 })).resolves.toBe(true);
    await expect(forms.load(id, ana)).resolves.toEqual({ page: 2 });
  });

  it('expires and is swept; an update does not prolong it', async () => {
    const { forms, clock } = await store();
    const id = await forms.save({ owner: ana, value: 1, ttlMs: 60_000 });
    await forms.save({ owner: ana, value: 1, ttlMs: 90_000 });
    await clock.advance(59_999);
    await expect(forms.update(id, ana, 2)).resolves.toBe(true);
    await clock.advance(1);
    await expect(forms.load(id, ana)).resolves.toBeUndefined();
    await expect(forms.update(id, ana, 3)).resolves.toBe(false);
    await expect(forms.sweep()).resolves.toBe(1);
    await expect(forms.sweep()).resolves.toBe(0);
  });
});
