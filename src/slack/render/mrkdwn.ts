import { DateTime } from 'luxon';
import { type Piece, plain, type Text, visible } from '../../core/text/text.ts';

/**
 * Pieces as Slack's mrkdwn. What is no piece of its own is shown and never formats: a service named
 * `<!channel>` or a reason `*Approved*` stays what it is. Times show in the reader's zone, with UTC
 * in the fallback. Facts: Messages.
 */
export function toMrkdwn(text: Text): string {
  let written = '';
  for (const part of joined(text)) {
    const shown = typeof part === 'string' ? literal(part) : piece(part);
    // Only where a line begins does Slack read a quote.
    written += written.trim() === '' ? unquoted(shown) : shown;
  }
  return written;
}

/** For plain_text and notifications: no markup, times in UTC. */
export function toPlain(text: Text): string {
  const words = text.map((part) =>
    typeof part === 'object' && 'time' in part ? utc(part.time, part.style ?? 'date-time') : part,
  );
  return plainText(plain(words));
}

/** One text for plain_text, where Slack draws emoji but nothing else. */
export function plainText(text: string): string {
  return withoutEmoji(visible(text));
}

export function escapeMrkdwn(text: string): string {
  return text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;');
}

/** Cut to so many code points, with an ellipsis in place of what is gone. */
export function cut(text: string, most: number): string {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`;
}

/** Neighbouring strings as one, so that no mark hides in the seam; what is no id is a string too. */
function joined(text: Text): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const part of text.map(checked)) {
    const last = pieces.at(-1);
    if (typeof last === 'string' && typeof part === 'string')
      pieces[pieces.length - 1] = last + part;
    else pieces.push(part);
  }
  return pieces;
}

function checked(part: Piece): Piece {
  if (typeof part === 'string') return part;
  if ('user' in part) return /^[UW][A-Z0-9]+$/u.test(part.user) ? part : part.user;
  if ('channel' in part) return /^[CDG][A-Z0-9]+$/u.test(part.channel) ? part : part.channel;
  if ('usergroup' in part) return /^S[A-Z0-9]+$/u.test(part.usergroup) ? part : part.usergroup;
  if ('time' in part) return momentOf(part.time).isValid ? part : part.time;
  return part;
}

function piece(part: Exclude<Piece, string>): string {
  if ('bold' in part)
    return wrapped('*', unquoted(literal(part.bold.replaceAll('*', LOOKALIKES['*']))));
  if ('code' in part) return wrapped('`', escapeMrkdwn(visible(part.code).replaceAll('`', 'ˋ')));
  if ('user' in part) return `<@${part.user}>`;
  if ('channel' in part) return `<#${part.channel}>`;
  if ('usergroup' in part) return `<!subteam^${part.usergroup}>`;
  if ('time' in part) return dateToken(part.time, part.style ?? 'date-time');
  return `<${encodeURI(part.link)}|${literal(part.label).replaceAll('|', '¦')}>`;
}

function wrapped(mark: string, text: string): string {
  const clean = text.replace(/\s+/gu, ' ').trim();
  return clean === '' ? '' : `${mark}${clean}${mark}`;
}

const LOOKALIKES = { '*': '∗', _: 'ˍ', '~': '∼' } as const;

/**
 * Text as it is, escaped, with look-alikes for the marks that would format. Within a word
 * (`kafka_prod`, `2*3`) and between spaces Slack takes none for one.
 */
function literal(text: string): string {
  const shown = visible(text)
    .replaceAll('`', 'ˋ')
    .replace(/@(?=(?:channel|everyone|group|here)\b)/giu, '＠')
    .replace(
      /(?<![\p{L}\p{N}\s])[*_~]|[*_~](?![\p{L}\p{N}\s])|(?<=\s)[*_~](?!\s)|(?<!\s)[*_~](?=\s)/gu,
      lookalike,
    );
  // Last, because what stands for a mark may stand in a name of an emoji as well.
  return withoutEmoji(escapeMrkdwn(shown));
}

function unquoted(line: string): string {
  return line.replace(/^(\s*)&gt;/u, '$1›');
}

function lookalike(mark: string): string {
  return mark === '*' || mark === '_' || mark === '~' ? LOOKALIKES[mark] : mark;
}

/** `:tada:` in letters: of a word's colons the last one stays, whatever may stand in a name. */
function withoutEmoji(text: string): string {
  return text.replace(/:(?=[^:<`*#@!\s()$%]*:)/gu, '∶');
}

const FORMATS = {
  time: '{time}',
  date: '{date_short_pretty}',
  'date-time': '{date_short_pretty} {time}',
} as const;

function dateToken(iso: string, style: keyof typeof FORMATS): string {
  return `<!date^${Math.floor(momentOf(iso).toSeconds())}^${FORMATS[style]}|${utc(iso, style)}>`;
}

function utc(iso: string, style: keyof typeof FORMATS): string {
  const moment = momentOf(iso);
  if (!moment.isValid) return iso;
  const pattern = {
    time: "HH:mm 'UTC'",
    date: 'd LLL yyyy',
    'date-time': "d LLL yyyy, HH:mm 'UTC'",
  };
  return moment.toFormat(pattern[style]);
}

let latest = { iso: '', moment: DateTime.fromISO('') };

/** Each time is asked for several times in a row. */
function momentOf(iso: string): DateTime {
  if (latest.iso !== iso) latest = { iso, moment: DateTime.fromISO(iso, { zone: 'utc' }) };
  return latest.moment;
}

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
