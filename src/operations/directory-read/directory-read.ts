import { z } from 'zod';
import type { Card, CardAction, Row } from '../../core/card/card.ts';
import { offersFor, serviceRows } from '../../core/list/services.ts';
import { whole } from '../../core/operation/fields.ts';
import { type Context, defineOperation } from '../../core/operation/operation.ts';
import type { Ports } from '../../core/operation/ports.ts';
import { visibleServices } from '../../core/operation/resolve.ts';
import type { DirectoryEntry } from '../../core/ports/ports.ts';
import { bold, code, counted, say, type Text } from '../../core/text/text.ts';
import { nearest } from '../../core/text/typed-text.ts';

const input = z.strictObject({
  words: z
    .string()
    .trim()
    .max(200, 'At most 200 characters.')
    .optional()
    .meta({
      field: {
        label: 'Find',
        placeholder: 'prod running',
        hint: 'Parts of a name, a tag, a state, an organization or an id: all of them have to fit. Empty: all services.',
      },
    }),
  page: whole({ min: 1, max: 10_000 }, 'A whole number from 1.')
    .optional()
    .meta({ field: { label: 'Page', slashOnly: true, hint: 'Of a list that is long.' } }),
});

type Plan = { readonly words: string; readonly page: number };

/** `/db services`: what Steward knows of, since the API lists none. Design: §3. */
export const directoryRead = defineOperation({
  id: 'directory.read',
  summary: 'List the services that Steward knows',
  title: 'Services',
  risk: 'read',
  listsServices: true,
  atOnce: true,
  slash: {
    words: ['services'],
    positional: ['words'],
    examples: ['services', 'services prod running'],
  },
  input,
  refused: () => say`The services were not listed`,
  plan: async ({ words = '', page = 1 }): Promise<Plan> => ({ words, page }),
  targets: () => [],
  execute: async (plan, ports, context) => ({ result: await read(plan, ports, context) }),
  present: (found, plan) => present(found, plan),
});

/** As many rows as a message holds, with the ways on. */
const ROWS = 40;

type Found = {
  /** How many this person may know of. */
  readonly known: number;
  readonly matching: number;
  /** From 1; of a page behind the last one the last. */
  readonly page: number;
  readonly rows: readonly Row[];
  readonly forms: readonly CardAction[];
  /** A cloud lists some of them by itself. */
  readonly isListed: boolean;
  /** What may have been meant, where nothing matches. */
  readonly near: string | undefined;
};

async function read({ words, page }: Plan, ports: Ports, context: Context): Promise<Found> {
  await ports.directory.look();
  const known = await visibleServices(ports, context);
  const wanted = words
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const matching = known.filter((entry) => wanted.every((word) => fits(entry, word)));
  const last = Math.max(1, Math.ceil(matching.length / ROWS));
  const at = Math.min(page, last);
  const shown = matching.slice((at - 1) * ROWS, at * ROWS);
  const rows = await serviceRows(shown, ports, context);
  return {
    isListed: known.some(({ cloud }) => cloud !== undefined),
    ...{ known: known.length, matching: matching.length, page: at, rows },
    forms: offersFor(rows, ports),
    near: matching.length === 0 ? nearTo(wanted, known) : undefined,
  };
}

/** A part of its name, or all of something else that it is known by. */
function fits({ id, name, tags, state, organization }: DirectoryEntry, word: string): boolean {
  if (name.toLowerCase().includes(word)) return true;
  const tag = word.replace(/^tag:/u, '');
  if (tags.some((one) => one.toLowerCase() === tag)) return true;
  return [id, state, organization].some((one) => one?.toLowerCase() === word);
}

/** The words with those that fit nothing in the nearest spelling; undefined without one. */
function nearTo(wanted: readonly string[], known: readonly DirectoryEntry[]): string | undefined {
  const names = known.flatMap(({ name, tags, state, organization }) => [
    ...[name, ...name.split(' '), ...tags, organization],
    ...(state === undefined ? [] : [state]),
  ]);
  const meant = wanted.map((word) =>
    known.some((entry) => fits(entry, word)) ? word : nearest(word, names),
  );
  const words = meant.every((word) => word !== undefined) ? meant.join(' ') : undefined;
  return words === wanted.join(' ') ? undefined : words;
}

function present(found: Found, plan: Plan): Card {
  const { known, matching, rows, forms } = found;
  if (known === 0) {
    return {
      audience: 'requester',
      tone: 'plain',
      headline: say`No service is known that you may use here.`,
      lines: [
        say`Services come from ${code('steward.yaml')}, from ${code('create')} and from cost reports.`,
      ],
    };
  }
  if (matching === 0) return nothingFits(found, plan);
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`${countText(found, plan)}, with the last state that the API reported to Steward.`,
    rows,
    actions: matching > ROWS ? [...turns(found, plan), FIND, ...forms] : undefined,
    context: found.isListed
      ? say`From ${code('steward.yaml')}, whose names and tags rules judge by, and the cloud’s own list.`
      : say`The API lists no services: this directory is Steward’s own.`,
  };
}

const FIND: CardAction = {
  label: 'Find a service',
  do: { kind: 'open', operation: 'directory.read', input: {} },
};

function nothingFits({ known, near }: Found, { words }: Plan): Card {
  const meant = near === undefined ? [] : say` Did you mean ${code(near)}?`;
  const all = known === 1 ? 'Show the one there is' : `Show all ${known}`;
  return {
    audience: 'requester',
    tone: 'plain',
    headline: say`No service that you may use here fits ${bold(words)}.${meant}`,
    lines: [
      say`It takes parts of names, tags, states, organizations and ids: ${code('services prod running')}.`,
    ],
    actions: [
      ...(near === undefined ? [] : [listed(`Show ${near}`.slice(0, 75), { words: near })]),
      listed(all, {}),
      FIND,
    ],
  };
}

/** `Services 41 to 80 of 300 that fit prod`. */
function countText({ known, matching, page, rows }: Found, { words }: Plan): Text {
  const fitting = words === '' ? [] : say` that fit ${bold(words)}`;
  if (matching <= ROWS) {
    if (words === '') return [counted(known, 'service')];
    return say`${matching} of ${counted(known, 'service')} that ${matching === 1 ? 'fits' : 'fit'} ${bold(words)}`;
  }
  const first = (page - 1) * ROWS + 1;
  return say`Services ${first} to ${first + rows.length - 1} of ${matching}${fitting}`;
}

/** To the pages before and behind. */
function turns({ matching, page, rows }: Found, { words }: Plan): readonly CardAction[] {
  const behind = matching - ((page - 1) * ROWS + rows.length);
  const of = words === '' ? {} : { words };
  return [
    ...(behind > 0 ? [listed(`Next ${Math.min(ROWS, behind)}`, { ...of, page: page + 1 })] : []),
    ...(page > 1 ? [listed(`Previous ${ROWS}`, { ...of, page: page - 1 })] : []),
  ];
}

function listed(label: string, given: Partial<Plan>): CardAction {
  return { label, do: { kind: 'run', operation: 'directory.read', input: given } };
}
