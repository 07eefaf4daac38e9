import { type Piece, say, type Text } from '../text/text.ts';
import type { Preview, Problem } from './outcome.ts';

/** What one message holds for certain, in characters, with room for who asks, until when, buttons. */
const MOST = 9_000;

/**
 * Who confirms or approves reads all that would be sent, or is not asked at all: a preview that no
 * message can hold is a problem, in words. Undefined for one that fits.
 */
export function tooLongToAsk({ ask, question, lines }: Preview): Problem | undefined {
  const size = [ask, question, ...lines].reduce((sum, line) => sum + sizeOf(line) + 1, 0);
  if (size <= MOST) return undefined;
  return {
    field: '',
    problem: say`This is too long to be asked: whoever answers has to read all of it, and a question holds ${count(MOST)} characters. It would have ${count(size)}. Send less at once, or shorten descriptions.`,
  };
}

function count(characters: number): string {
  return characters.toLocaleString('en-US');
}

/** Once it is written out: what is escaped or named needs up to eight, times and mentions more. */
function sizeOf(text: Text): number {
  return text.reduce((sum, piece) => sum + sizeOfPiece(piece), 0);
}

function sizeOfPiece(piece: Piece): number {
  if (typeof piece === 'string') return escapedSize(piece);
  if ('bold' in piece) return escapedSize(piece.bold) + 2;
  if ('code' in piece) return escapedSize(piece.code) + 2;
  if ('link' in piece) return 3 * piece.link.length + escapedSize(piece.label) + 3;
  return 80;
}

function escapedSize(text: string): number {
  return text.replace(/[&<>]/gu, '&amp;').replace(/\p{C}/gu, '⟨U+202E⟩').length;
}
