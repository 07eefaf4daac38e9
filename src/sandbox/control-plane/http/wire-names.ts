import { deepMap, isRecord } from '../json.ts';

type Renames = readonly (readonly [neutral: RegExp, clickhouse: string])[];

/** Keys of responses in ClickHouse Cloud's spelling. Spec: ClickHouse spellings. */
const RESPONSE_KEYS: Renames = [
  [/^engineVersion$/, 'clickhouseVersion'],
  [/^engine_(?=[a-z])/, 'clickhouse_'],
  [/^(.+)Units$/, '$1CHC'],
];

/** The value with every key renamed, at any depth. */
export function toClickhouseNames(value: unknown): unknown {
  return renameKeys(value, (key) => {
    for (const [neutral, clickhouse] of RESPONSE_KEYS) {
      if (neutral.test(key)) return key.replace(neutral, clickhouse);
    }
    return key;
  });
}

/**
 * A pipe request in ClickHouse Cloud's spelling, read into the neutral one. A neutral key is marked
 * so that validation refuses it: in that mode the API does not know it.
 */
export function fromClickhouseNames(body: unknown): unknown {
  return renameKeys(body, (key) => {
    if (key.startsWith('engine_')) return `neutral ${key}`;
    return key.startsWith('clickhouse_') ? `engine_${key.slice('clickhouse_'.length)}` : key;
  });
}

/** An error text about a renamed pipe setting, in the words of the request. */
export function toClickhouseWords(text: string): string {
  return text.replace(/settings\.(neutral )?engine_/g, (_all, neutral: string | undefined) =>
    neutral === undefined ? 'settings.clickhouse_' : 'settings.engine_',
  );
}

function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  return deepMap(value, (entry) =>
    isRecord(entry)
      ? Object.fromEntries(Object.entries(entry).map(([key, item]) => [rename(key), item]))
      : entry,
  );
}
