import type { Choice } from '../../core/operation/fields.ts';
import { cleanTyped } from '../../core/text/typed-text.ts';
import { cut, plainText } from '../render/mrkdwn.ts';
import { MENU, option } from './fields.ts';

/** What may be chosen, and by which words it is found; by the beginning of its value as well. */
export type Findable = Choice & { readonly words: string };

/** Choices under a heading; without one they stand in no group. */
export type Findables = readonly {
  readonly label?: string | undefined;
  readonly choices: readonly Findable[];
}[];

/**
 * The answer to a search on the server: all that have every typed word, as many as Slack takes, and
 * where something is left out how much there is and the way to it. Facts: Modals.
 */
export function answerOf(all: Findables, typed: string) {
  const wanted = cleanTyped(typed).trim().toLowerCase();
  const found = all
    .map(({ label, choices }) => ({ label, choices: choices.filter((one) => fits(one, wanted)) }))
    .filter(({ choices }) => choices.length > 0);
  const total = found.reduce((sum, { choices }) => sum + choices.length, 0);
  if (total <= MENU && found.every(({ label }) => label === undefined)) {
    return { options: found.flatMap(({ choices }) => choices.map(option)) };
  }
  const note = total > MENU ? `${MENU} of ${total}: type to find the others` : undefined;
  return {
    option_groups: firstOf(found).map(({ label, choices }, index) => ({
      label: { type: 'plain_text' as const, text: heading(label, index === 0 ? note : undefined) },
      options: choices.map(option),
    })),
  };
}

function fits({ words, value }: Findable, wanted: string): boolean {
  const among = words.toLowerCase();
  return (
    wanted.split(/\s+/u).every((word) => among.includes(word)) ||
    value.toLowerCase().startsWith(wanted)
  );
}

function firstOf(groups: Findables): Findables {
  let left = MENU;
  return groups
    .map(({ label, choices }) => {
      const shown = choices.slice(0, left);
      left -= shown.length;
      return { label, choices: shown };
    })
    .filter(({ choices }) => choices.length > 0);
}

/** The note stands where it is read first, and is never what is cut. */
function heading(label: string | undefined, note: string | undefined): string {
  if (note === undefined) return cut(plainText(label ?? ''), 75);
  return label === undefined ? note : `${cut(plainText(label), 70 - note.length)} (${note})`;
}
