import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A process that is measured. */
export type Child = {
  /** From its start to its line that says so, in ms. */
  readonly readyMs: number;
  /** Resident memory now, in MB. */
  residentMb(): Promise<number>;
  /** Processor time so far, in ms: what else the machine does changes it least. */
  processorMs(): Promise<number>;
  stop(): Promise<void>;
};

export type ChildOptions = {
  /** Of node. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

const KEPT_LINES = 50;

/** Throws Error with its last lines where it ends before it is ready. */
export async function startChild({ args, cwd, env }: ChildOptions): Promise<Child> {
  const since = performance.now();
  const child = spawn(process.execPath, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  const note = (line: string): void => {
    said.push(line);
    if (said.length > KEPT_LINES) said.shift();
  };
  createInterface({ input: child.stderr }).on('line', note);
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      note(line);
      if (line.includes('"event":"ready"')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`It ended (${code}):\n${said.join('\n')}`)));
  });
  return {
    readyMs: performance.now() - since,
    residentMb: () => residentOf(child),
    processorMs: () => processorOf(child),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function residentOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/mu.exec(status)?.[1]) / 1_024;
}

/** Of ticks of 10 ms, as Linux counts them. */
async function processorOf({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // After the name in parentheses: the state, and eleven fields on the two that count.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
