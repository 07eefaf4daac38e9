import { LogLevel, type Logger as SlackLogger } from '@slack/web-api';
import type { Logger } from '../../core/ports/ports.ts';

/** The own lines of Slack's packages, never at debug: there they print whole payloads. */
export function clientLogger(logger: Logger, from: 'bolt' | 'web-api'): SlackLogger {
  const line = (messages: readonly unknown[]): string =>
    messages.map(String).join(' ').slice(0, 500);
  // What a call met is logged by who made it.
  const level = from === 'bolt' ? 'warn' : 'debug';
  return {
    debug: () => undefined,
    info: (...messages) => logger.debug({ from }, line(messages)),
    warn: (...messages) => logger[level]({ from }, line(messages)),
    error: (...messages) => logger.error({ from }, line(messages)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
