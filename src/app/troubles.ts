import { DateTime } from 'luxon';
import { z } from 'zod';
import { digestOf } from '../core/operation/operation.ts';
import type { Clock, Logger } from '../core/ports/ports.ts';
import { TROUBLE_KINDS, type Trouble, type Troubles } from '../core/ports/troubles.ts';
import type { CurrentSettings } from '../core/settings/settings.ts';
import { createSlackWatch } from '../slack/web/slack-watch.ts';
import type { Instance } from '../storage/instances.ts';

/** The same trouble is logged this often at most. */
const LOGGED_EVERY = { minutes: 1 };
/** Slack says for how long; it is over by itself, without an answer that shows it. */
const LIMIT_LASTS = { minutes: 1 };

export type Surroundings = ReturnType<typeof createSurroundings>;

/** What this process knows of the world around it, and tells. */
export function createSurroundings(
  parts: Readonly<{ settings: CurrentSettings; clock: Clock; logger: Logger }>,
) {
  const troubles = createTroubles(parts.clock, parts.logger);
  return {
    troubles,
    watch: createSlackWatch(troubles, parts.clock),
    report: createReport(troubles, parts.settings),
    revocation: createRevocation(parts.logger),
  };
}

/** Remembers troubles in this process and says each in one log line a minute. */
function createTroubles(clock: Clock, logger: Logger): Troubles {
  const known = new Map<string, Trouble>();
  const logged = new Map<string, DateTime>();
  return {
    note(kind, subject) {
      const key = `${kind} ${subject}`;
      const now = clock.now();
      const before = known.get(key);
      known.set(key, { kind, subject, since: before?.since ?? now.toISO(), seen: now.toISO() });
      const last = logged.get(key);
      if (last !== undefined && now < last.plus(LOGGED_EVERY)) return;
      logged.set(key, now);
      logger.warn({ event: 'trouble', kind, subject }, 'something around Steward is wrong');
    },
    clear(kind, subject) {
      if (!known.delete(`${kind} ${subject}`)) return;
      logger.info({ event: 'trouble-over', kind, subject }, 'what was wrong is over');
    },
    all() {
      const limitsFrom = clock.now().minus(LIMIT_LASTS);
      return [...known.values()].filter(
        ({ kind, seen }) => kind !== 'rate-limit' || DateTime.fromISO(seen) > limitsFrom,
      );
    },
  };
}

const report = z.object({
  rules: z.string(),
  troubles: z.array(
    z.object({
      kind: z.enum(TROUBLE_KINDS),
      subject: z.string(),
      since: z.string(),
      seen: z.string(),
    }),
  ),
});

/** What this process tells the others of itself with each beat; of the rules only a digest. */
function createReport(troubles: Troubles, settings: CurrentSettings) {
  const rules = () => {
    const { credentials: _secret, organizations: _keys, ...said } = settings.get();
    return digestOf('rules', said);
  };
  return {
    own: () => ({ rules: rules(), troubles: troubles.all() }),
    /** Of all: the own ones, those that others have and that differ, and whose rules are not ours. */
    all: async (
      instance: Pick<Instance, 'othersSaid'>,
      clock: Clock,
    ): Promise<readonly Trouble[]> => {
      const own = troubles.all();
      const others = (await instance.othersSaid()).flatMap(
        (said) => report.safeParse(said).data ?? [],
      );
      const now = clock.now().toISO();
      const differ = others.some((other) => other.rules !== rules());
      const elsewhere = others.flatMap((other) => other.troubles);
      const known = new Map(
        [...elsewhere, ...own].map((one) => [`${one.kind} ${one.subject}`, one]),
      );
      const apart: Trouble = { kind: 'rules-differ', subject: '', since: now, seen: now };
      return [...known.values(), ...(differ ? [apart] : [])];
    },
  };
}

/** That Slack takes the token no more is said once. */
function createRevocation(logger: Logger) {
  let isRevoked = false;
  let resolve: (error: string) => void = () => undefined;
  const revoked = new Promise<string>((done) => {
    resolve = done;
  });
  return {
    revoked,
    isRevoked: () => isRevoked,
    note: (error: string): void => {
      if (isRevoked) return;
      isRevoked = true;
      logger.error({ event: 'revoked', error }, 'Slack takes the bot token no more');
      resolve(error);
    },
  };
}
