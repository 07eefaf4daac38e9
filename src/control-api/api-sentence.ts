import { parseJson } from '../core/text/json.ts';
import { fieldsOf, text } from './lenient.ts';
import { withoutSecrets } from './secret-values.ts';

const LONGEST = 300;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu;
const BROKEN_JSON = /^\s*[[{]/;
const MARKUP = /<[!/?a-z]/i;
/** `BAD_REQUEST:`, `FAILED_DEPENDENCY:` … repeat the status in capitals. */
const CODE = /^[A-Z][A-Z0-9_]{2,}:\s*/;

/**
 * The API's own words about a failure, fit to be shown: one line, at most 300 characters, no
 * code, no secret of the request. Undefined when there are none, or when they are markup: a
 * gateway's page is never shown. Spec: Errors 1, 2.
 */
export function apiSentence(body: string, secrets: readonly string[]): string | undefined {
  const words = wordsOf(body);
  if (words === undefined || MARKUP.test(words)) return undefined;
  const clean = withoutSecrets(words, secrets);
  if (clean === undefined) return undefined;
  const line = oneLine(clean).replace(CODE, '');
  // Once more: a secret that held line breaks or the code's capitals is now spelt differently.
  const safe = withoutSecrets(line, secrets);
  return safe === undefined || safe === '' ? undefined : cut(safe);
}

function wordsOf(body: string): string | undefined {
  const parsed = parseJson(body);
  if (parsed === undefined) return BROKEN_JSON.test(body) ? undefined : text(body);
  const fields = fieldsOf(parsed);
  if (fields === undefined) return typeof parsed === 'string' ? text(parsed) : undefined;
  const error = fieldsOf(fields['error']) ?? {};
  return text(fields['error']) ?? text(error['message']) ?? text(fields['message']);
}

function oneLine(words: string): string {
  return words.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim();
}

function cut(line: string): string {
  const characters = [...line];
  return characters.length <= LONGEST ? line : `${characters.slice(0, LONGEST - 1).join('')}…`;
}
