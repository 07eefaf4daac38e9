import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type RunningPlayground = { readonly url: string; stop(): Promise<unknown> };

/** `npm run playground` as the README says, built where it is stale, and its address. */
export async function startPlayground(more: readonly string[] = []): Promise<RunningPlayground> {
  spawnSync('node', ['scripts/build.js', '--if-stale'], { stdio: 'inherit' });
  const child: ChildProcess = spawn(
    'npm',
    ['run', 'playground', '--', '--port', '0', '--no-open', ...more],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const address = /playground is at (http:\/\/\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`The playground ended with ${code}.`)));
  });
  return {
    url,
    /** Its exit code. */
    stop: async () => {
      // To npm alone: the scripts hand the signal on, and everything ends by itself.
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      return code;
    },
  };
}
