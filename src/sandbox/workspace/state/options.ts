import type { DateTime } from 'luxon';
import type { PageSwitch, Persona } from '../protocol/page-protocol.ts';
import type { Faults } from './faults.ts';

/** The same shape as the application's clock, restated because the sandbox imports sandbox only. */
export type WorkspaceClock = {
  /** The present moment in UTC. */
  now(): DateTime<true>;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

export type WorkspaceOptions = {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly clock: WorkspaceClock;
  /** The parsed content of the app's manifest file. */
  readonly manifest: unknown;
  /** Over a socket, or as signed requests to the bot's address (several take turns). */
  readonly mode: 'socket' | { readonly http: string | readonly string[] };
  readonly personas?: readonly PersonaSeed[];
  readonly channels?: readonly ChannelSeed[];
  readonly userGroups?: readonly UserGroupSeed[];
  readonly botUserId?: string;
  readonly botId?: string;
  readonly appId?: string;
  readonly teamId?: string;
  readonly teamName?: string;
  readonly botToken?: string;
  readonly appToken?: string;
  readonly signingSecret?: string;
  /** On Enterprise Grid; `orgWide`: the app is installed for all of its workspaces at once. */
  readonly enterprise?: Enterprise;
  /** Where the bot reaches it (for links, sockets, uploads), when that is not where it listens. */
  readonly publicUrl?: string;
  /** What a person may do to the world on the page, beside being somebody in it. */
  readonly controls?: (faults: Faults) => Controls;
  /** A folder with the built page. */
  readonly pageDir?: string;
  /** Whether native chart and table blocks are accepted; yes by default. */
  readonly nativeData?: boolean;
};

/** Faults that can be switched, and the clock that can be moved ahead; throws for what it does not know. */
export type Controls = {
  list(): readonly PageSwitch[];
  set(id: string, on: boolean): void;
  /** By an ISO 8601 duration, in steps that it tells of; resolves when it is done. */
  advance(by: string, onStep: () => void): Promise<void>;
};

export type Enterprise = { readonly id: string; readonly orgWide: boolean };

/** The options with every default filled in. */
export type Settings = {
  readonly clock: WorkspaceClock;
  readonly personas: readonly PersonaSeed[];
  readonly channels: readonly ChannelSeed[];
  readonly userGroups: readonly UserGroupSeed[];
  readonly enterprise: Enterprise | null;
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  readonly appId: string;
  readonly botUserId: string;
  readonly botId: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly verificationToken: string;
  readonly controls: WorkspaceOptions['controls'];
  readonly nativeData: boolean;
};

const fakeBotToken = /^xoxb-fake-[\w-]+$/;
const fakeAppToken = /^xapp-fake-[\w-]+$/;

/**
 * Fills in the defaults. Throws when a token could be a real one: only `xoxb-fake-…` and
 * `xapp-fake-…` are taken, so that nobody pastes a live secret into a simulation.
 */
export function readOptions(options: WorkspaceOptions): Settings {
  const botToken = options.botToken ?? 'xoxb-fake-steward';
  const appToken = options.appToken ?? 'xapp-fake-steward';
  if (!fakeBotToken.test(botToken)) throw new Error('The bot token must look like xoxb-fake-….');
  if (!fakeAppToken.test(appToken)) throw new Error('The app token must look like xapp-fake-….');
  return {
    clock: options.clock,
    personas: options.personas ?? defaultPersonas,
    channels: options.channels ?? defaultChannels,
    userGroups: options.userGroups ?? defaultUserGroups,
    team: {
      id: options.teamId ?? defaultTeam.id,
      name: options.teamName ?? defaultTeam.name,
      domain: defaultTeam.domain,
    },
    enterprise: options.enterprise ?? null,
    appId: options.appId ?? defaultApp.appId,
    botUserId: options.botUserId ?? defaultApp.botUserId,
    botId: options.botId ?? defaultApp.botId,
    botToken,
    appToken,
    signingSecret: options.signingSecret ?? 'fake-signing-secret',
    verificationToken: 'fake-verification-token',
    nativeData: options.nativeData ?? true,
    controls: options.controls,
  };
}

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

const defaultTeam = { id: 'T0ACME', name: 'Acme', domain: 'acme' } as const;
const defaultApp = { appId: 'A0STEWARD', botUserId: 'U0BOT', botId: 'B0BOT' } as const;

/** One of each kind that permission checks must tell apart. Facts: People and places. */
const defaultPersonas: readonly PersonaSeed[] = [
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
const defaultChannels: readonly ChannelSeed[] = [
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

const defaultUserGroups: readonly UserGroupSeed[] = [
  { id: 'S0OPS', handle: 'ops', name: 'Operators', users: ['U01ANA'] },
  { id: 'S0LEADS', handle: 'leads', name: 'Leads', users: ['U02BEN'] },
];

function person(id: string, name: string, realName: string, zone: string): PersonaSeed {
  return { id, name, realName, kind: 'member', zone, email: `${name}@acme.example` };
}
