import type { Json, PageMessage } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { labelled, readView } from '../support/reading.ts';
import type { Chance } from './chance.ts';
import { channelIdOf, LEADS, numbered, OPERATORS, userIdOf } from './grounds.ts';

export type People = {
  /** Everybody acts, one thing each after another, until `stop`. */
  act(): void;
  /** Nobody begins anything; resolves when what was begun is over. */
  stop(): Promise<void>;
  readonly commands: () => number;
};

type Story = (at: number, here: Here) => Promise<void>;
type Here = { readonly operator: Hands; readonly lead: Hands };

const DESCRIPTION =
  '--source-kind kafka --kafka-brokers broker-1.example.com:9092 --kafka-topics orders --kafka-credentials kafka-prod --managed-table true --columns "id UInt64; note String" --field-mappings "id -> id; note -> note"';

/** Every kind of change, each on a subject of its own. */
const STORIES: Readonly<Record<string, Story>> = {
  start: (at, { operator }) => operator.say(`/db start ${numbered('on', at)}`),
  stop: async (at, { operator }) => {
    const name = numbered('off', at);
    await operator.say(`/db stop ${name}`);
    await operator.press(name, `Stop ${name}`);
  },
  cancel: async (at, { operator }) => {
    const name = numbered('off', at);
    await operator.say(`/db stop ${name}`);
    await operator.press(name, 'Cancel');
  },
  approved: async (at, { operator, lead }) => {
    const name = numbered('prod', at);
    await operator.say(`/db stop ${name}`);
    await lead.press(name, 'Approve');
  },
  denied: async (at, { operator, lead }) => {
    const name = numbered('deny', at);
    await operator.say(`/db stop ${name}`);
    await lead.press(name, 'Deny');
    await lead.submit(/Deny this request/u);
  },
  withdrawn: async (at, { operator }) => {
    const name = numbered('deny', at);
    await operator.say(`/db stop ${name}`);
    await operator.press(name, 'Deny');
  },
  create: async (at, { operator }) => {
    const name = numbered('new', at);
    await operator.say(`/db create ${name} --preset small --ip-access-list "203.0.113.7 vpn"`);
    await operator.submit(/Create a service/u);
  },
  pipe: async (at, { operator }) => {
    const name = numbered('flow', at);
    await operator.say(`/db pipe analytics --name ${name} --table ${name} ${DESCRIPTION}`);
    await operator.submit(/Create a pipe/u);
  },
  invite: async (at, { operator }) => {
    const email = `${numbered('guest', at)}@example.com`;
    await operator.say(`/db invite ${email}`);
    await operator.press(email, `Invite ${email}`);
  },
  dashboard: async (at, { lead }) => {
    const id = numbered('board', at);
    await lead.say(`/db dashboard delete ${id}`);
    await lead.type(/Delete a dashboard/u, 'Type the id again to confirm', id);
    await lead.submit(/Delete a dashboard/u);
  },
  glass: (at, { operator }) =>
    operator.say(`/db stop ${numbered('glass', at)} --break-glass "the disk is full"`),
  summary: async (at, { operator }) => {
    const channel = channelIdOf(numbered('sum', at));
    await operator.say('/db digest on 03:00 UTC', channel);
    await operator.pause(700);
    await operator.say('/db digest off', channel);
  },
};

/** Persons, some asking and some approving, `atOnce` stories at a time. */
export function createPeople(workspace: Workspace, chance: Chance, atOnce: number): People {
  const numbers = new Map<string, number>();
  const free = { operators: [...OPERATORS] as string[], leads: [...LEADS] as string[] };
  const count = { commands: 0 };
  let acting = true;
  let works: Promise<void>[] = [];

  async function live(): Promise<void> {
    while (acting) {
      const operator = free.operators.shift();
      const lead = free.leads.shift();
      if (operator !== undefined && lead !== undefined) {
        const here = {
          operator: createHands(workspace, operator, count),
          lead: createHands(workspace, lead, count),
        };
        await tell(chance.pick(Object.keys(STORIES)), here).catch(() => undefined);
      }
      if (operator !== undefined) free.operators.push(operator);
      if (lead !== undefined) free.leads.push(lead);
      await pause(chance.between(20, 400));
    }
  }

  async function tell(kind: string, here: Here): Promise<void> {
    // Two stories on subjects of one word.
    const word = { cancel: 'stop', withdrawn: 'denied' }[kind] ?? kind;
    const at = numbers.get(word) ?? 0;
    numbers.set(word, at + 1);
    await STORIES[kind]?.(at, here);
  }

  return {
    act: () => {
      acting = true;
      works = Array.from({ length: atOnce }, live);
    },
    stop: async () => {
      acting = false;
      await Promise.all(works);
    },
    commands: () => count.commands,
  };
}

type Hands = ReturnType<typeof createHands>;

/** What waits for the bot waits so long: it may be starting. */
const PATIENCE_MS = 6_000;
const LOOK_EVERY_MS = 80;

function createHands(workspace: Workspace, person: string, count: { commands: number }) {
  const as = userIdOf(person);

  function view(title: RegExp) {
    const top = workspace.state(as).views.at(-1);
    return top !== undefined && title.test(readView(top, new Map())) ? top : undefined;
  }

  async function close(): Promise<void> {
    const top = workspace.state(as).views.at(-1);
    if (top !== undefined) await workspace.act({ as, kind: 'close', view: top.id, all: true });
  }

  return {
    pause,
    say: async (text: string, channel = 'C0OPS'): Promise<void> => {
      await patiently(() => (workspace.connections() > 0 ? true : undefined));
      count.commands += 1;
      await workspace.act({ as, kind: 'say', channel, text });
    },
    /** The newest message about the subject that has the button; once more where the bot was away. */
    press: async (subject: string, label: string): Promise<void> => {
      const until = performance.now() + PATIENCE_MS;
      while (performance.now() < until) {
        const place = buttonIn(workspace.state(as).messages, subject, label);
        const answer = place && (await workspace.act({ as, kind: 'act', ...place }));
        if (answer?.ok === true) return;
        await pause(LOOK_EVERY_MS);
      }
    },
    type: async (title: RegExp, label: string, value: string): Promise<void> => {
      const shown = await patiently(() => view(title));
      const found = labelled(shown?.blocks ?? []).find(({ labels }) => labels.includes(label));
      if (shown === undefined || found === undefined) return;
      await workspace.act({
        ...{ as, kind: 'type', source: { view: shown.id }, state: { value } },
        blockId: String(found.block['block_id']),
        actionId: String(found.element['action_id']),
      });
    },
    /** A modal that the bot cannot answer for is closed: nobody waits for it for ever. */
    submit: async (title: RegExp): Promise<void> => {
      const shown = await patiently(() => view(title));
      if (shown === undefined) return;
      for (let tries = 0; tries < 3; tries += 1) {
        const answer = await workspace.act({ as, kind: 'submit', view: shown.id });
        if (answer.ok) return;
        await pause(600);
      }
      await close().catch(() => undefined);
    },
  };
}

function buttonIn(messages: readonly PageMessage[], subject: string, label: string) {
  for (const { blocks, channel, ts } of messages.toReversed()) {
    if (!JSON.stringify(blocks).includes(subject)) continue;
    const found = labelled(blocks).find(
      ({ element, labels }) => isButton(element) && labels.includes(label),
    );
    if (found === undefined) continue;
    return {
      source: { message: { channel, ts } },
      blockId: String(found.block['block_id']),
      actionId: String(found.element['action_id']),
    };
  }
  return undefined;
}

function isButton(element: Json): boolean {
  return element['type'] === 'button';
}

async function patiently<T>(read: () => T | undefined): Promise<T | undefined> {
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    const found = read();
    if (found !== undefined) return found;
    await pause(LOOK_EVERY_MS);
  }
  return undefined;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
