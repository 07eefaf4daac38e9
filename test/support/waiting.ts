import { vi } from 'vitest';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';

/** Waits until `check` no longer throws; ten seconds, since a busy machine takes its time. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 10_000 });
}

/**
 * Waits until `read` gives something, looking again after every change of the workspace; at most `patience` ms.
 * Fails with what was wanted, what is seen and the traffic log.
 */
export function waitFor<T>(
  { workspace, patience }: { readonly workspace: Workspace; readonly patience: number },
  wanted: string,
  read: () => T | undefined,
  seen: () => string,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let stop = (): void => undefined;
    const timer = setTimeout(() => {
      stop();
      reject(new Error(`${wanted}\n\nSeen instead:\n${seen()}\n\n${trafficOf(workspace)}`));
    }, patience);
    const look = (): void => {
      const found = read();
      if (found === undefined) return;
      clearTimeout(timer);
      stop();
      resolve(found);
    };
    stop = workspace.onChange(look);
    look();
  });
}

/** The last lines of the traffic log, for the message of a failed test. */
export function trafficOf(workspace: Workspace): string {
  const lines = workspace
    .traffic()
    .slice(-25)
    .map((entry) => {
      const arrow = entry.direction === 'to-bot' ? '→' : '←';
      const problem = entry.problem === null ? '' : ` !! ${entry.problem}`;
      return `${arrow} ${entry.what} (${entry.milliseconds ?? '?'} ms)${problem} ${entry.detail.slice(0, 400)}`;
    });
  return `Traffic, newest last:\n${lines.join('\n')}`;
}
