import type { DateTime } from 'luxon';
import type { Problem } from '../../core/operation/outcome.ts';
import type { OperationInfo } from '../../core/operation/ports.ts';
import { type Span, spanOf } from '../../core/operation/times.ts';
import { code, listText, say, type Text } from '../../core/text/text.ts';
import { isUuid, nearest } from '../../core/text/typed-text.ts';
import { MOST_ROWS, ROWS_WORDS } from './input.ts';
import { endsOf, OUTCOME_WORDS, outcomeWords } from './outcomes.ts';

/** What the words behind `/db log` mean, each as it was typed. */
export type Words = {
  readonly people: readonly string[];
  readonly services: readonly string[];
  readonly actions: readonly string[];
  readonly outcomes: readonly string[];
  readonly references: readonly string[];
  readonly spans: readonly Span[];
  readonly rows: readonly number[];
};

/** What a word can be. */
export type Vocabulary = {
  readonly now: DateTime<true>;
  readonly catalogue: readonly OperationInfo[];
  /** Names of services that the asker may know of. */
  readonly services: readonly string[];
  /** Their own id, for `me`. */
  readonly me: string;
};

type Meaning = Partial<Words>;

/** A name or a command may have so many words. */
const LONGEST = 4;

/**
 * Reads them in any order, the longest run of words that means something first. Words that mean
 * nothing here come back as a problem that names each, with what is near; none is left out silently.
 */
export function readWords(typed: string, vocabulary: Vocabulary): Words | Problem {
  const words = typed.split(/\s+/u).filter((word) => word !== '');
  const meanings: Meaning[] = [];
  const read: string[] = [];
  const unknown: string[] = [];
  for (let at = 0; at < words.length; ) {
    const found = longestAt(words, at, vocabulary);
    const word = words.slice(at, at + (found?.length ?? 1)).join(' ');
    if (found === undefined) unknown.push(word);
    else meanings.push(found.meaning);
    read.push(found === undefined ? (nearTo(word, vocabulary) ?? '') : word);
    at += found?.length ?? 1;
  }
  if (unknown.length > 0) return notTaken(unknown, read, vocabulary);
  const rows = meanings.flatMap((meaning) => meaning.rows ?? []);
  const odd = rows.find((count) => count < 1 || count > MOST_ROWS);
  if (odd !== undefined) return { field: 'words', problem: say`${odd}: ${ROWS_WORDS}` };
  return {
    people: meanings.flatMap((meaning) => meaning.people ?? []),
    services: meanings.flatMap((meaning) => meaning.services ?? []),
    actions: meanings.flatMap((meaning) => meaning.actions ?? []),
    outcomes: meanings.flatMap((meaning) => meaning.outcomes ?? []),
    references: meanings.flatMap((meaning) => meaning.references ?? []),
    spans: meanings.flatMap((meaning) => meaning.spans ?? []),
    rows,
  };
}

function longestAt(
  words: readonly string[],
  at: number,
  vocabulary: Vocabulary,
): { readonly meaning: Meaning; readonly length: number } | undefined {
  for (let length = Math.min(LONGEST, words.length - at); length > 0; length -= 1) {
    const meaning = meaningOf(words.slice(at, at + length).join(' '), vocabulary);
    if (meaning !== undefined) return { meaning, length };
  }
  return undefined;
}

const GLOB = /^(?=.*\*)[a-z*-]+\.[a-z*-]+$/u;

/** Of a word that could be several things the first of these. */
function meaningOf(
  text: string,
  { now, catalogue, services, me }: Vocabulary,
): Meaning | undefined {
  const word = text.toLowerCase();
  if (/^<@[UW][A-Z0-9]+>$/u.test(text)) return { people: [text] };
  if (word === 'me') return { people: [me] };
  const span = spanOf(text, now);
  if (span !== undefined) return { spans: [span] };
  if (/^\d{1,3}$/u.test(word)) return { rows: [Number(word)] };
  if (endsOf(word) !== undefined) return { outcomes: [word] };
  if (GLOB.test(word) || commands(catalogue).includes(word)) return { actions: [word] };
  if (services.some((name) => name.toLowerCase() === word) || isUuid(word)) {
    return { services: [text] };
  }
  if (/^[0-9a-hjkmnp-tv-z]{4}$/u.test(word)) return { references: [word] };
  return undefined;
}

function commands(catalogue: readonly OperationInfo[]): readonly string[] {
  return catalogue.flatMap(({ id, slash }) => [id, slash.words.join(' ')]).filter(Boolean);
}

function nearTo(word: string, { catalogue, services }: Vocabulary): string | undefined {
  return nearest(word, [
    ...services,
    ...commands(catalogue),
    ...outcomeWords(),
    'today',
    'yesterday',
  ]);
}

/** `read`: the words as they would be taken, an empty one where nothing is near. */
function notTaken(
  unknown: readonly string[],
  read: readonly string[],
  vocabulary: Vocabulary,
): Problem {
  const near = unknown.flatMap((word) => nearTo(word, vocabulary) ?? []);
  const meant = near.length === 0 ? [] : say` Did you mean ${listText(near.map(code))}?`;
  const person = unknown.some((word) => word.startsWith('@'))
    ? say` Choose people from the list that Slack opens after @.`
    : [];
  const words = read.filter((word) => word !== '').join(' ');
  return {
    field: 'words',
    problem: say`Not understood: ${listText(unknown.map(code))}.${meant}${person} ${WHAT_IT_TAKES}`,
    suggestion:
      words === ''
        ? undefined
        : {
            label: `Show ${words.replaceAll(/<@[^>]*>/gu, '@…')}`.slice(0, 75),
            input: { words },
          },
  };
}

const WHAT_IT_TAKES: Text = say`It takes people (${code('@fay')}, ${code('me')}), services, commands (${code('stop')}, ${code('service.*')}), outcomes (${listText(OUTCOME_WORDS.map(code))}), a time (${code('today')}, ${code('yesterday')}, ${code('7d')}, ${code('2026-11-20')}, ${code('since 2d')}), a number of rows, and references.`;
