import { describe, expect, it } from 'vitest';
import { CLOUD_ROUTES, ROUTES } from '../../../../src/sandbox/control-plane/http/routes.ts';
import type { ControlPlaneOptions } from '../../../../src/sandbox/control-plane/plane.ts';
import {
  ACME,
  CLOUD_DASHBOARDS,
  GLOBEX,
  INVITATIONS,
  KEYS,
  PIPES,
  ROLES,
  SERVICES,
} from '../../../../src/sandbox/control-plane/seed.ts';
import {
  answerProblems,
  CLOUD_OPERATIONS,
  requestProblems,
} from '../../../support/cloud-document.ts';
import { basic, ORGANIZATION, refusal, type Started, start } from './harness.ts';

const SERVICES_PATH = `${ORGANIZATION}/services`;
const ANALYTICS = `${SERVICES_PATH}/${SERVICES.analytics.id}`;
const DASHBOARDS = `${ANALYTICS}/clickstack/dashboards`;

type Row = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly type: string;
};

function startCloud(options: ControlPlaneOptions = {}): Promise<Started> {
  return start({ ...options, settings: { names: 'clickhouse', ...options.settings } });
}

/** The result, after the answer was held against the cloud's own description. */
async function result<T>(plane: Started, path: string): Promise<T> {
  const answer = await plane.ask(`GET ${path}`);
  const [bare = '', query] = path.split('?');
  const given = Object.fromEntries(new URLSearchParams(query));
  const exchange = { method: 'GET', path: bare, query: given, body: undefined };
  expect(requestProblems(exchange)).toEqual([]);
  expect(answerProblems(exchange, answer.status, answer.json)).toEqual([]);
  return answer.json.result as unknown as T;
}

const list = (plane: Started, path: string) => result<readonly Row[]>(plane, path);
const read = (plane: Started, path: string) => result<Row>(plane, path);
const names = (rows: readonly Row[]) => rows.map((row) => row.name);

const PATHS = [
  '/v1/organizations',
  `${ORGANIZATION}/roles`,
  SERVICES_PATH,
  ANALYTICS,
  `${ANALYTICS}/backups`,
  `${ORGANIZATION}/invitations`,
  `${ORGANIZATION}/activities`,
  `${ANALYTICS}/clickpipes`,
  `${ANALYTICS}/clickpipes/${PIPES.orders}`,
  DASHBOARDS,
  `${DASHBOARDS}/${CLOUD_DASHBOARDS.latency}`,
];

it('serves every path of the description and no other', () => {
  const served = [...ROUTES, ...CLOUD_ROUTES]
    .filter((route) => route.api === 'control')
    .map((route) => `${route.method} ${route.clickhousePath ?? route.path}`);
  expect(served.toSorted()).toEqual(CLOUD_OPERATIONS.toSorted());
});

describe('the reads of the cloud', () => {
  it.each(PATHS)('GET %s is as described, and unknown to the neutral API', async (path) => {
    const plane = await startCloud();
    await result(plane, path);
    expect((await plane.ask(`GET ${path}?page=2`)).json).toMatchObject(
      refusal('page', 'is not a query parameter of this request'),
    );
    expect((await plane.ask(`GET ${path}`, { authorization: null })).status).toBe(401);
    plane.changeSettings({ rateLimit: { limit: 2 } });
    expect((await plane.ask(`GET ${path}`)).status).toBe(429);
    plane.changeSettings({ names: 'neutral' });
    expect((await plane.ask(`GET ${path}`)).text).toContain('<!DOCTYPE html>');
  });

  it('show the organization of the key, its services and roles, and nothing of another', async () => {
    const plane = await startCloud();
    expect(await list(plane, '/v1/organizations')).toMatchObject([{ id: ACME.id, name: 'Acme' }]);
    const authorization = basic(KEYS.stranger);
    const path = `GET /v1/organizations/${GLOBEX.id}/services`;
    expect((await plane.ask(path, { authorization })).json.result).toEqual([]);
    expect((await plane.ask(`GET ${SERVICES_PATH}`, { authorization })).status).toBe(403);
    expect(names(await list(plane, `${ORGANIZATION}/roles`))).toContain('Analyst');
  });

  it('leave a terminated service out, and filter by tags, all of which have to hold', async () => {
    const plane = await startCloud();
    const all = names(await list(plane, SERVICES_PATH));
    expect(all).toContain('analytics');
    expect(all).not.toContain('legacy');
    const prod = names(await list(plane, `${SERVICES_PATH}?filter=tag:prod`));
    expect(prod).toEqual(['analytics', 'archive', 'core', 'reader']);
    const both = `${SERVICES_PATH}?filter=tag:prod&filter=tag:team=platform`;
    expect(await list(plane, both)).toEqual([]);
    expect((await plane.ask(`GET ${SERVICES_PATH}?filter=prod`)).json).toMatchObject(
      refusal('filter', 'must be a tag, such as tag:team=data'),
    );
  });

  it('show what was made after 1 to 3 seconds in a list, by its id at once', async () => {
    const plane = await startCloud();
    const made = await plane.ask(`POST ${SERVICES_PATH}`, {
      body: { name: 'reports', provider: 'aws', region: 'ca-central-1', tags: [{ key: 'dev' }] },
    });
    const { id } = made.json.result.service;
    expect(await read(plane, `${SERVICES_PATH}/${id}`)).toMatchObject({ state: 'provisioning' });
    expect(names(await list(plane, SERVICES_PATH))).not.toContain('reports');
    plane.settableClock().advance('PT3S');
    expect(names(await list(plane, SERVICES_PATH))).toContain('reports');
    plane.settableClock().advance('PT150S');
    expect(await read(plane, `${SERVICES_PATH}/${id}`)).toMatchObject({
      state: 'running',
      tags: [{ key: 'dev' }],
    });
  });

  it('show a new pipe go through its states', async () => {
    const plane = await startCloud();
    const states = async () =>
      (await list(plane, `${ANALYTICS}/clickpipes`)).map((pipe) => [pipe.name, pipe.state]);
    expect(await states()).toEqual([
      ['orders', 'Running'],
      ['clickstream', 'Running'],
    ]);
    const other = `${SERVICES_PATH}/${SERVICES.scratch.id}/clickpipes/${PIPES.orders}`;
    expect((await plane.ask(`GET ${other}`)).status).toBe(404);
  });

  it('delete a dashboard of its service once, without a result', async () => {
    const plane = await startCloud();
    const path = `${DASHBOARDS}/${CLOUD_DASHBOARDS.unused}`;
    const elsewhere = path.replace(SERVICES.analytics.id, SERVICES.scratch.id);
    expect((await plane.ask(`DELETE ${elsewhere}`)).status).toBe(404);
    const { status, json } = await plane.ask(`DELETE ${path}`);
    expect(answerProblems({ method: 'DELETE', path }, status, json)).toEqual([]);
    expect(json).not.toHaveProperty('result');
    expect((await plane.ask(`DELETE ${path}`)).status).toBe(404);
    expect((await plane.ask(`DELETE ${DASHBOARDS}/latency`)).status).toBe(400);
    expect(names(await list(plane, DASHBOARDS))).toEqual(['Latency', 'Errors']);
  });

  it('invite with roles of the organization, and show them by name', async () => {
    const plane = await startCloud();
    const invite = (body: unknown) => plane.ask(`POST ${ORGANIZATION}/invitations`, { body });
    const email = 'ben@example.com';
    expect((await invite({ email, assignedRoleIds: ['none'] })).json).toMatchObject(
      refusal('assignedRoleIds.0', 'must be a role of this organization'),
    );
    const made = await invite({ email, assignedRoleIds: [ROLES.analyst] });
    const path = `${ORGANIZATION}/invitations`;
    expect(answerProblems({ method: 'POST', path }, made.status, made.json)).toEqual([]);
    expect(made.json.result).toMatchObject({
      assignedRoles: [{ roleId: ROLES.analyst, roleName: 'Analyst', roleType: 'custom' }],
    });
    plane.settableClock().advance('PT3S');
    expect((await list(plane, path)).map((row) => row.id)).toEqual([
      ...Object.values(INVITATIONS),
      made.json.result.id,
    ]);
  });
});

describe('the command awake', () => {
  const command = (plane: Started, service: string, name: string) =>
    plane.ask(`PATCH ${SERVICES_PATH}/${service}/state`, { body: { command: name } });

  it('wakes an idle service, where start does nothing', async () => {
    const plane = await startCloud();
    const { id } = SERVICES.archive;
    expect((await command(plane, id, 'start')).json.result).toMatchObject({ state: 'idle' });
    expect((await command(plane, id, 'awake')).json.result).toMatchObject({ state: 'awaking' });
    plane.settableClock().advance('PT30S');
    expect(await read(plane, `${SERVICES_PATH}/${id}`)).toMatchObject({ state: 'running' });
    expect((await command(plane, id, 'awake')).json.result).toMatchObject({ state: 'running' });
  });

  it('is none of the neutral API', async () => {
    const plane = await start();
    expect((await command(plane, SERVICES.archive.id, 'awake')).status).toBe(400);
  });
});

describe('the create request of the cloud', () => {
  const create = (plane: Started, more: object) =>
    plane.ask(`POST ${SERVICES_PATH}`, {
      body: { name: 'x', provider: 'aws', region: 'us-east-1', ...more },
    });

  it.each([
    [{ minReplicas: 2 }, 'minReplicas', 'needs autoscalingMode horizontal'],
    [{ autoscalingMode: 'horizontal', minReplicas: 2 }, 'maxReplicas', 'is required when'],
    [{ tags: [{ key: 'a b' }] }, 'tags.0.key', 'must be letters'],
    [{ region: 'me-central-1' }, 'region', 'must be one of'],
    [{ profile: 'v1-highcpu-s' }, 'profile', 'must be one of'],
  ])('refuses %j', async (more, field, words) => {
    const plane = await startCloud();
    const { json } = await create(plane, more);
    expect(json.error).toContain(`BAD_REQUEST: ${field}: ${words}`);
  });

  it('takes what the neutral API does not', async () => {
    const plane = await startCloud();
    const more = { autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 4 };
    const made = await create(plane, more);
    const path = SERVICES_PATH;
    expect(answerProblems({ method: 'POST', path }, made.status, made.json)).toEqual([]);
    expect(made.json.result.service).toMatchObject(more);
    plane.changeSettings({ names: 'neutral' });
    expect((await create(plane, more)).status).toBe(400);
  });
});
