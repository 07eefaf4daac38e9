import type { ServiceRecord } from '../core/cloud/service.ts';
import type { ListedDirectory, ListedService } from '../core/ports/follow.ts';
import type { Clock, Directory, Logger } from '../core/ports/ports.ts';
import type { Sights } from '../core/ports/sight.ts';

export type SeenDirectory = Directory & {
  /** Has every cloud list its services, in the background of people's requests. Throws nothing. */
  refresh(): Promise<void>;
};

export type SeenDirectoryOptions = {
  readonly stored: ListedDirectory;
  readonly sights: Sights;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** A list that is no older is taken as it is, where a person asks. */
const FRESH_MS = 10_000;
/** In the background: what the console changed is known after so long. */
const STALE_MS = 5 * 60_000;
/** A cloud that does not answer holds a person back no longer than this. */
const PATIENCE_MS = 3_000;

/**
 * The directory that fills itself where clouds list their services. Looking never throws and never
 * holds a command back: what nobody could look at stays as it was last known. Design: §14.
 */
export function createSeenDirectory(options: SeenDirectoryOptions): SeenDirectory {
  const { stored, sights, clock, logger } = options;
  const running = new Map<string, Promise<void>>();

  async function list(organization: string, priority: 'person' | 'background'): Promise<void> {
    const seen = await sights.of(organization)?.services({ priority });
    if (seen?.kind === 'seen') await stored.keepList(organization, seen.value.flatMap(listed));
  }

  /** One look at a time: who asks meanwhile waits for the same. */
  function listOnce(organization: string, priority: 'person' | 'background'): Promise<void> {
    const under = running.get(organization);
    if (under !== undefined) return under;
    const look = list(organization, priority)
      .catch((cause) => logger.warn({ organization, cause }, 'a list of services was not kept'))
      .finally(() => running.delete(organization));
    running.set(organization, look);
    return look;
  }

  async function listOlderThan(ageMs: number, priority: 'person' | 'background'): Promise<void> {
    const before = clock.now().minus(ageMs).toISO();
    await Promise.all(
      sights.organizations().map(async (organization) => {
        const at = await stored.listedAt(organization).catch(() => undefined);
        if (at === undefined || at <= before) await listOnce(organization, priority);
      }),
    );
  }

  async function askFor(id: string): Promise<void> {
    for (const organization of sights.organizations()) {
      const seen = await sights.of(organization)?.service(id, { priority: 'person' });
      if (seen?.kind === 'seen') {
        return await stored.keepOne(organization, { ...toListed(seen.value), id });
      }
    }
    // What is not shown by itself may be in a newer list.
    await listOlderThan(FRESH_MS, 'person');
  }

  /** Whether there was anything to look at; what comes later than somebody waits is kept all the same. */
  async function patiently(looking: () => Promise<void>): Promise<boolean> {
    if (sights.organizations().length === 0) return false;
    const done = new AbortController();
    const late = clock.sleep(PATIENCE_MS, done.signal).catch(() => undefined);
    const looked = looking().catch((cause) =>
      logger.warn({ cause }, 'what a cloud shows was not kept'),
    );
    await Promise.race([looked, late]);
    done.abort();
    return true;
  }

  return {
    list: stored.list,
    note: stored.note,
    refresh: () => listOlderThan(STALE_MS, 'background'),
    look: () => patiently(() => listOlderThan(FRESH_MS, 'person')),
    ask: (id) => patiently(() => askFor(id)),
  };
}

function listed(service: ServiceRecord): readonly ListedService[] {
  const { id } = service;
  return id === undefined ? [] : [{ ...toListed(service), id: id.toLowerCase() }];
}

function toListed({ name, state, tags = [] }: ServiceRecord): Omit<ListedService, 'id'> {
  const words = tags.flatMap(({ key, value }) =>
    key === undefined ? [] : [value === undefined ? key : `${key}:${value}`],
  );
  return { name, state, tags: words };
}
