import type { Piece, Text } from '../../core/text/text.ts';
import { toMrkdwn } from './mrkdwn.ts';

/**
 * A line as mrkdwn, in as many parts of at most `most` characters as it needs. Nothing is left out,
 * and no part ends within a mention, a time or an escaped character.
 */
export function splitLine(line: Text, most: number): readonly string[] {
  const whole = toMrkdwn(line);
  if (whole.length <= most) return whole === '' ? [] : [whole];
  const parts: Piece[][] = [[]];
  for (const piece of line.flatMap((each) => sliced(each, most))) {
    const last = parts.at(-1) ?? [];
    if (toMrkdwn([...last, piece]).length > most) parts.push([piece]);
    else last.push(piece);
  }
  return parts.map(toMrkdwn).filter((part) => part !== '');
}

/** A piece that is too long alone, as pieces that fill a part each. */
function sliced(piece: Piece, most: number): readonly Piece[] {
  if (toMrkdwn([piece]).length <= most) return [piece];
  if (typeof piece === 'string') return slices(piece, most);
  if ('bold' in piece) return slices(piece.bold, most - 2).map((bold) => ({ bold }));
  if ('code' in piece) return slices(piece.code, most - 2).map((code) => ({ code }));
  return [piece];
}

function slices(text: string, most: number): readonly string[] {
  const found = [''];
  let size = 0;
  for (const point of text) {
    const wide = Math.max(point.length, toMrkdwn([point]).length);
    size += wide;
    if (size > most) {
      found.push('');
      size = wide;
    }
    found[found.length - 1] += point;
  }
  return found;
}
