import { createServer } from 'node:http';
import { consoleAct } from './console/acts.ts';
import { performConsole } from './console/perform.ts';
import { Faults } from './faults.ts';
import type { ApiContext } from './http/api.ts';
import { createListener } from './http/listener.ts';
import { RateLimiter } from './http/rate-limiter.ts';
import { RequestLog } from './http/request-log.ts';
import type { ControlPlane, ControlPlaneOptions, ControlPlaneParts } from './plane.ts';
import { ACME, BEARER, KEYS } from './seed.ts';
import { type Clock, createSettableClock, type SettableClock } from './settable-clock.ts';
import { changeSettings, DEFAULT_SETTINGS, settingsChange } from './settings.ts';
import { createSeed } from './state/seed-data.ts';
import { dumpWorld, World } from './state/world.ts';

/**
 * Starts the stand-in of the control API on loopback. Rejects when the port is taken.
 * Spec: Endpoints. Design: §11
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const clock = options.clock ?? createSettableClock();
  const parts = createParts(clock, options);
  const server = createServer(
    // A client on a busy machine may come back late to a connection that it thinks is open.
    { keepAliveTimeout: 60_000 },
    createListener(parts.plane, parts.context, parts.log),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    ...parts.plane,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createParts(clock: Clock, options: ControlPlaneOptions) {
  const seed = options.seed ?? ((from: Clock) => createSeed(from.now()));
  const initial = changeSettings(DEFAULT_SETTINGS, options.settings ?? {});
  const keys = options.keys ?? Object.values(KEYS);
  const tokens = options.tokens ?? [BEARER];
  const faults = new Faults();
  const limiter = new RateLimiter();
  const log = new RequestLog();
  let world = new World(seed(clock), initial);
  const plane: ControlPlaneParts = {
    clock,
    faults,
    settableClock: () => {
      if (!isSettable(clock)) throw new Error('The clock of this stand-in cannot be set.');
      return clock;
    },
    settings: () => world.settings,
    changeSettings: (change) => {
      world.settings = changeSettings(world.settings, settingsChange.parse(change));
      return world.settings;
    },
    planCosts: (plan) => world.costs.plan(plan),
    console: (act) =>
      performConsole(consoleAct.parse(act), {
        world,
        now: clock.now().plus({ seconds: world.settings.clockAheadSeconds }),
        organizationId: ACME.id,
      }),
    requests: () => log.list(),
    state: () => dumpWorld(world, clock.now()),
    reset: () => {
      world = new World(seed(clock), initial);
      faults.clear();
      limiter.clear();
      log.clear();
    },
  };
  const context = (): ApiContext => ({ world, clock, keys, tokens, limiter });
  return { plane, context, log };
}

function isSettable(clock: Clock): clock is SettableClock {
  return 'advance' in clock && 'set' in clock;
}
