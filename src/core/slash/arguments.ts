import type { RawInput } from '../card/card.ts';
import { type Field, flagOf, YES_NO, yesOrNo } from '../operation/fields.ts';
import type { Operation } from '../operation/operation.ts';
import type { Issue } from '../operation/outcome.ts';
import { oneLine, spoken, type Token } from './tokens.ts';

/** What stands behind an operation's words. */
export type Arguments = {
  readonly raw: RawInput;
  readonly issues: readonly Issue[];
  /** Names of flags that the operation does not have. */
  readonly unknown: readonly string[];
  readonly share: boolean;
  readonly help: boolean;
  readonly breakGlass: string | undefined;
  readonly reason: string | undefined;
};

/** Each takes a reason, which runs to the end of the line. */
const BREAK_GLASS = 'break-glass';
const REASON = 'reason';
const OWN = ['share', BREAK_GLASS, REASON, 'help'];

/** Every flag that may stand behind an operation's words, without the dashes. */
export function flagsOf({ fields }: Pick<Operation, 'fields'>): readonly string[] {
  return [...fields.map(({ key }) => flagOf(key)), ...OWN];
}

/**
 * Reads the tokens behind the operation's words. Words belong to the positions only where they
 * stand together: what is left over is told in an issue, never joined to a name, never dropped.
 */
export function readArguments(
  operation: Operation,
  tokens: readonly Token[],
  text: string,
): Arguments {
  const { given, groups, unknown } = walk(operation, tokens, text);
  const [share, help] = ['share', 'help'].map((flag) =>
    readTick({ key: flag, label: `--${flag}` }, given.get(flag) ?? []),
  );
  const reasons = given.get(REASON) ?? [];
  const breaking = given.get(BREAK_GLASS) ?? [];
  const own = groups[0]?.behind === undefined ? groups[0] : undefined;
  const words = positional(operation, own?.words ?? []);
  const read = operation.fields.map((field) => {
    const word = words.raw[field.key];
    const values = [...(given.get(flagOf(field.key)) ?? []), ...(word === undefined ? [] : [word])];
    return readField(field, values);
  });
  return {
    raw: Object.fromEntries(read.flatMap(({ entry }) => entry)),
    issues: [
      ...[...read, share, help].flatMap((each) => each?.issues ?? []),
      ...twice('', 'The reason', reasons),
      ...twice('', 'The reason', breaking),
      ...leftOver(words.left, own === undefined ? groups : groups.slice(1)),
    ],
    unknown,
    share: share?.entry[0]?.[1] === true,
    help: help?.entry[0]?.[1] === true,
    breakGlass: breaking[0],
    reason: reasons[0],
  };
}

/** Words that stand together, and the flag whose unquoted value stands right before them. */
type Group = {
  readonly words: readonly string[];
  readonly after: { readonly flag: string; readonly value: string } | undefined;
  /** An option that there is not, right before them: they are its value, most likely. */
  readonly behind?: string | undefined;
};

type Walked = {
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly groups: readonly Group[];
  readonly unknown: readonly string[];
};

function walk(operation: Operation, tokens: readonly Token[], text: string): Walked {
  const known = flagsOf(operation);
  const given = new Map<string, string[]>();
  const groups: Group[] = [];
  const unknown: string[] = [];
  let after: Group['after'];
  let behind: Group['behind'];
  for (let index = 0; index < tokens.length; ) {
    const words = tokens.slice(index, endOf(tokens, index));
    if (words.length > 0) {
      groups.push({ words: words.map((word) => oneLine(word.text)), after, behind });
    }
    index += words.length;
    const token = tokens[index];
    if (token === undefined) break;
    const flag = known.find((name) => name === flagOf(token.text));
    if (flag === undefined) {
      // Its value, if it has one, is told as left over.
      unknown.push(token.text);
      after = undefined;
      behind = token.text;
      index += 1;
      continue;
    }
    const taken = takeValue(kindOf(flag, operation.fields), index, { tokens, text, known });
    given.set(flag, [...(given.get(flag) ?? []), taken.value]);
    after = taken.bare ? { flag, value: taken.value } : undefined;
    behind = undefined;
    index = taken.next;
  }
  return { given, groups, unknown };
}

/** Where the next flag stands, or the end. */
function endOf(tokens: readonly Token[], from: number): number {
  const at = tokens.findIndex(({ kind }, index) => index >= from && kind === 'flag');
  return at < 0 ? tokens.length : at;
}

type Kind = 'switch' | 'value' | 'list' | 'reason';

function kindOf(flag: string, fields: readonly Field[]): Kind {
  if (flag === REASON || flag === BREAK_GLASS) return 'reason';
  const widget = fields.find(({ key }) => flagOf(key) === flag)?.widget;
  if (widget === 'lines') return 'list';
  return widget === undefined || widget === 'tick' ? 'switch' : 'value';
}

type Line = {
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly known: readonly string[];
};

/** The value of the flag at `index`; `bare` where one unquoted word was taken. */
function takeValue(
  kind: Kind,
  index: number,
  { tokens, text, known }: Line,
): { readonly value: string; readonly next: number; readonly bare: boolean } {
  const flag = tokens[index];
  const first = tokens[index + 1];
  const own = flag?.attached === true && first?.start === flag.end;
  const none = { value: kind === 'switch' ? 'true' : '', next: index + 1, bare: false };
  if (first === undefined || (kind === 'switch' && !own)) return none;
  const isFlag = first.kind === 'flag' && (kind !== 'reason' || known.includes(flagOf(first.text)));
  if (isFlag) return none;
  if (first.quoted || kind === 'value' || kind === 'switch') {
    const bare = !first.quoted && kind === 'value';
    return { value: first.text, next: index + 2, bare };
  }
  const next = kind === 'reason' ? tokens.length : endOf(tokens, index + 1);
  return { value: spoken(text.slice(first.start, tokens[next]?.start)).trim(), next, bare: false };
}

type FieldReading = {
  readonly entry: readonly (readonly [string, unknown])[];
  readonly issues: readonly Issue[];
};

function readField(field: Field, values: readonly string[]): FieldReading {
  const [first] = values;
  if (first === undefined) return { entry: [], issues: [] };
  if (field.widget === 'lines') {
    return { entry: [[field.key, values.length === 1 ? first : values]], issues: [] };
  }
  if (field.widget === 'tick') return readTick(field, values);
  const lines = values.map(oneLine);
  // Which of two was meant, only the person knows: none of them is taken.
  if (lines.length > 1) return { entry: [], issues: twice(field.key, field.label, lines) };
  return { entry: [[field.key, choiceOf(field, lines[0])]], issues: [] };
}

/** Where a form offers Yes and No, a line may say it in any of its words. */
function choiceOf({ choices }: Field, line: string | undefined): string | undefined {
  const said = choices === YES_NO ? yesOrNo(line) : undefined;
  return said === undefined ? line : String(said);
}

function readTick(
  { key, label }: Pick<Field, 'key' | 'label'>,
  values: readonly string[],
): FieldReading {
  const odd = values.find((value) => yesOrNo(value) === undefined);
  if (odd !== undefined) {
    return { entry: [], issues: [{ field: key, message: `Yes or no, not ${oneLine(odd)}.` }] };
  }
  const ticks = new Set(values.map(yesOrNo));
  if (ticks.size > 1) return { entry: [], issues: twice(key, label, ['yes', 'no']) };
  return { entry: [[key, ticks.has(true)]], issues: [] };
}

function twice(field: string, label: string, values: readonly string[]): readonly Issue[] {
  if (values.length < 2) return [];
  return [{ field, message: `${label} is given twice: ${values.join(' and ')}. Keep one.` }];
}

/** The last position takes all words that are left: names may contain spaces. */
function positional(
  operation: Operation,
  words: readonly string[],
): { readonly raw: Readonly<Record<string, string>>; readonly left: readonly string[] } {
  const raw: Record<string, string> = {};
  const left = [...words];
  const keys = operation.slash.positional;
  keys.forEach((key, index) => {
    const only = operation.fields.find((field) => field.key === key)?.only;
    if (left.length === 0 || (only !== undefined && !only.test(left[0] ?? ''))) return;
    const isLast = index === keys.length - 1;
    raw[key] = isLast ? left.splice(0).join(' ') : (left.shift() ?? '');
  });
  return { raw, left };
}

function leftOver(first: readonly string[], groups: readonly Group[]): readonly Issue[] {
  const apart = groups.map(({ words, after, behind }) => {
    if (behind !== undefined) {
      return { field: '', message: `${words.join(' ')} was left out with --${behind}.` };
    }
    const value = after === undefined ? '' : `${after.value} ${words.join(' ')}`;
    const way =
      after === undefined
        ? 'Write words that belong together side by side, or in quotes.'
        : `If it belongs to --${after.flag}, put it in quotes: --${after.flag} "${value}".`;
    return { field: '', message: `It is not clear what ${words.join(' ')} belongs to. ${way}` };
  });
  if (first.length === 0) return apart;
  const message = `${first.join(' ')}: nothing more is expected here.`;
  return [{ field: '', message }, ...apart];
}
