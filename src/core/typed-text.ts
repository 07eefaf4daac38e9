/**
 * The one clean-up for all that people type, whichever way it comes: every dash, quote and space of
 * Unicode as the plain one, what nobody can see left out. Lines stay lines. Idempotent.
 * Lessons: O3.
 */
export function cleanTyped(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/gu, '\n')
    .replace(INVISIBLE, '')
    .replace(/[^\S\n]|[\u2800\u3164\uffa0\u115f\u1160]/gu, ' ')
    .replace(/[\p{Pd}\u2212\u2043\u02d7]/gu, '-')
    .replace(/[\u2018-\u201b\u2032\u2035\u02bc\u00b4\uff07]/gu, "'")
    .replace(/[\u201c-\u201f\u2033\u2036\u00ab\u00bb\u300c-\u300f\uff02]/gu, '"');
}

/** Format and control characters, and the selectors of variants: no width, no meaning in a name. */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f|\u17b4|\u17b5|(?![\n\t])\p{Cc}/gu;
