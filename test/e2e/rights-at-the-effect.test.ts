import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DASHBOARDS } from '../../src/sandbox/control-plane/seed.ts';
import {
  besiege,
  expectRow,
  newestPending,
  person,
  press,
  type Siege,
} from '../support/attacks.ts';
import { createRunningClock } from '../support/settable-clock.ts';

/** Operators are a user group alone, and everything that changes something is theirs. */
function rules(yaml: string): string {
  return yaml
    .replaceAll('who: [operators, leads]', 'who: [operators]')
    .replace(
      '{ actions: [dashboard.delete], who: [leads] }',
      '{ actions: [dashboard.delete, approval.break-glass], who: [operators] }',
    )
    .replace(/^ {4}digest: .*\n/mu, '')
    .replace('    id: C0OPS\n', "    id: C0OPS\n    digest: { at: '09:00', zone: Europe/Berlin }\n")
    .replace(
      'defaults: {',
      'limits: { perPersonPerMinute: 10000, perChannelPerMinute: 10000 }\ndefaults: {',
    );
}

/** What was looked up is forgotten by then, and what was asked before has expired. */
const LATER_MS = 41 * 60_000;
const clock = createRunningClock();

type Road = {
  readonly name: string;
  readonly operation: string;
  /** Up to the last step before the effect, with all rights in place. */
  ready(siege: Siege): Promise<void>;
  effect(siege: Siege): Promise<unknown>;
};

const ana = ({ world }: Siege) => world.as('ana').in('#ops');
let request = '';

const ROADS: readonly Road[] = [
  // First, while its service still runs.
  {
    name: 'a form of a pipe',
    operation: 'pipe.create',
    ready: (siege) =>
      formOf(
        siege,
        '/db pipe analytics --name orders --source-kind kafka --kafka-brokers broker-1.example.com:9092 --kafka-topics orders --table orders --managed-table true --columns "id UInt64" --field-mappings "id -> id"',
      ),
    effect: (siege) => ana(siege).submit(),
  },
  {
    name: 'a command that runs at once',
    operation: 'service.start',
    ready: (siege) => asked(siege, '/db can start scratch'),
    effect: (siege) => ana(siege).command('/db start scratch'),
  },
  {
    name: 'a mention that runs at once',
    operation: 'service.start',
    ready: (siege) => asked(siege, '/db can start scratch'),
    effect: (siege) => ana(siege).say('@Steward start scratch'),
  },
  {
    name: 'Confirm',
    operation: 'service.stop',
    ready: async (siege) => {
      const since = siege.world.workspace.traffic().length;
      await ana(siege).command('/db stop scratch');
      request = await newestPending(siege, 'confirm', since);
    },
    effect: (siege) => press(siege, { kind: 'confirm', pending: request }),
  },
  {
    name: 'Approve by somebody else',
    operation: 'service.stop',
    ready: async (siege) => {
      const since = siege.world.workspace.traffic().length;
      await ana(siege).command('/db stop analytics');
      request = await newestPending(siege, 'approve', since);
    },
    effect: (siege) => press(siege, { kind: 'approve', pending: request }, person('U02BEN')),
  },
  {
    name: 'a near miss and its button',
    operation: 'service.start',
    ready: async (siege) => {
      await ana(siege).command('/db start scrathc');
      await ana(siege).expectEphemeral(/Did you mean scratch/);
    },
    effect: (siege) => ana(siege).click('Use scratch'),
  },
  {
    name: 'a form that creates',
    operation: 'service.create',
    ready: (siege) =>
      formOf(siege, '/db create nightly --preset small --ip-access-list 203.0.113.7'),
    effect: (siege) => ana(siege).submit(),
  },
  {
    name: 'a form that only fills a command in',
    operation: 'service.start',
    ready: async (siege) => {
      await ana(siege).command('/db start');
      await ana(siege).select('Service', 'scratch');
    },
    effect: (siege) => ana(siege).submit(),
  },
  {
    name: 'Confirm of an invitation',
    operation: 'invitation.create',
    ready: async (siege) => {
      const since = siege.world.workspace.traffic().length;
      await ana(siege).command('/db invite fay@example.com');
      request = await newestPending(siege, 'confirm', since);
    },
    effect: (siege) => press(siege, { kind: 'confirm', pending: request }),
  },
  {
    name: 'a typed confirmation',
    operation: 'dashboard.delete',
    ready: async (siege) => {
      await ana(siege).command(`/db dashboard delete ${DASHBOARDS.latency}`);
      await ana(siege).fill('Type the id again', DASHBOARDS.latency);
    },
    effect: (siege) => ana(siege).submit(),
  },
  {
    name: 'break-glass',
    operation: 'service.stop',
    ready: (siege) => asked(siege, '/db can stop analytics'),
    effect: (siege) => ana(siege).command('/db stop analytics --break-glass "the disk is full"'),
  },
  {
    name: "Steward's own changes",
    operation: 'digest.stop',
    ready: (siege) => asked(siege, '/db can digest.stop'),
    effect: (siege) => ana(siege).command('/db digest off'),
  },
];

async function asked(siege: Siege, text: string): Promise<void> {
  const newest = await siege.lastRow();
  await ana(siege).command(text);
  await expectRow(siege, newest, { operation: 'permission.read', outcome: 'done' });
}

async function formOf(siege: Siege, text: string): Promise<void> {
  await ana(siege).command(text);
  await ana(siege).expectModal(/Create/);
}

type Change = {
  readonly name: string;
  make(siege: Siege): unknown;
  undo(siege: Siege): unknown;
};

const CHANGES: readonly Change[] = [
  {
    name: 'the asker is taken out of the user group',
    make: ({ world }) => world.workspace.admin.setUserGroup('S0OPS', []),
    undo: ({ world }) => world.workspace.admin.setUserGroup('S0OPS', ['U01ANA']),
  },
  {
    name: 'the asker becomes a guest',
    make: ({ world }) => world.workspace.admin.change('ana', { kind: 'guest' }),
    undo: ({ world }) => world.workspace.admin.change('ana', { kind: 'member' }),
  },
  {
    name: 'the channel becomes shared',
    make: ({ world }) => world.workspace.admin.share('#ops', 'T0OTHER'),
    undo: ({ world }) => world.workspace.admin.share('#ops', null),
  },
  {
    name: 'the rule goes',
    make: (siege) =>
      rewrite(siege, (yaml) => yaml.replaceAll('who: [operators]', 'who: [finance]')),
    undo: (siege) =>
      rewrite(siege, (yaml) => yaml.replaceAll('who: [finance]', 'who: [operators]')),
  },
  ...['users.info', 'usergroups.users.list', 'conversations.info'].map((method) => ({
    name: `Slack answers ${method} with an error`,
    make: ({ world }: Siege) => world.workspace.faults.failNext(method, 'fatal_error', 50),
    undo: ({ world }: Siege) => world.workspace.faults.reset(true),
  })),
];

async function rewrite({ world }: Siege, change: (yaml: string) => string): Promise<void> {
  const count = (): number =>
    world.logs.filter(({ fields }) => fields['event'] === 'settings-reloaded').length;
  const before = count();
  await world.rewriteRules(change);
  await expect.poll(count).toBe(before + 1);
}

describe.each(['socket', 'http'] as const)('before the effect, over %s', (mode) => {
  let siege: Siege;
  beforeAll(async () => {
    siege = await besiege({ mode, settings: rules, clock });
  });
  afterAll(() => siege.close());

  describe.each(ROADS)('by $name', (road) => {
    it.each(CHANGES)('nothing happens where $name', async (change) => {
      clock.pass(LATER_MS);
      await road.ready(siege);
      const writes = siege.writes();
      const newest = await siege.lastRow();
      await change.make(siege);
      try {
        if (road.name === 'Approve by somebody else' && change.name === 'the rule goes') {
          // A request that no rule allows any more ends before anybody presses.
          await ana(siege).expectMessage(/the rules were changed, and no rule here allows it/u);
        } else {
          await road.effect(siege);
          await expectRow(siege, newest, {
            operation: road.operation,
            outcome: 'denied',
          });
        }
        expect(siege.writes()).toBe(writes);
      } finally {
        await change.undo(siege);
        if (ana(siege).state.views.length > 0) await ana(siege).closeModal({ all: true });
      }
    });

    it('it happens where nothing has changed', async () => {
      clock.pass(LATER_MS);
      await road.ready(siege);
      const newest = await siege.lastRow();
      await road.effect(siege);
      await expectRow(siege, newest, { operation: road.operation, outcome: 'done' });
    });
  });
});
