import { createTask, type RunCoordinator, type ScheduledTask, type TaskOptions } from 'node-cron';
import type { ScheduledDigest } from '../../core/ports/digests.ts';
import type { Logger } from '../../core/ports/ports.ts';

export type DigestCronOptions = {
  readonly list: () => Promise<readonly ScheduledDigest[]>;
  readonly tick: () => Promise<void>;
  /** One of the replicas runs each fire. */
  readonly coordinator: RunCoordinator;
  readonly logger: Logger;
  /** Milliseconds from the start to the first look. */
  readonly firstLookMs?: number | undefined;
};

export type DigestCron = {
  /** Resolves when the first tasks stand; the first tick follows. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** What no fire of node-cron brought is found by looking: after downtime, sleep or a lost winner. */
const LOOK_EVERY_MS = 5 * 60_000;
/** node-cron drops a fire that is later than this: 1 s by default. */
const TOLERANCE_MS = 15 * 60_000;
/** People are served first after a start. */
const FIRST_LOOK_MS = 3_000;

/**
 * Fires the runner at the local time of each channel and every five minutes. It decides nothing:
 * a fire that is lost, doubled or wrong changes only when the runner looks. Design: §9.
 */
export function createDigestCron(options: DigestCronOptions): DigestCron {
  const tasks = new Map<string, ScheduledTask>();
  const timers: NodeJS.Timeout[] = [];
  const look = async (): Promise<void> => {
    await options.tick();
    await align(tasks, options);
  };
  const safely = (): void => {
    look().catch((cause: unknown) => {
      options.logger.error({ cause }, 'the schedule of cost summaries could not be read');
    });
  };
  return {
    start: async () => {
      await align(tasks, options);
      const first = options.firstLookMs ?? FIRST_LOOK_MS;
      timers.push(setTimeout(safely, first), setInterval(safely, LOOK_EVERY_MS));
      for (const timer of timers) timer.unref();
    },
    stop: async () => {
      for (const timer of timers.splice(0)) clearInterval(timer);
      for (const task of tasks.values()) await task.destroy();
      tasks.clear();
    },
  };
}

/** One task for each channel as its schedule is now. */
async function align(tasks: Map<string, ScheduledTask>, options: DigestCronOptions): Promise<void> {
  const wanted = new Map(
    (await options.list())
      .filter(({ enabled, paused }) => enabled && paused === undefined)
      .map((scheduled) => [nameOf(scheduled), scheduled]),
  );
  for (const [name, task] of tasks) {
    if (wanted.has(name)) continue;
    await task.destroy();
    tasks.delete(name);
  }
  for (const [name, { digest }] of wanted) {
    if (tasks.has(name)) continue;
    const [hour = '9', minute = '0'] = digest.at.split(':');
    const task = createTask(`${Number(minute)} ${Number(hour)} * * *`, () => options.tick(), {
      name,
      timezone: digest.zone,
      distributed: true,
      runCoordinator: options.coordinator,
      missedExecutionTolerance: TOLERANCE_MS,
      logger: ownLines(options.logger),
      noOverlap: true,
      unref: true,
    });
    await task.start();
    tasks.set(name, task);
  }
}

/** The own lines of node-cron, which would go to the console in another shape. */
function ownLines(logger: Logger): NonNullable<TaskOptions['logger']> {
  const from = 'node-cron';
  return {
    debug: () => undefined,
    info: (message) => logger.debug({ from }, message),
    warn: (message) => logger.warn({ from }, message),
    error: (thrown, cause) => {
      if (typeof thrown === 'string') logger.error({ from, cause }, thrown);
      else logger.error({ from, cause: thrown }, 'a task of the cost summaries failed');
    },
  };
}

/** Holds the time too: a changed schedule is another task. */
function nameOf({ channel, digest }: ScheduledDigest): string {
  return `digest ${channel} ${digest.at} ${digest.zone}`;
}
