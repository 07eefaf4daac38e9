import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/core/operation/operation.ts';
import { activityRead } from '../../src/operations/activity-read/activity-read.ts';
import { costRead } from '../../src/operations/cost-read/cost-read.ts';
import { dashboardDelete } from '../../src/operations/dashboard-delete/dashboard-delete.ts';
import { invitationRead } from '../../src/operations/invitation-read/invitation-read.ts';
import { pipeCreate } from '../../src/operations/pipe-create/pipe-create.ts';
import { serviceCreate } from '../../src/operations/service-create/service-create.ts';
import { fillForm, type Typed } from '../support/fill-form.ts';
import { allowEverything } from '../support/permissive.ts';
import { LEAST } from '../support/pipe-fields.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** One rule broken in a form that otherwise fits, and what stands beside which field. */
type Rule = readonly [rule: string, typed: Typed, key: string, message: RegExp];

const BASIC: Typed = {
  ...{ name: 'reporting', provider: 'aws', region: 'us-east-1' },
  ipAccessList: '203.0.113.7 office',
};
const AZURE: Typed = { provider: 'azure', region: 'eastus' };
const MEMORY = /A multiple of 4 between 8 and 356/;
const TOTAL = /A multiple of 12 between 24 and 1068/;
const BYOC = /With a BYOC id: 48, 116, 172 or 232/;
const PRODUCTION = /Only with the tier production/;
const ADDRESS = /Line 1: an IPv4 address or CIDR comes first/;

/** Spec: Service; Errors; Limits. */
const SERVICE_RULES: readonly Rule[] = [
  ['name: 50 characters', { name: 'a'.repeat(51) }, 'name', /At most 50 characters/],
  ['name: alphanumeric and spaces', { name: 'my-service' }, 'name', /Letters, digits and spaces/],
  ['replicas: at least 1', { numReplicas: '0' }, 'numReplicas', /Between 1 and 20/],
  ['replicas: at most 20', { numReplicas: '21' }, 'numReplicas', /Between 1 and 20/],
  ['memory: at least 8', { minReplicaMemoryGb: '4' }, 'minReplicaMemoryGb', MEMORY],
  ['memory: a multiple of 4', { minReplicaMemoryGb: '10' }, 'minReplicaMemoryGb', MEMORY],
  ['memory: at most 356', { maxReplicaMemoryGb: '360' }, 'maxReplicaMemoryGb', MEMORY],
  [
    'memory: minimum up to maximum',
    { minReplicaMemoryGb: '64', maxReplicaMemoryGb: '16' },
    'minReplicaMemoryGb',
    /At most 16, the maximum/,
  ],
  ['total memory: at least 24', { minTotalMemoryGb: '12' }, 'minTotalMemoryGb', TOTAL],
  ['total memory: a multiple of 12', { maxTotalMemoryGb: '25' }, 'maxTotalMemoryGb', TOTAL],
  ['total memory: at most 1068', { maxTotalMemoryGb: '1080' }, 'maxTotalMemoryGb', TOTAL],
  [
    'total memory: minimum up to maximum',
    { tier: 'production', minTotalMemoryGb: '48', maxTotalMemoryGb: '24' },
    'minTotalMemoryGb',
    /At most 24, the maximum/,
  ],
  [
    'total memory: production only',
    { tier: 'dedicated_high_mem', maxTotalMemoryGb: '24' },
    'maxTotalMemoryGb',
    PRODUCTION,
  ],
  [
    'release channel: production only',
    { tier: 'development', releaseChannel: 'fast' },
    'releaseChannel',
    PRODUCTION,
  ],
  [
    'tier: no development on azure',
    { ...AZURE, tier: 'development' },
    'tier',
    /On azure any but development/,
  ],
  ['idle timeout: at least 5', { idleTimeoutMinutes: '4' }, 'idleTimeoutMinutes', /At least 5/],
  [
    'idle timeout: while idling',
    { idleScaling: 'false', idleTimeoutMinutes: '5' },
    'idleTimeoutMinutes',
    /Only while the service may scale to zero/,
  ],
  ['BYOC: a minimum', { byocId: 'b', maxReplicaMemoryGb: '48' }, 'minReplicaMemoryGb', BYOC],
  ['BYOC: a maximum', { byocId: 'b', minReplicaMemoryGb: '48' }, 'maxReplicaMemoryGb', BYOC],
  [
    'BYOC: known sizes',
    { byocId: 'b', minReplicaMemoryGb: '48', maxReplicaMemoryGb: '64' },
    'maxReplicaMemoryGb',
    BYOC,
  ],
  ['read-only: in a warehouse', { isReadonly: 'true' }, 'isReadonly', /together with a warehouse/],
  ['backup: a UUID', { backupId: 'yesterday' }, 'backupId', /A UUID/],
  ['addresses: no IPv6', { ipAccessList: '2001:db8::1' }, 'ipAccessList', ADDRESS],
  ['addresses: octets', { ipAccessList: '10.0.0.256' }, 'ipAccessList', ADDRESS],
  ['addresses: prefixes', { ipAccessList: '10.0.0.0/33' }, 'ipAccessList', ADDRESS],
  ['addresses: the world by a tick', { ipAccessList: '0.0.0.0/0' }, 'anywhere', /tick this/],
];

function pipe(kind: 'kafka' | 'kinesis' | 'objectStorage' | 'postgres', typed: Typed): Typed {
  return { service: 'analytics', name: 'orders', sourceKind: kind, ...LEAST[kind], ...typed };
}

const PIPE_RULES: readonly Rule[] = [
  ['brokers: host:port', pipe('kafka', { kafkaBrokers: 'broker' }), 'kafkaBrokers', /host:port/],
  [
    'columns: name type',
    pipe('kafka', { columns: 'id' }),
    'columns',
    /Entry 1: name type, as in id UInt64/,
  ],
  [
    'mappings: every column',
    pipe('kafka', { columns: 'id UInt64\nat DateTime' }),
    'fieldMappings',
    /Every column needs one; missing: at/,
  ],
  ['replicas', pipe('kafka', { replicas: '41' }), 'replicas', /A whole number from 1 to 40/],
  ['memory', pipe('kafka', { replicaMemoryGb: '8.5' }), 'replicaMemoryGb', /from 0\.5 to 8/],
  ['threads', pipe('kafka', { engineMaxThreads: '65' }), 'engineMaxThreads', /from 0 to 64/],
  [
    'start: a moment',
    pipe('kafka', { kafkaOffsetTimestamp: 'yesterday' }),
    'kafkaOffsetTimestamp',
    /A moment in UTC/,
  ],
  [
    'start: seconds',
    pipe('kinesis', { kinesisTimestamp: '1767225600000' }),
    'kinesisTimestamp',
    /not milliseconds/,
  ],
  [
    'files: an address',
    pipe('objectStorage', { storageUrl: 'bucket/key' }),
    'storageUrl',
    /An address such as https/,
  ],
  ['port', pipe('postgres', { postgresPort: '65536' }), 'postgresPort', /from 1 to 65,535/],
  [
    'definition: its path',
    pipe('kafka', { definition: 'setings: {}' }),
    'definition',
    /setings: not a field; did you mean settings/,
  ],
];

const ID_RULES: readonly (readonly [Operation, string, ...Rule])[] = [
  [invitationRead, '/db invitation', 'a UUID', { id: 'yesterday' }, 'id', /\w/],
  [activityRead, '/db activity', 'an id', { id: 'yesterday' }, 'id', /\w/],
  [
    dashboardDelete,
    '/db dashboard delete',
    'typed twice',
    { id: '6601aa00bb11cc22dd33ee03', confirmId: '6601aa00bb11cc22dd33ee02' },
    'confirmId',
    /The same id as above/,
  ],
  [costRead, '/db cost --by nonsense', 'a range', { range: 'sometime' }, 'range', /\w/],
];

let world: StewardWorld;
beforeAll(async () => {
  world = await startWorld({ settings: allowEverything });
});
afterAll(() => world.close());

/** Fills the form, sends it, and expects one complaint, beside its field; nothing reaches the API. */
async function expectBeside(operation: Operation, command: string, rule: Rule): Promise<void> {
  const [, typed, key, message] = rule;
  const label = operation.fields.find((field) => field.key === key)?.label ?? key;
  const ana = world.as('ana').in('#ops');
  await ana.command(command);
  await ana.expectModal(new RegExp(operation.title, 'u'));
  await fillForm(ana, operation, typed);
  await ana.submit();
  await ana.expectModalError(label, message);
  expect(Object.keys(ana.state.views.at(-1)?.errors ?? {})).toHaveLength(1);
  expect(world.plane.requests()).toEqual([]);
  await ana.closeModal();
}

describe('a new service', () => {
  it.each(SERVICE_RULES)('%s', (...[name, typed, key, message]) =>
    expectBeside(serviceCreate, '/db create', [name, { ...BASIC, ...typed }, key, message]),
  );
});

describe('a pipe', () => {
  it.each(PIPE_RULES)('%s', (...rule) => expectBeside(pipeCreate, '/db pipe', rule));
});

describe('what is looked up or deleted', () => {
  it.each(ID_RULES.map((each) => [each[0].id, ...each] as const))(
    '%s',
    (_id, operation, command, ...rule) => expectBeside(operation, command, rule),
  );
});
