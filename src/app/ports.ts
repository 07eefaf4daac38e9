/** What the operations may reach, put together from the folders that implement it. */
import type { Configuration } from '../config/load.ts';
import { createControlApi } from '../control-api/create-control-api.ts';
import { AppError } from '../core/cloud/errors.ts';
import type { Ports } from '../core/operation/ports.ts';
import { operationsFor } from '../core/operation/registry.ts';
import type { Clock, Credentials, Logger } from '../core/ports/ports.ts';
import type { Troubles } from '../core/ports/troubles.ts';
import type { CurrentSettings, Settings } from '../core/settings/settings.ts';
import { createNetwork, type Network } from '../network/network.ts';
import { operations } from '../operations/index.ts';
import { createIdentity } from '../policy/identity/identity.ts';
import { createPolicy } from '../policy/policy.ts';
import { type Connection, createConnection } from '../slack/connection.ts';
import { createSlackPeople } from '../slack/inbound/people.ts';
import type { BotIdentity, SlackWeb } from '../slack/web/web.ts';
import type { Stores } from './stores.ts';

type Around = {
  readonly settings: CurrentSettings;
  readonly clock: Clock;
  readonly logger: Logger;
};
type Shared = Around & { readonly network: Network };

export function controlOf(
  {
    environment,
  }: {
    readonly environment: Pick<Configuration['environment'], 'controlApiUrl' | 'observability'>;
  },
  {
    settings,
    clock,
    logger,
    network,
  }: Pick<Shared, 'clock' | 'logger' | 'network'> & {
    readonly settings: { get(): Pick<Settings, 'organizations'> };
  },
) {
  const { observability } = environment;
  return createControlApi({
    baseUrl: environment.controlApiUrl,
    organizations: () => settings.get().organizations,
    clock,
    logger,
    newAgent: network.agent,
    observability: observability && { baseUrl: observability.url, token: observability.token },
  });
}

/** The network and, over it, the control API; closed in the reverse order. */
export function outsideOf(
  configuration: Configuration,
  shared: Around,
  closers: (() => Promise<void> | void)[],
) {
  const network = createNetwork(configuration.environment.proxy);
  closers.push(() => network.close());
  const api = controlOf(configuration, { ...shared, network });
  closers.push(() => api.close());
  return { network, api };
}

export function connectionOf(
  { environment }: Configuration,
  identity: BotIdentity,
  { clock, logger, network }: Pick<Shared, 'clock' | 'logger' | 'network'>,
): Connection {
  return createConnection({
    botToken: environment.slackBotToken,
    identity,
    mode: environment.slackConnection,
    apiUrl: environment.slackApiUrl,
    network: network.slack,
    clock,
    logger,
  });
}

export function policyOf(
  web: SlackWeb,
  {
    settings,
    clock,
    logger,
    ownTeam,
    troubles,
  }: Around & { readonly ownTeam: string; readonly troubles: Troubles },
) {
  const slack = createSlackPeople(web);
  const identity = createIdentity({ slack, clock, ownTeam });
  return createPolicy({ settings, identity, troubles, logger });
}

type PortParts = Pick<
  Ports,
  | ('settings' | 'clock' | 'policy' | 'control' | 'costs' | 'status' | 'digests' | 'permalink')
  | ('directory' | 'sights' | 'sleeps')
> & {
  readonly stores: Stores;
};

export function portsOf({ stores, ...parts }: PortParts): Ports {
  return {
    ...parts,
    journal: stores.journal,
    pending: stores.pending,
    outbox: stores.outbox,
    secrets: stores.secrets,
    credentials: credentialsOf(parts.settings),
    get catalogue() {
      const now = parts.settings.get();
      return operationsFor(operations, now);
    },
  };
}

function credentialsOf(settings: CurrentSettings): Credentials {
  return {
    names: () => settings.get().credentials.map(({ name }) => name),
    values: (name) => {
      const found = settings.get().credentials.find((credential) => credential.name === name);
      if (found !== undefined) return found.values;
      throw new AppError('not-configured', {
        userMessage: 'No credential of this name is configured in steward.yaml.',
      });
    },
  };
}
