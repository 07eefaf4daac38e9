import { canonicalJson } from '../text/json.ts';
import { counted } from '../text/text.ts';
import type { ChannelSettings, Settings } from './settings.ts';

/**
 * What a reload changed, one sentence for each part, names only: never a value, which may be secret.
 * Empty where only comments or spaces differ.
 */
export function settingsChanges(before: Settings, after: Settings): readonly string[] {
  return [
    ...channelChanges(before.channels, after.channels),
    ...namedChanges('group', Object.entries(before.groups), Object.entries(after.groups)),
    ...namedChanges('service', named(before.services, 'name'), named(after.services, 'name')),
    ...namedChanges(
      'organization',
      named(before.organizations, 'key'),
      named(after.organizations, 'key'),
    ),
    ...namedChanges(
      'credential',
      named(before.credentials, 'name'),
      named(after.credentials, 'name'),
    ),
    ...namedChanges('schedule', named(before.schedules, 'name'), named(after.schedules, 'name')),
    ...namedChanges('preset', Object.entries(before.presets), Object.entries(after.presets)),
    ...SINGLE.filter((key) => !same(before[key] ?? null, after[key] ?? null)).map(
      (key) => `${key} changed`,
    ),
  ];
}

const SINGLE = [
  'command',
  'workspaces',
  'defaults',
  'audit',
  'generatedPassword',
  'passwordForMs',
  'currency',
  'limits',
] as const satisfies readonly (keyof Settings)[];

type Named = readonly (readonly [string, unknown])[];

function named<K extends string>(values: readonly Readonly<Record<K, string>>[], key: K): Named {
  return values.map((value) => [value[key], value]);
}

function channelChanges(
  before: readonly ChannelSettings[],
  after: readonly ChannelSettings[],
): readonly string[] {
  const old = new Map(before.map((channel) => [channel.name, channel]));
  const now = new Set(after.map(({ name }) => name));
  return [
    ...after.flatMap((channel) => {
      const was = old.get(channel.name);
      if (was === undefined)
        return [`channel ${channel.name} added with ${counted(channel.rules.length, 'rule')}`];
      return same(was, channel) ? [] : [`channel ${channel.name}: ${changeOf(was, channel)}`];
    }),
    ...before.filter(({ name }) => !now.has(name)).map(({ name }) => `channel ${name} removed`),
  ];
}

function changeOf(was: ChannelSettings, is: ChannelSettings): string {
  const gone = was.rules.filter((rule) => !is.rules.some((other) => sameRule(rule, other))).length;
  const added = is.rules.filter((rule) => !was.rules.some((other) => sameRule(rule, other))).length;
  if (gone > 0 || added > 0)
    return `${counted(added, 'rule')} added, ${gone} removed, now ${counted(is.rules.length, 'rule')}`;
  return same({ ...was, rules: [] }, { ...is, rules: [] })
    ? 'its rules stand in another order'
    : 'its settings beside the rules changed';
}

/** Wherever they stand: a rule that only moved is the same rule. */
function sameRule(one: ChannelSettings['rules'][number], other: typeof one): boolean {
  return same({ ...one, path: '' }, { ...other, path: '' });
}

function namedChanges(kind: string, before: Named, after: Named): readonly string[] {
  const old = new Map(before);
  const now = new Map(after);
  return [
    ...sentence(
      kind,
      'added',
      [...now.keys()].filter((name) => !old.has(name)),
    ),
    ...sentence(
      kind,
      'removed',
      [...old.keys()].filter((name) => !now.has(name)),
    ),
    ...sentence(
      kind,
      'changed',
      [...now].filter(([name, value]) => old.has(name) && !same(old.get(name), value)).map(keyOf),
    ),
  ];
}

function keyOf([name]: readonly [string, unknown]): string {
  return name;
}

function sentence(kind: string, what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, 5).join(', ');
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return [`${kind} ${what}: ${shown}${more}`];
}

function same(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
