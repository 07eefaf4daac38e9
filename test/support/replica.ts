/** A replica in a process of its own, whose clock its parent moves, and which dies where it is told to. */
import { subscribe } from 'node:diagnostics_channel';
import { knownActions, startSteward } from '../../src/app/app.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { createSettableClock } from '../../src/sandbox/control-plane/settable-clock.ts';
import { openHandle, type SqliteHandle } from '../../src/storage/database/sqlite-library.ts';
import { createRecordingLogger } from './recording-logger.ts';
import type { Death, Order } from './replicas.ts';

const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name, value]) => name !== 'REPLICA_NOW' && value !== undefined,
  ),
) as Record<string, string>;
const settable = createSettableClock({ start: process.env['REPLICA_NOW'] ?? '' });
/** It is asked for the time all along, also between any two rows that are written. */
const clock = {
  ...settable,
  now: () => {
    if (doom?.at === 'claimed' && hasClaim()) process.kill(process.pid, 'SIGKILL');
    if (freezes && hasClaim()) {
      freezes = false;
      process.kill(process.pid, 'SIGSTOP');
    }
    return settable.now();
  },
};
let ledger: SqliteHandle | undefined;
const { logger, lines } = createRecordingLogger();
let doom: Death | undefined;
let freezes = false;

for (const moment of ['create', 'headers'] as const) {
  subscribe(`undici:request:${moment}`, (message) => {
    const { request } = message as { readonly request: { readonly path: string } };
    // At once: nothing of it is kept, and nobody is told.
    if (doom?.at === moment && 'path' in doom && request.path.includes(doom.path))
      process.kill(process.pid, 'SIGKILL');
  });
}

const steward = await startSteward({
  configuration: loadConfiguration({ env, knownActions }),
  clock,
  env,
  logger,
});

function hasClaim(): boolean {
  const found = ledger?.prepare("select 1 from sleep_runs where state = 'claimed'").all([]);
  return found !== undefined && found.length > 0;
}

async function openLedger(): Promise<void> {
  ledger ??= await openHandle((env['DATABASE_URL'] ?? '').replace('sqlite:', ''));
}

async function look(): Promise<void> {
  await steward.housekeep();
  await steward.sleep();
}

async function obey(order: Order): Promise<unknown> {
  switch (order.do) {
    case 'set':
      return void clock.set(order.iso);
    case 'die':
      if (order.at === 'claimed') await openLedger();
      // Both at once: a timer of its own may come first.
      doom = order;
      clock.set(order.iso);
      // What the other one is at, such as its notice, may come first.
      for (let looks = 0; looks < 5; looks += 1) await look();
      return;
    case 'freeze':
      await openLedger();
      freezes = true;
      clock.set(order.iso);
      return await look();
    case 'look':
      return await look();
    case 'beat':
      return await steward.housekeep();
    case 'log':
      return lines.slice(-20).map((line) => JSON.stringify(line));
    case 'errors':
      return lines.filter(({ level }) => level === 'error').map((line) => JSON.stringify(line));
  }
}

process.on('message', (order: Order) => {
  void obey(order).then(
    (answer) => process.send?.({ answer }),
    (fault) => process.send?.({ fault: String(fault) }),
  );
});
process.on('disconnect', () => process.kill(process.pid));
process.send?.({ answer: 'ready' });
