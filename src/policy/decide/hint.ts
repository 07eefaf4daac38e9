import { channel, joinText, listText, say, type Text } from '../../core/text/text.ts';
import { type CompiledRule, compile, isAbout } from './compile.ts';
import { type Asked, concerns, evaluate, scopeOf } from './evaluate.ts';
import type { ActorFacts } from './facts.ts';

const MAX_CHANNELS = 3;
const MAX_GROUPS = 8;

/** What a hint says, as facts: each was decided like a question of its own. */
export type Ways = {
  /** Groups whose members are allowed the same thing here. */
  readonly hereFor: readonly string[];
  /** Channels where this very person is allowed the same thing, and as whom. */
  readonly elsewhere: readonly { readonly channelId: string; readonly as: readonly string[] }[];
};

const NONE: Ways = { hereFor: [], elsewhere: [] };

/**
 * The ways on that this person may know of; none for anybody but an ordinary member. `shared` tells
 * of channels that others listen in to: they are not recommended. Design: §5.
 */
export function waysOn(asked: Asked, shared: (channelId: string) => boolean): Ways {
  if (asked.actor.standing !== 'member') return NONE;
  return { hereFor: groupsHere(asked), elsewhere: channelsElsewhere(asked, shared) };
}

export function hintFor({ hereFor, elsewhere }: Ways): Text | undefined {
  const here = hereFor.length === 0 ? [] : [say`here for ${listText(hereFor, 'or')}`];
  const there = elsewhere.map(
    ({ channelId, as }) => say`in ${channel(channelId)} for ${listText(as, 'or')}`,
  );
  const ways = [...here, ...there];
  return ways.length === 0 ? undefined : say`It is allowed ${joinText(ways, ', or ')}.`;
}

function groupsHere(asked: Asked): readonly string[] {
  const named = scopeOf(asked.settings, asked.place)?.forAction(asked.question.action).groups ?? [];
  const groups = named.filter((group) => !asked.actor.groups.has(group));
  return groups.slice(0, MAX_GROUPS).filter((group) => {
    const actor = { userId: '', standing: 'member', unknownGroups: new Set<string>() } as const;
    return evaluate({ ...asked, actor: { ...actor, groups: new Set([group]) } }).allowed;
  });
}

function channelsElsewhere(
  asked: Asked,
  shared: (channelId: string) => boolean,
): Ways['elsewhere'] {
  const { settings, actor, place, question } = asked;
  const { channels, channelIds } = compile(settings);
  const here = place.kind === 'channel' ? place.channelId : undefined;
  const found: { channelId: string; as: readonly string[] }[] = [];
  for (const channelId of channelIds) {
    if (found.length === MAX_CHANNELS) break;
    const rules = channels.get(channelId)?.forAction(question.action);
    if (rules === undefined || !isAbout(rules.allowBy, actor)) continue;
    if (channelId === here || shared(channelId)) continue;
    const there = { kind: 'channel', channelId, shared: false } as const;
    const verdict = evaluate({ ...asked, place: there });
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
