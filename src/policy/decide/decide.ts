import type { Decision, Question, Target } from '../../core/ports/decision.ts';
import { formerId, type Settings } from '../../core/settings/settings.ts';
import { bold, channel, code, joinText, listText, say, type Text } from '../../core/text/text.ts';
import { type CompiledRule, compile, isAbout } from './compile.ts';

import {
  type Because,
  concerns,
  evaluate,
  firstPath,
  type GateRefusal,
  scopeOf,
  type Verdict,
} from './evaluate.ts';
import type { ActorFacts, DecisionFacts, PlaceFacts } from './facts.ts';

export type DecideInput = DecisionFacts & {
  /** Channels that people of other organizations read; hints leave them out. */
  readonly shared?: ((channelId: string) => boolean) | undefined;
};

/**
 * May this person do this here, and if not, why? A pure function of settings, facts and question.
 *
 * - Closed by default: no channel, no rule, no match is a refusal.
 * - Any matching deny wins; the order of rules never matters.
 * - Without `targets`: could any rule allow this action here? A deny limited to services stays
 *   silent. With them: each needs an allow rule, and a deny that covers any of them wins.
 * - `attributes`, where given, must be within the limits of the rule that allows.
 * - Direct messages and App Home, where `defaults.directMessages` opens them, follow the rules of
 *   all channels together; rules with an approval do not count there.
 * - An open question needs no rule, but a deny still forbids it.
 *
 * Design: §5.
 */
export function decide(input: DecideInput): Decision {
  return decisionOf(evaluate(input), input);
}

/** The verdict with its words. */
export function decisionOf(verdict: Verdict, input: DecideInput): Decision {
  if (!verdict.allowed) return refusalOf(verdict.because, input);
  const rule = firstPath(verdict.rules)?.rule.path ?? 'open';
  const { approval, reason } = verdict;
  return { allowed: true, rule, approval, reason };
}

function refusalOf(because: Because, input: DecideInput): Decision {
  const { settings, actor, place, question, shared = () => false } = input;
  const rule = 'rule' in because && knowsRules(actor) ? because.rule : undefined;
  const hint = hintFor(hintFacts(input, shared));
  return {
    allowed: false,
    rule,
    reason: renamedReason(settings, actor, place) ?? reasonFor(because, actor, place, question),
    hint,
    beyond: actor.standing === 'member' && because.kind === 'limit' ? because.attribute : undefined,
    unsure: isUnsure(because) || undefined,
  };
}

/** What a schedule is refused is told where its file is read. */
function knowsRules({ standing }: ActorFacts): boolean {
  return standing === 'member' || standing === 'schedule';
}

/** A channel of the file under the id that it had before: nothing is allowed, and it is told why. */
function renamedReason(
  settings: Settings,
  { standing }: ActorFacts,
  place: PlaceFacts,
): Text | undefined {
  const known = place.kind === 'channel' ? formerId(settings, place.channelId) : undefined;
  if (known === undefined || standing !== 'member' || place.kind !== 'channel') return undefined;
  return say`steward.yaml says ${code(known)}, and Slack now calls this channel ${code(place.channelId)}. Whoever keeps the file has to change the id.`;
}

/** Slack did not say what the rules ask for. */
export function isUnsure(because: Because): boolean {
  if (because.kind === 'unsure') return true;
  if (because.kind !== 'gate') return false;
  return because.gate === 'unknown-person' || because.gate === 'unknown-place';
}

type RuleBecause = Exclude<Because, { readonly kind: 'gate' }>;

/**
 * One sentence that may follow "… was not stopped: ". Names of groups and rules are for ordinary
 * members; guests and people from elsewhere learn only that no rule lets them.
 */
function reasonFor(
  because: Because,
  actor: ActorFacts,
  place: PlaceFacts,
  question: Question,
): Text {
  if (because.kind === 'gate') return say`${GATE_WORDS[because.gate]}`;
  if (knowsRules(actor)) return ruleReason(because, place, question.action);
  return say`no rule here lets you use ${code(question.action)}.`;
}

function ruleReason(because: RuleBecause, place: PlaceFacts, action: string): Text {
  switch (because.kind) {
    case 'forbidden':
      return say`the rule ${code(because.rule)} forbids it.`;
    case 'unsure':
      return say`Slack could not say who is in ${either(because.groups)}; nothing was done.`;
    case 'no-rule':
      return noRule(place, action);
    case 'not-in':
      return notIn(because.groups, action);
    case 'service':
      return notCovered(because.target);
    case 'limit':
      return because.reason;
    case 'approvers':
      return say`these need different approvers; ask for one at a time.`;
  }
}

function notIn(groups: readonly string[], action: string): Text {
  if (groups.length > 0) return say`you are not in ${either(groups)}.`;
  return say`the rules here give ${code(action)} to other people.`;
}

function notCovered({ kind, name }: Target): Text {
  if (kind === 'service') {
    return say`${bold(name)} is not among the services of the rules here.`;
  }
  return say`the rules here are for single services, not for the ${kind} ${bold(name)}.`;
}

const GATE_WORDS: Readonly<Record<GateRefusal, string>> = {
  bot: 'a bot may not act here.',
  deleted: 'a deactivated account may not act here.',
  'unknown-person': 'Slack could not say who you are; nothing was done.',
  external: 'people of other workspaces may not act here.',
  guest: 'a guest account may not act here.',
  direct: 'the rules allow nothing in direct messages.',
  home: 'the rules allow nothing outside of channels.',
  shared: 'this channel is shared with another organization.',
  'unknown-place': 'Slack could not say who reads this channel; nothing was done.',
};

function noRule(place: PlaceFacts, action: string): Text {
  if (place.kind === 'channel') {
    return say`${channel(place.channelId)} has no rule for ${code(action)}.`;
  }
  return say`no rule allows ${code(action)} outside of channels.`;
}

function either(names: readonly string[]): Text {
  return listText(names, 'or');
}

const MAX_CHANNELS = 3;
const MAX_GROUPS = 8;

/** What a hint says, as facts: each was decided like a question of its own. */
export type HintFacts = {
  /** Groups whose members are allowed the same thing here. */
  readonly hereFor: readonly string[];
  /** Channels where this very person is allowed the same thing, and as whom. */
  readonly elsewhere: readonly { readonly channelId: string; readonly as: readonly string[] }[];
};

const NONE: HintFacts = { hereFor: [], elsewhere: [] };

/**
 * The ways on that this person may know of; none for anybody but an ordinary member. `shared` tells
 * of channels that others listen in to: they are not recommended. Design: §5.
 */
export function hintFacts(facts: DecisionFacts, shared: (channelId: string) => boolean): HintFacts {
  if (facts.actor.standing !== 'member') return NONE;
  return { hereFor: groupsHere(facts), elsewhere: channelsElsewhere(facts, shared) };
}

function hintFor({ hereFor, elsewhere }: HintFacts): Text | undefined {
  const here = hereFor.length === 0 ? [] : [say`here for ${listText(hereFor, 'or')}`];
  const there = elsewhere.map(
    ({ channelId, as }) => say`in ${channel(channelId)} for ${listText(as, 'or')}`,
  );
  const ways = [...here, ...there];
  return ways.length === 0 ? undefined : say`It is allowed ${joinText(ways, ', or ')}.`;
}

function groupsHere(facts: DecisionFacts): readonly string[] {
  const named = scopeOf(facts.settings, facts.place)?.forAction(facts.question.action).groups ?? [];
  const groups = named.filter((group) => !facts.actor.groups.has(group));
  return groups.slice(0, MAX_GROUPS).filter((group) => {
    const actor = { userId: '', standing: 'member', unknownGroups: new Set<string>() } as const;
    return evaluate({ ...facts, actor: { ...actor, groups: new Set([group]) } }).allowed;
  });
}

function channelsElsewhere(
  facts: DecisionFacts,
  shared: (channelId: string) => boolean,
): HintFacts['elsewhere'] {
  const { settings, actor, place, question } = facts;
  const { channels, channelIds } = compile(settings);
  const here = place.kind === 'channel' ? place.channelId : undefined;
  const found: { channelId: string; as: readonly string[] }[] = [];
  for (const channelId of channelIds) {
    if (found.length === MAX_CHANNELS) break;
    const rules = channels.get(channelId)?.forAction(question.action);
    if (rules === undefined || !isAbout(rules.allowBy, actor)) continue;
    if (channelId === here || shared(channelId)) continue;
    const there = { kind: 'channel', channelId, shared: false } as const;
    const verdict = evaluate({ ...facts, place: there });
    if (verdict.allowed) found.push({ channelId, as: roles(verdict.rules, actor) });
  }
  return found;
}

/** As whom the rules let this person: their groups, else `you`, else `anyone`. */
function roles(rules: readonly CompiledRule[], actor: ActorFacts): readonly string[] {
  const mine = rules.filter((rule) => concerns(rule, actor) === 'yes');
  if (mine.some((rule) => rule.anyone)) return ['anyone'];
  const groups = mine.flatMap((rule) => rule.groups.filter((group) => actor.groups.has(group)));
  return groups.length > 0 ? [...new Set(groups)].sort() : ['you'];
}
