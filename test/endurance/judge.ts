import type { PageMessage } from '../../src/sandbox/workspace/protocol/page-protocol.ts';
import { openDatabase } from '../../src/storage/database/database.ts';
import { exportRows, type JournalRow } from '../../src/storage/journal/export.ts';
import { verifyJournal } from '../../src/storage/journal/verify.ts';
import { labelled, readEverything } from '../support/reading.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { type Grounds, LEADS, OPERATORS, userIdOf } from './grounds.ts';

export type Verdict = {
  /** What no run may have, one sentence each. */
  readonly faults: readonly string[];
  readonly figures: Figures;
};

export type Figures = {
  readonly acknowledged: number;
  readonly effects: number;
  readonly started: number;
  readonly toldOnce: number;
  readonly toldTwice: number;
  readonly toldMore: number;
  readonly unknown: number;
  readonly notRun: number;
};

type Row = {
  readonly number: number;
  readonly operation: string;
  readonly reference: string;
  readonly subject: string;
  readonly isStarted: boolean;
  readonly outcome: string;
  readonly detail: string;
};

type Said = PageMessage & { readonly words: string };
type Pendings = ReadonlyMap<string, string>;

/** Everything that must hold when nothing goes on any more. */
export async function judge(grounds: Grounds): Promise<Verdict> {
  const { rows, pendings, left, undelivered, problem, deliveries } = await readDatabase(grounds);
  const messages = messagesOf(grounds);
  const acknowledged = acknowledgedBy(grounds);
  const started = rows.filter(({ isStarted }) => isStarted);
  const stories = started.map((row) => storyOf(row, messages));
  const notRun = rows.filter(({ detail }) => detail === 'interrupted before anything was sent');
  const faults = [
    ...effectFaults(started, grounds),
    ...stories.flatMap(({ fault }, at) =>
      fault === undefined
        ? []
        : [`${fault} ${undelivered.get(started[at]?.number ?? 0) ?? ''}`.trim()],
    ),
    ...rows.filter(({ outcome }) => outcome === '').map((row) => `${nameOf(row)} is still open`),
    ...notRun.flatMap((row) => notRunFault(row, messages) ?? []),
    ...messages.flatMap((message) => stateFault(message, pendings) ?? []),
    ...left.map((one) => `still in the outbox: ${one}`),
    ...(problem === undefined ? [] : [`audit verify: ${problem}`]),
    ...acknowledged.flatMap(({ trigger, name }) =>
      deliveries.has(trigger) ? [] : [`${name} was acknowledged, and has no row`],
    ),
  ];
  const figures = {
    acknowledged: acknowledged.length,
    effects: requestsOf(grounds).length,
    started: started.length,
    toldOnce: stories.filter(({ times }) => times === 1).length,
    toldTwice: stories.filter(({ times }) => times === 2).length,
    toldMore: stories.filter(({ times }) => times > 2).length,
    unknown: started.filter(({ outcome }) => outcome === 'unknown').length,
    notRun: notRun.length,
  };
  return { faults, figures };
}

/** How many rows of the outbox wait, and how many entries are open. */
export async function unfinished({ databaseUrl }: Grounds): Promise<number> {
  const db = await openDatabase(databaseUrl, { logger: silentLogger });
  try {
    const waiting = await db.query((kysely) =>
      kysely
        .selectFrom('outbox')
        .select('number')
        .where('state', 'in', ['sending', 'waiting'])
        .execute(),
    );
    const open = await db.query((kysely) =>
      kysely.selectFrom('journal_index').select('entry').where('state', '!=', 'closed').execute(),
    );
    return waiting.length + open.length;
  } finally {
    await db.close();
  }
}

async function readDatabase({ databaseUrl }: Grounds) {
  const db = await openDatabase(databaseUrl, { logger: silentLogger });
  try {
    const events: JournalRow[] = [];
    for await (const event of exportRows(db)) events.push(event);
    const pendings = await db.query((kysely) =>
      kysely.selectFrom('pending').select(['id', 'state']).execute(),
    );
    const outbox = await db.query((kysely) =>
      kysely
        .selectFrom('outbox')
        .select(['kind', 'journal', 'state', 'reason'])
        .where('state', '!=', 'told')
        .execute(),
    );
    const verified = await verifyJournal(db);
    const index = await db.query((kysely) =>
      kysely.selectFrom('journal_index').select('delivery').execute(),
    );
    return {
      // A key ends in the trigger.
      deliveries: new Set(index.map(({ delivery }) => delivery?.split(':').at(-1))),
      rows: rowsOf(events),
      pendings: new Map(pendings.map(({ id, state }) => [id, state])) as Pendings,
      left: outbox
        .filter(({ state }) => state !== 'undelivered')
        .map(({ kind, journal, state }) => `${kind} of journal ${journal}, ${state}`),
      undelivered: new Map(outbox.map(({ journal, reason }) => [journal, reason ?? ''])),
      problem: verified.ok ? undefined : verified.problem,
    };
  } finally {
    await db.close();
  }
}

function rowsOf(events: readonly JournalRow[]): readonly Row[] {
  return events
    .filter(({ kind }) => kind === 'opened')
    .map(({ entry, body: opened }) => {
      const own = events.filter((event) => event.entry === entry);
      // A press says what it was once it is looked at.
      const body = Object.assign({}, opened, ...own.map((event) => event.body['as']));
      const closed = own.find(({ kind }) => kind === 'closed')?.body ?? {};
      return {
        number: entry,
        operation: String(body['operation']),
        reference: String(opened['reference']),
        subject: subjectOf(body),
        isStarted: own.some(({ kind }) => kind === 'started'),
        outcome: String(closed['outcome'] ?? ''),
        detail: String(closed['detail'] ?? ''),
      };
    });
}

/** By what it is known in requests and messages. */
function subjectOf({ operation, input, channelId }: JournalRow['body']): string {
  const typed = input as Readonly<Record<string, unknown>>;
  if (String(operation).startsWith('digest.')) return String(channelId);
  const [, id] = /^dashboard/u.test(String(operation)) ? ['', typed['id']] : [];
  return String(id ?? typed['name'] ?? typed['email'] ?? typed['service'] ?? '');
}

/** What the API was asked to change, as operation and subject. */
function requestsOf({ plane }: Grounds): readonly string[] {
  const names = new Map(plane.state().services.map(({ id, name }) => [id, name]));
  return plane
    .requests()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => {
      const sent = (body ?? {}) as Readonly<Record<string, unknown>>;
      const service = /\/services\/([\w-]+)/u.exec(path)?.[1] ?? '';
      if (method === 'PATCH') return `service.${String(sent['command'])} ${names.get(service)}`;
      if (method === 'DELETE') return `dashboard.delete ${path.split('/').at(-1)}`;
      if (path.endsWith('/invitations')) return `invitation.create ${String(sent['email'])}`;
      if (path.endsWith('/services')) return `service.create ${String(sent['name'])}`;
      return `pipe.create ${String(sent['name'])}`;
    });
}

function effectFaults(started: readonly Row[], grounds: Grounds): readonly string[] {
  const rows = counted(started.map(keyOf));
  const requests = counted(requestsOf(grounds));
  const sure = counted(
    started
      .filter(({ outcome, operation }) => outcome === 'done' && !operation.startsWith('digest.'))
      .map(keyOf),
  );
  return [
    ...[...requests]
      .filter(([key, times]) => times > (rows.get(key) ?? 0))
      .map(([key, times]) => `${key}: ${times} requests, ${rows.get(key) ?? 0} started rows`),
    ...[...sure]
      .filter(([key, times]) => times > (requests.get(key) ?? 0))
      .map(([key]) => `${key}: done, and never sent`),
  ];
}

function keyOf({ operation, subject }: Row): string {
  return `${operation} ${subject}`;
}

function counted(keys: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return times;
}

/** What asks for something and was acknowledged without a word against it, as far as the log goes back. */
function acknowledgedBy({ workspace }: Grounds) {
  return workspace.traffic().flatMap(({ what, sent, answered }) => {
    const { payload } = sent as { readonly payload?: Readonly<Record<string, unknown>> };
    const trigger = payload?.['trigger_id'];
    const isRead = JSON.stringify(answered).includes('Nothing was done');
    if (!ASKING.has(what) || trigger === undefined || isRead) return [];
    if (Object(answered)['ok'] !== true || payload?.['view'] !== undefined) return [];
    return [{ trigger: String(trigger), name: `${what} ${String(payload?.['text'] ?? '')}` }];
  });
}

const ASKING = new Set(['slash_commands', 'block_actions']);

/** Everything that the bot said to anybody. */
function messagesOf({ workspace }: Grounds): readonly Said[] {
  const seen = new Map<string, Said>();
  for (const person of [...OPERATORS, ...LEADS]) {
    const { messages, personas, channels } = workspace.state(userIdOf(person));
    const names = new Map([...personas, ...channels].map(({ id, name }) => [id, name]));
    for (const message of messages.filter(({ fromBot }) => fromBot)) {
      const key = `${message.channel} ${message.ts}`;
      if (!seen.has(key)) seen.set(key, { ...message, words: readEverything(message, names) });
    }
  }
  return [...seen.values()].sort((one, other) => Number(one.ts) - Number(other.ts));
}

const MARK = /^(?:✅|⛔|⚠️|:[a-z_]+:) /u;
const AUDIT_LINE = /^(?:Break-glass, without an approval: )?(?:done|failed|unknown|denied) \S+ · /u;

const DONE: Readonly<Record<string, string>> = {
  'service.start': 'asked NAME to start',
  'service.stop': 'asked NAME to stop',
  'service.create': 'created NAME \\(',
  'pipe.create': 'created the pipe NAME on',
  'invitation.create': 'invited NAME\\b',
  'dashboard.delete': 'deleted dashboard NAME\\b',
  'digest.start': 'turned on the cost summary',
  'digest.stop': 'turned off the cost summary|No cost summary is turned on',
};

type Story = { readonly times: number; readonly fault?: string | undefined };

/** Told once; or more than once, all but the first marked. How often is a figure: each crash may add one. */
function storyOf(row: Row, messages: readonly Said[]): Story {
  const all = messages.filter((message) => message.threadTs === null && tells(row, message));
  const elsewhere = all.filter(({ channel }) => channel !== 'C0AUDIT');
  const told = elsewhere.length > 0 ? elsewhere : all;
  const times = told.length;
  if (times === 0) return { times, fault: `${nameOf(row)} was told to nobody` };
  const unmarked = told.filter(({ words }) => !words.includes('Perhaps a repetition'));
  if (unmarked.length > 1) return { times, fault: `${nameOf(row)} was told twice, unmarked` };
  return { times };
}

function tells({ operation, subject, outcome, reference }: Row, message: Said): boolean {
  const { channel } = message;
  const words = message.words.replace(MARK, '');
  // A call to who may approve says how its request ended; the outcome is told elsewhere.
  if (AUDIT_LINE.test(words) || words.startsWith('No longer waiting: ')) return false;
  if (outcome !== 'done') return new RegExp(`Reference ${reference}\\b`, 'u').test(words);
  const isDigest = operation.startsWith('digest.');
  if (isDigest && channel !== subject) return false;
  const name = subject.replaceAll('.', '\\.');
  return new RegExp((DONE[operation] ?? 'NAME').replaceAll('NAME', name), 'u').test(words);
}

function notRunFault(row: Row, messages: readonly Said[]): string | undefined {
  const told = messages.some(
    ({ words }) => words.includes('Not run:') && words.includes(`Reference ${row.reference}`),
  );
  return told ? undefined : `${nameOf(row)} was not run, and nobody was told`;
}

const GOING_ON = /running …|(?:Starting|Stopping|Creating|Deleting|Inviting|Turning) [^\n]*…/u;
const ANSWERS = /^(?:confirm|cancel|approve|deny)$/u;

/** A message that goes on although nothing does, or asks what is answered. */
function stateFault(message: Said, pendings: Pendings): string | undefined {
  const where = `${message.ephemeral ? 'ephemeral in ' : ''}${message.channel} ${message.ts}`;
  const words = message.words.split('\n')[0];
  if (GOING_ON.test(message.words)) return `it goes on (${where}): ${words}`;
  for (const { element } of labelled(message.blocks)) {
    const value = readValue(element['value']);
    if (!ANSWERS.test(String(value['kind']))) continue;
    const state = pendings.get(String(value['pending']));
    if (state !== 'open') return `buttons of a question that is ${state} (${where}): ${words}`;
  }
  return undefined;
}

function readValue(text: unknown): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(String(text));
  } catch {
    return {};
  }
}

function nameOf({ number, reference, operation, subject, outcome, detail }: Row): string {
  return `journal ${number} (${reference}) ${operation} ${subject}: ${outcome} ${detail}`;
}
