import { BREAK_GLASS, type Question, type Target } from '../../core/ports/decision.ts';
import {
  type ChannelSettings,
  coversAction,
  type Rule,
  type Settings,
} from '../../core/settings/settings.ts';
import { isUuid } from '../../core/text/typed-text.ts';
import type { ActorFacts } from './facts.ts';

/**
 * Whether a rule is about an action. Break-glass is given by its name alone, in a rule without an
 * approval: `*` with an approval would otherwise open the way around that very approval. A deny
 * covers it like everything else. Design: §5, §6.
 */
export function ruleCovers(rule: Rule, action: string): boolean {
  if (rule.effect === 'allow' && action === BREAK_GLASS) {
    return rule.approval === undefined && rule.actions.includes(action);
  }
  return rule.actions.some((pattern) => coversAction(pattern, action));
}

/** A rule with its names resolved to ids once, so that a decision compares ids only. */
export type CompiledRule = Readonly<{
  rule: Rule;
  anyone: boolean;
  guests: boolean;
  external: boolean;
  users: ReadonlySet<string>;
  groups: readonly string[];
  /** Undefined: every target. */
  services: ServiceScope | undefined;
}>;

/** A name in a rule means the id beside it in `services:`, never whatever bears that name. */
export type ServiceScope = Readonly<{
  ids: ReadonlySet<string>;
  tags: ReadonlySet<string>;
  configured: ReadonlySet<string>;
}>;

export type RulesForAction = Readonly<{
  allow: readonly CompiledRule[];
  deny: readonly CompiledRule[];
  allowBy: WhoIndex;
  denyBy: WhoIndex;
  /** Groups that the allow rules name, sorted. */
  groups: readonly string[];
}>;

/** The rules of one place, by action. */
export type Scope = Readonly<{
  channel: ChannelSettings | undefined;
  forAction(action: string): RulesForAction;
}>;

export type CompiledPolicy = Readonly<{
  channels: ReadonlyMap<string, Scope>;
  /** Sorted. */
  channelIds: readonly string[];
  /**
   * For direct messages and App Home, where they are allowed at all: what any channel allows
   * without an approval (nobody there could give one), minus what any channel denies.
   */
  everywhere: Scope;
}>;

const compiled = new WeakMap<Settings, CompiledPolicy>();

/** Compiled once for each Settings object; a reload brings another object. */
export function compile(settings: Settings): CompiledPolicy {
  const known = compiled.get(settings);
  if (known !== undefined) return known;
  const rulesOf = (channel: ChannelSettings) =>
    channel.rules.map((rule) => compileRule(rule, settings));
  const channels = new Map(
    settings.channels.map((channel) => [channel.id, scope(channel, rulesOf(channel))]),
  );
  const everywhere = settings.channels
    .flatMap(rulesOf)
    .filter(({ rule }) => rule.effect === 'deny' || rule.approval === undefined);
  const policy = {
    channels,
    channelIds: [...channels.keys()].sort(),
    everywhere: scope(undefined, everywhere),
  };
  compiled.set(settings, policy);
  return policy;
}

function scope(channel: ChannelSettings | undefined, rules: readonly CompiledRule[]): Scope {
  const byAction = new Map<string, RulesForAction>();
  return {
    channel,
    forAction(action) {
      const known = byAction.get(action);
      if (known !== undefined) return known;
      const covering = rules.filter(({ rule }) => ruleCovers(rule, action));
      const allow = covering.filter(({ rule }) => rule.effect === 'allow');
      const deny = covering.filter(({ rule }) => rule.effect === 'deny');
      const allowBy = indexByWho(allow);
      const found = {
        allow,
        deny,
        allowBy,
        denyBy: indexByWho(deny),
        groups: [...allowBy.groups.keys()].sort(),
      };
      byAction.set(action, found);
      return found;
    },
  };
}

function compileRule(rule: Rule, settings: Settings): CompiledRule {
  const users = new Set<string>();
  const groups: string[] = [];
  for (const who of rule.who) {
    if (Object.hasOwn(settings.groups, who)) groups.push(who);
    else if (!isWord(who)) users.add(who);
  }
  return {
    rule,
    anyone: rule.who.includes('anyone'),
    guests: rule.who.includes('guests'),
    external: rule.who.includes('external'),
    users,
    groups,
    services: compileServices(rule.services, settings),
  };
}

function isWord(who: string): boolean {
  return who === 'anyone' || who === 'guests' || who === 'external';
}

function compileServices(
  services: readonly string[] | undefined,
  settings: Settings,
): ServiceScope | undefined {
  if (services === undefined || services.includes('*')) return undefined;
  const tags = new Set(
    services.filter((name) => name.startsWith('tag:')).map((name) => name.slice(4)),
  );
  const named = settings.services
    .filter(({ name, tags: own }) => services.includes(name) || own.some((tag) => tags.has(tag)))
    .map(({ id }) => id);
  return {
    ids: new Set([...named, ...services.filter(isUuid)].map((id) => id.toLowerCase())),
    tags,
    configured: new Set(settings.services.map(({ id }) => id.toLowerCase())),
  };
}

/** Ids are compared in lower case; done once for a question, not once for each rule. */
export function comparable(question: Question): Question {
  const { targets } = question;
  if (targets === undefined || targets.every(({ id }) => id === id.toLowerCase())) return question;
  return {
    ...question,
    targets: targets.map((target) => ({ ...target, id: target.id.toLowerCase() })),
  };
}

/**
 * Whether a rule is about a target of a `comparable` question. One limited to services concerns
 * services only, not an organization or an invitation.
 */
export function coversTarget({ services }: CompiledRule, target: Target): boolean {
  if (services === undefined) return true;
  if (target.kind !== 'service') return false;
  const { id } = target;
  if (services.ids.has(id)) return true;
  // A configured service has the tags of the file, whatever else is said of it.
  return !services.configured.has(id) && target.tags.some((tag) => services.tags.has(tag));
}

/** Rules by whom they are about, so that a decision looks only at those about the asker. */
export type WhoIndex = Readonly<{
  anyone: readonly CompiledRule[];
  guests: readonly CompiledRule[];
  external: readonly CompiledRule[];
  users: ReadonlyMap<string, readonly CompiledRule[]>;
  groups: ReadonlyMap<string, readonly CompiledRule[]>;
}>;

function indexByWho(rules: readonly CompiledRule[]): WhoIndex {
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
