/**
 * The rules of `steward.yaml` as values, ids resolved and defaults filled in.
 * `config/` reads them, `policy/`, `slack/` and `schedule/` live by them. Design: §4, §5.
 */

export type NamesMode = 'neutral' | 'clickhouse';

export type OrganizationSettings = {
  /** The name under `organizations:`; `default` where only ORGANIZATION_ID is set. */
  readonly key: string;
  readonly id: string;
  readonly keyId: string;
  readonly keySecret: string;
  readonly names: NamesMode;
};

export type ServiceSettings = {
  readonly name: string;
  readonly id: string;
  /** An organization's key. */
  readonly organization: string;
  readonly tags: readonly string[];
};

export type GroupSettings = {
  readonly users: readonly string[];
  readonly usergroups: readonly string[];
};

/** What may be created by `service.create`; an absent limit does not limit. */
export type CreationLimits = {
  readonly providers?: readonly string[] | undefined;
  readonly regions?: readonly string[] | undefined;
  readonly maxReplicas?: number | undefined;
  readonly maxMemoryGb?: number | undefined;
};

export type ApprovalSettings = {
  /** Group names or user ids. */
  readonly by: readonly string[];
  readonly withinMs: number;
};

export type Rule = {
  readonly effect: 'allow' | 'deny';
  /** Operation ids or globs: `service.*`, `*.read`, `*`. */
  readonly actions: readonly string[];
  /** Service names, ids, `tag:x` or `*`; absent means every service. */
  readonly services?: readonly string[] | undefined;
  /** Group names, user ids, `schedule:NAME`, `anyone`, `guests`, `external`. */
  readonly who: readonly string[];
  readonly approval?: ApprovalSettings | undefined;
  /** A change that this rule allows has to say why it is asked for. */
  readonly reason?: 'required' | undefined;
  readonly emailDomains?: readonly string[] | undefined;
  readonly limits?: CreationLimits | undefined;
  /** Where it stands in the file, for people: `channels.ops.allow[1]`. */
  readonly path: string;
};

export type DigestSettings = {
  /** `HH:mm` in `zone`. */
  readonly at: string;
  /** An IANA zone. */
  readonly zone: string;
  readonly services: readonly string[];
  readonly budgetPerDay?: number | undefined;
  readonly every: 'day' | 'week' | 'month';
  /** Anomalies below this many units are not worth a line. */
  readonly anomalyFloor?: number | undefined;
};

export type ChannelSettings = {
  readonly name: string;
  readonly id: string;
  readonly rules: readonly Rule[];
  readonly digest?: DigestSettings | undefined;
  readonly externalPeople: Access;
  readonly guests: Access;
};

export type Access = 'allow' | 'deny';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** `HH:mm` in the schedule's zone, on these days of the week. */
export type ScheduleTime = { readonly at: string; readonly days: readonly Weekday[] };

/** Services that stop at night. Design: §15. */
export type ScheduleSettings = {
  readonly name: string;
  /** Names of `services:`, and `tag:x`. */
  readonly services: readonly string[];
  readonly stop: ScheduleTime;
  readonly start?: ScheduleTime | undefined;
  /** An IANA zone. */
  readonly zone: string;
  /** Where it gives notice, acts and reports: an id. */
  readonly channelId: string;
  /** How long before a stop it is told, in ms; 0 to 4 h. */
  readonly noticeMs: number;
  readonly snooze?: SnoozeSettings | undefined;
  /** Local dates on which it does nothing, YYYY-MM-DD, both included. */
  readonly except: readonly { readonly from: string; readonly to: string }[];
  /** Groups that approved this plan, in the review of the file. */
  readonly approved: readonly string[];
};

export type SnoozeSettings = {
  /** Group names or user ids. */
  readonly by: readonly string[];
  /** All delays of one night together, in ms. */
  readonly mostMs: number;
  /** How often a night is delayed. */
  readonly times: number;
};

/** The configured services that a schedule means now. */
export function servicesOfSchedule(
  { services }: Pick<Settings, 'services'>,
  { services: named }: Pick<ScheduleSettings, 'services'>,
): readonly ServiceSettings[] {
  return services.filter(
    ({ name, tags }) => named.includes(name) || tags.some((tag) => named.includes(`tag:${tag}`)),
  );
}

export type CredentialSettings = {
  readonly name: string;
  /** Any of username, password, accessKeyId, secretKey, connectionString, certificate … */
  readonly values: Readonly<Record<string, string>>;
};

/** Prefills of the modal of `service.create`, as raw input by field name. */
type Preset = Readonly<Record<string, unknown>>;

export type Settings = {
  /** With the slash: `/db`. */
  readonly command: string;
  /** Team ids that may send anything at all; empty means the bot's own workspace. */
  readonly workspaces: readonly string[];
  readonly organizations: readonly OrganizationSettings[];
  readonly services: readonly ServiceSettings[];
  readonly groups: Readonly<Record<string, GroupSettings>>;
  readonly credentials: readonly CredentialSettings[];
  readonly presets: Readonly<Record<string, Preset>>;
  readonly channels: readonly ChannelSettings[];
  readonly defaults: {
    readonly directMessages: Access;
    readonly externalPeople: Access;
    readonly guests: Access;
  };
  readonly audit: {
    readonly channel?: string | undefined;
    /** Tell there what others changed in clouds that show it. */
    readonly watch?: boolean | undefined;
  };
  readonly schedules: readonly ScheduleSettings[];
  readonly generatedPassword: 'show-once' | 'discard';
  /** How long a generated password is kept for who asked, in ms. */
  readonly passwordForMs: number;
  readonly currency?: { readonly name: string; readonly perUnit: number } | undefined;
  readonly limits: {
    /** Requests of one person within a minute, and of one channel. */
    readonly perPersonPerMinute: number;
    readonly perChannelPerMinute: number;
  };
};

/** The settings now in force; a reload replaces them as a whole. */
export type CurrentSettings = { get(): Settings };

/**
 * Whether a rule's action covers an operation id. `*` alone is everything; elsewhere it stands for
 * one part between the dots: `service.*`, `*.read`. Design: §5.
 */
export function coversAction(pattern: string, action: string): boolean {
  if (pattern === '*' || pattern === action) return true;
  if (!pattern.includes('*')) return false;
  const parts = pattern.split('.');
  const words = action.split('.');
  return (
    parts.length === words.length &&
    parts.every((part, index) => part === '*' || part === words[index])
  );
}

/** The same channel under its other first letter: `G0FIN` for `C0FIN`. */
export function otherId(channelId: string): string {
  return `${channelId.startsWith('G') ? 'C' : 'G'}${channelId.slice(1)}`;
}

/**
 * The id by which the file knows a channel that Slack has given the other first letter, as when a
 * private channel changes its kind. It grants nothing; it is for words.
 */
export function formerId({ channels }: Settings, channelId: string): string | undefined {
  if (channels.some(({ id }) => id === channelId)) return undefined;
  const other = otherId(channelId);
  return channels.find(({ id }) => id === other)?.id;
}
