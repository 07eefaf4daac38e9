import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Logger } from '../core/ports/ports.ts';
import type { CurrentSettings, Settings } from '../core/settings/settings.ts';
import { ConfigurationError } from './problems.ts';

const DEBOUNCE_MS = 200;
const POLL_MS = 5_000;

/** Settings that are replaced as a whole, so that no request sees half of two files. */
export type ReplaceableSettings = CurrentSettings & { replace(next: Settings): void };

export function createCurrentSettings(initial: Settings): ReplaceableSettings {
  let current = initial;
  return {
    get: () => current,
    replace: (next) => {
      current = next;
    },
  };
}

export type Watching = { stop(): void };

/**
 * Calls `reload` whenever the content of the file has changed: it loads and replaces the settings,
 * or throws ConfigurationError, which is logged with its problems while the old rules stay.
 *
 * The directory is watched, because editors and config maps replace the file; a poll every 5 s
 * serves the file systems that tell nothing. Both compare the content, so a change counts once.
 * A file that is gone for a moment is waited for. Design: §4.
 */
export function watchSettings(
  path: string,
  reload: () => void,
  logger: Pick<Logger, 'info' | 'warn' | 'error'>,
): Watching {
  let seen = readNow(path);
  let gone = false;
  let stopped = false;
  let queue = Promise.resolve();
  let debounce: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    const content = await readLater(path);
    if (stopped) return;
    if (content === undefined && !gone) {
      logger.warn({ event: 'settings-missing', path }, 'The file is gone; the old rules stay.');
    }
    gone = content === undefined;
    if (content === undefined || content === seen) return;
    seen = content;
    apply(path, reload, logger);
  }
  function enqueue(): void {
    queue = queue.then(check);
  }
  const watcher = watchDirectory(path, logger, () => {
    clearTimeout(debounce);
    debounce = setTimeout(enqueue, DEBOUNCE_MS).unref();
  });
  const poll = setInterval(enqueue, POLL_MS).unref();
  return {
    stop() {
      stopped = true;
      watcher?.close();
      clearTimeout(debounce);
      clearInterval(poll);
    },
  };
}

function apply(path: string, reload: () => void, logger: Pick<Logger, 'info' | 'error'>): void {
  try {
    reload();
    logger.info({ event: 'settings-reloaded', path }, 'The changed rules are in force.');
  } catch (error) {
    const problems = error instanceof ConfigurationError ? error.problems : undefined;
    logger.error(
      { event: 'settings-refused', path, ...(problems === undefined ? { error } : { problems }) },
      'The changed file was refused; the old rules stay in force.',
    );
  }
}

function watchDirectory(
  path: string,
  logger: Pick<Logger, 'warn'>,
  onChange: () => void,
): FSWatcher | undefined {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
      // Config maps swap a link beside the file; such names begin with two dots.
      if (name === null || name === basename(path) || name.startsWith('..')) onChange();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch (error) {
    logger.warn({ event: 'settings-polled', path, error }, 'The file is polled, not watched.');
    return undefined;
  }
}

function readNow(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

async function readLater(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
