import type { z } from 'zod';
import { personId } from '../../core/operation/fields.ts';
import type { Context } from '../../core/operation/operation.ts';
import type { Problem } from '../../core/operation/outcome.ts';
import type { ReadPorts } from '../../core/operation/ports.ts';
import { operationNamed } from '../../core/operation/registry.ts';
import {
  isProblem,
  resolveService,
  serviceTarget,
  type VisibilityPorts,
  visibleServices,
} from '../../core/operation/resolve.ts';
import { momentOf, type Span } from '../../core/operation/times.ts';
import type { Target } from '../../core/ports/decision.ts';
import type { JournalFilter } from '../../core/ports/journal.ts';
import { say } from '../../core/text/text.ts';
import { isUuid } from '../../core/text/typed-text.ts';
import type { input } from './input.ts';
import { endsOf, WITHOUT_STEPS } from './outcomes.ts';
import { LOOKED_AT, namesOf, visibleEntries } from './visible.ts';
import { candidatesIn, readWords, type Vocabulary, type Words } from './words.ts';

export type Typed = z.output<typeof input>;

export type Plan = {
  /** Without `limit`. */
  readonly filter: JournalFilter;
  readonly limit: number;
  readonly targets: readonly Target[];
  /** What requests made, as it was asked for. */
  readonly names: readonly string[];
  /** Nothing but changes, without the steps on their way: as long as nobody asks for more. */
  readonly changesOnly: boolean;
  /** The outcomes in the words they were asked with. */
  readonly outcomes: readonly string[];
  readonly typed: Typed;
};

type PlanPorts = VisibilityPorts & Pick<ReadPorts, 'clock' | 'journal'>;

const ROWS = 20;

/** What was typed as words and what as options are one filter: of a kind any, of all kinds all. */
export async function planLog(
  typed: Typed,
  ports: PlanPorts,
  context: Context,
): Promise<Plan | Problem> {
  const words = await wordsOf(typed, ports, context);
  if (isProblem(words)) return { ...words, suggestion: wholeSuggestion(words, typed) };
  const targets = await all([...words.services, ...given(typed.service)], (service) =>
    targetOf(service, typed, ports, context),
  );
  if (isProblem(targets)) return targets;
  const actions = await all([...words.actions, ...given(typed.action)], async (action) =>
    actionOf(action, typed, ports.catalogue),
  );
  if (isProblem(actions)) return actions;
  const once = atMostOnce(typed, words, ports);
  if (isProblem(once)) return once;
  const outcomes = [...words.outcomes, ...given(typed.outcome)];
  const references = [...words.references, ...given(typed.reference)];
  const people = [...words.people, ...given(typed.who)].flatMap((who) => personId(who) ?? []);
  const changesOnly = typed.all !== true && references.length === 0 && actions.length === 0;
  const changes = changesOnly ? changing(ports.catalogue) : undefined;
  const ends = outcomes.flatMap((word) => endsOf(word) ?? []);
  return {
    filter: {
      operations: some(actions.map(({ id }) => id)) ?? changes,
      services: some(targets.map(({ id }) => id)),
      // Whoever made a service asked for it by its name: its id was not known then.
      names: some([...words.names, ...targets.map(({ name }) => name)]),
      people: some(people),
      references: some(references),
      outcomes: some(ends) ?? (changesOnly ? WITHOUT_STEPS : undefined),
      since: once.since,
      until: once.until,
      // The row of this very question is left out.
      before: Math.min(typed.before ?? context.journal, context.journal),
    },
    limit: once.limit,
    targets,
    names: words.names,
    changesOnly,
    outcomes,
    typed,
  };
}

async function wordsOf(
  { words = '' }: Typed,
  ports: PlanPorts,
  context: Context,
): Promise<Words | Problem> {
  const known = words === '' ? NOTHING_KNOWN : await knownOf(words, ports, context);
  const { catalogue, clock } = ports;
  return readWords(words, { ...known, catalogue, now: clock.now(), me: context.actor.userId });
}

type Recognised = Pick<Vocabulary, 'services' | 'names' | 'references'>;

const NOTHING_KNOWN: Recognised = { services: [], names: new Set(), references: new Set() };

/** Of the words, what has rows: a name that this person may not know of stays unknown to them. */
async function knownOf(words: string, ports: PlanPorts, context: Context): Promise<Recognised> {
  const { names, references } = candidatesIn(words);
  const before = context.journal;
  const [services, making, referred] = await Promise.all([
    visibleServices(ports, context),
    ports.journal.find({ names, before, limit: LOOKED_AT }),
    ports.journal.find({ references, before, limit: LOOKED_AT }),
  ]);
  const { entries } = await visibleEntries(making, LOOKED_AT, ports, context);
  return {
    services,
    names: new Set(entries.flatMap(namesOf)),
    references: new Set(referred.map(({ reference }) => reference)),
  };
}

function wholeSuggestion({ suggestion }: Problem, typed: Typed): Problem['suggestion'] {
  return suggestion && { ...suggestion, input: { ...typed, ...suggestion.input } };
}

function given(value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [value];
}

/** No list at all where it is empty: one that is empty fits nothing. */
function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function changing(catalogue: ReadPorts['catalogue']): readonly string[] {
  return catalogue.filter(({ risk }) => risk !== 'read').map(({ id }) => id);
}

/** The first problem, if there is one. */
async function all<T extends object>(
  names: readonly string[],
  find: (name: string) => Promise<T | Problem>,
): Promise<readonly T[] | Problem> {
  const found: T[] = [];
  for (const name of names) {
    const one = await find(name);
    if (isProblem(one)) return one;
    found.push(one);
  }
  return found;
}

type Once = Span & { readonly limit: number };

/** What can be meant only once. */
function atMostOnce(typed: Typed, words: Words, { clock }: PlanPorts): Once | Problem {
  const now = clock.now();
  const { since, until, limit } = typed;
  const spans: readonly Span[] = [
    ...words.spans,
    ...(since === undefined ? [] : [{ since: momentOf(since, now, false) }]),
    ...(until === undefined ? [] : [{ until: momentOf(until, now, true) }]),
  ];
  const begins = spans.flatMap((span) => span.since ?? []);
  const ends = spans.flatMap((span) => span.until ?? []);
  const rows = [...words.rows, ...(limit === undefined ? [] : [limit])];
  if (rows.length > 1) return twice(`The number of rows is given twice: ${rows.join(' and ')}.`);
  if (begins.length > 1 || ends.length > 1) return twice('The time is given twice.');
  return { since: begins[0], until: ends[0], limit: rows[0] ?? ROWS };
}

function twice(words: string): Problem {
  return { field: 'words', problem: say`${words} Keep one.` };
}

/** A service that is gone from the directory is still in the journal, under its id. */
async function targetOf(
  service: string,
  typed: Typed,
  ports: VisibilityPorts,
  context: Context,
): Promise<Target | Problem> {
  const entry = await resolveService(service, { raw: typed, field: 'service' }, ports, context);
  if (!isProblem(entry)) return serviceTarget(entry);
  if (!isUuid(service)) return entry;
  const id = service.toLowerCase();
  return { kind: 'service', id, name: id, tags: [] };
}

function actionOf(
  action: string,
  typed: Typed,
  catalogue: ReadPorts['catalogue'],
): { readonly id: string } | Problem {
  const glob = action.toLowerCase();
  if (/^[a-z*-]+\.[a-z*-]+$/u.test(glob) && glob.includes('*')) return { id: glob };
  return operationNamed(action, catalogue, {
    field: 'action',
    as: 'action',
    suggest: (near) => ({ label: `Use ${near}`, input: { ...typed, action: near } }),
  });
}
