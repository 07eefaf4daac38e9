import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSlash } from '../../../src/core/slash/slash.ts';
import { plain } from '../../../src/core/text/text.ts';
import { dashboardDelete } from '../../../src/operations/dashboard-delete/dashboard-delete.ts';
import { DASHBOARDS } from '../../../src/sandbox/control-plane/seed.ts';
import { expectGolden } from '../../support/golden.ts';
import { CONTEXT, fakePorts, settingsWith } from '../../support/operation-ports.ts';
import {
  executed,
  formOf,
  issuesOf,
  planned,
  rendered,
  unknownWords,
  wordsOf,
} from '../../support/run-operation.ts';
import { type SandboxApi, startSandboxApi } from '../../support/sandbox-api.ts';

const ID = DASHBOARDS.unused;
const RAW = { id: ID, confirmId: ID };

describe('the two ids', () => {
  it.each<[string, object, string, string]>([
    [
      'a path',
      { id: '../x', confirmId: '../x' },
      'id',
      'The id of a dashboard: letters, digits, - and _.',
    ],
    [
      'nothing',
      { id: '', confirmId: '' },
      'id',
      'The id of a dashboard: letters, digits, - and _.',
    ],
    ['another id', { id: ID, confirmId: DASHBOARDS.latency }, 'confirmId', 'The same id as above.'],
    ['an empty second one', { id: ID, confirmId: '' }, 'confirmId', 'The same id as above.'],
    ['no second one', { id: ID }, 'confirmId', ''],
  ])('do not fit: %s', (_, raw, field, message) => {
    expect(issuesOf(dashboardDelete, { ...raw })).toContainEqual({ field, message });
  });

  it('may have spaces around them', () => {
    expect(issuesOf(dashboardDelete, { id: ` ${ID}`, confirmId: `${ID} ` })).toEqual([]);
  });
});

it('always asks by its form', () => {
  expect(dashboardDelete).toMatchObject({ risk: 'destroy', confirm: 'form' });
  expectGolden('dashboard.delete/form', formOf(dashboardDelete, { id: ID }));
});

it('opens its form without the confirmation, whoever filled it in', () => {
  expect(dashboardDelete.prefill?.(RAW, settingsWith())).toEqual({ raw: { id: ID }, issues: [] });
});

it('says in all its words what it is about', async () => {
  const plan = await planned(dashboardDelete, RAW, fakePorts());
  expect(plan.targets).toEqual([{ kind: 'dashboard', id: ID, name: ID, tags: [] }]);
  expect(plan.preview?.danger).toBe(true);
  expect(unknownWords(plan)).toBe(
    `The dashboard ${ID} may have been deleted. Open it to see whether it is still there.`,
  );
  expect(plain(dashboardDelete.refused({ id: ID }))).toBe(`The dashboard ${ID} was not deleted`);
  expect(plain(dashboardDelete.refused({}))).toBe('The dashboard was not deleted');
});

describe('on the stand-in of the API', () => {
  let sandbox: SandboxApi;
  beforeAll(async () => {
    sandbox = await startSandboxApi();
  });
  afterAll(async () => await sandbox.close());

  it('claims no more than there was no error', async () => {
    const reading = readSlash(dashboardDelete.slash.examples[0] ?? '', [dashboardDelete]);
    const raw = reading.kind === 'operation' ? reading.raw : {};
    const ports = fakePorts({ control: sandbox.control });
    const { card } = await executed(dashboardDelete, raw, ports, {
      ...CONTEXT,
      approvedBy: 'U02BEN',
    });
    expect(wordsOf(card)).toEqual([
      `@U01ANA deleted dashboard ${ID}, approved by @U02BEN, or it did not exist.`,
    ]);
    expectGolden('dashboard.delete/deleted', rendered(card));
  });

  it('tells a missing one apart', async () => {
    const raw = { id: 'gone', confirmId: 'gone' };
    const run = executed(dashboardDelete, raw, fakePorts({ control: sandbox.control }));
    await expect(run).rejects.toMatchObject({ code: 'not-found', changed: 'no' });
  });

  it('cannot, on a server that answers both alike', async () => {
    sandbox.plane.changeSettings({ dashboards: 'self-hosted' });
    const id = '6601aa00bb11cc22dd33ee99';
    const raw = { id, confirmId: id };
    const { card } = await executed(dashboardDelete, raw, fakePorts({ control: sandbox.control }));
    expect(wordsOf(card)[0]).toContain('or it did not exist');
  });
});

describe('without the right token', () => {
  it.each([
    ['a wrong one', { token: 'fake-wrong-token' }, 'unauthorized'],
    ['none at all', undefined, 'not-configured'],
  ] as const)('%s', async (_, observability, code) => {
    const sandbox = await startSandboxApi({ observability });
    const run = executed(dashboardDelete, RAW, fakePorts({ control: sandbox.control }));
    await expect(run).rejects.toMatchObject({ code, changed: 'no' });
    await sandbox.close();
  });
});
