import { z } from 'zod';

/** Ways in which real replies differ from the specification; each can be switched on. */
export const QUIRKS = [
  'numbers-as-text',
  'unset-as-empty-text',
  'unset-as-null',
  'unknown-fields',
  'unknown-state',
  'allow-list-reversed',
  'release-channel-ignored',
  'echo-connection-string',
  'null-source-arms',
] as const;

const rateLimit = z.strictObject({
  /** Requests that one key may make in one window. */
  limit: z.int().min(1),
  windowMs: z.int().min(1),
  /** Sends `Retry-After` (whole seconds) with a 429 as well. */
  retryAfter: z.boolean(),
});

const settings = z.strictObject({
  names: z.enum(['neutral', 'clickhouse']),
  /** Seconds by which its clock goes before that of whoever asks; negative: after. */
  clockAheadSeconds: z.number(),
  rateLimit,
  /** Migrated organizations refuse `tier`. */
  organizationMigrated: z.boolean(),
  organizationTier: z.enum(['BASIC', 'SCALE', 'ENTERPRISE']),
  /** Free services have lower memory limits. */
  freeServices: z.boolean(),
  /** Whether the first service of a warehouse needs two replicas, as specified, or may have one. */
  firstReplicas: z.enum(['specification', 'practice']),
  /** For so long after a stop has completed, a start is answered with 409. */
  conflictAfterStopSeconds: z.number().min(0),
  /** Whether the reply to a command shows the state before or after it. */
  commandReply: z.enum(['after', 'before']),
  duplicateInvitations: z.enum(['accept', 'refuse']),
  /** Addresses of members: inviting one is refused, with a 400. */
  members: z.array(z.string()),
  /** Adds `assignedRoles` to invitations, as organizations with custom roles do. */
  customRoles: z.boolean(),
  /**
   * Seconds until an activity record can be read; absent: at once in neutral mode, in clickhouse
   * mode up to 30, each record its own.
   */
  activityLagSeconds: z.number().min(0).optional(),
  /** Seconds until a list shows what was made; absent: 1 to 3, each record its own. */
  listLagSeconds: z.number().min(0).optional(),
  /** How dashboard deletion answers: as specified, or as the self-hosted server's code does. */
  dashboards: z.enum(['specification', 'self-hosted']),
  quirks: z.array(z.enum(QUIRKS)),
});

export type Quirk = (typeof QUIRKS)[number];
export type Settings = z.output<typeof settings>;

/** A change to some settings; `rateLimit` may be partial too. */
export const settingsChange = settings
  .partial()
  .extend({ rateLimit: rateLimit.partial().optional() });

export type SettingsChange = z.output<typeof settingsChange>;

export const DEFAULT_SETTINGS: Settings = {
  names: 'neutral',
  clockAheadSeconds: 0,
  rateLimit: { limit: 10, windowMs: 10_000, retryAfter: false },
  organizationMigrated: false,
  organizationTier: 'ENTERPRISE',
  freeServices: false,
  firstReplicas: 'specification',
  conflictAfterStopSeconds: 0,
  commandReply: 'after',
  duplicateInvitations: 'accept',
  members: [],
  customRoles: false,
  dashboards: 'specification',
  quirks: [],
};

/** The settings with a change laid over them; keys that are absent or undefined keep their value. */
export function changeSettings(current: Settings, change: SettingsChange): Settings {
  const merged = {
    ...current,
    ...withoutUndefined(change),
    rateLimit: { ...current.rateLimit, ...withoutUndefined(change.rateLimit ?? {}) },
  };
  return settings.parse(merged);
}

function withoutUndefined(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}
