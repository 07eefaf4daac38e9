import type { Logger } from '../../src/core/ports/ports.ts';

export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};
