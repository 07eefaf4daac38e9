import { describe, expect, it } from 'vitest';
import { PROFILES, REGIONS_OF } from '../../../src/core/cloud/service.ts';
import { readSlash } from '../../../src/core/slash/slash.ts';
import { serviceInput } from '../../../src/operations/service-create/input.ts';
import { requestOf, secretNamesOf } from '../../../src/operations/service-create/plan.ts';
import { asRaw, prefill } from '../../../src/operations/service-create/prefill.ts';
import { serviceCreate } from '../../../src/operations/service-create/service-create.ts';
import { REGIONS as SANDBOX_REGIONS } from '../../../src/sandbox/control-plane/services/create-request.ts';
import { settingsWith } from '../../support/operation-ports.ts';

const BASIC = {
  name: 'reporting',
  provider: 'aws',
  region: 'us-east-1',
  ipAccessList: '203.0.113.0/24 office',
};

function issuesOf(changes: object): readonly (readonly [string, string])[] {
  const prepared = serviceCreate.prepare({ ...BASIC, ...changes });
  return 'issues' in prepared ? prepared.issues.map((each) => [each.field, each.message]) : [];
}

function requestFrom(changes: object) {
  return requestOf(serviceInput.parse({ ...BASIC, ...changes }));
}

const MEMORY = 'A multiple of 4 between 8 and 356.';
const TOTAL = 'A multiple of 12 between 24 and 1068.';
const BYOC = 'With a BYOC id: 48, 116, 172 or 232.';
const PRODUCTION = 'Only with the tier production, or without a tier.';
const LINE = 'an IPv4 address or CIDR comes first, as in 203.0.113.0/24 office.';

describe('the rules of a new service', () => {
  it.each<[string, object, string, string]>([
    ['a name that is too long', { name: 'a'.repeat(51) }, 'name', 'At most 50 characters.'],
    ['a name with a dash', { name: 'my-service' }, 'name', 'Letters, digits and spaces.'],
    ['an empty name', { name: '  ' }, 'name', 'Give it a name.'],
    ['another provider', { provider: 'ibm' }, 'provider', 'One of aws, gcp, azure.'],
    ['no replica', { numReplicas: '0' }, 'numReplicas', 'Between 1 and 20.'],
    ['21 replicas', { numReplicas: '21' }, 'numReplicas', 'Between 1 and 20.'],
    ['half a replica', { numReplicas: '1.5' }, 'numReplicas', 'Between 1 and 20.'],
    ['a word for a number', { numReplicas: 'two' }, 'numReplicas', 'Between 1 and 20.'],
    ['hexadecimal digits', { numReplicas: '0x10' }, 'numReplicas', 'Between 1 and 20.'],
    ['yes for a number', { numReplicas: true }, 'numReplicas', 'Between 1 and 20.'],
    ['an exponent', { minReplicaMemoryGb: '1.6e1' }, 'minReplicaMemoryGb', MEMORY],
    ['a number for yes', { idleScaling: '1' }, 'idleScaling', 'Yes or no.'],
    ['memory of 4 GB', { minReplicaMemoryGb: '4' }, 'minReplicaMemoryGb', MEMORY],
    ['memory of 10 GB', { minReplicaMemoryGb: '10' }, 'minReplicaMemoryGb', MEMORY],
    ['memory of 360 GB', { maxReplicaMemoryGb: '360' }, 'maxReplicaMemoryGb', MEMORY],
    ['total memory of 12 GB', { minTotalMemoryGb: '12' }, 'minTotalMemoryGb', TOTAL],
    ['total memory of 1080 GB', { maxTotalMemoryGb: '1080' }, 'maxTotalMemoryGb', TOTAL],
    ['total memory of 25 GB', { maxTotalMemoryGb: '25' }, 'maxTotalMemoryGb', TOTAL],
    [
      'a minimum above the maximum',
      { minReplicaMemoryGb: '64', maxReplicaMemoryGb: '16' },
      'minReplicaMemoryGb',
      'At most 16, the maximum.',
    ],
    [
      'a total minimum above the maximum',
      { minTotalMemoryGb: '48', maxTotalMemoryGb: '24' },
      'minTotalMemoryGb',
      'At most 24, the maximum.',
    ],
    ['BYOC without a minimum', { byocId: 'b', maxReplicaMemoryGb: 48 }, 'minReplicaMemoryGb', BYOC],
    [
      'BYOC with another size',
      { byocId: 'b', minReplicaMemoryGb: 48, maxReplicaMemoryGb: 64 },
      'maxReplicaMemoryGb',
      BYOC,
    ],
    [
      'read-only without a warehouse',
      { isReadonly: 'true' },
      'isReadonly',
      'Only together with a warehouse id.',
    ],
    [
      'idling after 4 minutes',
      { idleTimeoutMinutes: '4' },
      'idleTimeoutMinutes',
      'At least 5 minutes.',
    ],
    [
      'a timeout without idling',
      { idleScaling: 'false', idleTimeoutMinutes: '5' },
      'idleTimeoutMinutes',
      'Only while the service may scale to zero.',
    ],
    [
      'development on azure',
      { provider: 'azure', region: 'eastus', tier: 'development' },
      'tier',
      'On azure any but development.',
    ],
    [
      'a channel in development',
      { tier: 'development', releaseChannel: 'fast' },
      'releaseChannel',
      PRODUCTION,
    ],
    [
      'total memory in development',
      { tier: 'development', minTotalMemoryGb: 24 },
      'minTotalMemoryGb',
      PRODUCTION,
    ],
    [
      'a total maximum in development',
      { tier: 'development', maxTotalMemoryGb: 24 },
      'maxTotalMemoryGb',
      PRODUCTION,
    ],
    [
      'a region of another provider',
      { provider: 'gcp' },
      'region',
      'A region of gcp: us-east1, us-central1, europe-west4, asia-southeast1.',
    ],
    ['a backup that is no UUID', { backupId: 'x' }, 'backupId', 'A UUID.'],
    ['another profile', { profile: 'v2' }, 'profile', `One of ${PROFILES.join(', ')}.`],
    ['another compliance', { complianceType: 'iso' }, 'complianceType', 'One of hipaa, pci.'],
    ['neither yes nor no', { idleScaling: 'perhaps' }, 'idleScaling', 'Yes or no.'],
    ['an empty list', { ipAccessList: ' \n ' }, 'ipAccessList', 'At least one address.'],
    ['no address', { ipAccessList: 'office' }, 'ipAccessList', `Line 1: ${LINE}`],
    ['IPv6', { ipAccessList: '10.0.0.1\n\n2001:db8::1' }, 'ipAccessList', `Line 3: ${LINE}`],
    ['an octet of 300', { ipAccessList: '300.0.0.1' }, 'ipAccessList', `Line 1: ${LINE}`],
    ['a prefix of 33', { ipAccessList: '10.0.0.0/33' }, 'ipAccessList', `Line 1: ${LINE}`],
    [
      'an address twice',
      { ipAccessList: '10.0.0.1\n10.0.0.1 again' },
      'ipAccessList',
      'Line 2: 10.0.0.1 stands on line 1 already.',
    ],
    [
      'everybody without the tick',
      { ipAccessList: '0.0.0.0/0' },
      'anywhere',
      '0.0.0.0/0 lets everybody in: tick this, or list narrower addresses.',
    ],
    [
      'half of everybody without the tick',
      { ipAccessList: '10.0.0.1\n128.0.0.0/1' },
      'anywhere',
      'All entries together let 50 % of the internet in: tick this, or list narrower addresses.',
    ],
    [
      'blank endpoint ids',
      { privateEndpointIds: ' \n' },
      'privateEndpointIds',
      'One a line, or leave it out.',
    ],
    [
      'an empty id',
      { byocId: '', minReplicaMemoryGb: 48, maxReplicaMemoryGb: 48 },
      'byocId',
      'Give a value, or leave it out.',
    ],
  ])('refuses %s beside its field', (_, changes, field, message) => {
    expect(issuesOf(changes)).toEqual([[field, message]]);
  });

  it('tells rules between fields while other fields are still wrong', () => {
    const issues = issuesOf({ name: 'a-b', minReplicaMemoryGb: '64', maxReplicaMemoryGb: '16' });
    expect(issues.map(([field]) => field)).toEqual(['name', 'minReplicaMemoryGb']);
  });

  it('has no words for fields that are merely missing', () => {
    const prepared = serviceCreate.prepare({});
    expect('issues' in prepared && prepared.issues).toEqual(
      ['name', 'provider', 'region', 'ipAccessList'].map((field) => ({ field, message: '' })),
    );
  });

  it.each([
    ['one replica', { numReplicas: '1' }],
    ['0.0.0.0 as one address', { ipAccessList: '0.0.0.0' }],
    ['everybody with the tick', { ipAccessList: '0.0.0.0/0', anywhere: true }],
    ['a channel without a tier', { releaseChannel: 'fast' }],
    ['BYOC with both sizes', { byocId: 'b', minReplicaMemoryGb: 48, maxReplicaMemoryGb: '232' }],
    ['read-only in a warehouse', { isReadonly: 'yes', dataWarehouseId: 'd0a1' }],
  ])('takes %s', (_, changes) => {
    expect(issuesOf(changes)).toEqual([]);
  });
});

describe('the request', () => {
  it('leaves out what was left empty', () => {
    expect(requestFrom({})).toEqual({
      name: 'reporting',
      provider: 'aws',
      region: 'us-east-1',
      ipAccessList: [{ source: '203.0.113.0/24', description: 'office' }],
    });
  });

  it('sends an explicit no', () => {
    expect(requestFrom({ idleScaling: 'false', endpoints: 'false' })).toMatchObject({
      idleScaling: false,
      endpoints: [{ protocol: 'mysql', enabled: false }],
    });
  });

  it('carries every field of the specification', () => {
    const request = requestFrom(EVERYTHING);
    expect(Object.keys(request).sort()).toEqual(ALL_FIELDS);
    expect(request).toMatchObject({
      numReplicas: 3,
      hasTransparentDataEncryption: true,
      privateEndpointIds: ['vpce-1', 'vpce-2'],
      privatePreviewTermsChecked: true,
    });
  });

  it.each([
    'vpce-1\nvpce-2',
    'vpce-1, vpce-2',
    'vpce-1; vpce-2',
    'vpce-1 and vpce-2',
    ['vpce-1', 'vpce-2'],
    ['vpce-1, vpce-2'],
    'vpce‑1 vpce–2',
  ])('lists the endpoint ids of %j', (privateEndpointIds) => {
    const expected = { privateEndpointIds: ['vpce-1', 'vpce-2'] };
    expect(requestFrom({ privateEndpointIds })).toMatchObject(expected);
  });

  it('keeps the names of credentials apart', () => {
    const parsed = serviceInput.parse({ ...BASIC, encryptionKey: 'disk' });
    expect(requestOf(parsed)).not.toHaveProperty('encryptionKey');
    expect(secretNamesOf(parsed)).toEqual({ encryptionKey: 'disk' });
  });
});

const EVERYTHING = {
  numReplicas: '3',
  minReplicaMemoryGb: '48',
  maxReplicaMemoryGb: '116',
  idleScaling: 'true',
  idleTimeoutMinutes: '15',
  profile: 'v1-default',
  complianceType: 'hipaa',
  releaseChannel: 'slow',
  dataWarehouseId: 'd0a1b2c3-1111-4aaa-8bbb-200000000001',
  isReadonly: 'true',
  backupId: '9a8b7c6d-5e4f-4a3b-8c2d-500000000001',
  byocId: 'byoc-1',
  endpoints: 'true',
  hasTransparentDataEncryption: 'true',
  privatePreviewTermsChecked: true,
  tier: 'production',
  minTotalMemoryGb: '144',
  maxTotalMemoryGb: '348',
  privateEndpointIds: 'vpce-1\nvpce-2',
};

const ALL_FIELDS = [...Object.keys(BASIC), ...Object.keys(EVERYTHING)].sort();

describe('presets', () => {
  const settings = settingsWith({
    presets: {
      small: { provider: 'aws', region: 'us-east-1', numReplicas: 2, idleScaling: false },
      lists: { ipAccessList: [{ source: '10.0.0.1', description: 'vpn' }, { source: '10.0.0.2' }] },
      texts: { ipAccessList: ['10.0.0.1 vpn', '10.0.0.2'] },
      odd: { anywhere: true, size: 3, numReplicas: 4 },
    },
  });

  it.each<[string, object, object]>([
    [
      'fill what was not typed',
      { name: 'reporting', preset: 'small', numReplicas: '5' },
      {
        name: 'reporting',
        provider: 'aws',
        region: 'us-east-1',
        numReplicas: '5',
        idleScaling: 'false',
      },
    ],
    [
      'may list addresses as objects',
      { preset: 'lists' },
      { ipAccessList: '10.0.0.1 vpn\n10.0.0.2' },
    ],
    ['may list addresses as text', { preset: 'texts' }, { ipAccessList: '10.0.0.1 vpn\n10.0.0.2' }],
    ['are not needed', { name: 'a', idleScaling: 'no' }, { name: 'a', idleScaling: 'false' }],
  ])('%s', (_, raw, filled) => {
    expect(prefill({ ...raw }, settings)).toEqual({ raw: filled, issues: [] });
  });

  it.each([
    ['smal', 'There is no preset smal. Did you mean small?'],
    ['huge', 'There is no preset huge. Choose small, lists, texts or odd.'],
    ['constructor', 'There is no preset constructor. Choose small, lists, texts or odd.'],
  ])('say so when there is no %s', (preset, message) => {
    expect(prefill({ name: 'a', preset }, settings)).toEqual({
      raw: { name: 'a' },
      issues: [{ field: 'preset', message }],
    });
  });

  it('never open a service to everybody, nor set what is no field', () => {
    expect(prefill({ preset: 'odd' }, settings)).toEqual({
      raw: { numReplicas: 4 },
      issues: [
        { field: 'preset', message: 'odd sets anywhere, which a preset cannot set.' },
        { field: 'preset', message: 'odd sets size, which a preset cannot set.' },
      ],
    });
  });

  it('survive as parsed values: the way back to the form loses nothing', () => {
    const parsed = serviceInput.parse({ ...BASIC, ...EVERYTHING });
    expect(serviceInput.parse(asRaw(parsed))).toEqual(parsed);
  });
});

it('reads its examples and its positional name', () => {
  for (const example of serviceCreate.slash.examples) {
    const reading = readSlash(example, [serviceCreate]);
    expect(reading).toMatchObject({ kind: 'operation', issues: [], raw: { name: 'nightly' } });
    expect(serviceCreate.prepare(reading.kind === 'operation' ? reading.raw : {})).toHaveProperty(
      'plan',
    );
  }
});

it('reads the regions of the specification as the stand-in does, which has a reading of its own', () => {
  expect(REGIONS_OF).toEqual(SANDBOX_REGIONS.neutral);
});
