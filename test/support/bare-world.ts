import { SERVICES } from '../../src/sandbox/control-plane/seed.ts';
import { type BareCloud, bareService, type Raw, startBareCloud } from './bare-cloud.ts';
import { allowEverything } from './permissive.ts';
import type { Person } from './person.ts';
import { createRunningClock, type RunningClock } from './settable-clock.ts';
import { type StewardWorld, startWorld } from './steward-world.ts';

export type BareWorld = {
  readonly clock: RunningClock;
  readonly cloud: BareCloud;
  readonly world: StewardWorld;
  readonly ana: Person;
  readonly audit: Person;
  /** So much time is over, and what is due is looked at and told. */
  later(seconds: number): Promise<void>;
  /** Commands `/db stop` and presses; the message that tells of it stands. */
  stop(name: string): Promise<void>;
  isTold(word: string, name: string): Promise<void>;
  /** In the record of a service. */
  set(service: { readonly id: string }, more: Raw): void;
  /** Somebody did it just now, by the cloud's clock so many seconds ahead. */
  did(type: string, more?: Raw, aheadSeconds?: number): void;
  close(): Promise<void>;
};

/** The bot before a cloud that says no more than the interface description requires. */
export async function startBareWorld(
  settings: (yaml: string) => string = (yaml) =>
    allowEverything(yaml).replace('channel: C0AUDIT', 'channel: C0AUDIT, watch: true'),
): Promise<BareWorld> {
  const clock = createRunningClock();
  const cloud = await startBareCloud();
  cloud.services = Object.values(SERVICES)
    .filter(({ name }) => name !== 'legacy')
    .map(({ id, name }) => bareService(id, { name, state: 'running' }));
  const env = { CONTROL_API_URL: cloud.url };
  const world = await startWorld({ names: 'clickhouse', clock, env, settings });
  const ana = world.as('ana').in('#ops');
  const audit = world.as('ben').in('#audit');
  let deeds = 0;

  async function isTold(word: string, name: string): Promise<void> {
    await ana.expectMessage(new RegExp(`@ana asked ${name} to ${word}`));
    // It links to the message: where that stands is kept by then.
    await audit.expectMessage(new RegExp(`service\\.${word}[\\s\\S]*${name}[\\s\\S]*message`));
  }

  return {
    ...{ clock, cloud, world, ana, audit, isTold },
    later: async (seconds) => {
      clock.pass(seconds * 1_000);
      await world.steward.look();
      await world.steward.housekeep();
    },
    stop: async (name) => {
      await ana.command(`/db stop ${name}`);
      await ana.click(`Stop ${name}`);
      await isTold('stop', name);
    },
    set: ({ id }, more) => {
      cloud.services = cloud.services.map((one) => (one['id'] === id ? { ...one, ...more } : one));
    },
    did: (type, more = {}, aheadSeconds = 0) => {
      deeds += 1;
      const id = `65f1c0a2b3c4d5e6f7${String(deeds).padStart(6, '0')}`;
      const createdAt = clock.now().plus({ seconds: aheadSeconds }).toISO();
      cloud.activities = [...cloud.activities, { id, createdAt, type, ...more }];
    },
    close: async () => {
      await world.close();
      await cloud.close();
    },
  };
}
