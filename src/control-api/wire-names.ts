import type { NamesMode } from '../core/settings/settings.ts';

/**
 * The one table of spellings: the specification's own, and those of ClickHouse Cloud.
 * Requests use the row of the organization's mode; responses are read in both spellings whatever
 * the mode, because a cloud may change its mind before Steward's settings do.
 * Spec: ClickHouse spellings.
 */
type WireNames = {
  /** Path segment of the pipe collection. */
  readonly pipes: string;
  /** What pipe settings that name the engine start with. */
  readonly settingPrefix: string;
};

const WIRE_NAMES: Readonly<Record<NamesMode, WireNames>> = {
  neutral: { pipes: 'pipes', settingPrefix: 'engine_' },
  clickhouse: { pipes: 'clickpipes', settingPrefix: 'clickhouse_' },
};

const COST_SUFFIXES = ['Units', 'CHC'] as const;
const VERSION_KEYS = ['engineVersion', 'clickhouseVersion'] as const;

/** A route's path in the organization's spelling. */
export function wirePath(path: string, names: NamesMode): string {
  return path.replace(/\/pipes$/, `/${WIRE_NAMES[names].pipes}`);
}

/** A pipe setting's key in the organization's spelling. */
export function wireSettingKey(key: string, names: NamesMode): string {
  const { settingPrefix } = WIRE_NAMES.neutral;
  if (!key.startsWith(settingPrefix)) return key;
  return WIRE_NAMES[names].settingPrefix + key.slice(settingPrefix.length);
}

/** `totalCHC` and `totalUnits` of a response are the same; the specification's spelling wins. */
export function costField(record: Readonly<Record<string, unknown>>, stem: string): unknown {
  for (const suffix of COST_SUFFIXES) {
    const value = record[stem + suffix];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** `computeCHC` becomes `computeUnits`; any other name stays as it came. */
export function neutralMetric(key: string): string {
  return key.endsWith('CHC') ? `${key.slice(0, -'CHC'.length)}Units` : key;
}

export function engineVersionField(record: Readonly<Record<string, unknown>>): unknown {
  return VERSION_KEYS.map((key) => record[key]).find(
    (value) => value !== undefined && value !== null && value !== '',
  );
}
