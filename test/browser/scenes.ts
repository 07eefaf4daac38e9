import { operations } from '../../src/operations/index.ts';
import { ACTIVITIES, DASHBOARDS, INVITATIONS } from '../../src/sandbox/control-plane/seed.ts';
import type { Person } from '../support/person.ts';
import type { StewardWorld } from '../support/steward-world.ts';

/** What is worth a look: how it comes to be, and what is seen then. */
export type Scene = {
  readonly name: string;
  /** The operations whose card or form it shows. */
  readonly of: readonly string[];
  readonly shows: 'message' | 'form' | 'home';
  readonly who: string;
  readonly where: string;
  readonly seen: RegExp;
  readonly deed: (world: StewardWorld, person: Person) => Promise<void>;
};

type Told = Partial<Pick<Scene, 'who' | 'where' | 'deed'>>;

/** What a line is answered with. */
function card(of: string, line: string, seen: RegExp, told: Told & { name?: string } = {}): Scene {
  const { who = 'ana', where = '#ops' } = told;
  const name = told.name ?? line.replace(/^\/db ?/u, '').split(' --')[0] ?? '';
  return {
    ...{ name: `card ${of} ${name}`.trim(), of: [of], shows: 'message', who, where, seen },
    deed: async (world, person) => {
      await person.command(line);
      await told.deed?.(world, person);
    },
  };
}

/** A message that stands there after what was done before. */
function message(name: string, of: string, seen: RegExp, told: Told = {}): Scene {
  const { who = 'ana', where = '#ops', deed = async () => undefined } = told;
  return { name, of: [of], shows: 'message', who, where, seen, deed };
}

const USUAL = ['service.start', 'service.stop', 'cost.read'];

/** Of each operation with fields of its own that a form shows. */
function formOf(id: string): Scene {
  const operation = operations.find((one) => one.id === id);
  const { title = '', summary = '' } = operation ?? {};
  return {
    ...{ name: `form ${id}`, of: [id], shows: 'form', where: '#ops', seen: new RegExp(title, 'u') },
    who: 'ben',
    deed: async (_world, person) => {
      await person.command(id === 'directory.read' ? '/db services nowhere' : '/db');
      if (id === 'directory.read') return await person.click('Find a service');
      await person.expectEphemeral(/What you may do here/u);
      if (USUAL.includes(id)) return await person.click(title);
      await person.select('All else, by subject', summary);
    },
  };
}

/** Whose form has something to fill in where there is one organization, of a neutral cloud. */
export function hasForm({ fields, onlyIn }: (typeof operations)[number]): boolean {
  if (onlyIn !== undefined) return false;
  return fields.some(({ widget, slashOnly }) => widget !== 'organization' && slashOnly !== true);
}

function form(name: string, of: string, seen: RegExp, deed: Scene['deed']): Scene {
  return { name: `form ${name}`, of: [of], shows: 'form', who: 'ana', where: '#ops', seen, deed };
}

const CREATE = '--preset small --ip-access-list "203.0.113.0/24 office"';
const PIPE =
  '/db pipe core --name orders --source-kind kafka --kafka-brokers broker-1.example.com:9092 --kafka-topics orders --kafka-credentials kafka-prod --table orders --managed-table true --columns "id UInt64; note String" --field-mappings "id -> id; note -> note"';

async function created(name: string, person: Person): Promise<void> {
  await person.command(`/db create ${name} ${CREATE}`);
  await person.expectModal(/Create a service/u);
  await person.submit();
}

async function withSource(kind: string, person: Person): Promise<void> {
  await person.command('/db pipe analytics');
  await person.expectModal(/Create a pipe/u);
  await person.select('Source', kind);
}

/** In this order: what a scene leaves behind is there for the next ones. */
export const SCENES: readonly Scene[] = [
  card('menu.read', '/db', /What you may do here/u),
  card('help.read', '/db help', /What you may do in this place/u),
  card('help.read', '/db help stop', /db stop/u),
  card('directory.read', '/db services', /services, with the last state/u),
  card('service.sleep', '/db sleep staging tonight 22:00', /sleep/iu),
  card('schedule.read', '/db schedule', /schedule|next 7 days/iu),
  card('schedule.snooze', '/db schedule snooze dev-nights hour', /dev-nights/u, { who: 'ben' }),
  card('schedule.pause', '/db schedule pause dev-nights until mon', /dev-nights/u, { who: 'ben' }),
  card('schedule.resume', '/db schedule resume dev-nights', /dev-nights/u, { who: 'ben' }),
  card('directory.read', '/db services prd', /No service that you may use/u),
  card('service.start', '/db start scratch', /asked scratch to start|already running|scratch/u),
  card('service.stop', '/db stop scratch --reason it is late', /Stop scratch\?/u, {
    name: 'asked',
  }),
  message('stopping', 'service.stop', /asked scratch to stop/u, {
    deed: async (_world, person) => await person.click('Stop scratch'),
  }),
  card('service.stop', '/db stop scratch', /was not stopped/u, {
    ...{ who: 'fay', where: '#finance', name: 'refused' },
  }),
  card('service.stop', '/db stop analytcs', /Did you mean analytics/u),
  card('service.stop', '/db stop analytics --reason nightly restore', /asks to stop analytics/u, {
    name: 'approval asked',
  }),
  message('approval called by message', 'service.stop', /You may approve or deny/u, {
    ...{ who: 'ben', where: 'dm' },
  }),
  card('approval.read', '/db approvals', /for your approval/u, { who: 'ben' }),
  card('approval.read', '/db approvals', /of your own/u, { name: 'own' }),
  message('approval of one’s own', 'service.stop', /somebody else from leads/u, {
    deed: async (_world, person) => await person.click('Approve'),
  }),
  {
    ...{ name: 'home of an approver', of: [], shows: 'home', who: 'ben', where: 'home' },
    seen: /1 request waits for you/u,
    deed: (_world, person) => person.openHome(),
  },
  {
    ...{ name: 'home of who asked', of: [], shows: 'home', who: 'ana', where: 'home' },
    seen: /1 request of yours is open/u,
    deed: (_world, person) => person.openHome(),
  },
  message('approved', 'service.stop', /asked analytics to stop, approved by/u, {
    deed: async (world) => await world.as('ben').in('#ops').click('Approve'),
  }),
  {
    ...form('deny', 'service.stop', /Deny this request/u, async (world, person) => {
      await world.as('ana').in('#ops').command('/db stop archive --reason nobody uses it');
      await person.expectMessage(/asks to stop archive/u);
      await person.click('Deny');
    }),
    who: 'ben',
  },
  message('denied', 'service.stop', /archive was not stopped: denied/u, {
    deed: async (world) => {
      const ben = world.as('ben').in('#ops');
      await ben.expectMessage(/asks to stop archive/u);
      await ben.click('Deny');
      await ben.expectModal(/Deny this request/u);
      await ben.fill('Reason', 'The auditors read it this week.');
      await ben.submit();
    },
  }),
  card('service.stop', '/db stop reader --break-glass the disk is full', /asked reader to stop/u, {
    ...{ who: 'ben', name: 'break-glass' },
  }),
  message('audit', 'service.stop', /Break-glass/u, { who: 'ben', where: '#audit' }),
  card('service.stop', '/db stop staging', /staging may have|staging was not|staging/u, {
    name: 'fault',
    deed: async (world, person) => {
      world.plane.faults.add({ kind: 'cut', times: 1, match: { method: 'PATCH' } });
      await person.click('Stop staging');
      await person.expectMessage(/staging may have been stopped/u);
    },
  }),
  message('service.create created', 'service.create', /ana created nightly/u, {
    deed: (_world, person) => created('nightly', person),
  }),
  message('password', 'service.create', /password of nightly is shown once/u),
  form('password', 'service.create', /The password, once/u, (_world, person) =>
    person.click('Show password once'),
  ),
  message('service.create known already', 'service.create', /nightly was created by/u, {
    deed: (_world, person) => created('nightly', person),
  }),
  message('service.create unknown', 'service.create', /weekly may have been created/u, {
    deed: async (world, person) => {
      world.plane.faults.add({ kind: 'cut', times: 1, match: { method: 'POST' } });
      await created('weekly', person);
    },
  }),
  message('pipe.create created', 'pipe.create', /created the pipe orders|pipe orders/u, {
    deed: async (_world, person) => {
      await person.command(PIPE);
      await person.expectModal(/Create a pipe/u);
      await person.submit();
    },
  }),
  card('invitation.create', '/db invite fay@example.com', /Invite fay@example.com/u, {
    name: 'asked',
  }),
  message('invited', 'invitation.create', /invited fay@example.com/u, {
    deed: async (_world, person) => await person.click('Invite fay@example.com'),
  }),
  card('invitation.create', '/db invite zoe@elsewhere.example', /was not invited/u),
  card('invitation.read', `/db invitation ${INVITATIONS.pending}`, /invit/iu, { name: 'pending' }),
  card('query-endpoint.read', '/db endpoint analytics', /endpoint/iu),
  card('query-endpoint.read', '/db endpoint scratch', /endpoint/iu),
  card('activity.read', `/db activity ${ACTIVITIES.serviceStop}`, /service_stop/u, {
    name: 'stop',
  }),
  card('activity.read', `/db activity ${ACTIVITIES.loginFailed}`, /65f1c0|login|failed/iu, {
    name: 'login',
  }),
  card('cost.read', '/db cost 7d', /units/u),
  card('cost.read', '/db cost yesterday --by metric', /units/u, { name: 'by metric' }),
  card('cost.read', '/db cost mtd --by day', /units/u, { name: 'by day' }),
  card('digest.send', '/db digest now', /Month to date/u, { who: 'fay', where: '#finance' }),
  message('morning', 'digest.send', /Month to date/u, {
    ...{ who: 'fay', where: '#finance' },
    deed: async (world) => void (await world.steward.summarise()),
  }),
  card('digest.read', '/db digest status', /comes every day/u, { who: 'fay', where: '#finance' }),
  card('digest.mute', '/db digest mute scratch', /mut/iu, { who: 'fay', where: '#finance' }),
  card('digest.start', '/db digest on 09:00 Europe/Berlin', /summary|cost/iu, { name: 'on' }),
  card('digest.stop', '/db digest off', /summary|cost/iu, { who: 'fay', where: '#finance' }),
  message('dashboard deleted', 'dashboard.delete', /deleted dashboard/u, {
    who: 'ben',
    deed: async (_world, person) => {
      await person.command(`/db dashboard delete ${DASHBOARDS.unused}`);
      await person.expectModal(/Delete a dashboard/u);
      await person.fill('Type the id again to confirm', DASHBOARDS.unused);
      await person.submit();
    },
  }),
  card('permission.read', '/db can stop', /service\.stop/u),
  card('permission.read', '/db can stop analytics', /service\.stop/u),
  card('journal.read', '/db log', /rows? of the journal/u),
  card('journal.read', '/db log test', /No row has the reference/u),
  card('status.read', '/db status', /Steward/u, { who: 'ben' }),
  ...operations.filter(hasForm).map(({ id }) => formOf(id)),
  form(
    'service.create, all of it',
    'service.create',
    /Hide: More settings/u,
    async (_w, person) => {
      await person.command(`/db create monthly ${CREATE}`);
      await person.expectModal(/Create a service/u);
      await person.click('More settings …');
    },
  ),
  form('service.create, refused', 'service.create', /at most 5/u, async (_world, person) => {
    await person.command(`/db create monthly ${CREATE}`);
    await person.expectModal(/Create a service/u);
    await person.fill('Replicas', '9');
    await person.submit();
  }),
  ...['Kafka', 'Kinesis', 'Object storage', 'Postgres'].map((kind) =>
    form(`pipe.create, ${kind}`, 'pipe.create', /Create a pipe/u, (_world, person) =>
      withSource(kind, person),
    ),
  ),
  form('shortcut', 'menu.read', /What, and where/u, (_world, person) =>
    person.shortcut('Database menu'),
  ),
];
