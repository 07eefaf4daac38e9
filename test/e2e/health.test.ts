import { afterEach, expect, it } from 'vitest';
import { knownActions, startSteward } from '../../src/app/app.ts';
import { systemClock } from '../../src/app/clock.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { freePort } from '../support/free-port.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
afterEach(() => world.close());

it('counts requests by operation and outcome, and the connections from Slack', async () => {
  const port = await freePort();
  world = await startWorld({ env: { HEALTH_PORT: String(port) } });
  const ana = world.as('ana').in('#ops');
  await ana.command('/db start reporting');
  await ana.expectMessage(/asked reporting to start/);
  await ana.command('/db stop nothing');
  await ana.expectEphemeral(/No service named nothing/);
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toMatch(/steward_requests_total\{operation="service.start",outcome="done"\} 1/);
  expect(text).toMatch(/steward_requests_total\{operation="service.stop",outcome="invalid"\} 1/);
  expect(text).toMatch(/steward_request_duration_seconds_count\{operation="service.start"\} 1/);
  expect(text).toMatch(/steward_slack_connections [12]/);
  expect(text).not.toContain('U01ANA');
  const health = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect([health.status, await health.json()]).toEqual([
    200,
    { ok: true, problems: [], warnings: [] },
  ]);
});

it('warns of a second process on the same SQLite database, which status counts', async () => {
  world = await startWorld();
  expect(world.logs.some(({ fields }) => fields['event'] === 'not-alone')).toBe(false);
  const { logger, lines } = createRecordingLogger();
  const configuration = loadConfiguration({ env: world.env, knownActions });
  const second = await startSteward({ configuration, clock: systemClock, logger });
  try {
    expect(lines.find(({ fields }) => fields['event'] === 'not-alone')).toMatchObject({
      level: 'warn',
      fields: { others: 1 },
    });
    const ana = world.as('ana').in('#ops');
    await ana.command('/db status');
    await ana.expectEphemeral(/1 more on the same database/);
  } finally {
    await second.stop();
  }
});
