import { AppError } from '../core/cloud/errors.ts';
import type { Clock } from '../core/ports/ports.ts';
import type { NamesMode, OrganizationSettings } from '../core/settings/settings.ts';
import { createLimiter, type Limiter, type RateLimit } from './limiter.ts';

/** All that a call needs to know about whom it talks to. */
export type Connection = {
  readonly baseUrl: string;
  readonly authorization: string;
  readonly names: NamesMode;
  readonly limiter: Limiter;
  /** The key itself: no message may hold it. */
  readonly secrets: readonly string[];
  /** Path parameters that come from the settings. */
  readonly parameters: Readonly<Record<string, string>>;
};

export type ConnectionOptions = {
  readonly baseUrl: string;
  /** Read anew for each call, so that a reloaded file counts at once. */
  readonly organizations: () => readonly OrganizationSettings[];
  readonly observability?: { readonly baseUrl: string; readonly token: string } | undefined;
  readonly clock: Clock;
  readonly limit: RateLimit;
};

export type Connections = {
  /** Throws AppError `not-configured` for a key that the settings do not have. */
  organization(key: string): Connection;
  /** Throws AppError `not-configured` where no observability API is set up. */
  observability(): Connection;
  close(): void;
};

/** One limiter for each API key; settings are read anew for each call. Spec: Authentication. */
export function createConnections(options: ConnectionOptions): Connections {
  const limiters = new Map<string, Limiter>();

  function limiterOf(key: string): Limiter {
    const limiter = limiters.get(key) ?? createLimiter(options.clock, options.limit);
    limiters.set(key, limiter);
    return limiter;
  }

  function organization(key: string): Connection {
    const settings = options.organizations().find((candidate) => candidate.key === key);
    if (settings === undefined) {
      throw new AppError('not-configured', {
        userMessage: `Nothing was sent: no organization named ${key} is set up. Whoever runs Steward can add it.`,
      });
    }
    const basic = Buffer.from(`${settings.keyId}:${settings.keySecret}`).toString('base64');
    return {
      baseUrl: options.baseUrl,
      authorization: `Basic ${basic}`,
      names: settings.names,
      limiter: limiterOf(`key ${settings.keyId}`),
      secrets: [basic, settings.keySecret, settings.keyId],
      parameters: { organizationId: settings.id },
    };
  }

  function observability(): Connection {
    if (options.observability === undefined) {
      throw new AppError('not-configured', {
        userMessage:
          'Nothing was sent: no observability API is set up. Whoever runs Steward can add its address and token.',
      });
    }
    const { baseUrl, token } = options.observability;
    return {
      baseUrl,
      authorization: `Bearer ${token}`,
      names: 'neutral',
      limiter: limiterOf('observability'),
      secrets: [token],
      parameters: {},
    };
  }

  return {
    organization,
    observability,
    close: () => {
      for (const limiter of limiters.values()) limiter.close();
    },
  };
}
