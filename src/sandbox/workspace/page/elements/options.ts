import type { Json, PageChannel, PageState, Persona } from '../../protocol/page-protocol.ts';
import { bool, list, obj, str, strings, words } from '../json.ts';

/** One entry of any select: `raw` is what the state holds, an option object or a bare id. */
export type Choice = {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly group: string | null;
  readonly raw: unknown;
};

/** A choice from an option object. */
function choiceOf(option: Json, group: string | null = null): Choice {
  return {
    key: str(option, 'value') ?? words(option['text']),
    label: words(option['text']),
    description: words(option['description']),
    group,
    raw: option,
  };
}

/** Choices from `options`, or from `option_groups` in their order. */
export function choicesOf(holder: Json): readonly Choice[] {
  const groups = list(holder, 'option_groups');
  if (groups.length === 0) return list(holder, 'options').map((option) => choiceOf(option));
  return groups.flatMap((group) =>
    list(group, 'options').map((option) => choiceOf(option, words(group['label']))),
  );
}

/** The choices of a select by its type: its own options, or the people or channels of the workspace. */
export function selectChoices(element: Json, state: PageState): readonly Choice[] {
  switch ((str(element, 'type') ?? '').replace(/^multi_/, '')) {
    case 'users_select':
      return state.personas.filter((persona) => persona.kind !== 'deleted').map(personChoice);
    case 'channels_select':
      return state.channels.filter((channel) => channel.kind === 'public').map(channelChoice);
    case 'conversations_select':
      return state.channels.filter((channel) => included(element, channel)).map(channelChoice);
    default:
      return choicesOf(element);
  }
}

function personChoice(persona: Persona): Choice {
  return { ...bare(persona.id, `@${persona.name}`), description: persona.realName };
}

function channelChoice(channel: PageChannel): Choice {
  return bare(channel.id, channelLabel(channel));
}

function bare(id: string, label: string): Choice {
  return { key: id, label, description: '', group: null, raw: id };
}

/** `#ops`, or the bare name of a direct message. */
export function channelLabel(channel: Pick<PageChannel, 'name' | 'kind'>): string {
  return channel.kind === 'dm' ? channel.name : `#${channel.name}`;
}

function included(element: Json, channel: PageChannel): boolean {
  const filter = obj(element, 'filter');
  if (filter === null) return true;
  if (bool(filter, 'exclude_external_shared_channels') === true && channel.shared) return false;
  const kinds = strings(filter['include']);
  return kinds.length === 0 || kinds.includes(channel.kind === 'dm' ? 'im' : channel.kind);
}

/** The key of a value in the state: the option's value, or the bare id. */
export function keyOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null && 'value' in value ? String(value.value) : '';
}
