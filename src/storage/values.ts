import { randomBytes } from 'node:crypto';
import { DateTime } from 'luxon';
import { z } from 'zod';
import { AppError } from '../core/cloud/errors.ts';
import type { Clock } from '../core/ports/ports.ts';
import { parseJson } from '../core/text/json.ts';

/** An object as it was put in; its keys are the caller's business. */
export const storedObject = z.record(z.string(), z.unknown());
export const storedTexts = z.array(z.string());

/** Reads a JSON column. Throws AppError `storage` where the text is not of that shape. */
export function readStored<S extends z.ZodType>(shape: S, text: string): z.output<S> {
  const parsed = shape.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new AppError('storage', {
    userMessage: "One of Steward's own records is damaged and cannot be read.",
    cause: parsed.error,
  });
}

/** ISO 8601 in UTC with milliseconds: the one form that is stored, so that text order is time order. */
export function isoNow(clock: Clock): string {
  return storedTime(clock.now());
}

/** The moment so many milliseconds from now (negative: ago), in stored form. */
export function isoIn(clock: Clock, milliseconds: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: as above
  return new Date(clock.now().toMillis() + milliseconds).toISOString();
}

const STORED =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/u;

/** Any ISO 8601 text in stored form; what is no time comes back as it is. */
export function storedIso(text: string): string {
  // biome-ignore lint/style/noRestrictedGlobals: reads no clock; most texts are in that form already
  if (STORED.test(text) && new Date(text).toISOString() === text) return text;
  const time = DateTime.fromISO(text, { zone: 'utc' });
  return time.isValid ? storedTime(time) : text;
}

function storedTime(time: DateTime<true>): string {
  // biome-ignore lint/style/noRestrictedGlobals: reads no clock, and each command asks it often
  return new Date(time.toMillis()).toISOString();
}

/** From one stored moment to a later one. */
export function millisecondsBetween(from: string, to: string): number {
  // biome-ignore lint/style/noRestrictedGlobals: reads no clock, and each listed entry asks it
  return Date.parse(to) - Date.parse(from);
}

/** 128 random bits, 22 characters, safe in URLs and in Slack's `private_metadata`. */
export function randomId(): string {
  return randomBytes(16).toString('base64url');
}

/** A clock may differ from another replica's by this much; more means that it was set back. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** When things end that live for a while, by a clock that nobody can set back. */
export type Lifetimes = {
  begin(id: string, lastsMs: number): void;
  /** False for what another process began: only the wall clock bounds it. */
  isOver(id: string): boolean;
  forget(id: string): void;
};

export function createLifetimes(clock: Clock): Lifetimes {
  const ends = new Map<string, number>();
  return {
    begin: (id, lastsMs) => void ends.set(id, clock.monotonic() + lastsMs),
    isOver: (id) => (ends.get(id) ?? Number.POSITIVE_INFINITY) <= clock.monotonic(),
    forget: (id) => void ends.delete(id),
  };
}
