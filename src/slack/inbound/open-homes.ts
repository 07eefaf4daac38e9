import { z } from 'zod';
import type { Pending } from '../../core/ports/pending.ts';
import type { Actor } from '../../core/ports/ports.ts';
import { ownerOf, type SlackDeps } from '../outbound/deps.ts';

/** Whoever comes back later opens it anew, which draws it. */
const LATELY_MS = 60 * 60_000;
/** Of those who opened theirs lately so many are looked at for each change, the last ones first. */
const CONSIDERED = 20;
const MINUTE_MS = 60_000;
/** Each costs a call of Slack, and perhaps a few look-ups: what comes beyond it waits. */
const PER_MINUTE = 30;

const KEY = 'home:';
const kept = z.object({ userId: z.string(), teamId: z.string(), at: z.string() });

/** Draws somebody's; throws nothing. */
type Publish = (actor: Actor, deps: SlackDeps) => Promise<void>;

export type OpenHomes = {
  /** Somebody looks at theirs. Throws nothing. */
  opened(actor: Actor): Promise<void>;
  /** A request began or ended. Throws nothing. */
  changed(pending: string): Promise<void>;
};

/**
 * The App Homes that people opened lately, on any replica: a request that begins or ends is drawn
 * there for who asked and for those who may approve it. Design: §10.
 */
export function createOpenHomes(deps: SlackDeps, publish: Publish): OpenHomes {
  const draw = createPainter(deps, publish);
  return {
    opened: async (actor) => {
      const { userId, teamId } = actor;
      const at = deps.clock.now().toISO();
      await deps.memory
        .set(`${KEY}${ownerOf(actor)}`, { userId, teamId, at })
        .catch((cause) => deps.logger.info({ cause }, 'an opened App Home was not kept'));
    },
    changed: async (id) => {
      try {
        const pending = await deps.pending.get(id);
        if (pending === undefined) return;
        for (const actor of await concerned(pending, deps)) draw(actor);
      } catch (cause) {
        deps.logger.info({ cause }, 'App Homes were not drawn again');
      }
    },
  };
}

async function concerned(pending: Pending, deps: SlackDeps): Promise<readonly Actor[]> {
  const since = deps.clock.now().minus({ milliseconds: LATELY_MS }).toISO();
  const lately = [...(await deps.memory.list(KEY)).values()]
    .flatMap((value) => kept.safeParse(value).data ?? [])
    .filter(({ at }) => at > since)
    .toSorted((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, CONSIDERED);
  const actors = await Promise.all(
    lately.map(async ({ userId, teamId }): Promise<readonly Actor[]> => {
      const actor = { userId, teamId };
      if (userId === pending.actor.userId) return [actor];
      const may = await deps.policy.isOneOf(actor, pending.approvers);
      return may === 'yes' ? [actor] : [];
    }),
  );
  return actors.flat();
}

/** One after another; what changes while somebody's waits is drawn with it. */
function createPainter(deps: SlackDeps, publish: Publish): (actor: Actor) => void {
  const waiting = new Map<string, Actor>();
  const drawn: number[] = [];
  let running = false;

  async function drain(): Promise<void> {
    for (let next = first(waiting); next !== undefined; next = first(waiting)) {
      const [key, actor] = next;
      await turn();
      waiting.delete(key);
      await deps.track(publish(actor, deps));
    }
    running = false;
  }

  async function turn(): Promise<void> {
    const oldest = drawn.length < PER_MINUTE ? undefined : drawn.shift();
    const wait = oldest === undefined ? 0 : oldest + MINUTE_MS - deps.clock.monotonic();
    if (wait > 0) await deps.clock.sleep(wait);
    drawn.push(deps.clock.monotonic());
  }

  return (actor) => {
    waiting.set(ownerOf(actor), actor);
    if (running) return;
    running = true;
    void drain();
  };
}

function first<K, V>(map: ReadonlyMap<K, V>): readonly [K, V] | undefined {
  return map.entries().next().value;
}
