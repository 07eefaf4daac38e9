/** Where the list starts and ends in a piece of text, or the last comma between members of it. */
export type Mark = { readonly at: number; readonly what: 'start' | 'comma' | 'end' };

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Follows the strings and the nesting of JSON that comes in pieces, for one list in it. */
export class JsonScan {
  /** Whether the text so far ends inside the list. */
  isWithin = false;
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  /** The last string outside the list. */
  private word = '';
  private readonly keys: string[] = [];
  private readonly path: readonly string[];
  /** Where the list's members are in the nesting: within its objects and the list itself. */
  private readonly within: number;

  constructor(path: readonly string[]) {
    this.path = path;
    this.within = path.length + 1;
  }

  marks(text: string): readonly Mark[] {
    const found: Mark[] = [];
    let comma = -1;
    let at = this.inString ? this.skipString(text, 0) : 0;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      at += 1;
      if (code === QUOTE) {
        this.word = '';
        this.isEscaped = false;
        at = this.skipString(text, at);
        continue;
      }
      const what = this.step(code);
      if (what === undefined) continue;
      comma = what === 'comma' ? at - 1 : -1;
      if (what !== 'comma') found.push({ at: what === 'start' ? at : at - 1, what });
    }
    return comma < 0 ? found : [...found, { at: comma, what: 'comma' }];
  }

  /** The index behind the string's end, or the text's. */
  private skipString(text: string, from: number): number {
    let end = text.indexOf('"', from);
    while (end >= 0 && this.endsInEscape(text, from, end)) end = text.indexOf('"', end + 1);
    this.inString = end < 0;
    const to = this.inString ? text.length : end;
    this.isEscaped = this.inString && this.endsInEscape(text, from, to);
    if (!this.isWithin && this.depth < this.within) this.word += text.slice(from, to);
    return this.inString ? to : end + 1;
  }

  /** Whether an odd number of backslashes stands before; the string may have begun in an earlier piece. */
  private endsInEscape(text: string, from: number, to: number): boolean {
    let at = to;
    while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at -= 1;
    return ((to - at) % 2 === 1) !== (at === from && this.isEscaped);
  }

  private step(code: number): Mark['what'] | undefined {
    switch (code) {
      case OPEN:
      case OPEN_LIST:
        return this.opens(code) ? 'start' : undefined;
      case CLOSE:
      case CLOSE_LIST:
        return this.closes() ? 'end' : undefined;
      case COMMA:
        return this.isWithin && this.depth === this.within ? 'comma' : undefined;
      case COLON:
        if (!this.isWithin && this.depth > 0 && this.depth < this.within) {
          this.keys[this.depth - 1] = this.word;
        }
        return undefined;
      default:
        return undefined;
    }
  }

  private opens(code: number): boolean {
    this.depth += 1;
    if (this.isWithin || code !== OPEN_LIST || this.depth !== this.within) return false;
    this.isWithin = this.path.every((key, depth) => this.keys[depth] === key);
    return this.isWithin;
  }

  private closes(): boolean {
    this.depth -= 1;
    // What follows within the outer object has a key of its own.
    if (this.depth < this.within) this.keys[this.depth] = '';
    if (!this.isWithin || this.depth >= this.within) return false;
    this.isWithin = false;
    return true;
  }
}
