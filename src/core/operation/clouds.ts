import type { NamesMode, Settings } from '../settings/settings.ts';
import type { Operation } from './operation.ts';

/** How the configured organizations' clouds speak; `both`: some so, and some so. */
export type Clouds = NamesMode | 'both';

/** An operation whose input follows from how the clouds speak: declared once, made for each way. */
export function forEachCloud(define: (clouds: Clouds) => Operation): Operation {
  const inClouds = { clickhouse: define('clickhouse'), both: define('both') };
  return { ...define('neutral'), inClouds };
}

/** The operations that these settings have. Spec: ClickHouse spellings. */
export function operationsFor(
  operations: readonly Operation[],
  settings: Pick<Settings, 'organizations'>,
): readonly Operation[] {
  return operations
    .filter(({ onlyIn }) => onlyIn === undefined || speaks(settings, onlyIn))
    .map((operation) => operationFor(operation, settings));
}

function speaks({ organizations }: Pick<Settings, 'organizations'>, mode: NamesMode): boolean {
  return organizations.some(({ names }) => names === mode);
}

/** An operation as it is with these settings. */
function operationFor(
  operation: Operation,
  { organizations }: Pick<Settings, 'organizations'>,
): Operation {
  const spoken = new Set(organizations.map(({ names }) => names));
  if (!spoken.has('clickhouse')) return operation;
  return operation.inClouds?.[spoken.has('neutral') ? 'both' : 'clickhouse'] ?? operation;
}
