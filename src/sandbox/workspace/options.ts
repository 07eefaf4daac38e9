import type { ChannelSeed, PersonaSeed, UserGroupSeed } from './seed.ts';
import {
  defaultApp,
  defaultChannels,
  defaultPersonas,
  defaultTeam,
  defaultUserGroups,
} from './seed.ts';
import type { WorkspaceClock } from './time.ts';

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
  /** A folder with the built page. */
  readonly pageDir?: string;
  /** Whether native chart and table blocks are accepted; yes by default. */
  readonly nativeData?: boolean;
};

/** The options with every default filled in. */
export type Settings = {
  readonly clock: WorkspaceClock;
  readonly personas: readonly PersonaSeed[];
  readonly channels: readonly ChannelSeed[];
  readonly userGroups: readonly UserGroupSeed[];
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  readonly appId: string;
  readonly botUserId: string;
  readonly botId: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly verificationToken: string;
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
    appId: options.appId ?? defaultApp.appId,
    botUserId: options.botUserId ?? defaultApp.botUserId,
    botId: options.botId ?? defaultApp.botId,
    botToken,
    appToken,
    signingSecret: options.signingSecret ?? 'fake-signing-secret',
    verificationToken: 'fake-verification-token',
    nativeData: options.nativeData ?? true,
  };
}
