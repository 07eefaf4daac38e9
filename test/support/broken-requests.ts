import fc from 'fast-check';

export type Json = Readonly<Record<string, unknown>>;

/** One rule, broken in an otherwise valid request. */
export type Break = {
  readonly rule: string;
  /** Whether the client has to refuse it too: it is stated, not merely known of the stand-in. */
  readonly stated: boolean;
  readonly apply: (valid: Json) => fc.Arbitrary<Json>;
};

const wordless = fc.constantFrom<unknown>(true, 7, null, [], {}, ['a']);
const numberless = fc.constantFrom<unknown>('8', true, null, [8], {}, '');
const flagless = fc.constantFrom<unknown>('true', 1, 0, null, [], '');
const unknownKey = fc.constantFrom('Name', 'names', 'num_replicas', 'extra', 'state', 'id', 'x');

/** No whole number within the bounds, or one that is no multiple. */
function notIn(min: number, max: number, step = 1): fc.Arbitrary<unknown> {
  const others = [
    fc.integer({ min: -1_000, max: min - 1 }),
    fc.integer({ min: max + 1, max: max + 10_000 }),
    fc.double({ min, max: max - 1, noNaN: true }).filter(isFraction),
    numberless,
  ];
  if (step === 1) return fc.oneof(...others);
  return fc.oneof(
    ...others,
    fc.integer({ min, max }).filter((value) => value % step !== 0),
  );
}

function isFraction(value: number): boolean {
  return !Number.isInteger(value);
}

function set(rule: string, value: fc.Arbitrary<unknown>, also: Json = {}): Break {
  const [key = ''] = rule.split(':');
  return {
    rule,
    stated: true,
    apply: (valid) => value.map((wrong) => ({ ...valid, ...also, [key]: wrong })),
  };
}

/** What only the stand-in, taught by practice, refuses. */
function known(change: Break): Break {
  return { ...change, stated: false };
}

function without(rule: string, ...keys: readonly string[]): Break {
  return {
    rule,
    stated: false,
    apply: (valid) =>
      fc.constant(Object.fromEntries(Object.entries(valid).filter(([key]) => !keys.includes(key)))),
  };
}

const stranger = fc.constantFrom('AWS', 'ibm', '', 'eu', 'us-east-9', 'Production', 'fastest');
const noName = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'B', '3'), minLength: 51, maxLength: 90 }),
  fc.string({ unit: fc.constantFrom(' '), maxLength: 50 }),
  fc
    .tuple(fc.constantFrom('-', '_', '.', 'é', '<!channel>', '🚀', '\n', '"', '/'), fc.nat(9))
    .map(([mark, count]) => `a${mark}${'b'.repeat(count)}`),
  wordless,
);
const noAddress = fc.constantFrom<unknown>(
  ...['', 'office', '10.0.0', '10.0.0.256', '10.0.0.1/33', '10.0.0.1/', '2001:db8::1'],
  ...['::/0', '10.0.0.1 ', 'example.com', '10.0.0.0-10.0.0.9', '1e1.0.0.1', null, 7],
);
const noEntry = fc.oneof(
  noAddress.map((source) => [{ source }]),
  noAddress.map((source) => [{ source: '203.0.113.7' }, { source, description: 'second' }]),
  fc.constantFrom<unknown>(
    ...['203.0.113.7', {}, null, [null], ['203.0.113.7'], [{}], [{ description: 'x' }]],
    ...[[{ source: '203.0.113.7', description: '' }], [{ source: '203.0.113.7', cidr: 'x' }]],
  ),
);
const noPlaces = fc.constantFrom<unknown>([], [''], 'vpce-1', [7], null, {});
const badByoc = fc.constantFrom<unknown>(...[8, 44, 52, 120, 176, 228, 236, 356]);

const NOTHING_SPECIAL = { byocId: undefined, tier: undefined, backupId: undefined };

export const SERVICE_BREAKS: readonly Break[] = [
  set('name', noName),
  set('provider', fc.oneof(stranger, wordless)),
  set('region', fc.oneof(stranger, wordless)),
  set('tier', fc.oneof(stranger, wordless)),
  set('tier: azure', fc.constant('development'), {
    ...{ provider: 'azure', region: 'eastus' },
    ...{ releaseChannel: undefined, minTotalMemoryGb: undefined, maxTotalMemoryGb: undefined },
  }),
  set('profile', fc.oneof(stranger, wordless)),
  set('complianceType', fc.oneof(stranger, wordless)),
  set('releaseChannel', fc.oneof(stranger, wordless)),
  set('releaseChannel: not production', fc.constantFrom('slow', 'default', 'fast'), {
    ...NOTHING_SPECIAL,
    ...{ tier: 'dedicated_high_mem', minTotalMemoryGb: undefined, maxTotalMemoryGb: undefined },
  }),
  set('numReplicas', notIn(1, 20)),
  set('minReplicaMemoryGb', notIn(8, 356, 4)),
  set('maxReplicaMemoryGb', notIn(8, 356, 4)),
  set('minReplicaMemoryGb: above', fc.constantFrom(68, 120, 356), {
    ...NOTHING_SPECIAL,
    maxReplicaMemoryGb: 64,
  }),
  set('minTotalMemoryGb', notIn(24, 1_068, 12), { tier: 'production', backupId: undefined }),
  set('maxTotalMemoryGb', notIn(24, 1_068, 12), { tier: 'production', backupId: undefined }),
  set('minTotalMemoryGb: above', fc.constantFrom(48, 1_068), {
    ...{ tier: 'production', maxTotalMemoryGb: 36, backupId: undefined },
  }),
  set('maxTotalMemoryGb: not production', fc.constantFrom(24, 36, 1_068), {
    ...NOTHING_SPECIAL,
    minTotalMemoryGb: undefined,
  }),
  set('idleScaling', flagless),
  set(
    'idleTimeoutMinutes',
    fc.oneof(fc.integer({ min: -100, max: 4 }), fc.constant(4.5), numberless),
    { idleScaling: true },
  ),
  known(set('idleTimeoutMinutes: never idle', fc.constantFrom(5, 60), { idleScaling: false })),
  set('ipAccessList', noEntry),
  set(
    'endpoints',
    fc.constantFrom<unknown>(
      ...[[], [{}], [{ protocol: 'https', enabled: true }], [{ protocol: 'mysql' }], 'mysql'],
      ...[[{ protocol: 'mysql', enabled: 'yes' }], [{ protocol: 'mysql', enabled: true, a: 1 }]],
    ),
  ),
  set('privateEndpointIds', noPlaces),
  set('byocId: sizes', fc.constant('byoc-1'), { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 356 }),
  set('minReplicaMemoryGb: byoc', badByoc, { byocId: 'byoc-1', maxReplicaMemoryGb: 232 }),
  set('minReplicaMemoryGb: byoc alone', fc.constant(undefined), {
    ...{ byocId: 'byoc-1', maxReplicaMemoryGb: 232 },
  }),
  set('dataWarehouseId', fc.oneof(wordless, fc.constant(''))),
  known(set('dataWarehouseId: unknown', fc.uuid())),
  set('isReadonly', flagless),
  set('isReadonly: no warehouse', fc.boolean(), { dataWarehouseId: undefined }),
  set('backupId', fc.constantFrom<unknown>('x', '', '9a8b7c6d', 7, null, {})),
  known(set('backupId: unknown', fc.uuid())),
  set('hasTransparentDataEncryption', flagless),
  set('encryptionKey', fc.oneof(wordless, fc.constant(''))),
  set('encryptionAssumedRoleIdentifier', fc.oneof(wordless, fc.constant(''))),
  set('privatePreviewTermsChecked', flagless),
  {
    rule: 'keys that are none',
    stated: true,
    apply: (valid) =>
      fc.tuple(unknownKey, fc.jsonValue()).map(([key, value]) => ({ ...valid, [key]: value })),
  },
  known({
    rule: 'region of another provider',
    stated: false,
    apply: (valid) =>
      fc.constant({
        ...valid,
        ...NOTHING_SPECIAL,
        region: valid['provider'] === 'aws' ? 'eastus' : 'us-east-1',
      }),
  }),
  without('no name', 'name'),
  without('no provider', 'provider'),
  without('no region', 'region'),
];

export const STATE_BREAKS: readonly Break[] = [
  set('command', fc.constantFrom<unknown>('START', 'restart', 'idle', '', ' stop', 1, true, [])),
  set('command: null', fc.constant(null)),
  set('state', fc.constantFrom('start', 'stop')),
  {
    rule: 'nothing',
    stated: true,
    apply: () => fc.constantFrom<Json>({}, { action: 'start' }, { Command: 'stop' }),
  },
];

export const INVITATION_BREAKS: readonly Break[] = [
  set(
    'email',
    fc.constantFrom<unknown>(
      ...['', 'ana', 'ana@', '@example.com', 'ana@example', 'ana example.com', 'a@b@example.com'],
      ...['ana@example..com', 'ana@-example.com', ' ana@example.com', 'Ana <ana@example.com>'],
      ...['.ana@example.com', 'ana..b@example.com', null, 7, [], {}, ['ana@example.com']],
    ),
  ),
  set('role', fc.constantFrom('admin', 'developer')),
  {
    rule: 'nothing',
    stated: true,
    apply: () => fc.constantFrom<Json>({}, { mail: 'a@b.example' }),
  },
];
