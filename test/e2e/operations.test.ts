import { afterEach, describe, expect, it } from 'vitest';
import {
  ACTIVITIES,
  DASHBOARDS,
  INVITATIONS,
  SERVICES,
} from '../../src/sandbox/control-plane/seed.ts';
import type { Person } from '../support/person.ts';
import { type Mode, type StewardWorld, startWorld } from '../support/steward-world.ts';

/** One of the nine operations of the API, as people come to it. */
type Way = {
  readonly id: string;
  /** Typed in full, and what is answered on the way. */
  readonly slash: string;
  readonly afterSlash?: (ben: Person) => Promise<void>;
  /** Without arguments; absent where nothing is missing, so that no form opens. */
  readonly bare?: string;
  readonly menu: string;
  readonly title: RegExp;
  /** Fills the form and answers what follows; `turn` makes names differ. */
  readonly form: (ben: Person, turn: string) => Promise<void>;
  /** Where the answer stands, and what it says. */
  readonly answer: 'channel' | 'asker';
  readonly says: RegExp;
  readonly sent: { readonly method: string; readonly path: RegExp };
};

const KAFKA =
  '--source-kind kafka --kafka-brokers b.example.com:9092 --kafka-topics orders --table orders --managed-table true --columns "id UInt64" --field-mappings "id -> id"';

const WAYS: readonly Way[] = [
  {
    id: 'service.start',
    slash: '/db start reporting',
    bare: '/db start',
    menu: 'Start a service',
    title: /Start a service/,
    form: async (ben) => {
      await ben.select('Service', 'reporting');
      await ben.submit();
    },
    answer: 'channel',
    says: /@ben asked reporting to start: the API answered starting/,
    sent: { method: 'PATCH', path: new RegExp(`/services/${SERVICES.reporting.id}/state$`) },
  },
  {
    id: 'service.stop',
    slash: '/db stop scratch',
    afterSlash: (ben) => ben.click('Stop scratch'),
    bare: '/db stop',
    menu: 'Stop a service',
    title: /Stop a service/,
    form: async (ben) => {
      await ben.select('Service', 'scratch');
      await ben.submit();
      await ben.click('Stop scratch');
    },
    answer: 'channel',
    says: /@ben asked scratch to stop: the API answered stopping/,
    sent: { method: 'PATCH', path: new RegExp(`/services/${SERVICES.scratch.id}/state$`) },
  },
  {
    id: 'service.create',
    slash: '/db create typed --preset small --ip-access-list "203.0.113.0/24 office"',
    afterSlash: (ben) => ben.submit(),
    bare: '/db create',
    menu: 'Create a service',
    title: /Create a service/,
    form: async (ben, turn) => {
      await ben.fill('Name', turn);
      await ben.select('Provider', 'gcp');
      await ben.select('Region', 'europe-west4');
      await ben.fill('Who may connect', '203.0.113.0/24 office');
      // The rules limit both, so both have to be said.
      await ben.fill('Replicas', '2');
      await ben.fill('Memory of a replica, at most (GB)', '16');
      await ben.submit();
    },
    answer: 'channel',
    says: /@ben created \w+ \(\w+, [\w-]+\): the API reports provisioning/,
    sent: { method: 'POST', path: /\/services$/ },
  },
  {
    id: 'pipe.create',
    slash: `/db pipe analytics --name typed ${KAFKA}`,
    afterSlash: (ben) => ben.submit(),
    bare: '/db pipe',
    menu: 'Create an ingestion pipe',
    title: /Create a pipe/,
    form: async (ben, turn) => {
      await ben.select('Service', 'analytics');
      await ben.fill('Name of the pipe', turn);
      await ben.select('Source', 'Kafka');
      await ben.fill('Brokers', 'b.example.com:9092');
      await ben.fill('Topics', 'orders');
      await ben.fill('Destination table', 'orders');
      await ben.select('Managed table', 'Yes');
      await ben.fill('Columns', 'id UInt64');
      await ben.fill('Field mappings', 'id -> id');
      await ben.submit();
    },
    answer: 'channel',
    says: /@ben created the pipe \w+ on analytics: the API reports/,
    sent: { method: 'POST', path: new RegExp(`/services/${SERVICES.analytics.id}/pipes$`) },
  },
  {
    id: 'invitation.create',
    slash: '/db invite Typed@Example.com',
    afterSlash: (ben) => ben.click('Invite typed@example.com'),
    bare: '/db invite',
    menu: 'Invite someone to the organization',
    title: /Invite someone/,
    form: async (ben, turn) => {
      await ben.fill('E-mail address', `${turn}@example.com`);
      await ben.submit();
      await ben.click(`Invite ${turn}@example.com`);
    },
    answer: 'channel',
    says: /@ben invited \w+@example\.com as \w+/,
    sent: { method: 'POST', path: /\/invitations$/ },
  },
  {
    id: 'invitation.read',
    slash: `/db invitation ${INVITATIONS.pending}`,
    bare: '/db invitation',
    menu: 'Look up an invitation',
    title: /Invitation/,
    form: async (ben) => {
      await ben.fill('Invitation id', INVITATIONS.pending);
      await ben.submit();
    },
    answer: 'asker',
    says: /Invitation of dora@example\.com as developer/,
    sent: { method: 'GET', path: new RegExp(`/invitations/${INVITATIONS.pending}$`) },
  },
  {
    id: 'query-endpoint.read',
    slash: '/db endpoint analytics',
    bare: '/db endpoint',
    menu: 'Show the query endpoint of a service',
    title: /Query endpoint/,
    form: async (ben) => {
      await ben.select('Service', 'analytics');
      await ben.submit();
    },
    answer: 'asker',
    says: /The query endpoint of analytics is set up/,
    sent: { method: 'GET', path: /\/serviceQueryEndpoint$/ },
  },
  {
    id: 'activity.read',
    slash: `/db activity ${ACTIVITIES.serviceStop}`,
    bare: '/db activity',
    menu: 'Look into an activity record',
    title: /Activity/,
    form: async (ben) => {
      await ben.fill('Activity id', ACTIVITIES.serviceStop);
      await ben.submit();
    },
    answer: 'asker',
    says: /service_stop \(service stopped\)/,
    sent: { method: 'GET', path: new RegExp(`/activities/${ACTIVITIES.serviceStop}$`) },
  },
  {
    id: 'cost.read',
    slash: '/db cost yesterday --service analytics',
    menu: 'Costs',
    title: /Costs/,
    form: async (ben) => {
      await ben.fill('Range', 'yesterday');
      await ben.select('Service', 'analytics');
      await ben.submit();
    },
    answer: 'asker',
    says: /analytics[\s\S]*units/,
    sent: { method: 'GET', path: /\/usageCost$/ },
  },
  {
    id: 'dashboard.delete',
    slash: `/db dashboard delete ${DASHBOARDS.unused}`,
    afterSlash: async (ben) => {
      await ben.fill('Type the id again to confirm', DASHBOARDS.unused);
      await ben.submit();
    },
    bare: '/db dashboard delete',
    menu: 'Delete a dashboard',
    title: /Delete a dashboard/,
    form: async (ben, turn) => {
      const id = turn === 'menu' ? DASHBOARDS.latency : DASHBOARDS.errors;
      await ben.fill('Dashboard id', id);
      await ben.fill('Type the id again to confirm', id);
      await ben.submit();
    },
    answer: 'channel',
    says: /@ben deleted dashboard \w+/,
    sent: { method: 'DELETE', path: /\/api\/v2\/dashboards\/\w+$/ },
  },
];

let world: StewardWorld;
afterEach(() => world.close());

async function start(mode: Mode): Promise<Person> {
  world = await startWorld({ mode });
  return world.as('ben').in('#ops');
}

/** What stands there after `act` that did not before: one answer, one request. */
async function expectOneMore(way: Way, ben: Person, act: () => Promise<void>): Promise<void> {
  const before = { answers: answers(way, ben), requests: requests(way) };
  await act();
  await expect.poll(() => answers(way, ben)).toBe(before.answers + 1);
  // Costs that were read within a minute are not read again.
  const again = way.id === 'cost.read' && before.requests > 0 ? 0 : 1;
  expect(requests(way)).toBe(before.requests + again);
  expect(problems()).toEqual([]);
}

function answers({ answer, says }: Way, ben: Person): number {
  return ben.state.messages.filter(
    (message) =>
      message.ephemeral === (answer === 'asker') &&
      message.threadTs === null &&
      message.channel === 'C0OPS' &&
      says.test(ben.text(message)),
  ).length;
}

function requests({ sent }: Way): number {
  const all = world.plane.requests();
  return all.filter(({ method, path }) => method === sent.method && sent.path.test(path)).length;
}

function problems(): readonly unknown[] {
  return world.workspace
    .traffic()
    .filter(({ problem }) => problem !== null)
    .map(({ what, problem }) => [what, problem]);
}

/** What is usual is a button, all else a choice of the list. */
async function chooseFromMenu(ben: Person, { id, menu }: Way): Promise<void> {
  if (['service.start', 'service.stop', 'cost.read'].includes(id)) await ben.click(menu);
  else await ben.select('All else, by subject', menu);
}

describe.each(WAYS.map((way) => [way.id, way] as const))('%s over Socket Mode', (_id, way) => {
  it('by slash, by form and from the menu', async () => {
    const ben = await start('socket');
    await expectOneMore(way, ben, async () => {
      await ben.command(way.slash);
      await way.afterSlash?.(ben);
    });
    const { bare } = way;
    if (bare !== undefined) {
      await expectOneMore(way, ben, async () => {
        await ben.command(bare);
        await ben.expectModal(way.title);
        await way.form(ben, 'form');
      });
    }
    await expectOneMore(way, ben, async () => {
      await ben.command('/db');
      await chooseFromMenu(ben, way);
      await ben.expectModal(way.title);
      await way.form(ben, 'menu');
    });
    await ben.expectNoModal();
  });
});

describe('over signed HTTP', () => {
  it.each(WAYS.map((way) => [way.id, way] as const))('%s by form', async (_id, way) => {
    const ben = await start('http');
    await expectOneMore(way, ben, async () => {
      await ben.command('/db');
      await chooseFromMenu(ben, way);
      await ben.expectModal(way.title);
      await way.form(ben, 'menu');
    });
    await ben.expectNoModal();
  });
});

it('every operation that calls the API has its ways above', async () => {
  await start('socket');
  const { operations } = await import('../../src/operations/index.ts');
  // Nights act by start and stop; `wake` has its own in sight.test.ts, as only one cloud has it.
  const own =
    /^(?:(?:approval|digest|directory|help|journal|menu|permission|schedule|status)\.|service\.(?:sleep|wake)$)/u;
  const calling = operations.map(({ id }) => id).filter((id) => !own.test(id));
  expect(calling.sort()).toEqual(WAYS.map(({ id }) => id).sort());
});
