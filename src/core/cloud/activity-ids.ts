import { listText, plain } from '../text/text.ts';

/** An activity's own form; a number of that length is none unless it stands alone. */
const OWN = /(?<![\w-])(?!\d{24}(?![\w-]))[0-9a-f]{24}(?![\w-])/giu;
const UUID = /(?<![\w-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w-])/giu;

/**
 * The different ids of activities in a message or pasted text, in lower case: those of an activity's
 * own form, else UUIDs, which a record's service and organization have beside it.
 */
export function activityIdsIn(text: string): readonly string[] {
  const own = differentIn(text, OWN);
  return own.length > 0 ? own : differentIn(text, UUID);
}

/**
 * The same for what was typed as an id. The interface leaves their form open: a word of another form
 * is taken where it is all that was typed and is no date or number. Spec: Endpoints 7.
 */
export function activityIdsTyped(text: string): readonly string[] {
  const typed = text.trim();
  if (/^\d{24}$/u.test(typed)) return [typed];
  const found = activityIdsIn(typed);
  return found.length === 0 && looksLikeId(typed) ? [typed] : found;
}

/** `2 activity ids: a and b. Choose one.`; of many the first 20 are named. */
export function severalIds(ids: readonly string[]): string {
  const left = ids.length - NAMED;
  const named = left > 0 ? [...ids.slice(0, NAMED), `${left} more`] : ids;
  return `${ids.length} activity ids: ${plain(listText(named))}. Choose one.`;
}

const NAMED = 20;

function differentIn(text: string, shape: RegExp): readonly string[] {
  return [...new Set((text.match(shape) ?? []).map((id) => id.toLowerCase()))];
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const NUMBERED = '(?:0[1-9]|1[0-2])[-_]?(?:0[1-9]|[12]\\d|3[01])|w\\d\\d(?:[-_]?\\d)?|q[1-4]';
const YEAR = '(?:19|20)\\d\\d';
/** Day, week or moment, the year first or last, with hyphens, underscores or nothing between. */
const DATE = new RegExp(
  `^(?:${YEAR}[-_]?(?:${NUMBERED}|${MONTH}[-_]?\\d{0,2})|\\d{1,2}[-_]?${MONTH}[-_]?${YEAR}|${MONTH}[-_]?\\d{1,2}[-_]?${YEAR})(?=$|t|[-_]|\\d{4,6}z?$)`,
  'iu',
);

function looksLikeId(text: string): boolean {
  return /^(?=.*\d)(?=.*[a-z])[\w-]{8,100}$/iu.test(text) && !DATE.test(text);
}
