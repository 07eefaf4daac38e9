import type { Access } from '../../core/settings/settings.ts';
import type { Scope } from './compile.ts';
import type { DecisionFacts } from './facts.ts';

export type GateRefusal =
  | 'bot'
  | 'deleted'
  | 'unknown-person'
  | 'external'
  | 'guest'
  | 'direct'
  | 'home'
  | 'shared'
  | 'unknown-place';

type GateFacts = DecisionFacts & Readonly<{ scope: Scope | undefined }>;

/**
 * What is refused before any rule is read: whoever is no ordinary member, wherever others listen
 * in, unless a switch of the channel (or else of `defaults`) opens it. A switch lets people in to
 * the rules, it allows nothing by itself. An open question passes the place, never the person, and
 * is never answered to people of other workspaces. Design: §5.
 */
export function gate(facts: GateFacts): GateRefusal | undefined {
  return personRefusal(facts) ?? (facts.question.open === true ? undefined : placeRefusal(facts));
}

function personRefusal({ settings, actor, question, scope }: GateFacts): GateRefusal | undefined {
  const { guests, externalPeople }: { guests: Access; externalPeople: Access } =
    scope?.channel ?? settings.defaults;
  switch (actor.standing) {
    case 'member':
      return undefined;
    case 'guest':
      return guests === 'allow' ? undefined : 'guest';
    case 'external':
      return externalPeople === 'allow' && question.open !== true ? undefined : 'external';
    case 'bot':
    case 'deleted':
      return actor.standing;
    case 'unknown':
      return 'unknown-person';
  }
}

function placeRefusal({ settings, place, scope }: GateFacts): GateRefusal | undefined {
  switch (place.kind) {
    case 'direct':
    case 'home':
      return settings.defaults.directMessages === 'allow' ? undefined : place.kind;
    case 'channel': {
      const { externalPeople } = scope?.channel ?? settings.defaults;
      if (place.shared === false || externalPeople === 'allow') return undefined;
      // Without rules there is nothing to let anybody in to: the missing rule is the better reason.
      if (place.shared === 'unknown') return scope === undefined ? undefined : 'unknown-place';
      return 'shared';
    }
  }
}
