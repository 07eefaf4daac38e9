// No i, l, o, u: read aloud or typed from a phone, they are mistaken for others.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const SPACE = 32 ** 4;
/** Odd, so that multiplying by it maps the 2^20 numbers onto each other without collision. */
const SCATTER = 742_573;

/** Four characters for an entry's number: unique among any 1,048,576 entries in a row. */
export function referenceFor(entry: number): string {
  let rest = (entry * SCATTER + 611_953) % SPACE;
  let text = '';
  for (let place = 0; place < 4; place += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
