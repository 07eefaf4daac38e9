import { isShown } from '../../../core/operation/fields.ts';
import type { Issue, Outcome } from '../../../core/operation/outcome.ts';
import type { Actor, Place } from '../../../core/ports/ports.ts';
import { say } from '../../../core/text/text.ts';
import { blockIdOf, choicesIn } from '../../form/fields.ts';
import type { FormState } from '../../form/form.ts';
import { limitsOf, namesIn, rulesMark, wordsOf } from '../../form/open.ts';
import type { SlackDeps } from '../../outbound/deps.ts';
import { toPlain } from '../../render/mrkdwn.ts';
import { draw, type Opened } from './open-forms.ts';

/** What the form is answered with, and what it knows from then on. */
export type Complaint = {
  readonly answer: Readonly<Record<string, unknown>>;
  readonly state: FormState;
};

type About = Opened & {
  readonly actor: Actor;
  readonly place: Place;
  /** It is being drawn at this moment: what is said beside a field would go with the field. */
  readonly drawing: boolean;
};

/**
 * What an open form says to an outcome, with all that was typed kept; undefined for an outcome that is
 * told in the channel. Where the rules changed under it, it is drawn by the new ones and says what is
 * different.
 */
export async function complaintOf(
  outcome: Outcome,
  about: About,
  deps: SlackDeps,
): Promise<Complaint | undefined> {
  const { operation, view, state: before } = about;
  const settings = deps.ports.settings.get();
  const isNew = before.rules !== undefined && before.rules !== rulesMark(settings);
  const found = issuesOf(outcome, about, isNew);
  if (found === undefined) return undefined;
  // Not shown as empty where it is being drawn: it is said.
  const issues = found.map(({ field, message }) => ({ field, message: message || MISSING }));
  const typed = { ...before, raw: about.raw };
  const state = isNew ? await byNewRules(typed, about, deps) : typed;
  const told = isNew ? [...whatChanged(before, state, about, deps), ...issues] : issues;
  if (!isNew && !about.drawing) {
    const beside = errorsFor(issues, about, state);
    if (beside !== undefined) {
      return { answer: { response_action: 'errors', errors: beside }, state };
    }
  }
  const sections = operation.fields
    .filter(({ key }) => told.some(({ field }) => field === key))
    .flatMap(({ section }) => section ?? []);
  const shown = { ...state, open: [...new Set([...state.open, ...sections])] };
  const answer = { response_action: 'update', view: draw({ operation, view }, shown, told, deps) };
  return { answer, state: shown };
}

const MISSING = 'This is needed.';

function issuesOf(
  outcome: Outcome,
  { operation, state, raw }: Opened,
  isNew: boolean,
): readonly Issue[] | undefined {
  switch (outcome.kind) {
    case 'form':
      return outcome.issues;
    case 'problem': {
      const { field, problem, suggestion } = outcome.problem;
      if (suggestion !== undefined && !isNew) return undefined;
      const picked = state.labels?.[String(raw[field])];
      const gone = isNew && picked !== undefined ? `${picked} is no longer offered here. ` : '';
      return [{ field, message: `${gone}${toPlain(problem)}` }];
    }
    case 'denied': {
      const { beyond, reason, hint = [] } = outcome.decision;
      const field = beyond && operation.limited?.[beyond];
      if (field !== undefined) return [{ field, message: asSentence(toPlain(reason)) }];
      if (!isNew) return undefined;
      return [{ field: '', message: toPlain(say`${outcome.headline}: ${reason} ${hint}`).trim() }];
    }
    default:
      return undefined;
  }
}

function asSentence(words: string): string {
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

/**
 * Slack takes errors for input blocks alone that stand in the view; else undefined. A payload without
 * blocks does not say what stands there.
 */
function errorsFor(
  issues: readonly Issue[],
  { operation, view }: Opened,
  state: FormState,
): Record<string, string> | undefined {
  const { blocks = [] } = view;
  const standing = new Set(blocks.map(({ block_id: id }) => id));
  const errors: Record<string, string> = {};
  for (const { field, message } of issues) {
    const found = operation.fields.find(({ key }) => key === field);
    const shown =
      found !== undefined &&
      isShown(found, state.raw) &&
      (found.section === undefined || state.open.includes(found.section));
    if (!shown) return undefined;
    const id = blockIdOf(found, state.raw, state.edition);
    if (blocks.length > 0 && !standing.has(id)) return undefined;
    errors[id] ??= message;
  }
  return errors;
}

async function byNewRules(
  before: FormState,
  { operation, actor, place }: About,
  deps: SlackDeps,
): Promise<FormState> {
  return {
    ...before,
    limits: wordsOf(await limitsOf(operation, { actor, place, deps })),
    rules: rulesMark(deps.ports.settings.get()),
    edition: (before.edition ?? 0) + 1,
  };
}

/** One sentence for the form, then one for each field of which something else is allowed or offered. */
function whatChanged(
  before: FormState,
  now: FormState,
  { operation }: Opened,
  deps: SlackDeps,
): readonly Issue[] {
  const names = namesIn(deps.ports.settings.get());
  const fields = operation.fields.flatMap((field): readonly Issue[] => {
    const [was, is] = [before.limits?.[field.key], now.limits?.[field.key]];
    const limit = was === is ? [] : [is ?? 'The rules here limit it no longer.'];
    const value = now.raw[field.key];
    const isConfigured = field.widget === 'credential' || field.widget === 'organization';
    const offered = choicesIn(field, { raw: now.raw, ...names });
    const isGone =
      isConfigured && value !== undefined && offered.every((choice) => choice.value !== value);
    const gone = isGone ? [`${String(value)} is no longer offered; choose another.`] : [];
    return [...limit, ...gone].map((message) => ({ field: field.key, message }));
  });
  const first = 'The rules changed while this form was open. What you typed is kept.';
  return [{ field: '', message: first }, ...fields];
}
