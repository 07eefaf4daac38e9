import type { RawInput } from '../../core/card/card.ts';
import { SOURCE_KINDS, type SourceKind } from '../../core/cloud/pipe.ts';
import type { Issue } from '../../core/operation/outcome.ts';
import { isNested, type Nested, readDefinitionText, valueAt, withValueAt } from './definition.ts';
import { brokenRules, type Finding, findingsOf } from './findings.ts';
import { joinedLists } from './lines.ts';
import { PIPE_FORMS, type PipeForm } from './pipe-definition.ts';
import { isSourceKind, SOURCE_LABELS } from './pipe-field.ts';

/** What the form and the pasted definition say together, and all that does not fit yet. */
export type Draft = { readonly values: Nested; readonly issues: readonly Issue[] };

type Typed = {
  readonly values: Nested;
  /** Form field by the path that it is for. */
  readonly keys: ReadonlyMap<string, string>;
  /** What would fit, by the path of a text that could not be read. */
  readonly unread: ReadonlyMap<string, string>;
};

/**
 * Typed fields are laid over the definition. Only fields of the chosen source count, those that the
 * form shows: what was typed for another source before the choice changed is left aside.
 */
export function readDraft(raw: RawInput, form: PipeForm = PIPE_FORMS.neutral): Draft {
  const pasted = readPasted(raw, form);
  const chosen = isSourceKind(raw['sourceKind']) ? raw['sourceKind'] : undefined;
  const kind = chosen ?? kindIn(pasted.values);
  const typed = readTyped(raw, kind, form);
  const unread = [...typed.unread.keys()];
  const values = [...typed.keys.keys()]
    .filter((path) => !unread.includes(path))
    .reduce<Nested>(
      (into, path) => withValueAt(into, path, valueAt(typed.values, path)),
      pasted.values,
    );
  const rules = kind === undefined ? [] : brokenRules({ kind, values, unread }, form);
  const place = issuesBeside({ typed, pasted: pasted.values, chosen, form });
  return {
    values,
    issues: [
      ...pasted.issues,
      ...sourceIssues(raw, pasted.values, { typed, form }),
      ...[...typed.unread].map(([path, message]) => place({ path, message })),
      ...findingsOfTyped(typed.values, form).map(place),
      ...rules.map(place),
    ],
  };
}

function readPasted(raw: RawInput, form: PipeForm): { values: Nested; issues: readonly Issue[] } {
  const text = textOf(raw['definition'], 'definition');
  if (text.trim() === '') return { values: {}, issues: [] };
  const read = readDefinitionText(text);
  if ('problem' in read) return { values: {}, issues: [inDefinition(read.problem)] };
  const findings = findingsOf(read.value, form);
  return { values: read.value, issues: findings.map(definitionIssue) };
}

function readTyped(raw: RawInput, kind: SourceKind | undefined, form: PipeForm): Typed {
  let values: Nested = {};
  const keys = new Map<string, string>();
  const unread = new Map<string, string>();
  for (const [key, field] of Object.entries(form.all)) {
    const text = textOf(raw[key]);
    const counts = field.kinds === undefined || (kind !== undefined && field.kinds.includes(kind));
    if (!counts || text.trim() === '') continue;
    const reading = field.read(text);
    keys.set(field.path, key);
    if ('problem' in reading) unread.set(field.path, reading.problem);
    else values = withValueAt(values, field.path, reading.value);
  }
  return { values, keys, unread };
}

/** An empty form is no finding of its own: what is missing is told field by field. */
function findingsOfTyped(values: Nested, form: PipeForm): readonly Finding[] {
  return Object.keys(values).length === 0 ? [] : findingsOf(values, form);
}

function sourceIssues(
  raw: RawInput,
  pasted: Nested,
  { typed, form }: { readonly typed: Typed; readonly form: PipeForm },
): readonly Issue[] {
  const kinds = kindsIn(pasted);
  const chosen = raw['sourceKind'];
  if (kinds.length > 1) {
    return [inDefinition(`source: exactly one of ${SOURCE_KINDS.join(', ')}.`)];
  }
  const [kind] = kinds;
  if (isSourceKind(chosen)) {
    if (kind === undefined || kind === chosen) return [];
    const words = `the source chosen above is ${SOURCE_LABELS[chosen]}; a pipe has one.`;
    return [inDefinition(`source.${kind}: ${words}`)];
  }
  if (textOf(chosen) !== '') return [];
  if (kind === undefined) return [{ field: 'sourceKind', message: CHOOSE }];
  const hidden = [...typed.keys.values()].some((key) => form.fields[key]?.kinds !== undefined);
  const also = `Choose ${SOURCE_LABELS[kind]} here too: some of its fields are filled in.`;
  return hidden ? [{ field: 'sourceKind', message: also }] : [];
}

const CHOOSE = 'Choose a source, or paste a definition that has one.';

/** Where a finding is told: beside the field that was typed or is missing, else the definition. */
function issuesBeside(about: {
  readonly typed: Typed;
  readonly pasted: Nested;
  readonly chosen: SourceKind | undefined;
  readonly form: PipeForm;
}): (finding: Finding) => Issue {
  return (finding) => {
    const found = Object.entries(about.form.all).find(
      ([, { path }]) => finding.path === path || finding.path.startsWith(`${path}.`),
    );
    const isTyped = found !== undefined && about.typed.keys.has(found[1].path);
    const isPasted = valueAt(about.pasted, finding.path) !== undefined;
    if (found === undefined || (isPasted && !isTyped)) return definitionIssue(finding);
    const [key, field] = found;
    const isShown = field.kinds === undefined || about.chosen !== undefined;
    if (!isShown) return definitionIssue(finding);
    return { field: key, message: `${entryOf(finding.path, field.path)}${finding.message}` };
  };
}

/** `fieldMappings.2.sourceField` of a list: `Entry 3: `. */
function entryOf(path: string, fieldPath: string): string {
  const index = /^\.(\d+)/u.exec(path.slice(fieldPath.length))?.[1];
  return index === undefined ? '' : `Entry ${Number(index) + 1}: `;
}

function definitionIssue({ path, message }: Finding): Issue {
  return inDefinition(path === '' ? message : `${path}: ${message}`);
}

function inDefinition(message: string): Issue {
  return { field: 'definition', message };
}

/** Counted by key and not by content, so that an empty second source is refused as well. */
function kindsIn(values: Nested): readonly SourceKind[] {
  const source = values['source'];
  return isNested(source) ? SOURCE_KINDS.filter((kind) => Object.hasOwn(source, kind)) : [];
}

function kindIn(values: Nested): SourceKind | undefined {
  const kinds = kindsIn(values);
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** A flag that was repeated comes as a list; the parts of a definition are parts of one text. */
function textOf(value: unknown, key?: string): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return key === 'definition' ? value.join('\n') : joinedLists(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The raw input as the form holds it: a list in the lines of one text. */
export function asFormText(raw: RawInput): RawInput {
  return Object.fromEntries(
    Object.entries(raw).map(([key, value]) => [
      key,
      Array.isArray(value) ? textOf(value, key) : value,
    ]),
  );
}
