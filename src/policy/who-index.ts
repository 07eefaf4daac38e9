import type { CompiledRule } from './compile.ts';
import type { ActorFacts } from './facts.ts';

/** Rules by whom they are about, so that a decision looks only at those about the asker. */
export type WhoIndex = {
  readonly anyone: readonly CompiledRule[];
  readonly guests: readonly CompiledRule[];
  readonly external: readonly CompiledRule[];
  readonly users: ReadonlyMap<string, readonly CompiledRule[]>;
  readonly groups: ReadonlyMap<string, readonly CompiledRule[]>;
};

export function indexByWho(rules: readonly CompiledRule[]): WhoIndex {
  return {
    anyone: rules.filter((rule) => rule.anyone),
    guests: rules.filter((rule) => rule.guests),
    external: rules.filter((rule) => rule.external),
    users: grouped(rules, (rule) => rule.users),
    groups: grouped(rules, (rule) => rule.groups),
  };
}

/** Guests and external people have passed the gate before this. */
export function rulesAbout(index: WhoIndex, actor: ActorFacts): readonly CompiledRule[] {
  return distinct([
    index.anyone,
    index.users.get(actor.userId) ?? [],
    actor.standing === 'guest' ? index.guests : [],
    actor.standing === 'external' ? index.external : [],
    ...inGroups(index, actor.groups),
  ]);
}

/** Whether any rule is about this person: what `rulesAbout` would find, without finding it. */
export function isAbout(index: WhoIndex, actor: ActorFacts): boolean {
  if (index.anyone.length > 0 || index.users.has(actor.userId)) return true;
  if (actor.standing === 'guest' && index.guests.length > 0) return true;
  if (actor.standing === 'external' && index.external.length > 0) return true;
  for (const group of actor.groups) if (index.groups.has(group)) return true;
  return false;
}

/** Rules about groups of which nobody knows whether this person is in them. */
export function rulesPerhapsAbout(index: WhoIndex, actor: ActorFacts): readonly CompiledRule[] {
  return actor.unknownGroups.size === 0 ? [] : distinct(inGroups(index, actor.unknownGroups));
}

function inGroups(
  index: WhoIndex,
  groups: ReadonlySet<string>,
): readonly (readonly CompiledRule[])[] {
  return [...groups].map((name) => index.groups.get(name) ?? []);
}

function distinct(lists: readonly (readonly CompiledRule[])[]): readonly CompiledRule[] {
  const filled = lists.filter((list) => list.length > 0);
  return filled.length > 1 ? [...new Set(filled.flat())] : (filled[0] ?? []);
}

function grouped(
  rules: readonly CompiledRule[],
  keysOf: (rule: CompiledRule) => Iterable<string>,
): ReadonlyMap<string, readonly CompiledRule[]> {
  const map = new Map<string, CompiledRule[]>();
  for (const rule of rules) {
    for (const key of new Set(keysOf(rule))) {
      const list = map.get(key);
      if (list === undefined) map.set(key, [rule]);
      else list.push(rule);
    }
  }
  return map;
}
