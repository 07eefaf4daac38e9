import type { Question } from '../core/ports/decision.ts';
import type { Actor, Place } from '../core/ports/ports.ts';
import type { CurrentSettings, Settings } from '../core/settings/settings.ts';
import { compile, type Scope } from './decide/compile.ts';
import type { DecideInput } from './decide/decide.ts';
import { scopeOf } from './decide/evaluate.ts';
import type { ActorFacts } from './decide/facts.ts';
import type { Identity } from './identity/identity.ts';

/** What is asked of Slack for a decision: no more than decides. Design: §5. */
export type Facts = {
  /** For these actions here; by default for the question's own. */
  factsFor(
    actor: Actor,
    place: Place,
    question: Question,
    actions?: readonly string[],
  ): Promise<DecideInput>;
  /** A refusal says where else it is allowed: only that needs the groups of other places. */
  withElsewhere(actor: Actor, place: Place, input: DecideInput): Promise<DecideInput>;
};

/** `seen` is told of each place that is asked about. */
export function createFacts(
  settings: CurrentSettings,
  identity: Identity,
  seen: (place: Place, now: Settings) => void,
): Facts {
  const factsFor: Facts['factsFor'] = async (...asked) => {
    const [actor, place, question, actions = [question.action]] = asked;
    const now = settings.get();
    seen(place, now);
    const groups = groupsAbout(actions, place, now);
    const [who, where] = await Promise.all(
      question.fresh === true
        ? [identity.freshActor(actor, now, groups), identity.freshPlace(place, now)]
        : [identity.actor(actor, now, groups), identity.place(place, now)],
    );
    // The rules changed while Slack was asked: what was looked up was for the old ones.
    if (question.fresh === true && settings.get() !== now) return await factsFor(...asked);
    return { settings: now, actor: who, place: where, question };
  };
  return {
    factsFor,
    withElsewhere: async (actor, place, input) => {
      const { action } = input.question;
      const known = new Set(groupsAbout([action], place, input.settings));
      const others = groupsAnywhere(action, input.settings).filter((name) => !known.has(name));
      if (input.actor.standing !== 'member' || others.length === 0) return input;
      const more = await identity.actor(actor, input.settings, others);
      return { ...input, actor: together(input.actor, more) };
    },
  };
}

/** The groups that decide about actions in a place; approvers are resolved at the press instead. */
function groupsAbout(
  actions: readonly string[],
  place: Place,
  settings: Settings,
): readonly string[] {
  const where =
    place === 'home' || place.channelId.startsWith('D')
      ? ({ kind: 'home' } as const)
      : ({ kind: 'channel', channelId: place.channelId, shared: 'unknown' } as const);
  const scope = scopeOf(settings, where);
  return scope === undefined ? [] : groupsIn([scope], actions);
}

/** Those that decide about it in any channel. */
function groupsAnywhere(action: string, settings: Settings): readonly string[] {
  return groupsIn([...compile(settings).channels.values()], [action]);
}

function groupsIn(scopes: readonly Scope[], actions: readonly string[]): readonly string[] {
  const names = scopes.flatMap((scope) =>
    actions.flatMap((action) => {
      const rules = scope.forAction(action);
      return [...rules.groups, ...rules.denyBy.groups.keys()];
    }),
  );
  return [...new Set(names)];
}

function together(here: ActorFacts, more: ActorFacts): ActorFacts {
  return {
    ...here,
    groups: new Set([...here.groups, ...more.groups]),
    unknownGroups: new Set([...here.unknownGroups, ...more.unknownGroups]),
  };
}
