import { setTimeout as pause } from 'node:timers/promises';
import {
  type ControlApiOptions,
  createControlApi,
} from '../../../src/control-api/create-control-api.ts';
import { AppError } from '../../../src/core/cloud/errors.ts';
import type { LogFields, Logger } from '../../../src/core/ports/ports.ts';
import type { NamesMode } from '../../../src/core/settings/settings.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { createTestClock, type TestClock } from '../../support/settable-clock.ts';

export const ORGANIZATION_ID = '11111111-1111-4111-8111-111111111111';
export const SERVICE_ID = '22222222-2222-4222-8222-222222222222';
export const KEY_ID = 'fake-key-id';
export const KEY_SECRET = 'fake-key-secret';
export const TOKEN = 'fake-observability-token';

export type LogLine = { readonly level: string; readonly fields: LogFields; readonly text: string };

export type Fixture = {
  readonly api: ReturnType<typeof createControlApi>;
  readonly server: ScriptedServer;
  readonly clock: TestClock;
  readonly lines: LogLine[];
  /** Moves the clock once the client has seen so many attempts end. */
  afterAttempts(count: number, milliseconds: number): Promise<void>;
  /** Waits until so many requests have reached the server. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
};

/** The real client before a real local server, on a clock that only the test moves. */
export async function startFixture(
  options: Partial<ControlApiOptions> & { readonly names?: NamesMode } = {},
): Promise<Fixture> {
  const server = await startScriptedServer();
  const clock = createTestClock('2026-11-27T10:00:00Z');
  const { lines, logger } = recordingLogger();
  const organization = {
    key: 'acme',
    id: ORGANIZATION_ID,
    keyId: KEY_ID,
    keySecret: KEY_SECRET,
    names: options.names ?? 'neutral',
  };
  const api = createControlApi({
    baseUrl: server.url,
    organizations: () => [organization],
    observability: { baseUrl: server.url, token: TOKEN },
    clock,
    logger,
    random: () => 1,
    ...options,
  });
  return {
    api,
    server,
    clock,
    lines,
    afterAttempts: async (count, milliseconds) => {
      await until(() => lines.length >= count);
      await clock.advance(milliseconds);
    },
    received: (count) => until(() => server.requests.length >= count),
    close: async () => {
      await server.close();
      await api.close();
    },
  };
}

export function recordingLogger(): { readonly lines: LogLine[]; readonly logger: Logger } {
  const lines: LogLine[] = [];
  const at = (level: string) => (fields: LogFields, text: string) => {
    lines.push({ level, fields, text });
  };
  return {
    lines,
    logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
  };
}

/** Waits for an effect; the test's own timeout is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(1);
}

/** The AppError with which a call fails; anything else fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<AppError> {
  const thrown = await call.then(
    (value) => new Error(`It succeeded: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof AppError) return thrown;
  throw thrown;
}

export function envelope(result: unknown, requestId = 'request-1'): { readonly body: object } {
  return { body: { status: 200, requestId, result } };
}
