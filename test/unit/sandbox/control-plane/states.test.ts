import { describe, expect, it } from 'vitest';
import { KEYS, SERVICES } from '../../../../src/sandbox/control-plane/seed.ts';
import { SMALL_SERVICE } from './bodies.ts';
import { ORGANIZATION, refusal, type Started, start } from './harness.ts';

const path = (id: string) => `PATCH ${ORGANIZATION}/services/${id}/state`;

function command(plane: Started, id: string, word: string) {
  return plane.ask(path(id), { body: { command: word } });
}

function stateOf(plane: Started, id: string): string | undefined {
  return plane.state().services.find((service) => service.id === id)?.state;
}

function pass(plane: Started, seconds: number): void {
  plane.settableClock().advance(seconds * 1000);
}

describe('states over time', () => {
  it('provisions in 150 seconds, or longer from a backup', async () => {
    const plane = await start();
    const route = `POST ${ORGANIZATION}/services`;
    const { service } = (await plane.ask(route, { body: SMALL_SERVICE })).json.result;
    pass(plane, 149);
    expect(stateOf(plane, service.id)).toBe('provisioning');
    pass(plane, 1);
    expect(stateOf(plane, service.id)).toBe('running');
  });

  it('stops in 15 seconds and starts in 20', async () => {
    const plane = await start();
    const { id } = SERVICES.scratch;
    expect((await command(plane, id, 'stop')).json.result).toMatchObject({ id, state: 'stopping' });
    pass(plane, 14);
    expect(stateOf(plane, id)).toBe('stopping');
    pass(plane, 1);
    expect(stateOf(plane, id)).toBe('stopped');
    expect((await command(plane, id, 'start')).json.result.state).toBe('starting');
    pass(plane, 20);
    expect(stateOf(plane, id)).toBe('running');
  });

  it('drops the coming state when a stop arrives during a start', async () => {
    const plane = await start();
    const { id } = SERVICES.reporting;
    await command(plane, id, 'start');
    pass(plane, 5);
    expect((await command(plane, id, 'stop')).json.result.state).toBe('stopping');
    pass(plane, 60);
    expect(stateOf(plane, id)).toBe('stopped');
  });

  it.each([
    ['start', SERVICES.analytics, 'running'],
    ['start', SERVICES.archive, 'idle'],
    ['start', SERVICES.staging, 'degraded'],
    ['stop', SERVICES.reporting, 'stopped'],
  ])('answers %s of %o with 200 and changes nothing', async (word, service, state) => {
    const plane = await start();
    const answer = await command(plane, service.id, word);
    expect(answer.json).toMatchObject({ status: 200, result: { id: service.id, state } });
    pass(plane, 3600);
    expect(stateOf(plane, service.id)).toBe(state);
    expect(plane.state().activities.filter((one) => one.userAgent === 'test/1.0')).toEqual([]);
  });

  it('stops an idle service and a provisioning one', async () => {
    const plane = await start();
    expect((await command(plane, SERVICES.archive.id, 'stop')).json.result.state).toBe('stopping');
    const route = `POST ${ORGANIZATION}/services`;
    const { service } = (await plane.ask(route, { body: SMALL_SERVICE })).json.result;
    expect((await command(plane, service.id, 'stop')).json.result.state).toBe('stopping');
  });

  it('refuses to stop a primary with secondaries, not the secondary', async () => {
    const plane = await start();
    const refused = await command(plane, SERVICES.core.id, 'stop');
    expect(refused.json).toMatchObject(
      refusal(
        'command',
        'the primary service of a warehouse cannot be stopped while it has secondary services',
      ),
    );
    expect(stateOf(plane, SERVICES.core.id)).toBe('running');
    expect((await command(plane, SERVICES.reader.id, 'stop')).status).toBe(200);
  });

  it('conflicts while stopping, and for a while after it when the settings say so', async () => {
    const plane = await start({ settings: { conflictAfterStopSeconds: 120 } });
    const { id } = SERVICES.scratch;
    await command(plane, id, 'stop');
    expect((await command(plane, id, 'stop')).json.result.state).toBe('stopping');
    expect((await command(plane, id, 'start')).json).toMatchObject({
      status: 409,
      error: 'CONFLICT: the service is stopping, start is not possible now',
    });
    pass(plane, 60);
    expect(stateOf(plane, id)).toBe('stopped');
    expect((await command(plane, id, 'start')).status).toBe(409);
    pass(plane, 120);
    expect((await command(plane, id, 'start')).status).toBe(200);
  });

  it('may show the state before the change', async () => {
    const plane = await start({ settings: { commandReply: 'before' } });
    expect((await command(plane, SERVICES.scratch.id, 'stop')).json.result.state).toBe('running');
    expect(stateOf(plane, SERVICES.scratch.id)).toBe('stopping');
  });

  it.each([
    [{ command: 'awake' }, 'command', 'must be one of start, stop'],
    [{}, 'command', 'is required'],
    [{ command: null }, 'command', 'must not be null, leave it out instead'],
    [{ command: 'stop', force: true }, 'force', 'is not a field that this request takes'],
  ])('refuses %j', async (body, field, words) => {
    const plane = await start();
    const answer = await plane.ask(path(SERVICES.scratch.id), { body });
    expect(answer.json).toMatchObject(refusal(field, words));
  });

  it('knows neither strangers nor terminated services', async () => {
    const plane = await start();
    for (const id of ['00000000-0000-4000-8000-000000000000', SERVICES.legacy.id]) {
      expect((await command(plane, id, 'stop')).json).toMatchObject({
        status: 404,
        error: 'NOT_FOUND: no service with this id',
      });
    }
    expect((await command(plane, 'scratch', 'stop')).json).toMatchObject(
      refusal('serviceId', 'must be a UUID'),
    );
  });

  it('keeps an activity record of each change, readable at once', async () => {
    const plane = await start();
    await command(plane, SERVICES.scratch.id, 'stop');
    const record = plane.state().activities.at(-1);
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      organizationId: expect.any(String),
      createdAt: '2026-11-27T10:00:00.000Z',
      type: 'service_stop',
      actorType: 'api',
      actorId: KEYS.admin.id,
      actorDetails: KEYS.admin.name,
      actorIpAddress: '127.0.0.1',
      serviceId: SERVICES.scratch.id,
      userAgent: 'test/1.0',
    });
    const answer = await plane.ask(`GET ${ORGANIZATION}/activities/${record?.id}`);
    expect(answer.json.result).toEqual(record);
    plane.changeSettings({ activityLagSeconds: 30 });
    expect((await plane.ask(`GET ${ORGANIZATION}/activities/${record?.id}`)).status).toBe(404);
  });
});
