import { parseJson } from '../../core/text/json.ts';
import { JsonScan } from './json-scan.ts';

/** Takes the members of the one long list of an answer, one after the other, as they come. */
export type ListSink = {
  /** The keys of the list, from the top. */
  readonly path: readonly string[];
  /** What came so far belongs to no list that counts. */
  restart(): void;
  add(member: unknown): void;
};

export type ListedJson = {
  feed(text: string): void;
  /** The value without the members, whose list is empty; undefined where it is no JSON. */
  end(): unknown;
};

/**
 * Reads JSON as it comes and hands on the members of one list, so that neither its text nor the list
 * is ever whole in memory. A member is parsed by JSON.parse; only where members end is found here.
 */
export function createListedJson(sink: ListSink): ListedJson {
  const scan = new JsonScan(sink.path);
  let around = '';
  let within = '';
  let isBroken = false;
  let members = 0;

  function hand(text: string, isLast: boolean): void {
    const parsed = parseJson(`[${text}]`);
    const isEmpty = Array.isArray(parsed) && parsed.length === 0;
    // Nothing stands between two commas, nor behind the last one.
    if (!Array.isArray(parsed) || (isEmpty && !(isLast && members === 0))) isBroken = true;
    else for (const member of parsed) sink.add(member);
    members += isEmpty ? 0 : 1;
  }

  return {
    feed: (text) => {
      let from = 0;
      for (const { at, what } of scan.marks(text)) {
        const part = text.slice(from, at);
        from = at;
        if (what === 'start') {
          around += part;
          members = 0;
          sink.restart();
        } else {
          hand(within + part, what === 'end');
          within = '';
          // Of two members the comma belongs to neither.
          if (what === 'comma') from += 1;
        }
      }
      if (scan.isWithin) within += text.slice(from);
      else around += text.slice(from);
    },
    end: () => (isBroken ? undefined : parseJson(around)),
  };
}
