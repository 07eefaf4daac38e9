import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { BUILT } from './build.ts';

/** A supervisor starts what Slack did not let start; so many times in a row it is a fault of ours. */
const STARTS = 12;

export type Bot = {
  readonly isReady: () => boolean;
  /** Rejects where the process ends before. */
  ready(): Promise<void>;
  kill(): Promise<void>;
  /** SIGTERM; how it ended, and after how many ms. */
  terminate(): Promise<{ readonly code: number | null; readonly inMs: number }>;
};

/** Every process of a run, and their last lines: kept where a run finds a fault. */
export type Log = { readonly lines: string[]; readonly children: Set<ChildProcess> };

/** A run that failed leaves none behind. */
export function killAll({ children }: Log): void {
  for (const child of children) end(child, 'SIGKILL');
}

/** The bot as operators start it. */
export function launch(env: Readonly<Record<string, string>>, log: Log): Bot {
  const child = spawn(process.execPath, [BUILT, 'start'], {
    // Whatever it keeps beside the process belongs to the run.
    cwd: dirname(env['STEWARD_CONFIG'] ?? '.'),
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  log.children.add(child);
  child.once('exit', () => log.children.delete(child));
  let isReady = false;
  const note = (line: string): void => {
    log.lines.push(`${child.pid} ${line}`);
    if (log.lines.length > 20_000) log.lines.splice(0, 5_000);
  };
  createInterface({ input: child.stderr }).on('line', note);
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      note(line);
      if (!line.includes('"event":"ready"')) return;
      isReady = true;
      resolve();
    });
    child.once('exit', (code, signal) => reject(new Error(`It ended: ${code ?? signal}.`)));
  });
  ready.catch(() => undefined);
  return {
    isReady: () => isReady && child.exitCode === null && child.signalCode === null,
    ready: () => ready,
    kill: async () => {
      end(child, 'SIGKILL');
      await ended;
    },
    terminate: async () => {
      const since = performance.now();
      end(child, 'SIGTERM');
      const [code] = await ended;
      return { code, inMs: performance.now() - since };
    },
  };
}

function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): void {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
}

/** Started as by a supervisor: again where Slack refused what the start needs. */
export async function launched(env: Readonly<Record<string, string>>, log: Log): Promise<Bot> {
  for (let starts = 1; ; starts += 1) {
    const bot = launch(env, log);
    try {
      await bot.ready();
      return bot;
    } catch (cause) {
      if (starts === STARTS) throw new Error('The bot does not start.', { cause });
    }
  }
}
