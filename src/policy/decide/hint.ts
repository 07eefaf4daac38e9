import { channel, joinText, listText, say, type Text } from '../../core/text/text.ts';
import { type CompiledRule, compile, isAbout } from './compile.ts';
import { concerns, evaluate, scopeOf } from './evaluate.ts';
import type { ActorFacts, DecisionFacts } from './facts.ts';

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

export function hintFor({ hereFor, elsewhere }: HintFacts): Text | undefined {
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
