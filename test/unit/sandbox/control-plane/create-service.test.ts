import { describe, expect, it } from 'vitest';
import { BACKUP_ID, WAREHOUSES } from '../../../../src/sandbox/control-plane/seed.ts';
import type { SettingsChange } from '../../../../src/sandbox/control-plane/settings.ts';
import { FULL_SERVICE, SMALL_SERVICE, withValue } from './bodies.ts';
import { ORGANIZATION, refusal, start } from './harness.ts';

const CREATE = `POST ${ORGANIZATION}/services`;
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const EMPTY = 'must not be empty, leave it out instead';
const NULL = 'must not be null, leave it out instead';

type Row = readonly [path: string, value: unknown, words: string, settings?: SettingsChange];

const FIELD_RULES: readonly Row[] = [
  ['name', undefined, 'is required'],
  ['provider', undefined, 'is required'],
  ['region', undefined, 'is required'],
  ['name', '', EMPTY],
  ['name', 'x'.repeat(51), 'must have at most 50 characters'],
  ['name', 'with-dash', 'must be letters, digits and spaces'],
  ['name', '   ', 'must be letters, digits and spaces'],
  ['name', 7, 'must be a string'],
  ['provider', 'ibm', 'must be one of aws, gcp, azure'],
  ['region', 'us-east1', expect.stringContaining('must be a region of aws: ap-northeast-1')],
  ['tier', 'free', expect.stringContaining('must be one of development, production')],
  ['profile', 'v2', expect.stringContaining('must be one of v1-default')],
  ['complianceType', 'gdpr', 'must be one of hipaa, pci'],
  ['releaseChannel', 'regular', 'must be one of slow, default, fast'],
  ['numReplicas', 0, 'must be at least 1'],
  ['numReplicas', 21, 'must be at most 20'],
  ['numReplicas', 2.5, 'must be a whole number'],
  ['numReplicas', '3', 'must be a number'],
  ['numReplicas', null, NULL],
  ['minReplicaMemoryGb', 4, 'must be at least 8'],
  ['minReplicaMemoryGb', 10, 'must be a multiple of 4'],
  ['minReplicaMemoryGb', 124, 'must be at most maxReplicaMemoryGb'],
  ['maxReplicaMemoryGb', 360, 'must be at most 356'],
  ['maxReplicaMemoryGb', 18, 'must be a multiple of 4'],
  ['minTotalMemoryGb', 12, 'must be at least 24'],
  ['minTotalMemoryGb', 372, 'must be at most maxTotalMemoryGb'],
  ['maxTotalMemoryGb', 1080, 'must be at most 1068'],
  ['maxTotalMemoryGb', 100, 'must be a multiple of 12'],
  ['idleScaling', 'true', 'must be true or false'],
  ['idleTimeoutMinutes', 4, 'must be at least 5'],
  ['idleTimeoutMinutes', 0, 'must be at least 5'],
  ['ipAccessList.0', {}, 'is required'],
  ['ipAccessList.0.source', '203.0.113.256', expect.stringContaining('must be an IPv4 address')],
  ['ipAccessList.0.source', '203.0.113', expect.stringContaining('must be an IPv4 address')],
  ['ipAccessList.0.source', '10.0.0.0/33', expect.stringContaining('must be an IPv4 address')],
  ['ipAccessList.0.source', '2001:db8::1', expect.stringContaining('must be an IPv4 address')],
  ['ipAccessList.1.description', '', EMPTY],
  ['ipAccessList.0.label', 'x', 'is not a field that this request takes'],
  ['endpoints', [], EMPTY],
  ['endpoints.0.protocol', 'https', 'must be one of mysql'],
  ['endpoints.0.enabled', undefined, 'is required'],
  ['privateEndpointIds', [], EMPTY],
  ['privateEndpointIds.0', '', EMPTY],
  ['byocId', '', EMPTY],
  ['dataWarehouseId', '', EMPTY],
  ['backupId', 'latest', 'must be a UUID'],
  ['hasTransparentDataEncryption', 'yes', 'must be true or false'],
  ['encryptionKey', '', EMPTY],
  ['encryptionAssumedRoleIdentifier', null, NULL],
  ['privatePreviewTermsChecked', 1, 'must be true or false'],
  ['state', 'running', 'is not a field that this request takes'],
  ['engineVersion', '25', 'is not a field that this request takes'],
];

const CROSS_RULES: readonly (readonly [object, string, string, SettingsChange?])[] = [
  [
    { provider: 'gcp', region: 'us-east-1' },
    'region',
    'must be a region of gcp: us-east1, us-central1, europe-west4, asia-southeast1',
  ],
  [
    { provider: 'azure', region: 'us-east1' },
    'region',
    'must be a region of azure: eastus, eastus2, westus3, germanywestcentral',
  ],
  [
    { provider: 'azure', region: 'eastus', tier: 'development' },
    'tier',
    'must not be development on azure',
  ],
  [
    { tier: 'production' },
    'tier',
    'is not taken by an organization with a BASIC, SCALE or ENTERPRISE tier',
    { organizationMigrated: true },
  ],
  [
    { tier: 'development', releaseChannel: 'fast' },
    'releaseChannel',
    'is for services of tier production only',
  ],
  [
    { profile: 'v1-default' },
    'profile',
    'is for organizations of tier ENTERPRISE only',
    { organizationTier: 'SCALE' },
  ],
  [
    { hasTransparentDataEncryption: true },
    'hasTransparentDataEncryption',
    'is for organizations of tier ENTERPRISE only',
    { organizationTier: 'BASIC' },
  ],
  [{ numReplicas: 1 }, 'numReplicas', 'must be at least 2 for the first service of a warehouse'],
  [{ minTotalMemoryGb: 24 }, 'minTotalMemoryGb', 'needs tier production'],
  [{ maxTotalMemoryGb: 24, tier: 'development' }, 'maxTotalMemoryGb', 'needs tier production'],
  [
    { maxReplicaMemoryGb: 124 },
    'maxReplicaMemoryGb',
    'must be at most 120 for free services',
    { freeServices: true },
  ],
  [
    { minReplicaMemoryGb: 124 },
    'minReplicaMemoryGb',
    'must be at most 120 for free services',
    { freeServices: true },
  ],
  [
    { tier: 'production', maxTotalMemoryGb: 372 },
    'maxTotalMemoryGb',
    'must be at most 360 for free services',
    { freeServices: true },
  ],
  [{ byocId: 'b' }, 'minReplicaMemoryGb', 'is required when byocId is given'],
  [
    { byocId: 'b', minReplicaMemoryGb: 48 },
    'maxReplicaMemoryGb',
    'is required when byocId is given',
  ],
  [
    { byocId: 'b', minReplicaMemoryGb: 48, maxReplicaMemoryGb: 120 },
    'maxReplicaMemoryGb',
    'must be one of 48, 116, 172, 232 when byocId is given',
  ],
  [{ isReadonly: true }, 'isReadonly', 'is allowed only with dataWarehouseId'],
  [{ dataWarehouseId: 'elsewhere' }, 'dataWarehouseId', 'must be a warehouse of this organization'],
  [
    { backupId: '00000000-0000-4000-8000-000000000000' },
    'backupId',
    'must be a backup of this organization',
  ],
  [
    { backupId: BACKUP_ID, region: 'us-east-2' },
    'region',
    'must be us-east-1, the region of the backup',
  ],
  [
    { backupId: BACKUP_ID, tier: 'development' },
    'tier',
    'must be production, the tier of the backup',
  ],
  [{ backupId: BACKUP_ID }, 'tier', 'must be production, the tier of the backup'],
  [
    { idleScaling: false, idleTimeoutMinutes: 5 },
    'idleTimeoutMinutes',
    'must be left out when idleScaling is false',
  ],
];

describe('creating a service', () => {
  it('refuses every field that does not fit, by its path', async () => {
    const plane = await start();
    for (const [path, value, words] of FIELD_RULES) {
      const answer = await plane.ask(CREATE, { body: withValue(FULL_SERVICE, path, value) });
      const named = words === 'is required' && value !== undefined ? `${path}.source` : path;
      const error = typeof words === 'string' ? refusal(named, words).error : words;
      expect(answer.json, `${path} = ${JSON.stringify(value)}`).toMatchObject({
        status: 400,
        error,
      });
      expect(answer.json.error).toContain(`BAD_REQUEST: ${named}: `);
      expect(answer.json.requestId).toMatch(UUID_V4);
    }
    expect(plane.state().services).toHaveLength(8);
  });

  it.each(
    CROSS_RULES.map(([fields, path, words, settings = {}]) => ({ fields, path, words, settings })),
  )('refuses $fields: $path $words', async ({ fields, path, words, settings }) => {
    const plane = await start({ settings });
    const answer = await plane.ask(CREATE, { body: { ...SMALL_SERVICE, ...fields } });
    expect(answer.json).toMatchObject(refusal(path, words));
  });

  it('refuses a body that is no object, no JSON or not declared as JSON', async () => {
    const plane = await start();
    const broken = await plane.ask(CREATE, { text: '{"name":' });
    expect(broken.json).toMatchObject(refusal('body', 'must be JSON'));
    const list = await plane.ask(CREATE, { body: [] });
    expect(list.json).toMatchObject(refusal('body', 'must be an object'));
    for (const contentType of ['text/plain', 'application/json-patch+json', 'application/json5']) {
      const text = await plane.ask(CREATE, { body: SMALL_SERVICE, contentType });
      const words = 'must be sent with content-type application/json';
      expect(text.json, contentType).toMatchObject(refusal('body', words));
    }
    const contentType = 'application/json; charset=utf-8';
    expect((await plane.ask(CREATE, { body: SMALL_SERVICE, contentType })).status).toBe(200);
    const long = await plane.ask(CREATE, { text: `"${'x'.repeat(1024 * 1024)}"` });
    expect(long.json).toMatchObject({ status: 413, error: expect.stringContaining('body: ') });
  });

  it('takes every field and returns the record without the request-only ones', async () => {
    const plane = await start();
    const answer = await plane.ask(CREATE, { body: FULL_SERVICE });
    expect(answer.json).toMatchObject({ status: 200, requestId: expect.stringMatching(UUID_V4) });
    const { password, service } = answer.json.result;
    expect(password).toMatch(/^fake-password-.{12}$/);
    const { endpoints, privatePreviewTermsChecked: _asked, ...fields } = FULL_SERVICE;
    expect(service).toMatchObject({
      ...fields,
      id: expect.stringMatching(UUID_V4),
      state: 'provisioning',
      createdAt: '2026-11-27T10:00:00.000Z',
      engineVersion: expect.any(String),
      isPrimary: true,
      isReadonly: false,
      encryptionRoleId: expect.any(String),
      transparentDataEncryptionKeyId: expect.any(String),
    });
    const protocols = service.endpoints.map((endpoint: { protocol: string }) => endpoint.protocol);
    expect(protocols).toEqual(['https', 'nativesecure', 'mysql']);
    expect(endpoints).toHaveLength(1);
    expect(service).not.toHaveProperty('privatePreviewTermsChecked');
  });

  it('fills in defaults, and is open to the world when no access list is given', async () => {
    const plane = await start();
    const { service } = (await plane.ask(CREATE, { body: SMALL_SERVICE })).json.result;
    expect(service).toMatchObject({
      numReplicas: 3,
      idleScaling: true,
      idleTimeoutMinutes: 15,
      releaseChannel: 'default',
      ipAccessList: [{ source: '0.0.0.0/0', description: 'Anywhere' }],
    });
    expect(service).not.toHaveProperty('encryptionRoleId');
    plane.changeSettings({ organizationTier: 'BASIC', quirks: ['release-channel-ignored'] });
    const body = { ...SMALL_SERVICE, idleScaling: false, releaseChannel: 'fast' };
    const second = (await plane.ask(CREATE, { body })).json.result.service;
    expect(second).toMatchObject({ numReplicas: 1, idleScaling: false, releaseChannel: 'default' });
    expect(second).not.toHaveProperty('idleTimeoutMinutes');
  });

  it('takes one replica for a first service, read-only in a warehouse, byoc, a backup', async () => {
    const plane = await start();
    const accepted = [
      { numReplicas: 2 },
      { dataWarehouseId: WAREHOUSES.core, isReadonly: true, numReplicas: 1 },
      { byocId: 'b', minReplicaMemoryGb: 48, maxReplicaMemoryGb: 232 },
      { backupId: BACKUP_ID.toUpperCase(), tier: 'production' },
      { idleTimeoutMinutes: 5.5 },
      { ipAccessList: [] },
      { provider: 'gcp', region: 'europe-west4' },
      { provider: 'azure', region: 'eastus2', tier: 'production' },
      { region: 'me-central-1' },
      { ipAccessList: [{ source: '0.0.0.0/0' }] },
      { endpoints: [{ protocol: 'mysql', enabled: false }] },
    ];
    for (const fields of accepted) {
      const answer = await plane.ask(CREATE, { body: { ...SMALL_SERVICE, ...fields } });
      expect(answer.status, JSON.stringify(fields)).toBe(200);
    }
    for (const [settings, fields] of [
      [{ firstReplicas: 'practice' }, { numReplicas: 1 }],
      [{ firstReplicas: 'specification', organizationTier: 'BASIC' }, { numReplicas: 1 }],
      [{ organizationTier: 'SCALE' }, { hasTransparentDataEncryption: false }],
      [{ organizationMigrated: true }, { backupId: BACKUP_ID }],
      [{ organizationMigrated: false, freeServices: true }, { maxReplicaMemoryGb: 120 }],
    ] as const) {
      plane.changeSettings(settings);
      const answer = await plane.ask(CREATE, { body: { ...SMALL_SERVICE, ...fields } });
      expect(answer.status, JSON.stringify(fields)).toBe(200);
    }
    const made = plane.state().services.slice(8);
    expect(made[1]).toMatchObject({ isPrimary: false, dataWarehouseId: WAREHOUSES.core });
    expect(new Set(made.map((service) => service.name))).toEqual(new Set(['small']));
  });
});
