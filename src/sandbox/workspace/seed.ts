import type { Persona } from './page-protocol.ts';

/** A person of the workspace, or of another one that shares a channel with it. */
export type PersonaSeed = Persona & {
  readonly email?: string;
  /** Defaults to the workspace's own team. */
  readonly teamId?: string;
  /** A guest who may see one channel only: `is_ultra_restricted`. */
  readonly singleChannel?: boolean;
  /** Further keys of `users.info`, for what the kinds do not cover. */
  readonly flags?: Readonly<Record<string, unknown>>;
};

export type ChannelSeed = {
  readonly id: string;
  readonly name: string;
  readonly kind?: 'public' | 'private';
  /** User ids; the bot is named apart. */
  readonly members: readonly string[];
  /** Whether the bot is in it; yes unless said otherwise. */
  readonly bot?: boolean;
  readonly archived?: boolean;
  /** The other workspace of a shared channel. */
  readonly sharedWith?: string;
  /** An invitation to share it is open: `is_pending_ext_shared`. */
  readonly pendingShare?: boolean;
};

export type UserGroupSeed = {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
};

export const defaultTeam = { id: 'T0ACME', name: 'Acme', domain: 'acme' } as const;
export const defaultApp = { appId: 'A0STEWARD', botUserId: 'U0BOT', botId: 'B0BOT' } as const;

/** One of each kind that permission checks must tell apart. Facts: People and places. */
export const defaultPersonas: readonly PersonaSeed[] = [
  person('U01ANA', 'ana', 'Ana Ruiz', 'Europe/Berlin'),
  person('U02BEN', 'ben', 'Ben Okafor', 'Europe/London'),
  person('U03FAY', 'fay', 'Fay Lind', 'America/New_York'),
  { ...person('U04GUS', 'gus', 'Gus Hall', 'Europe/Berlin'), kind: 'guest' },
  {
    ...person('U05OLA', 'ola', 'Ola Berg', 'Europe/Oslo'),
    kind: 'outsider',
    teamId: 'T0OTHER',
    email: 'ola@partner.example',
  },
  { ...person('U06DEE', 'dee', 'Dee Marsh', 'Europe/Berlin'), kind: 'deleted' },
  { ...person('U07CIB', 'ci-bot', 'CI bot', 'Etc/UTC'), kind: 'bot' },
];

/** `#partners` is shared with another workspace, so that an outsider can press what is posted there. */
export const defaultChannels: readonly ChannelSeed[] = [
  { id: 'C0OPS', name: 'ops', members: ['U01ANA', 'U02BEN', 'U03FAY', 'U04GUS', 'U07CIB'] },
  { id: 'C0RANDOM', name: 'random', members: ['U01ANA', 'U02BEN', 'U03FAY', 'U04GUS'] },
  { id: 'C0FINANCE', name: 'finance', members: ['U01ANA', 'U02BEN', 'U03FAY'] },
  { id: 'C0AUDIT', name: 'audit', members: ['U01ANA', 'U02BEN'] },
  {
    id: 'C0PARTNER',
    name: 'partners',
    members: ['U01ANA', 'U04GUS', 'U05OLA'],
    sharedWith: 'T0OTHER',
  },
];

export const defaultUserGroups: readonly UserGroupSeed[] = [
  { id: 'S0OPS', handle: 'ops', name: 'Operators', users: ['U01ANA'] },
  { id: 'S0LEADS', handle: 'leads', name: 'Leads', users: ['U02BEN'] },
];

function person(id: string, name: string, realName: string, zone: string): PersonaSeed {
  return { id, name, realName, kind: 'member', zone, email: `${name}@acme.example` };
}
