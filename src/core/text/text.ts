import { BLANK, INVISIBLE, LINE_BREAKS } from './typed-text.ts';

/**
 * Text for people, as pieces rather than markup: the renderer alone knows how a platform writes
 * bold, and a name from outside can never become a mention or a link. Design: §2.
 */
export type Piece =
  | string
  | { readonly bold: string }
  | { readonly code: string }
  | { readonly user: string }
  | { readonly channel: string }
  /** A user group, by its id: its members are told. */
  | { readonly usergroup: string }
  /** ISO 8601; shown in the reader's own zone. `style` defaults to date and time. */
  | { readonly time: string; readonly style?: 'time' | 'date' | 'date-time' }
  | { readonly link: string; readonly label: string };

export type Text = readonly Piece[];

export function bold(value: string): Piece {
  return { bold: value };
}
export function code(value: string): Piece {
  return { code: value };
}
export function user(id: string): Piece {
  return { user: id };
}
export function channel(id: string): Piece {
  return { channel: id };
}
export function usergroup(id: string): Piece {
  return { usergroup: id };
}
/** To a message or a page; `href` never comes from what people typed. */
export function link(href: string, label: string): Piece {
  return { link: href, label };
}
export function time(iso: string, style: 'time' | 'date' | 'date-time' = 'date-time'): Piece {
  return { time: iso, style };
}

/** Tagged template: say`${bold(name)} was not stopped.` Nested texts are spliced in. */
export function say(
  strings: TemplateStringsArray,
  ...values: readonly (Piece | Text | number)[]
): Text {
  const pieces: Piece[] = [];
  strings.forEach((part, index) => {
    if (part !== '') pieces.push(part);
    const value = values[index];
    if (value === undefined || value === '') return;
    if (typeof value === 'number') pieces.push(String(value));
    else if (isText(value)) pieces.push(...value);
    else pieces.push(value);
  });
  return pieces;
}

/** The pieces of several texts, with a separator between them. */
export function joinText(texts: readonly (Text | Piece)[], separator: string): Text {
  return texts.flatMap((text, index) => {
    const pieces = isText(text) ? text : [text];
    return index === 0 ? [...pieces] : [separator, ...pieces];
  });
}

/** `a`, `a and b`, `a, b and c`. */
export function listText(texts: readonly (Text | Piece)[], last = 'and'): Text {
  if (texts.length < 2) return joinText(texts, '');
  return say`${joinText(texts.slice(0, -1), ', ')} ${last} ${joinText(texts.slice(-1), '')}`;
}

/** Approvers as the settings name them: groups by name, single people as mentions. */
export function whoText(names: readonly string[]): Text {
  return listText(
    names.map((name) => (/^[UW][A-Z0-9]{4,}$/u.test(name) ? user(name) : name)),
    'or',
  );
}

/** Why something was asked for, as a line of its own; none where nobody said. */
export function reasonLines(reason: string | undefined): readonly Text[] {
  return reason === undefined || reason === '' ? [] : [say`Reason: ${reason}`];
}

/** `, approved by @ben`, where somebody approved. */
export function approvedText(by: string | undefined): Text {
  return by === undefined ? [] : say`, approved by ${user(by)}`;
}

/** `1 service`, `7 services`. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** Without any markup: for journals, logs and terminals. */
export function plain(text: Text | string): string {
  if (typeof text === 'string') return text;
  return text.map(plainPiece).join('');
}

function plainPiece(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('bold' in piece) return piece.bold;
  if ('code' in piece) return piece.code;
  if ('user' in piece) return `@${piece.user}`;
  if ('channel' in piece) return `#${piece.channel}`;
  if ('usergroup' in piece) return `@${piece.usergroup}`;
  if ('time' in piece) return piece.time;
  return piece.label;
}

function isText(value: Piece | Text): value is Text {
  return Array.isArray(value);
}

/** An emoji with its variant and joiners: together they are one thing to see. */
const EMOJI =
  /(?:[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*)/u;
/** Nothing of it is unseen, and none of it can be of an emoji. */
const SEEN = /^[ -~]*$/u;
const UNSEEN = new RegExp(`(${EMOJI.source})|${BLANK.source}|${INVISIBLE.source}|\\p{Cs}`, 'gu');

/**
 * Text from outside as it is, on one line: what cannot be seen or turns the direction of reading is
 * named, as `⟨U+202E⟩`, and a line break is shown as ↵. Idempotent.
 */
export function visible(text: string): string {
  if (SEEN.test(text)) return text;
  return text
    .replace(LINE_BREAKS, '\n')
    .replaceAll('\n', ' ↵ ')
    .replaceAll('\t', ' ')
    .replace(UNSEEN, (found, emoji: string | undefined) => emoji ?? nameOf(found));
}

function nameOf(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `⟨U+${hex.padStart(4, '0')}⟩`;
}
