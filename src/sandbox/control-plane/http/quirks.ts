import { deepMap, isRecord, type Json, numbersAsText } from '../json.ts';
import type { Quirk } from '../settings.ts';

/** Optional keys that a reply spells out with an empty value when a quirk says so. */
const OFTEN_UNSET = [
  'byocId',
  'profile',
  'complianceType',
  'encryptionKey',
  'idleTimeoutMinutes',
  'tier',
];

/** The result of a successful reply, changed in the ways that were switched on. Facts: Drift. */
export function applyQuirks(result: unknown, quirks: readonly Quirk[]): unknown {
  if (quirks.length === 0) return result;
  return quirks.reduce((value, quirk) => applyQuirk(value, quirk), result);
}

function applyQuirk(result: unknown, quirk: Quirk): unknown {
  switch (quirk) {
    case 'numbers-as-text':
      return numbersAsText(result);
    case 'unset-as-empty-text':
      return onServices(result, (record) => ({ ...spelledOut(''), ...record }));
    case 'unset-as-null':
      return onServices(result, (record) => ({ ...spelledOut(null), ...record }));
    case 'unknown-fields':
      return deepMap(result, (value) =>
        isRecord(value) && ('id' in value || 'entityId' in value)
          ? { ...value, sandboxUnknownField: { nested: [1, null] } }
          : value,
      );
    case 'unknown-state':
      return onServices(result, (record) => ({ ...record, state: 'softdeleting' }));
    case 'allow-list-reversed':
      return onServices(result, (record) => {
        const list = record['ipAccessList'];
        return Array.isArray(list) ? { ...record, ipAccessList: list.toReversed() } : record;
      });
    case 'release-channel-ignored':
    case 'echo-connection-string':
    case 'null-source-arms':
      // These change what is stored or built, where the record is made.
      return result;
  }
}

/** A service record stands by itself or under `service` beside its password. */
function onServices(result: unknown, change: (record: Json) => Json): unknown {
  return deepMap(result, (value) =>
    isRecord(value) && 'engineVersion' in value ? change(value) : value,
  );
}

function spelledOut(value: unknown): Json {
  return Object.fromEntries(OFTEN_UNSET.map((key) => [key, value]));
}
