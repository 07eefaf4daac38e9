import { pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { LogFields, Logger } from '../core/ports/ports.ts';

/**
 * JSON lines on standard output. Every line passes the scrubber, so that a secret of the
 * configuration cannot leave by a careless message. Design: §7.
 */
export function createLogger(level: string, scrub: (text: string) => string): Logger {
  const output = pino({
    level,
    base: { app: 'steward' },
    timestamp: stdTimeFunctions.isoTime,
    serializers: { cause: errorOf, error: errorOf },
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: scrub },
  });
  return {
    debug: (fields: LogFields, message: string) => output.debug(fields, message),
    info: (fields: LogFields, message: string) => output.info(fields, message),
    warn: (fields: LogFields, message: string) => output.warn(fields, message),
    error: (fields: LogFields, message: string) => output.error(fields, message),
  };
}

function errorOf(thrown: unknown): unknown {
  return thrown instanceof Error ? stdSerializers.err(thrown) : thrown;
}
