import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** What a replica is asked, one after the other. */
export type Order =
  | { readonly do: 'set'; readonly iso: string }
  /**
   * A look at a moment, with SIGKILL right before a request to such a path leaves, or when its answer begins;
   * `claimed`: when the ledger says so of a service, and nothing else says anything (over SQLite).
   */
  | ({ readonly do: 'die'; readonly iso: string } & Death)
  /** A look at a moment that stands still (SIGSTOP) once the ledger says `claimed`, until `thaws`. */
  | { readonly do: 'freeze'; readonly iso: string }
  | { readonly do: 'look' }
  /** Says that it is there. */
  | { readonly do: 'beat' }
  | { readonly do: 'errors' }
  /** The last lines of its log. */
  | { readonly do: 'log' };

export type Death =
  | { readonly at: 'create' | 'headers'; readonly path: string }
  | { readonly at: 'claimed' };

export type Replica = {
  ask(order: Order): Promise<unknown>;
  /** A look that it does not survive; rejects where it does. */
  dies(iso: string, death: Death): Promise<void>;
  /** A look that stands still; `thaws` lets it go on to its end. */
  freezes(iso: string): { thaws(): Promise<unknown> };
  stop(): Promise<void>;
};

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** As deep in the house as what it reads beside itself expects. */
const PROGRAM = file('../../node_modules/.steward-replica/replica.js');

/** As plain JavaScript it starts in a fifth of the time that tsx takes. */
export async function buildReplica(): Promise<void> {
  await build({
    entryPoints: [file('replica.ts')],
    outfile: PROGRAM,
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' },
    external: ['better-sqlite3', 'pg-native'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
}

/** Starts another process on the database of a world, at a moment of its own clock. */
export async function startReplica(
  env: Readonly<Record<string, string>>,
  now: string,
): Promise<Replica> {
  const { PATH = '', TZ = '' } = process.env;
  const child = fork(PROGRAM, [], {
    env: { PATH, TZ, ...env, REPLICA_NOW: now },
  });
  const ended = once(child, 'exit');
  await answerOf(child);
  const ask = async (order: Order): Promise<unknown> => {
    const answer = answerOf(child);
    child.send(order);
    return await answer;
  };
  return {
    ask,
    freezes: (iso) => {
      const answer = ask({ do: 'freeze', iso });
      return {
        thaws: async () => {
          child.kill('SIGCONT');
          return await answer;
        },
      };
    },
    dies: async (iso, death) => {
      const survived = await ask({ do: 'die', iso, ...death }).then(
        () => true,
        () => false,
      );
      if (survived) {
        const log = (await ask({ do: 'log' })) as readonly string[];
        throw new Error(`${JSON.stringify(death)} never came. Its log:\n${log.join('\n')}`);
      }
      await ended;
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null): void => reject(new Error(`The replica ended (${code}).`));
    child.once('exit', gone);
    child.once('message', ({ answer, fault }: { answer?: unknown; fault?: string }) => {
      child.off('exit', gone);
      if (fault === undefined) resolve(answer);
      else reject(new Error(fault));
    });
  });
}
