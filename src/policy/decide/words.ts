import type { Question, Target } from '../../core/ports/decision.ts';
import { bold, channel, code, listText, say, type Text } from '../../core/text/text.ts';
import type { Because } from './evaluate.ts';
import type { ActorFacts, PlaceFacts } from './facts.ts';
import type { GateRefusal } from './gate.ts';

type RuleBecause = Exclude<Because, { readonly kind: 'gate' }>;

/**
 * One sentence that may follow "… was not stopped: ". Names of groups and rules are for ordinary
 * members; guests and people from elsewhere learn only that no rule lets them.
 */
export function reasonFor(
  because: Because,
  actor: ActorFacts,
  place: PlaceFacts,
  question: Question,
): Text {
  if (because.kind === 'gate') return say`${GATE_WORDS[because.gate]}`;
  if (actor.standing === 'member') return ruleReason(because, place, question.action);
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
