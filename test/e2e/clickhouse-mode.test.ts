import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/core/operation/operation.ts';
import { pipeCreate } from '../../src/operations/pipe-create/pipe-create.ts';
import { serviceCreate } from '../../src/operations/service-create/service-create.ts';
import { CLOUD_DASHBOARDS, ROLES } from '../../src/sandbox/control-plane/seed.ts';
import { requestProblems } from '../support/cloud-document.ts';
import { fillForm } from '../support/fill-form.ts';
import { allowEverything } from '../support/permissive.ts';
import type { Person } from '../support/person.ts';
import { type StewardWorld, startWorld } from '../support/steward-world.ts';

const PRIVATE_KEY = 'fake-private-key-of-kafka';

let world: StewardWorld;
let ana: Person;
beforeEach(async () => {
  world = await startWorld({
    names: 'clickhouse',
    settings: (yaml) =>
      allowEverything(yaml).replace(
        'credentials:\n',
        () => `credentials:\n  tls: { certificate: PEM, privateKey: \${TLS_KEY} }\n`,
      ),
    env: { TLS_KEY: PRIVATE_KEY },
  });
  ana = world.as('ana').in('#ops');
});
afterEach(() => world.close());

function inCloud(operation: Operation): Operation {
  const found = operation.inClouds?.clickhouse;
  if (found === undefined) throw new TypeError(`${operation.id} is the same everywhere.`);
  return found;
}

/** The last change that reached the API; every one fits the cloud's own description. */
function lastChange() {
  const changes = world.plane.requests().filter(({ method }) => method !== 'GET');
  for (const { method, path, query, body } of changes) {
    expect(requestProblems({ method, path, query, body })).toEqual([]);
  }
  return changes.at(-1);
}

describe('an organization of ClickHouse Cloud', () => {
  it('has a form of a service with its tags, scaling and regions', async () => {
    await ana.command('/db create');
    await ana.expectModal(/Create a service/u);
    await fillForm(ana, inCloud(serviceCreate), {
      ...{ name: 'reports', provider: 'aws', region: 'ca-central-1' },
      ipAccessList: '203.0.113.0/24 office',
      ...{ autoscalingMode: 'horizontal', minReplicas: '2', maxReplicas: '4' },
      tags: 'team=data\nprod',
    });
    await ana.submit();
    await ana.expectMessage(/@ana created/u);
    expect(lastChange()?.body).toMatchObject({
      region: 'ca-central-1',
      autoscalingMode: 'horizontal',
      tags: [{ key: 'team', value: 'data' }, { key: 'prod' }],
    });
  });

  it('has a form of a pipe with kind, format, authentication and a certificate by name', async () => {
    await ana.command('/db pipe analytics');
    await ana.expectModal(/Create a pipe/u);
    await fillForm(ana, inCloud(pipeCreate), {
      ...{ name: 'refunds', sourceKind: 'kafka', kafkaTopics: 'orders' },
      ...{ kafkaBrokers: 'b-1.example.com:9092', kafkaCredentials: 'tls' },
      ...{ kafkaType: 'redpanda', kafkaFormat: 'Avro', kafkaAuthentication: 'MUTUAL_TLS' },
      ...{ database: 'raw', table: 'orders', managedTable: 'true', engineType: 'MergeTree' },
      ...{ columns: 'id UInt64', fieldMappings: 'id -> id' },
    });
    await ana.submit();
    await ana.expectMessage(/@ana created the pipe/u);
    expect(lastChange()?.body).toMatchObject({
      source: { kafka: { credentials: { certificate: 'PEM', privateKey: PRIVATE_KEY } } },
      destination: { tableDefinition: { engine: { type: 'MergeTree' } } },
    });
    expect(await world.dataBytes()).not.toContain(PRIVATE_KEY);
    expect(JSON.stringify(world.logs)).not.toContain(PRIVATE_KEY);
  });

  it('invites with roles by name', async () => {
    await ana.command('/db invite fay@example.com --roles "analyst; Billing reader"');
    await ana.click('Invite fay@example.com');
    await ana.expectMessage(/@ana invited fay@example\.com as .*Analyst.*Billing reader/su);
    expect(lastChange()?.body).toEqual({
      email: 'fay@example.com',
      assignedRoleIds: [ROLES.analyst, ROLES.billing],
    });
  });

  it('deletes a dashboard of a service in the cloud', async () => {
    const id = CLOUD_DASHBOARDS.unused;
    await ana.command(`/db dashboard delete ${id} --service analytics`);
    await ana.expectModal(/Delete a dashboard/u);
    await ana.fill('Type the id again to confirm', id);
    await ana.submit();
    await ana.expectMessage(/deleted dashboard .* of analytics/u);
    expect(lastChange()).toMatchObject({ method: 'DELETE', status: 200 });
  });
});
