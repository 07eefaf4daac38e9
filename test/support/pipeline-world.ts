import type { ChannelCard, RawInput, RequestOptions } from '../../src/core/card/card.ts';
import { AppError } from '../../src/core/cloud/errors.ts';
import type { Outcome } from '../../src/core/operation/outcome.ts';
import { createRegistry } from '../../src/core/operation/registry.ts';
import { createFlood } from '../../src/core/pipeline/flood.ts';
import { run } from '../../src/core/pipeline/pipeline.ts';
import { createRedactor, createSecretFinder } from '../../src/core/pipeline/redact.ts';
import type {
  Finished,
  PipelineDeps,
  Request,
  Settlement,
} from '../../src/core/pipeline/request.ts';
import { type Settled, settlePending } from '../../src/core/pipeline/settle.ts';
import type { Decision, Question } from '../../src/core/ports/decision.ts';
import type { Journal, JournalClosing, JournalOpening } from '../../src/core/ports/journal.ts';
import type { Pending, PendingStore } from '../../src/core/ports/pending.ts';
import type { Actor, CallOptions, ControlApi, Membership } from '../../src/core/ports/ports.ts';
import type { Settings } from '../../src/core/settings/settings.ts';
import { plain, say } from '../../src/core/text/text.ts';
import { ANA, fakePorts, NOW, settingsWith } from './operation-ports.ts';
import { type Facts, operationsOf } from './pipeline-operations.ts';
import { createRecordingLogger, type RecordedLine } from './recording-logger.ts';
import { createTestClock, type TestClock } from './settable-clock.ts';

export const BEN: Actor = { userId: 'U02BEN', teamId: 'T0ACME' };
export const EVE: Actor = { userId: 'U09EVE', teamId: 'T0ACME' };
/** What the configuration keeps secret. */
export const SECRET = 'fake-key-secret-steward';

/** How the rules answer: a test sets them, and sees each question that was asked. */
export type Rules = {
  decide: (question: Question, actor: Actor) => Decision;
  /** Members of a group, or that nobody knows. */
  members: Record<string, readonly string[] | 'unknown'>;
  canAnnounce: boolean;
  limits: Settings['limits'];
};

export type Row = {
  readonly number: number;
  readonly openedAt: string;
  readonly opening: JournalOpening;
  started?: Omit<JournalClosing, 'outcome'>;
  closing?: JournalClosing;
};

export type Asking = Partial<Omit<Request, 'operation' | 'raw'>>;

export type PipelineWorld = {
  readonly clock: TestClock;
  readonly facts: Facts;
  readonly rules: Rules;
  readonly deps: PipelineDeps;
  readonly rows: readonly Row[];
  readonly logs: readonly RecordedLine[];
  /** What happened outside, in order: `announce`, `started 1`, `resize scratch`. */
  readonly events: readonly string[];
  readonly asked: readonly (Question & { readonly actor: Actor })[];
  readonly announced: readonly ChannelCard[];
  readonly finished: readonly Finished[];
  readonly settled: readonly Settlement[];
  /** By Ana in #ops, typed, unless told otherwise. */
  ask(operation: string, raw: RawInput, more?: Asking): Promise<Outcome>;
  /** Presses what an outcome asked, as the store has it now. */
  press(outcome: Outcome, presser?: Actor, more?: Partial<RequestOptions>): Promise<Outcome>;
  settle(outcome: Outcome, kind: 'cancel' | 'deny', by: Actor, note?: string): Promise<Settled>;
  pending(outcome: Outcome): Promise<Pending>;
  /** The question or request of an outcome; throws where it asked nothing. */
  idOf(outcome: Outcome): string;
};

/** Everybody may do everything, and leads are Ben alone. */
export const ALLOWED: Decision = { allowed: true, rule: 'channels.ops.allow[0]' };
export const DENIED: Decision = {
  allowed: false,
  rule: 'channels.ops.deny[0]',
  reason: say`this channel may not do that`,
};
export const APPROVED_BY_LEADS: Decision = {
  ...ALLOWED,
  approval: { by: ['leads'], withinMs: 30 * 60_000 },
};

/** The pipeline with everything around it in memory; nothing of it is a mock of the pipeline's own. */
export function createPipelineWorld(
  change: (deps: PipelineDeps) => Partial<PipelineDeps> = () => ({}),
): PipelineWorld {
  const clock = createTestClock(NOW);
  const facts: Facts = {
    services: { scratch: { id: 's-1', size: 8 }, archive: { id: 's-2', size: 16 } },
    doubles: [],
    fault: undefined,
    held: undefined,
  };
  const rules: Rules = {
    decide: () => ALLOWED,
    members: { leads: [BEN.userId] },
    canAnnounce: true,
    limits: { perPersonPerMinute: 30, perChannelPerMinute: 120 },
  };
  const events: string[] = [];
  const asked: (Question & { readonly actor: Actor })[] = [];
  const announced: ChannelCard[] = [];
  const finished: Finished[] = [];
  const settled: Settlement[] = [];
  const recording = createRecordingLogger();
  const { journal, rows } = createJournal(events, clock);
  const pending = createPendingStore(clock);
  const policy: PipelineDeps['policy'] = {
    decide: async (actor, _place, question) => {
      asked.push({ ...question, actor });
      return rules.decide(question, actor);
    },
    isOneOf: async (actor, groups) => memberOf(rules, actor, groups),
    unsureBecause: () => [],
    hasOthers: async (actor, groups) => othersIn(rules, actor, groups),
    limits: async () => ({}),
    seen: async () => new Set(),
    allowed: async (_actor, _place, questions) => questions.map(() => 'yes'),
    isIn: async () => 'yes',
  };
  const whole: PipelineDeps = {
    registry: createRegistry(operationsOf(facts, events)),
    policy,
    journal,
    pending,
    ports: {
      ...fakePorts(),
      control: sendingControl(),
      ...{ clock, policy, pending, journal },
      settings: { get: () => settingsWith({ limits: rules.limits }) },
    },
    redact: createRedactor(() => [SECRET]),
    holdsSecret: createSecretFinder(() => [SECRET]),
    logger: recording.logger,
    flood: createFlood(),
    observers: [
      {
        finished: (what) => finished.push(what),
      },
    ],
    notifier: {
      finished: async () => [],
      settled: (what) => {
        settled.push(what);
        return [];
      },
    },
    announce: async (card) => {
      events.push('announce');
      if (rules.canAnnounce) announced.push(card);
      return rules.canAnnounce;
    },
  };
  const deps = { ...whole, ...change(whole) };
  const idOf = (outcome: Outcome): string => {
    if (outcome.kind === 'confirm' || outcome.kind === 'approval') return outcome.pending.id;
    throw new TypeError(`It asked nothing: ${toldBy(outcome)}`);
  };
  const stored = async (outcome: Outcome): Promise<Pending> => {
    const found = await pending.get(idOf(outcome));
    if (found === undefined) throw new TypeError('There is no such question.');
    return found;
  };
  return {
    ...{ clock, facts, rules, deps, rows, events, asked, announced, finished, settled, idOf },
    logs: recording.lines,
    pending: stored,
    ask: (operation, raw, more = {}) =>
      run({ operation, raw, actor: ANA, place: OPS, origin: 'slash', ...more }, deps),
    press: async (outcome, presser = ANA, more = {}) =>
      run(pressed(await stored(outcome), presser, more), deps),
    settle: async (outcome, kind, by, note) =>
      settlePending({ kind, by, note, pending: await stored(outcome) }, deps),
  };
}

const OPS = { channelId: 'C0OPS' };

/** A press as the routes of Slack make it of what is stored. */
export function pressed(
  pending: Pending,
  presser: Actor,
  more: Partial<RequestOptions> = {},
): Request {
  const { operation, input, actor, channelId, options } = pending;
  return {
    operation,
    raw: input,
    actor,
    place: channelId === undefined ? 'home' : { channelId },
    origin: 'button',
    options: { ...options, ...more },
    grant: { pending, presser },
  };
}

/** Everything that a person is told by an outcome, as plain text. */
export function toldBy(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'done':
      return plain(outcome.card.headline);
    case 'notice':
      return plain(outcome.text);
    case 'problem':
      return plain(outcome.problem.problem);
    case 'repeat':
      return outcome.found.map(plain).join(' ');
    case 'denied':
      return `${plain(outcome.headline)}: ${plain(outcome.decision.reason)}`;
    case 'failed':
      return plain(outcome.headline);
    case 'form':
      return outcome.issues.map(({ field, message }) => `${field}: ${message}`).join('\n');
    case 'confirm':
    case 'approval':
      return [outcome.preview.question, ...outcome.preview.lines].map(plain).join(' ');
  }
}

async function memberOf(
  { members }: Rules,
  { userId }: Actor,
  groups: readonly string[],
): Promise<Membership> {
  if (groups.some((group) => members[group] === 'unknown')) return 'unknown';
  return groups.some((group) => members[group]?.includes(userId)) ? 'yes' : 'no';
}

async function othersIn(
  { members }: Rules,
  { userId }: Actor,
  groups: readonly string[],
): Promise<Membership> {
  if (groups.some((group) => members[group] === 'unknown')) return 'unknown';
  const all = groups.flatMap((group) => members[group] ?? []);
  return all.some((id) => id !== userId) ? 'yes' : 'no';
}

function createJournal(
  events: string[],
  clock: TestClock,
): { readonly journal: Journal; readonly rows: Row[] } {
  const rows: Row[] = [];
  const rowOf = (number: number): Row => {
    const row = rows[number - 1];
    if (row === undefined) throw new TypeError(`There is no row ${number}.`);
    return row;
  };
  const journal: Journal = {
    find: async () => [],
    count: async () => 0,
    open: async (opening) => {
      const number = rows.length + 1;
      rows.push({ number, openedAt: clock.now().toISO() ?? '', opening });
      return { number, reference: `ref${number}` };
    },
    receive: () => Promise.reject(new TypeError('No payload comes here.')),
    started: async ({ number }, facts) => {
      events.push(`started ${number}`);
      rowOf(number).started = facts;
    },
    close: async ({ number }, closing) => {
      events.push(`closed ${number}`);
      rowOf(number).closing = closing;
      return true;
    },
    running: async (operation, targetId) => {
      const row = rows.find(
        ({ opening, started, closing }) =>
          opening.operation === operation &&
          closing === undefined &&
          started?.targets?.some(({ id }) => id === targetId) === true,
      );
      if (row === undefined) return undefined;
      const { number, openedAt, opening, started } = row;
      const { actor, input } = opening;
      return {
        ...{ number, reference: `ref${number}`, openedAt, operation, actor, input },
        targets: started?.targets ?? [],
        planHash: started?.planHash,
        outcome: 'open',
      };
    },
  };
  return { journal, rows };
}

/** Open until settled or past its time, as the real ones are. */
function createPendingStore(clock: TestClock): PendingStore {
  const all = new Map<string, Pending>();
  const isoNow = (): string => clock.now().toISO() ?? '';
  const present = (pending: Pending): Pending => {
    const isOver = pending.state === 'open' && pending.expiresAt <= isoNow();
    return isOver ? { ...pending, state: 'expired' } : pending;
  };
  return {
    create: async (asked) => {
      const id = `pending-${all.size + 1}`;
      const pending: Pending = { ...asked, id, state: 'open', createdAt: isoNow() };
      all.set(id, pending);
      return pending;
    },
    get: async (id) => {
      const found = all.get(id);
      return found && present(found);
    },
    settle: async (id, to, by, told) => {
      const found = all.get(id);
      if (found === undefined || present(found).state !== 'open') return false;
      all.set(id, { ...found, state: to, decidedBy: by, decidedAt: isoNow(), note: told?.note });
      return true;
    },
    shownAt: async () => undefined,
    ofJournal: async (number) => [...all.values()].filter(({ journal }) => journal === number),
    open: async () => [...all.values()].map(present).filter(({ state }) => state === 'open'),
  };
}

/** A fault of the control API: `maybe` where it was sent and no answer came. */
export function apiFault(changed: 'no' | 'maybe' = 'no'): AppError {
  return new AppError('timeout', {
    userMessage: 'No answer within 30 s.',
    changed,
    requestId: 'fake-request-id',
    status: 504,
  });
}

/** Sends nothing, and says right before. */
function sendingControl(): ControlApi {
  const { control } = fakePorts();
  const during = ({ beforeSend }: CallOptions): ControlApi => ({
    ...control,
    during,
    setServiceState: async () => {
      await beforeSend?.();
      return { result: {} };
    },
  });
  return during({});
}
