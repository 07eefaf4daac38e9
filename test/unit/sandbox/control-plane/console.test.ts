import { describe, expect, it } from 'vitest';
import type { ConsoleRequest } from '../../../../src/sandbox/control-plane/console/acts.ts';
import { INVITATIONS, KEYS, SERVICES } from '../../../../src/sandbox/control-plane/seed.ts';
import { answerProblems } from '../../../support/cloud-document.ts';
import { ORGANIZATION, type Started, send, start } from './harness.ts';

const SERVICES_PATH = `${ORGANIZATION}/services`;
const ACTIVITIES = `${ORGANIZATION}/activities`;

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

const startCloud = () => start({ settings: { names: 'clickhouse' } });

async function rows(plane: Started, path: string): Promise<readonly Row[]> {
  const { status, json } = await plane.ask(`GET ${path}`);
  const [bare = ''] = path.split('?');
  expect(answerProblems({ method: 'GET', path: bare }, status, json)).toEqual([]);
  return json.result as unknown as readonly Row[];
}

/** Since the start: the seed has older ones. */
const since = (plane: Started) => rows(plane, `${ACTIVITIES}?from_date=2026-11-27T10:00:00.000Z`);

describe('activities', () => {
  it('tell of each change with a key, up to 30 s late, and of what the cloud did itself', async () => {
    const plane = await startCloud();
    await plane.ask(`PATCH ${SERVICES_PATH}/${SERVICES.reporting.id}/state`, {
      body: { command: 'start' },
    });
    plane.settableClock().advance('PT30S');
    expect(await since(plane)).toMatchObject([
      { type: 'service_start', actorType: 'api', actorId: KEYS.admin.id, actorDetails: 'Steward' },
    ]);
    plane.settableClock().advance('PT30S');
    expect((await since(plane)).map((row) => [row.type, row['actorType']])).toEqual([
      ['service_running', 'system'],
      ['service_start', 'api'],
    ]);
  });

  it('do not tell of a state that was planned and did not come', async () => {
    const plane = await startCloud();
    plane.console({ act: 'start', service: 'reporting' });
    plane.console({ act: 'stop', service: 'reporting' });
    plane.settableClock().advance('PT2M');
    expect((await since(plane)).map((row) => row.type).toSorted()).toEqual([
      'service_start',
      'service_stop',
    ]);
  });

  it('are listed by time, the newest first, for moments that carry a zone', async () => {
    const plane = await startCloud();
    const all = await rows(plane, ACTIVITIES);
    const times = all.map((row) => String(row['createdAt']));
    expect(times).toEqual(times.toSorted().toReversed());
    const until = await rows(plane, `${ACTIVITIES}?to_date=2026-11-20T10:00:00Z`);
    expect(until).toEqual(all.filter((row) => String(row['createdAt']) <= '2026-11-20T10'));
    expect((await plane.ask(`GET ${ACTIVITIES}?from_date=2026-11-20`)).json.error).toContain(
      'from_date: must be a date-time',
    );
    const wrong = '?from_date=2026-11-20T10:00:00Z&to_date=2026-11-19T10:00:00Z';
    expect((await plane.ask(`GET ${ACTIVITIES}${wrong}`)).status).toBe(400);
  });
});

describe('somebody in the console', () => {
  const acts: readonly (readonly [ConsoleRequest, string])[] = [
    [{ act: 'start', service: 'reporting' }, 'service_start'],
    [{ act: 'stop', service: 'scratch' }, 'service_stop'],
    [{ act: 'wake', service: 'archive' }, 'service_awaken'],
    [{ act: 'rename', service: 'scratch', name: 'sandpit' }, 'service_update_name'],
    [
      { act: 'ip-access-list', service: SERVICES.scratch.id, sources: ['0.0.0.0/0'] },
      'service_update_ip_access_list',
    ],
    [{ act: 'delete', service: 'scratch' }, 'service_delete'],
    [{ act: 'member-joined', email: 'dora@example.com' }, 'organization_member_join'],
    [{ act: 'member-removed', email: 'dora@example.com' }, 'organization_member_delete'],
    [{ act: 'key-created', name: 'CI' }, 'key_create'],
    [{ act: 'key-deleted', key: KEYS.developer.id }, 'key_delete'],
    [{ act: 'backup-deleted', backup: '9a8b7c6d-5e4f-4a3b-8c2d-500000000002' }, 'backup_delete'],
    [{ act: 'invitation-deleted', email: 'dora@example.com' }, 'organization_invite_delete'],
  ];

  it.each(acts)("%j is recorded as that person's", async (act, type) => {
    const plane = await startCloud();
    const [id] = plane.console(act);
    plane.settableClock().advance('PT30S');
    const told = (await since(plane)).filter((row) => row.id === id);
    expect(told).toMatchObject([{ type, actorType: 'user', actorIpAddress: '198.51.100.44' }]);
  });

  it('changes the world', async () => {
    const plane = await startCloud();
    const { scratch, archive } = SERVICES;
    const state = async (id: string) => (await plane.ask(`GET ${SERVICES_PATH}/${id}`)).json;
    plane.console({ act: 'rename', service: 'scratch', name: 'sandpit' });
    plane.console({ act: 'ip-access-list', service: 'sandpit', sources: ['0.0.0.0/0'] });
    plane.console({ act: 'idle', service: 'sandpit' });
    expect((await state(scratch.id)).result).toMatchObject({
      name: 'sandpit',
      state: 'idle',
      ipAccessList: [{ source: '0.0.0.0/0' }],
    });
    plane.console({ act: 'fail', service: 'archive', state: 'degraded' });
    expect((await state(archive.id)).result).toMatchObject({ state: 'degraded' });
    plane.console({ act: 'delete', service: 'sandpit' });
    expect((await state(scratch.id)).result).toMatchObject({ state: 'terminating' });
    plane.settableClock().advance('PT1M');
    expect((await state(scratch.id)).status).toBe(404);
    plane.console({ act: 'key-deleted', key: KEYS.admin.id });
    expect((await state(archive.id)).status).toBe(401);
  });

  it('lets an invitation be accepted or deleted', async () => {
    const plane = await startCloud();
    plane.console({ act: 'member-joined', email: 'Dora@example.com' });
    expect((await rows(plane, `${ORGANIZATION}/invitations`)).map((row) => row.id)).toEqual([
      INVITATIONS.expired,
    ]);
    expect(plane.settings().members).toEqual(['dora@example.com']);
    expect(() => plane.console({ act: 'invitation-deleted', email: 'dora@example.com' })).toThrow(
      'email: is not invited',
    );
  });

  it('makes many records and services at once', async () => {
    const plane = await startCloud();
    plane.console({ act: 'services', count: 300 });
    plane.console({ act: 'many', count: 1_000, minutes: 30 });
    plane.settableClock().advance('PT30S');
    expect(await rows(plane, SERVICES_PATH)).toHaveLength(307);
    const from = 'from_date=2026-11-27T09:30:00.000Z';
    expect(await rows(plane, `${ACTIVITIES}?${from}`)).toHaveLength(1_300);
  });

  it('acts over HTTP too, and is told what does not fit', async () => {
    const plane = await startCloud();
    const act = (body: unknown) => send(plane.url, 'POST /sandbox/console', { body });
    expect((await act({ act: 'stop', service: 'scratch' })).status).toBe(200);
    expect((await act({ act: 'stop', service: 'none' })).json.error).toContain('there is no none');
    expect((await act({ act: 'dance' })).status).toBe(400);
  });
});
