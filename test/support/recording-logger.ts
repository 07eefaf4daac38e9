import type { LogFields, Logger } from '../../src/core/ports/ports.ts';

export type RecordedLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: LogFields;
  readonly message: string;
};

/** A logger that keeps every line, debug included. */
export function createRecordingLogger(): { logger: Logger; lines: RecordedLine[] } {
  const lines: RecordedLine[] = [];
  const at =
    (level: RecordedLine['level']) =>
    (fields: LogFields, message: string): void => {
      lines.push({ level, fields, message });
    };
  return {
    lines,
    logger: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
  };
}
