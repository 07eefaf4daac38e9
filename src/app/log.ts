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

/**
 * Node's own warnings, and those that libraries give through it, as lines of the log. Returns how to
 * end it. Who owns the process takes Node's printer away.
 */
export function logWarnings(logger: Logger): () => void {
  const log = ({ name, message }: Error): void => logger.warn({ from: 'node', name }, message);
  process.on('warning', log);
  return () => process.off('warning', log);
}

function errorOf(thrown: unknown): unknown {
  return thrown instanceof Error ? stdSerializers.err(thrown) : thrown;
}
