import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export type Ran = { readonly code: number; readonly out: string };

export type Place = {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
};

/** A line as people type it, to its end; `out` is all that it printed. */
export function runLine(line: string, { cwd, env }: Place): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...withoutNpm(), ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile('bash', ['-c', line], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, out: `${stdout}${stderr}` });
    });
  });
}

export type Program = {
  readonly child: ChildProcess;
  out(): string;
  /** Resolves with the match once it was printed; rejects with all that was when it ends first. */
  prints(words: RegExp): Promise<RegExpExecArray>;
  /** Sends SIGTERM and gives the exit code. */
  terminate(): Promise<number | null>;
  /** As Ctrl+C does, to all that it started; returns when the last of them has closed its output. */
  interrupt(): Promise<void>;
  kill(): void;
};

/** A program that runs until it is told to end. */
export function startProgram(command: readonly string[], { cwd, env }: Place): Program {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd,
    env: { ...withoutNpm(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which a terminal would signal as one.
    detached: true,
  });
  let text = '';
  const ended = once(child, 'exit');
  const closed = once(child, 'close');
  const all = -(child.pid ?? 0);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      text += String(data);
    });
  }
  return {
    child,
    out: () => text,
    prints: (words) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = words.exec(text);
          if (found !== null) resolve(found);
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
        void ended.then(([code]) => reject(new Error(`ended with ${code}:\n${text}`)));
        look();
      }),
    terminate: async () => {
      process.kill(heir(child.pid ?? 0), 'SIGTERM');
      const [code] = await ended;
      return code;
    },
    interrupt: async () => {
      process.kill(all, 'SIGINT');
      await closed;
    },
    kill: () => {
      try {
        process.kill(all, 'SIGKILL');
      } catch {
        // It has ended.
      }
    },
  };
}

/** `unshare` hands no signal on: its one child is the process that a container engine would signal. */
function heir(pid: number): number {
  if (!readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('unshare')) return pid;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
}

/** Of this process what a shell has that npm did not start. */
function withoutNpm(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(?:npm_|VITEST|NODE_|TZ$|INIT_CWD)/u.test(name),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
}
