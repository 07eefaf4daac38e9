import { readFileSync } from 'node:fs';
import { z } from 'zod';

const manifest = z.looseObject({ version: z.string() });

/** Of package.json, which stands beside `src` as beside `dist`. */
export const VERSION: string = manifest.parse(
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
).version;
