import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createServiceRequest } from '../../src/core/cloud/service-rules.ts';
import { serviceCreate } from '../../src/operations/service-create/service-create.ts';
import { BACKUP_ID, WAREHOUSES } from '../../src/sandbox/control-plane/seed.ts';
import { fillForm, type Typed } from '../support/fill-form.ts';
import { allowEverything } from '../support/permissive.ts';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

/** Every field with a Q in the specification's table of the service: what is typed, what is sent. */
const FIELDS: Readonly<Record<string, { readonly typed: string | true; readonly sent: unknown }>> =
  {
    name: { typed: 'Every field 1', sent: 'Every field 1' },
    provider: { typed: 'aws', sent: 'aws' },
    region: { typed: 'us-east-1', sent: 'us-east-1' },
    tier: { typed: 'production', sent: 'production' },
    profile: { typed: 'v1-highmem-xl', sent: 'v1-highmem-xl' },
    complianceType: { typed: 'hipaa', sent: 'hipaa' },
    releaseChannel: { typed: 'fast', sent: 'fast' },
    numReplicas: { typed: '7', sent: 7 },
    minReplicaMemoryGb: { typed: '48', sent: 48 },
    maxReplicaMemoryGb: { typed: '232', sent: 232 },
    minTotalMemoryGb: { typed: '24', sent: 24 },
    maxTotalMemoryGb: { typed: '1068', sent: 1_068 },
    idleScaling: { typed: 'true', sent: true },
    idleTimeoutMinutes: { typed: '5', sent: 5 },
    ipAccessList: {
      typed: '203.0.113.0/24 office & home\n198.51.100.7\n0.0.0.0/0 everybody',
      sent: [
        { source: '203.0.113.0/24', description: 'office & home' },
        { source: '198.51.100.7' },
        { source: '0.0.0.0/0', description: 'everybody' },
      ],
    },
    endpoints: { typed: 'true', sent: [{ protocol: 'mysql', enabled: true }] },
    privateEndpointIds: { typed: 'vpce-1\nvpce-2', sent: ['vpce-1', 'vpce-2'] },
    byocId: { typed: 'byoc-1', sent: 'byoc-1' },
    dataWarehouseId: { typed: WAREHOUSES.analytics, sent: WAREHOUSES.analytics },
    isReadonly: { typed: 'true', sent: true },
    backupId: { typed: BACKUP_ID, sent: BACKUP_ID },
    hasTransparentDataEncryption: { typed: 'true', sent: true },
    encryptionKey: { typed: 'disk-key', sent: 'fake-disk-encryption-key' },
    encryptionAssumedRoleIdentifier: { typed: 'disk-role', sent: 'fake-disk-role' },
    privatePreviewTermsChecked: { typed: true, sent: true },
  };

/** Asked by Steward alone: 0.0.0.0/0 needs a tick of its own. */
const OWN: Typed = { anywhere: true };
const LEAST = ['name', 'provider', 'region', 'ipAccessList'];

let world: StewardWorld;
let ana: Person;
beforeEach(async () => {
  world = await startWorld({ settings, env: { DISK_ROLE: 'fake-disk-role' } });
  ana = world.as('ana').in('#ops');
});
afterEach(() => world.close());

function settings(yaml: string): string {
  const credential = `credentials:\n  disk-role: { value: \${DISK_ROLE} }\n`;
  return allowEverything(yaml).replace('credentials:\n', () => credential);
}

function typedFor(keys: readonly string[]): Typed {
  const pairs = keys.map((key) => [key, FIELDS[key]?.typed ?? ''] as const);
  return { ...Object.fromEntries(pairs), ...OWN };
}

function sentFor(keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keys.map((key) => [key, FIELDS[key]?.sent]));
}

/** The bodies of all creations that reached the API. */
function bodies(): readonly unknown[] {
  return world.plane
    .requests()
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/services'))
    .map(({ body }) => body);
}

async function create(typed: Typed): Promise<unknown> {
  await ana.command('/db create');
  await ana.expectModal(/Create a service/u);
  await fillForm(ana, serviceCreate, typed);
  await ana.submit();
  await ana.expectMessage(/@ana created/u);
  return bodies().at(-1);
}

/** Waits until the form that followed a choice is there. */
async function expectChoice(value: string): Promise<void> {
  await expect
    .poll(() => JSON.stringify(ana.state.views.at(-1)?.blocks))
    .toContain(`"value":"${value}"`);
}

describe('the form of a new service', () => {
  it('has a field for every field of the request', () => {
    expect(Object.keys(createServiceRequest.shape).sort()).toEqual(Object.keys(FIELDS).sort());
  });

  it('sends every field exactly as it was typed, all of them at once', async () => {
    const keys = Object.keys(FIELDS);
    expect(await create(typedFor(keys))).toEqual(sentFor(keys));
  });

  it('sends nothing for what was left empty', async () => {
    expect(await create(typedFor(LEAST))).toEqual(sentFor(LEAST));
  });

  it('sends an explicit no, which is not the same as nothing', async () => {
    const no = {
      ...typedFor([...LEAST, 'dataWarehouseId']),
      ...{ idleScaling: 'false', endpoints: 'false', isReadonly: 'false' },
      hasTransparentDataEncryption: 'false',
    };
    expect(await create(no)).toEqual({
      ...sentFor([...LEAST, 'dataWarehouseId']),
      ...{ idleScaling: false, isReadonly: false, hasTransparentDataEncryption: false },
      endpoints: [{ protocol: 'mysql', enabled: false }],
    });
  });

  it('keeps what was typed while sections fold, unfold and choices follow', async () => {
    await ana.command('/db create');
    await fillForm(ana, serviceCreate, typedFor(Object.keys(FIELDS)));
    await ana.click('Hide: More settings');
    await ana.expectModal(/More settings …/u);
    await ana.click('Hide: Deprecated settings');
    await ana.expectModal(/Deprecated settings …/u);
    await ana.select('Provider', 'azure');
    await expectChoice('westus3');
    await ana.select('Region', 'westus3');
    await ana.select('Provider', 'aws');
    await expectChoice('us-east-1');
    await ana.select('Region', 'us-east-1');
    await ana.submit();
    await ana.expectMessage(/@ana created/u);
    expect(bodies()).toEqual([sentFor(Object.keys(FIELDS))]);
  });
});

describe('the generated password', () => {
  it('is shown once to the one who asked, in a modal and nowhere else', async () => {
    await create(typedFor(LEAST));
    await ana.expectEphemeral(/The password of Every field 1 is shown once, until/u);
    await world
      .as('ben')
      .in('#ops')
      .expectNoMessage(/is shown once/u);
    await ana.click('Show password once');
    const shown = await ana.expectModal(/Copy it now/u);
    const secret = /"rich_text_preformatted","elements":\[\{"type":"text","text":"([^"]+)"/u.exec(
      JSON.stringify(shown.blocks),
    )?.[1];
    expect(secret).toMatch(/^\S{8,}$/u);
    await ana.closeModal();
    await ana.click('Show password once');
    await ana.expectModal(/It was shown at .* and is erased/u);
    expectOnlyInModal(world, secret ?? '');
    expect(JSON.stringify(world.logs)).not.toContain(secret);
    expect((await world.dataBytes()).includes(secret ?? '')).toBe(false);
  });
});

function expectOnlyInModal({ workspace }: StewardWorld, secret: string): void {
  const carriers = workspace
    .traffic()
    .filter(({ sent, answered }) => JSON.stringify([sent, answered]).includes(secret))
    .map(({ what }) => what);
  expect(carriers).toEqual(['views.update']);
}
