import {
  appendFileSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { JournalClosing } from '../../core/ports/journal.ts';
import type { Notification } from '../../core/ports/outbox.ts';
import { parseJson } from '../../core/text/json.ts';

/** A closing that the database did not take. */
export type Spooled = {
  readonly entry: number;
  /** ISO 8601 in stored form: when it was over. */
  readonly at: string;
  readonly closing: JournalClosing;
  readonly notifications: readonly Notification[];
};

/**
 * What happened and could not be recorded yet, one JSON line each, in a file of this process beside
 * the database. Where that fails too (a full disk), it is kept in memory. Design: §10.
 */
export type Spool = {
  keep(spooled: Spooled): void;
  /** Of this process, and of those that are gone. Unreadable lines are left out. */
  read(living: readonly string[]): readonly { readonly own: boolean; readonly spooled: Spooled }[];
  /** After all of `read` was recorded. */
  clear(living: readonly string[]): void;
};

const line = z.custom<Spooled>(
  (value) =>
    z
      .looseObject({ entry: z.number(), at: z.string(), closing: z.looseObject({}) })
      .safeParse(value).success,
);

/** `base`: the database's file, or whatever the name begins with; undefined: in memory alone. */
export function createSpool(base: string | undefined, instance: string): Spool {
  const memory: Spooled[] = [];
  const own = base === undefined ? undefined : `${base}.spool-${instance}`;
  return {
    keep: (spooled) => {
      // A response URL is not for a file.
      const notifications = spooled.notifications.map(({ responseUrl: _, ...rest }) => rest);
      memory.push(spooled);
      if (own !== undefined) append(own, JSON.stringify({ ...spooled, notifications }));
    },
    read: (living) => [
      ...memory.map((spooled) => ({ own: true, spooled })),
      ...left(living).flatMap((file) => linesOf(file).map((spooled) => ({ own: false, spooled }))),
    ],
    clear: (living) => {
      memory.length = 0;
      for (const file of [...left(living), ...(own === undefined ? [] : [own])]) {
        rmSync(file, { force: true });
      }
    },
  };

  function left(living: readonly string[]): readonly string[] {
    if (base === undefined) return [];
    const prefix = `${basename(base)}.spool-`;
    return namesIn(dirname(base))
      .filter((name) => name.startsWith(prefix))
      .filter((name) => ![...living, instance].includes(name.slice(prefix.length)))
      .map((name) => join(dirname(base), name));
  }
}

function append(file: string, text: string): void {
  try {
    const handle = openSync(file, 'a', 0o600);
    try {
      appendFileSync(handle, `${text}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // In memory it is kept all the same.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linesOf(file: string): readonly Spooled[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text) => line.safeParse(parseJson(text)).data ?? []);
}
