import { createServer } from 'node:net';

/** Below the ports that systems hand out for `listen(0)`, so that no other server of a test gets it. */
const FIRST = 12_000;
const EACH_WORKER = 1_000;
let next = 0;

/**
 * A port for a server that must know it beforehand. Every worker of vitest has a range of its own:
 * a port that was merely free a moment ago could by now be another worker's.
 */
export async function freePort(): Promise<number> {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % 16;
  for (let tries = 0; tries < EACH_WORKER; tries += 1) {
    const port = FIRST + worker * EACH_WORKER + (next % EACH_WORKER);
    next += 1;
    if (await isFree(port)) return port;
  }
  throw new Error('No port is free.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
