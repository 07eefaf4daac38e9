import { IANAZone } from 'luxon';
import { z } from 'zod';
import { didYouMean, nearest } from '../core/text/typed-text.ts';

/** The small shapes of `steward.yaml`. Ids only: a name can be given to something else. */

const UUID = /^[\da-fA-F]{8}-(?:[\da-fA-F]{4}-){3}[\da-fA-F]{12}$/u;

export const teamId = shaped(/^[TE][A-Z0-9]{2,}$/u, 'must be a workspace id such as T0ACME');
export const channelId = shaped(/^[CG][A-Z0-9]{2,}$/u, 'must be a channel id such as C0OPS');
export const userId = shaped(/^[UW][A-Z0-9]{2,}$/u, 'must be a user id such as U01ANA');
export const usergroupId = shaped(/^S[A-Z0-9]{2,}$/u, 'must be a user group id such as S0OPS');
export const uuid = shaped(UUID, 'must be a UUID').transform((id) => id.toLowerCase());

/** Names of services, groups, credentials and the like, which people type. */
export const plainName = shaped(
  /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,48}[A-Za-z0-9._-])?$/u,
  'a name has at most 50 letters, digits, spaces or . _ - and begins with a letter or digit',
).refine((name) => !UUID.test(name), 'a name must not look like an id');

/** A comment to its id: Slack allows letters of every script. */
export const channelName = shaped(
  /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,79}$/u,
  'a channel stands under its name without #',
);

export const tag = shaped(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/u,
  'a tag has at most 50 letters, digits or . _ -',
);

export const timeOfDay = shaped(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, "must be a time such as '09:00'");

export const zone = z.string().superRefine((name, context) => {
  if (IANAZone.isValidZone(name)) return;
  const message = `must be an IANA time zone such as Europe/Berlin${zoneMeant(name)}`;
  context.addIssue({ code: 'custom', message });
});

/** By its whole name, or by its city alone. */
function zoneMeant(name: string): string {
  const zones = Intl.supportedValuesOf('timeZone').filter((one) => one.includes('/'));
  const city = nearest(name.replaceAll(' ', '_'), zones.map(cityOf));
  const whole = nearest(name, zones) ?? zones.find((one) => cityOf(one) === city);
  return whole === undefined ? '' : `; did you mean ${whole}?`;
}

function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1);
}

export const emailDomain = z
  .string()
  .transform((domain) => domain.toLowerCase())
  .refine(
    (domain) => /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/u.test(domain),
    'must be a domain such as example.com',
  );

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const MAX_DURATION_MS = 30 * UNIT_MS.d;

/** `90s`, `30m`, `8h` or `2d` in milliseconds; more than nothing, at most 30 days. */
export const duration = z.string().transform((text, context) => {
  const match = /^(\d{1,7})([smhd])$/u.exec(text);
  const unit = match?.[2];
  const factor = unit === 's' || unit === 'm' || unit === 'h' || unit === 'd' ? UNIT_MS[unit] : 0;
  const milliseconds = Number(match?.[1] ?? 0) * factor;
  if (milliseconds > 0 && milliseconds <= MAX_DURATION_MS) return milliseconds;
  context.addIssue({ code: 'custom', message: 'must be a duration such as 30m, 8h or 2d' });
  return z.NEVER;
});

/** Names that Slack keeps for itself; a manifest with one of them is refused as a whole. */
const BUILT_IN = new Set(
  `active apps archive away call canvas collapse dm dnd expand feed feedback help huddle invite
  invite_people join kick leave list me msg mute open part people prefs remind remove rename search
  shortcuts shrug star status topic unarchive who workflow`.split(/\s+/u),
);

export const command = shaped(
  /^\/[a-z0-9][a-z0-9_-]{0,30}$/u,
  'must begin with / and have at most 32 lower-case letters, digits, _ or -',
).refine((name) => !BUILT_IN.has(name.slice(1)), 'is a command of Slack itself; choose another');

/** The pattern is in the JSON Schema too, where a value may still be one of the environment. */
function shaped(pattern: RegExp, message: string) {
  return z
    .string()
    .refine((text) => pattern.test(text), message)
    .meta({ pattern: `\\$\\{\\w+\\}|${pattern.source}` });
}

/** A map with these keys only. Each unknown key gets its own line of the message, in order. */
export function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .map(
              (key: string) =>
                `is no key that fits here${didYouMean(key, known) || `: ${known.join(', ')}`}`,
            )
            .join('\n')
        : undefined,
  });
}
