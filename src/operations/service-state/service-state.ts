import { z } from 'zod';
import type { Card } from '../../core/card/card.ts';
import type { ServiceRecord, StateCommand } from '../../core/cloud/service.ts';
import { stateMeaning } from '../../core/cloud/state-meaning.ts';
import { serviceField } from '../../core/operation/fields.ts';
import {
  type Context,
  defineOperation,
  type Operation,
  type UnknownOutcome,
} from '../../core/operation/operation.ts';
import type { Preview } from '../../core/operation/outcome.ts';
import {
  isProblem,
  namesOf,
  resolveService,
  serviceTarget,
  standing,
  typedName,
} from '../../core/operation/resolve.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import type { NamesMode } from '../../core/settings/settings.ts';
import { approvedText, bold, code, say, type Text, user } from '../../core/text/text.ts';
import { lastBackup } from './last-backup.ts';

const input = z.strictObject({
  service: serviceField,
});

type ServiceCommandWords = {
  readonly command: StateCommand;
  /** Means the same where no operation is called so. */
  readonly also?: string | undefined;
  /** What people type and read; absent: the command itself. */
  readonly word?: string | undefined;
  /** Offered only where a cloud has it. */
  readonly onlyIn?: NamesMode | undefined;
  readonly confirm: 'none' | 'press';
  /** `stopped`, `stopping`, and what follows: `Queries fail until it is started again.` */
  readonly past: string;
  readonly present: string;
  readonly consequence: string;
  /** What it leads to. */
  readonly reached: string;
  /** States that show the command was taken. */
  readonly taken: readonly string[];
};

type Plan = {
  readonly entry: DirectoryEntry;
  /** Of its last backup, where its cloud shows one. */
  readonly backup?: Text | undefined;
  /** Whether its cloud shows what becomes of it. */
  readonly isSeen: boolean;
  readonly command: StateCommand;
};

/**
 * `service.start` and `service.stop`: one request, told with the state that the API returned and
 * never a state that it did not. Spec: Endpoints 2; States and transitions (which state follows is
 * not shown there, so none is assumed).
 */
export function defineServiceCommand(words: ServiceCommandWords): Operation {
  const { command, onlyIn, word = command, also } = words;
  const verb = capital(word);
  return defineOperation({
    id: `service.${word}`,
    onlyIn,
    summary: `${verb} a service`,
    title: `${verb} a service`,
    risk: 'change',
    confirm: words.confirm,
    beside: {
      label: verb,
      fits: (state) => state === undefined || !words.taken.includes(state),
    },
    slash: { words: [word], also, positional: ['service'], examples: [`${word} scratch`] },
    input,
    refused: (raw) => say`${typedName(raw, 'service', 'The service')} was not ${words.past}`,
    plan: async ({ service }, ports, context) => {
      const about = { raw: { service }, field: 'service' };
      const entry = await resolveService(service, about, ports, context);
      if (isProblem(entry)) return entry;
      if (onlyIn !== undefined && namesOf(entry.organization, ports) !== onlyIn) {
        const problem = say`The cloud of ${bold(entry.name)} has no such command: ${code('start')} is the nearest.`;
        return { problem, field: 'service' };
      }
      const isSeen = ports.sights.of(entry.organization) !== undefined;
      const plan = { entry, isSeen, command: commandFor(command, entry) };
      return command === 'stop'
        ? { ...plan, backup: await lastBackup(entry, ports, context) }
        : plan;
    },
    targets: ({ entry }) => [serviceTarget(entry)],
    needs: ({ command: sent }) => (sent === command ? [] : [`service.${sent}`]),
    binds: ({ entry, command: sent }) => ({
      id: entry.id,
      organization: entry.organization,
      command: sent,
    }),
    preview: (plan) => preview(plan, verb, words),
    running: ({ entry }) => say`${capital(words.present)} ${bold(entry.name)} …`,
    asked: ({ entry }) => say`Asked ${bold(entry.name)} to ${word}.`,
    unknown: ({ entry }) => unknownOutcome(entry, words),
    execute: async ({ entry, command: sent }: Plan, ports) => {
      const reply = await ports.control.setServiceState(entry.organization, entry.id, sent);
      const { id, organization } = entry;
      const { state } = reply.result;
      await ports.directory.note({ id, organization, state, source: 'command' });
      return reply;
    },
    present: (record, plan, context) => present(record, plan, { words, context }),
    follows: (_record, { entry, isSeen, command: sent }, { approvedBy }) => {
      const { id: serviceId, organization, name, state: before } = entry;
      const follow = { command: sent, organization, serviceId, name, approvedBy, before };
      return isSeen ? follow : undefined;
    },
  });
}

/** What sleeps is woken by its start: only an idle service takes the other command. Facts: States. */
function commandFor(command: StateCommand, { state }: DirectoryEntry): StateCommand {
  return command === 'awake' && (state === 'stopped' || state === 'stopping') ? 'start' : command;
}

function preview({ entry, backup }: Plan, verb: string, words: ServiceCommandWords): Preview {
  const place = [...entry.tags, entry.organization].join(', ');
  return {
    question: say`${verb} ${bold(entry.name)}?`,
    ask: say`${words.word ?? words.command} ${bold(entry.name)} (${place})`,
    lines: [
      say`${standing(entry)}. ${words.consequence}`,
      ...(backup === undefined ? [] : [backup]),
    ],
    button: `${verb} ${entry.name}`.slice(0, 75),
    danger: words.command === 'stop',
  };
}

function unknownOutcome(entry: DirectoryEntry, words: ServiceCommandWords): UnknownOutcome {
  return {
    state: say`${bold(entry.name)} may have been ${words.past}`,
    check: say`Check its state in the console before trying again.`,
  };
}

function present(
  record: ServiceRecord,
  { entry, isSeen }: Plan,
  { words, context }: { readonly words: ServiceCommandWords; readonly context: Context },
): Card {
  const who = user(context.actor.userId);
  const name = bold(entry.name);
  const approved = approvedText(context.approvedBy);
  const { state } = record;
  const isReached = state === words.reached;
  const taken = state !== undefined && words.taken.includes(state);
  return {
    audience: 'channel',
    tone: taken ? 'good' : 'warning',
    // Never in the past tense: that it has stopped is more than the API says.
    headline: say`${who} asked ${name} to ${words.word ?? words.command}${approved}: ${answered(state, isReached)}.`,
    lines: meaningOf(state, words, isSeen),
    context: taken && !isReached && !isSeen ? UNSEEN : undefined,
    details: [
      { label: 'Service id', value: [code(entry.id)] },
      { label: 'Organization', value: [entry.organization] },
    ],
  };
}

/** What a state means for this command, where that is no matter of course. Facts: States. */
function meaningOf(
  state: string | undefined,
  { command }: ServiceCommandWords,
  isSeen: boolean,
): Card['lines'] {
  if (state === 'idle') {
    const wake = isSeen ? say`, and so does ${code('wake')}` : [];
    return command === 'stop'
      ? [say`It was idle, which is not stopped: it costs no compute, and a query wakes it${wake}.`]
      : [say`An idle service counts as started; a query wakes it${wake}.`];
  }
  const meaning = stateMeaning(state);
  return meaning === undefined ? undefined : [[meaning]];
}

/** The specification has no call that reads a service. */
const UNSEEN = say`Steward cannot see when it is done; the console can.`;

function answered(state: string | undefined, isReached: boolean): Text {
  if (state === undefined) return say`the API did not say which state it is in`;
  return isReached
    ? say`it was ${code(state)} already, as far as the API says`
    : say`the API answered ${code(state)}`;
}

function capital(word: string): string {
  return `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;
}

/** `/db start analytics`. Spec: Endpoints 2. */
export const serviceStart = defineServiceCommand({
  command: 'start',
  also: 'wake',
  confirm: 'none',
  past: 'started',
  present: 'starting',
  consequence: 'It costs compute from then on.',
  reached: 'running',
  taken: ['starting', 'awaking', 'running', 'partially_running'],
});

/** `/db stop analytics`. Spec: Endpoints 2. */
export const serviceStop = defineServiceCommand({
  command: 'stop',
  confirm: 'press',
  past: 'stopped',
  present: 'stopping',
  consequence: 'Queries fail until it is started again.',
  reached: 'stopped',
  taken: ['stopping', 'stopped'],
});

/** `/db wake analytics`, where the cloud has the command. Spec: ClickHouse spellings. Facts: States. */
export const serviceWake = defineServiceCommand({
  command: 'awake',
  word: 'wake',
  onlyIn: 'clickhouse',
  confirm: 'none',
  past: 'woken',
  present: 'waking',
  consequence: 'It costs compute from then on.',
  reached: 'running',
  taken: ['awaking', 'starting', 'running', 'partially_running'],
});
