import { connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { knownActions, startSteward } from '../../src/app/app.ts';
import { systemClock } from '../../src/app/clock.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { freePort } from '../support/free-port.ts';
import { silentLogger as logger } from '../support/silent-logger.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

let world: StewardWorld;
const relays: Server[] = [];

afterEach(async () => {
  for (const relay of relays.splice(0)) relay.close();
  await world.close();
});

/** The same port of [::1], handed on to the stand-in, which listens on 127.0.0.1 alone. */
async function onSix(address: string): Promise<string> {
  const port = Number(new URL(address).port);
  const relay = createServer((socket) => {
    const far = connect(port, '127.0.0.1');
    socket.pipe(far).pipe(socket);
    for (const each of [socket, far]) each.on('error', () => socket.destroy());
  });
  relays.push(relay);
  await new Promise<void>((resolve, reject) => {
    relay.once('error', reject).listen({ port, host: '::1', ipv6Only: true }, resolve);
  });
  return address.replace('127.0.0.1', '[::1]');
}

const hasSix = Object.values(networkInterfaces())
  .flat()
  .some((each) => each?.address === '::1');

describe.skipIf(!hasSix)('IPv6', () => {
  it('reaches Slack and the API at [::1], and answers on both families', async () => {
    const port = String(await freePort());
    const healthPort = String(await freePort());
    world = await startWorld({ mode: 'http', env: { PORT: port, HEALTH_PORT: healthPort } });
    for (const host of ['127.0.0.1', '[::1]']) {
      expect((await fetch(`http://${host}:${healthPort}/healthz`)).status).toBe(200);
      // Unsigned, so refused, but by Bolt.
      const events = await fetch(`http://${host}:${port}/slack/events`, { method: 'POST' });
      expect(events.status).toBe(401);
    }
    const ports = { PORT: String(await freePort()), HEALTH_PORT: String(await freePort()) };
    const env = {
      ...{ ...world.env, ...ports },
      SLACK_API_URL: await onSix(world.workspace.apiUrl),
      CONTROL_API_URL: await onSix(world.plane.url),
    };
    const configuration = loadConfiguration({ env, knownActions });
    const six = await startSteward({ configuration, clock: systemClock, logger });
    try {
      world.workspace.setBotUrl(`http://127.0.0.1:${ports.PORT}`);
      const ana = world.as('ana').in('#ops');
      await ana.command('/db start reporting');
      await ana.expectMessage(/asked reporting to start/);
    } finally {
      await six.stop();
    }
  });
});
